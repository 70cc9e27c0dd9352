"""Phrases that name nothing, but say what is meant: a pronoun, a general noun, a description.

"It" and "the instance" point at what was mentioned before; "the reporting cluster" may fit exactly one of the
known names.
"""

from __future__ import annotations

import re

from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase, word_set

_GENERIC = """
    instance|server|machine|box|host|node|vm|cluster|database|db|service|app|application|resource|environment|env
    |container|pod|job|pipeline|deployment|branch|repo|repository|account|customer|client|user|order|invoice|payment
    |refund|transaction|ticket|case|claim|reservation|booking|flight|trip|subscription|volume|disk|bucket|queue|table
    |index|file|document|report|contract|project|system|site|website|workspace|device|sandbox|runner|hold|freeze
    |restriction|thing|one|ones|pr|pull|request|release|feature|record|dataset|backup|snapshot|key|prescription
    |appointment|meeting|event|shipment|package|policy|rule|lock|line
""".replace("\n", "").replace(" ", "")
_GENERAL = frozenset(_GENERIC.split("|"))
_PLURAL = "|".join(f"{noun}s" for noun in _GENERIC.split("|"))
_POINTS_AT_ONE = holds(f"""
    it | its | this|that $ | this|that one | which | the one
    | the|this|that|said|our|same [very|same|particular|specific|whole] ( {_GENERIC} )
    (?! of|in|for|with|on|from|named|called )
""")
_POINTS_AT_ALL = holds(f"""
    they | them | both | these|those | all of them | both of them
    | the|these|those|both|same [two|three|same] ( {_PLURAL} )
""")
MOMENT = re.compile(
    r"[\d:.,/-]+(?:am|pm|h|st|nd|rd|th|days?|%|k|m|gb|mb|tb|ms|s|x)?|[$€£].*|v?\d+(?:\.\d+)+|q[1-4]|fy\d+"
)
"""A time, a size, a price or a version, which names nothing."""
_MAX_DESCRIPTION = 5


def points_at_one(phrase: Phrase) -> bool:
    """Whether the phrase has a pronoun or a general noun for one thing that was mentioned."""
    return _POINTS_AT_ONE.search(phrase) is not None


def points_at_all(phrase: Phrase) -> bool:
    """Whether the phrase has a pronoun or a general noun for several things."""
    return _POINTS_AT_ALL.search(phrase) is not None


_DETERMINERS = starts(
    "( the|a|an|our|my|your|their|his|her|its|this|that|these|those|any|all|some|every|each|of|both )*"
)
_OBJECT_ENDS = holds(r"""
    ,|;|:|—|\. | for|on|in|to|at|from|with|by|and|or|into|about|during|that|which|who|so|because|as|is|are
    | over|within|against|under|again|now|please|anymore|yet|until|anyway|though|either
""")
_NO_THING = word_set("""
    there here now anything everything nothing something that this it them you me us anyone everyone more
    further new other any things changes stuff all one up down off out
""")


def description(phrase: Phrase) -> Phrase:
    """The noun phrase that a phrase begins with, without determiners: "reporting cluster" of "the … in eu".

    >>> description(Phrase.of("the old reporting cluster in eu-west")).text
    'old reporting cluster'
    """
    match = _DETERMINERS.match(phrase)
    named = noun_phrase(phrase.cut(match.end() if match else 0))
    words = [word for word in named.words if word.norm not in ("'s", "?", "!")]
    if (
        not words
        or len(words) > _MAX_DESCRIPTION
        or MOMENT.fullmatch(words[0].norm)
        or all(word.norm in _NO_THING for word in words)
    ):
        return Phrase(phrase.source, ())
    return named


def noun_phrase(phrase: Phrase) -> Phrase:
    """The words up to the first preposition or punctuation; of-phrases belong to the noun."""
    ends = _OBJECT_ENDS.search(phrase)
    return phrase.cut(0, ends.start()) if ends else phrase


def is_general(phrase: Phrase) -> bool:
    """Whether a description ends in a general noun for things that are kept and operated."""
    return bool(phrase) and _OPERATED.fullmatch(phrase.words[-1].norm) is not None


_OPERATED = re.compile(f"(?:{_GENERIC.replace('|one|ones', '').replace('|thing', '')}|backup|log|data)s?")


def is_nominal(phrase: Phrase) -> bool:
    """Whether a phrase can be the subject of a rule: a thing, not a clause of its own."""
    return bool(phrase) and _CLAUSAL.search(phrase) is None


_CLAUSAL = holds("""
    i|we|you|he|she|they|that $
    | which|who|because|if|when|how|is|are|was|were|has|have|looks?|concluded|getting
    | reminding|comes|me|us
""")


def content(phrase: Phrase) -> list[str]:
    """The words of a description that tell it from others: without general nouns."""
    return [word.norm for word in phrase.words if word.norm not in _GENERAL and word.norm.isalnum()]

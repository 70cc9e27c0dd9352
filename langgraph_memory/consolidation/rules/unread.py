"""What was said with the force of an instruction but fits no form: it must not vanish, so it is asked about.

"Ines is coming back to it in May" forbids nothing in words, yet whoever deletes it should have asked. Such a
sentence becomes a candidate that rules out everything while it waits: calls that change the thing are put to
a person, until someone with authority confirms it, rejects it or releases the thing. What merely tells how
things are ("it's idle", "it took eleven minutes") doesn't; neither do questions, guesses and what a document
says.
"""

from __future__ import annotations

import re

from langgraph_memory.actions import ActionClass, verbs_in
from langgraph_memory.consolidation.rules import unread_tables as tables
from langgraph_memory.consolidation.rules.deeds import attribute_of
from langgraph_memory.consolidation.rules.harmless import harmless, tells
from langgraph_memory.consolidation.rules.known_names import KnownNames
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.rule import ANYTHING
from langgraph_memory.consolidation.rules.shape import THING
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.wording import starts
from langgraph_memory.consolidation.rules.words import Phrase, word_set
from langgraph_memory.records import FactKind

_LIGHTLY_MEANT = (Mark.DOCUMENT, Mark.ASKING, Mark.QUESTION, Mark.HYPOTHETICAL)
_POINTS = word_set("it this that them they these those one ones there")
_POINTS_AT_IT = word_set("it them they")
_SPARING = word_set("keep leave hold wait skip park pause suspend freeze reserve put change edit archive")
_FORBIDDING = word_set("nobody none nothing neither")
_QUALIFIES = word_set("except excluding besides whoever anyone anybody")
"""Words after which an order to act is none for this thing, or for nobody in particular."""


def forceful(meant: Stance, known: KnownNames, *, named: bool = False) -> bool:
    """Whether a clause has the force of an instruction, a need or a worry, or isn't known to have none.

    Args:
        meant: the clause.
        known: the names that are known.
        named: whether its sentence names a known thing, so that a pronoun means it.
    """
    said, core = masked(meant.whole, known), masked(meant.core, known)
    if meant.has(*_LIGHTLY_MEANT) or tables.NEVERTHELESS.match(core):
        return False
    freed = tables.FREES.search(said) is not None
    if tables.ORDERS.match(core) and not freed:
        return True
    if freed or _is_errand(core):
        return False
    if any(not _is_told(part) and _has_force(part) for part in (said, *_statements(said))):
        return True
    return _is_unexplained(meant, known, named=named)


def refuses(meant: Stance) -> bool:
    """Whether a clause says no to what was asked or done: "no, never", "please don't", "don't do that again".

    >>> from langgraph_memory.consolidation.rules.sentences import clauses, sentences
    >>> from langgraph_memory.consolidation.rules.stance import stance
    >>> said = "No, never. Don't do that again. No problem. Don't worry about it."
    >>> [any(refuses(stance(c)) for c in clauses(s)) for s in sentences(said)]
    [True, True, False, False]
    """
    return _REFUSES.match(meant.clause.whole) is not None


_REFUSES = starts("""
    [please] ( no|nope|never | absolutely|definitely|certainly not | of course not | not now|yet|again ) [,]
        [never|please|way] $
    | [no] [,] [please] do not [ever] [do] [that|this|it] [again|please|yet|now|anymore] $
    | that|this|it was wrong|bad | that|this|it was a mistake
    | you should|must not have|do
    | [no] [,] leave it|that|them alone $
""")


def _statements(said: str) -> list[str]:
    """The statements of a clause that it wasn't cut into: after a comma, "so" or "but"."""
    return [f"{part} " for part in _JOINTS.split(f" {said}")]


_JOINTS = re.compile(r" (?:[,;:\u2014] (?:so |and |but |yet |which )?|so (?!far|that|much|many|on)|but )")


def _is_told(said: str) -> bool:
    return (tables.TOLD.search(said) is not None or tells(said)) and not tables.NOW.search(said)


def _has_force(said: str) -> bool:
    lasts = tables.LASTS.search(said) is not None and not tables.HABIT.search(said)
    return lasts or any(form.search(said) for form in tables.FORCES)


def _is_unexplained(meant: Stance, known: KnownNames, *, named: bool) -> bool:
    """Whether a clause speaks of a known thing and isn't known to be harmless.

    It does by the thing's name, or by a pronoun in a sentence that has the name.
    """
    core = meant.core
    if not any(known.find(core.words[place:]) for place in range(len(core.words))) and not (
        named and not _POINTS_AT_IT.isdisjoint(core.vocabulary)
    ):
        return False
    said = masked(core, known, _POINTS_AT_IT)
    if meant.has(Mark.DIRECTIVE) and said.count(" ") == 1:
        return True
    return any(THING in part.split() and not harmless(part) for part in _statements(said))


def unread(sentence: Phrase) -> Reading:
    """The sentence as a constraint that is asked about."""
    return Reading(
        attribute=attribute_of(ANYTHING),
        value=sentence.text.strip(" ,;:.!?\u2014-"),
        about=(sentence,),
        kind=FactKind.CONSTRAINT,
        forbids=ANYTHING,
        hedged=True,
        asks_first=True,
        named_only=True,
        described=False,
    )


def masked(phrase: Phrase, known: KnownNames, pointing: frozenset[str] = _POINTS) -> str:
    """The plain words with `thing` for known names and for words that point at them."""
    found, position = [], 0
    while position < len(phrase.words):
        named = known.find(phrase.words[position:])
        word = phrase.words[position].norm
        found.append(THING if named or word in pointing else word)
        position += named[1] if named else 1
    return _HAD.sub("had ", "".join(f"{word} " for word in found))


_HAD = re.compile(r"(?<![^ ])(?:must|should|could|might|may|would) (?:not )?have (?!to |a |an |the )")
"""What was, as far as one can tell: "it must have been before my time"."""


def _is_errand(core: str) -> bool:
    """Whether somebody is told to act: "restart it before noon", "we should restart it before noon"."""
    words = core.removeprefix("let us ").split()
    if not _QUALIFIES.isdisjoint(words) or not _FORBIDDING.isdisjoint(words):
        return False
    if (
        words
        and _acts(words[0])
        and not words[0].endswith("ing")
        and "instead" not in words
        and "first" not in words[-2:]
    ):
        return True
    found = tables.ERRAND.search(core)
    deed = found["deed"].split() if found else []
    return any(_acts(word) for word in deed) and "not" not in words and "never" not in words


def _acts(word: str) -> bool:
    return word not in _SPARING and bool(verbs_in(word) - {ActionClass.ANY})

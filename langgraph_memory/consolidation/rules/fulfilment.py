"""Whether a statement reports that an end condition has come about: "QA has migrated the suite"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import snowballstemmer

from langgraph_memory.consolidation.rules.sentences import clauses, sentences
from langgraph_memory.consolidation.rules.speech import own_words
from langgraph_memory.consolidation.rules.stance import Stance, stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.wording import holds
from langgraph_memory.consolidation.rules.words import Phrase, spelled, word_set

_DONE = holds(r"""
    has|have|got|went|came|gave|left|said|done|over|finished|complete|closed|settled | \w+ed
    | is|are|was|were done|over|finished|complete|completed|closed|live|out|through|in|back|here|gone|ready
""")
_IS = holds("is|are|was|were|has|have|'s")
"""What a condition that is a whole statement has, and its report too."""

_NOT_YET = holds("""
    half|part|partly|partially|mostly|most|first|some|several|few|one|only |
    not|no|never|nobody|nothing|yet|still|until|unless|will|would|should|must|may|can|could|shall|almost
    | nearly|soon
    | on its|his|her|their|the way | en route | in transit | underway|expected|due|supposed|scheduled|coming
    | tomorrow|planning|plans|trying|about to | going to | as soon as | once|when|if|being
""")
_SEVERAL = holds("and|both|all|each|every|everyone|everybody")
"""What makes a condition one of several parts: a report of one part doesn't meet it."""

_PARTLY = holds("""
    start|starts|started|starting|begin|begins|began|begun|beginning|partly|partially|half|halfway|partial
    | some of|most of|part of|parts of|half of|progress|underway|working|continues|almost|first|one of
""")
"""A report of a part, or of a beginning, is none of the whole, unless the condition itself is one."""

_NO_CONTENT = word_set("""
    the a an of to in on for at by with from and or is are was were be been has have had it its that this they
    we i you he she there their our your my all any some as so now then end time
""")
_KEPT = 512
"""So many messages are read once: more than one look at what was said after a rule takes."""

_LONG = 20_000
"""Of longer messages, in characters, only the last one is kept in memory."""

_ENOUGH = 0.6
"""The share of the condition's words that a report has to have."""

_FEWEST = 2
"""A condition of fewer telling words (a date, a name) can't be recognised in a report."""

_NEVER_REPORTS = (Mark.QUESTION, Mark.ASKING, Mark.CONDITIONAL, Mark.HYPOTHETICAL, Mark.DOCUMENT)


def reports_end(text: str, ends_when: str) -> Literal["stated", "hedged"] | None:
    """Whether a user's message says that the condition of a constraint is met; None if it doesn't.

    Words are compared by their stems, so that "migrated" reports what "migrates" demands. Whether the speaker
    may say so is for the policy to decide.

    >>> condition = "QA migrates the suite to the shared Kubernetes cluster"
    >>> reports_end("Good news: QA has migrated the suite to Kubernetes.", condition)
    'stated'
    >>> reports_end("I think QA has migrated the suite to Kubernetes.", condition)
    'hedged'
    >>> reports_end("QA will migrate the suite to Kubernetes next week.", condition) is None
    True
    """
    condition, wanted = _condition(ends_when)
    if len(wanted) < _FEWEST:
        return None
    enough = _ENOUGH * len(wanted)
    found = {
        certainty
        for told in _told(text)
        if len(wanted & told.stems) >= enough
        for certainty, part, stems in told.news
        if _reports(part, stems, condition, wanted)
    }
    return "stated" if "stated" in found else "hedged" if found else None


@lru_cache(maxsize=4096)
def _condition(ends_when: str) -> tuple[Phrase, frozenset[str]]:
    """A condition with the stems of its telling words."""
    condition = Phrase.of(spelled(ends_when))
    return condition, _stems(condition)


@dataclass(frozen=True)
class _Told:
    """A sentence that may report something; what it says is worked out only if its words fit a condition."""

    sentence: Phrase

    @cached_property
    def stems(self) -> frozenset[str]:
        return _stems(self.sentence)

    @cached_property
    def news(self) -> tuple[tuple[Literal["stated", "hedged"], Phrase, frozenset[str]], ...]:
        """What it says to have come about, how certainly, and the stems of that."""
        return tuple(
            (_certainty(meant), part, _stems(part))
            for meant in map(stance, clauses(self.sentence))
            if not meant.has(*_NEVER_REPORTS)
            for part in _parts(meant.clause.whole)
            if not _NOT_YET.search(part)
        )


def _told(text: str) -> tuple[_Told, ...]:
    """The sentences of a message, read once for all open conditions."""
    return _told_at_length(text) if len(text) > _LONG else _told_in_short(text)


def _sentences_of(text: str) -> tuple[_Told, ...]:
    return tuple(_Told(sentence) for paragraph in own_words(text) for sentence in sentences(paragraph))


_told_in_short = lru_cache(maxsize=_KEPT)(_sentences_of)
_told_at_length = lru_cache(maxsize=1)(_sentences_of)


def _parts(clause: Phrase) -> list[Phrase]:
    """A clause, and where it has commas its beginning alone: "the amount is settled, please pay it"."""
    comma = clause.plain.find(", ")
    return [clause, clause.cut(0, comma)] if comma > 0 else [clause]


def _reports(phrase: Phrase, stems: frozenset[str], condition: Phrase, wanted: frozenset[str]) -> bool:
    said = wanted & stems
    if len(said) < _ENOUGH * len(wanted):
        return False
    news = Phrase(phrase.source, tuple(w for w in phrase.words if w.norm not in condition.vocabulary))
    if _PARTLY.search(news) or (said != wanted and _SEVERAL.search(condition)):
        return False
    if said == wanted and _IS.search(condition) and _IS.search(phrase) and _says_the_same(phrase, condition):
        return True
    return _DONE.search(news) is not None or (said == wanted and _names_outcome(phrase, condition))


def _says_the_same(phrase: Phrase, condition: Phrase) -> bool:
    """Whether the report says of the thing what the condition does: that it's "back", "in", "over"."""
    places = [place for place, word in enumerate(condition.words) if word.norm in _COPULAS]
    outcome = Phrase(condition.source, condition.words[places[-1] + 1 :] if places else ())
    return not outcome or not (
        outcome.vocabulary.isdisjoint(phrase.vocabulary) and _stems(outcome).isdisjoint(_stems(phrase))
    )


_COPULAS = word_set("is are was were has have been 's")


def _names_outcome(phrase: Phrase, condition: Phrase) -> bool:
    """Whether a report without a verb has the outcome that the condition names: "amount settled"."""
    outcomes = _OUTCOME.findall(condition.plain)
    return any(word in phrase.vocabulary for word in outcomes)


_OUTCOME = re.compile(r"(?<![^ ])(?:is|are|has|have|been|gets?|was|were) (?:been |fully |all )?(\w+ed) ")


def _certainty(meant: Stance) -> Literal["stated", "hedged"]:
    return "hedged" if meant.has(Mark.HEDGED, Mark.REPORTED) else "stated"


def _stems(phrase: Phrase) -> frozenset[str]:
    words = (word.norm for word in phrase.words if word.norm not in _NO_CONTENT and word.norm[-1:].isalnum())
    return frozenset(_stem(word) for word in words)


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    irregular = _IRREGULAR.get(word, word)
    return str(_stemmer().stemWord(irregular))


@lru_cache(maxsize=1)
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")


_IRREGULAR = {
    "gone": "go",
    "went": "go",
    "left": "leave",
    "sent": "send",
    "paid": "pay",
    "gave": "give",
    "given": "give",
    "came": "come",
    "said": "say",
    "done": "do",
    "held": "hold",
    "built": "build",
    "migration": "migrate",
    "approval": "approve",
    "approved": "approve",
    "completion": "complete",
    "finished": "finish",
}

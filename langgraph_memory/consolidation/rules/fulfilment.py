"""Whether a statement reports that an end condition has come about: "QA has migrated the suite"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from langgraph_memory.consolidation.rules import reports
from langgraph_memory.consolidation.rules.bylines import is_reported, labels, names_source, passes_on
from langgraph_memory.consolidation.rules.reversals import taken_back
from langgraph_memory.consolidation.rules.sentences import clauses
from langgraph_memory.consolidation.rules.speech import own_sentences
from langgraph_memory.consolidation.rules.stance import Stance, stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.stems import stem, stems
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase, Word, spelled, word_set
from langgraph_memory.recent import kept_of_texts

_DONE = holds(r"""
    has|have|got|went|came|gave|left|said|done|over|finished|complete|closed|settled | \w+ed
    | is|are|was|were done|over|finished|complete|completed|closed|live|out|through|in|back|here|gone|ready
""")
_IS = holds("is|are|was|were|has|have|'s")
"""What a condition that is a whole statement has, and its report too."""

_NOT_YET = holds("""
    half|part|partly|partially|mostly|most|first|some|several|few|one|only
    | not|no|never|nobody|nothing|yet|still|until|unless|will|would|should|must|may|can|could|shall|almost
    | nearly|soon | on its|his|her|their|the way | en route | in transit
    | underway|expected|due|supposed|scheduled|coming | planning|plans|trying|about to | going to | as soon as
    | once|when|if|being
""")
_SEVERAL = holds("and|both|all|each|every|everyone|everybody")
"""What makes a condition one of several parts: a report of one part doesn't meet it."""

_PARTLY = holds("""
    start|starts|started|starting|begin|begins|began|begun|beginning|partly|partially|half|halfway|partial
    | some of|most of|part of|parts of|half of|progress|underway|working|continues|almost|first|one of
""")
"""A report of a part, or of a beginning, is none of the whole, unless the condition itself is one."""

_KEPT = 512
"""So many messages are read once: more than one look at what was said after a rule takes."""

_ENOUGH = 0.6
"""The share of the condition's words that a report has to have."""

_FEWEST = 2
"""A condition of fewer telling words (a date, a name) can't be recognised in a report."""

_NEVER_REPORTS = (Mark.QUESTION, Mark.ASKING, Mark.CONDITIONAL, Mark.HYPOTHETICAL, Mark.DOCUMENT)


def reports_end(text: str, ends_when: str, rule: str = "") -> Literal["stated", "hedged"] | None:
    """Whether a user's message says that the condition of a constraint is met; None if it doesn't.

    Words are compared by their stems, so that "migrated" reports what "migrates" demands. What has words
    that could make it the report of another thing is a hedged one. Whether the speaker may say so is for the
    policy to decide.

    Args:
        text: the message.
        ends_when: the condition.
        rule: the words of the constraint; what it names may stand in a report of its end.

    >>> condition = "QA migrates the suite to the shared Kubernetes cluster"
    >>> reports_end("Good news: QA has migrated the suite to Kubernetes.", condition)
    'stated'
    >>> reports_end("I think QA has migrated the suite to Kubernetes.", condition)
    'hedged'
    >>> reports_end("QA will migrate the suite to Kubernetes next week.", condition) is None
    True
    """
    condition = _condition(ends_when)
    if len(condition.wanted) < _FEWEST:
        return None
    met = [
        (told, news)
        for told in _told(text)
        if condition.is_touched_by(told.stems)
        for news in told.news
        if condition.is_met_by(news.part)
    ]
    if not met:
        return None
    context = Phrase.of(spelled(f"{ends_when} ; {rule}"))
    known = stems(context)
    certain = any(
        news.certainty == "stated" and told.is_own(context) and condition.is_meant_by(news.part, known)
        for told, news in met
    )
    return "stated" if certain else "hedged"


@dataclass(frozen=True)
class _Condition:
    """What has to come about, with the stems of its telling words."""

    phrase: Phrase
    wanted: frozenset[str]

    def is_touched_by(self, said: frozenset[str]) -> bool:
        """Whether enough of its words are said."""
        return len(self.wanted & said) >= _ENOUGH * len(self.wanted)

    def is_met_by(self, part: Phrase) -> bool:
        """Whether a part of a sentence speaks of it as something that has come about."""
        found = stems(part)
        if not self.is_touched_by(found):
            return False
        said = self.wanted & found
        news = Phrase(part.source, tuple(w for w in part.words if w.norm not in self.phrase.vocabulary))
        if _PARTLY.search(news) or (said != self.wanted and _SEVERAL.search(self.phrase)):
            return False
        strange = Phrase(part.source, tuple(w for w in news.words if stem(w.norm) not in self.wanted))
        doing = reports.under_way(part)
        if (
            (doing and doing not in self.phrase.vocabulary)
            or reports.is_no_end(strange)
            or (_WHILE.match(self.phrase) and not _CEASED.search(news))
        ):
            return False
        complete = said == self.wanted
        if _IS.search(self.phrase) and _IS.search(part) and _says_the_same(part, self.phrase):
            return True
        return _DONE.search(news) is not None or (complete and _names_outcome(part, self.phrase))

    def is_meant_by(self, part: Phrase, known: frozenset[str]) -> bool:
        """Whether a report of it can be of nothing else."""
        if _OF_ALL.search(self.phrase) and not _OF_ALL.search(part):
            return False
        if not self._numbered <= part.vocabulary:
            return False
        return reports.is_plain(part, known, self._subject)

    @cached_property
    def _numbered(self) -> frozenset[str]:
        """What tells it from others of its kind: "order 17"."""
        return frozenset(word for word in self.phrase.vocabulary if any(sign.isdigit() for sign in word))

    @cached_property
    def _subject(self) -> frozenset[str]:
        verb = _COPULA.search(self.phrase)
        return stems(self.phrase.cut(0, verb.start())) if verb else frozenset()


@lru_cache(maxsize=4096)
def _condition(ends_when: str) -> _Condition:
    phrase = Phrase.of(spelled(ends_when))
    return _Condition(phrase, stems(phrase))


@dataclass(frozen=True)
class _News:
    """A part of a sentence that may report something, and how certainly it does."""

    part: Phrase
    certainty: Literal["stated", "hedged"]


@dataclass(frozen=True)
class _Told:
    """A sentence that may report something; what it says is worked out only if its words fit a condition."""

    sentence: Phrase
    doubted: bool = False

    def is_own(self, context: Phrase) -> bool:
        """Whether it gives nobody else as its source, where `context` has the words of the matter."""
        topics = {word.norm for word in context.words if _is_topic(context, word)}
        return not any(names_source(each, topics.__contains__) for each in labels(self.sentence))

    @cached_property
    def stems(self) -> frozenset[str]:
        return stems(self.sentence)

    @cached_property
    def news(self) -> tuple[_News, ...]:
        """What it says to have come about, and how certainly."""
        said = self.sentence
        unsure = self.doubted or is_reported(said) or reports.falls_short(said) or reports.is_guess(said)
        return tuple(
            _News(part, "hedged" if unsure or meant.has(Mark.HEDGED, Mark.REPORTED) else "stated")
            for meant in map(stance, clauses(self.sentence))
            if not meant.has(*_NEVER_REPORTS)
            for before, part in _parts(meant)
            if _has_come_about(before, part)
        )


def _is_topic(context: Phrase, word: Word) -> bool:
    """Whether a word of a condition names a thing rather than somebody: it has a digit, or no capital."""
    return context.source[word.start].islower() or any(sign.isdigit() for sign in word.norm)


def _has_come_about(before: Phrase, part: Phrase) -> bool:
    """Whether a part of a sentence tells of something that is so, all of it and now."""
    timed = Phrase(part.source, before.words + part.words)
    return not (
        _NOT_YET.search(part)
        or reports.falls_short(part)
        or reports.is_of_another(part)
        or reports.is_to_come(timed)
    )


@kept_of_texts(_KEPT)
def _told(text: str) -> tuple[_Told, ...]:
    """The sentences of a message, read once for all open conditions."""
    found = own_sentences(text)
    passed_on, back = any(map(passes_on, found)), taken_back(found)
    return tuple(_Told(sentence, doubted=passed_on or at < back) for at, sentence in enumerate(found))


def _parts(meant: Stance) -> Iterator[tuple[Phrase, Phrase]]:
    """A clause, and its beginning alone ("the amount is settled, please pay it"); with what led it."""
    whole, core = meant.clause.whole, meant.core
    nothing = Phrase(whole.source, ())
    yield from ((nothing, part) for part in _beginnings(whole))
    if core and core.source is whole.source and core.words[0] != whole.words[0]:
        before = Phrase(whole.source, tuple(word for word in whole.words if word.start < core.words[0].start))
        yield from ((before, part) for part in _beginnings(core))
    if (called := _CALLED.match(whole)) and not _NOT_YET.search(called["who"]):
        yield from ((whole.cut(0, called.end()), part) for part in _beginnings(whole.cut(called.end())))


_CALLED = starts("""
    ( hi|hello|hey|dear|okay|yes|no|wait|oh|actually|correction|well|so|and|also|sorry )* (?P<who> _2? ) ,
""")
"""Whom a report is told, before it: "Lena, the audit is over"."""


def _beginnings(clause: Phrase) -> list[Phrase]:
    joint = _JOINT.search(clause)
    return [clause, clause.cut(0, joint.start())] if joint and joint.start() else [clause]


_JOINT = holds(",|;|\u2014|and|so|which")


def _says_the_same(phrase: Phrase, condition: Phrase) -> bool:
    """Whether the report says of the thing what the condition does: that it's "back", "in", "over"."""
    places = [place for place, word in enumerate(condition.words) if word.norm in _COPULAS]
    outcome = Phrase(condition.source, condition.words[places[-1] + 1 :] if places else ())
    return not outcome or not (
        outcome.vocabulary.isdisjoint(phrase.vocabulary) and stems(outcome).isdisjoint(stems(phrase))
    )


_COPULAS = word_set("is are was were has have been 's")
_COPULA = holds("is|are|was|were|has|have")
_OF_ALL = holds("all|every|each|both|everyone|everybody|everything")
_WHILE = starts("the end of the time that")
_CEASED = holds("done|finished|stopped|ceased|through|over|quit|ended")
"""What ends a time in which something is so: what was so once may be so still."""


def _names_outcome(phrase: Phrase, condition: Phrase) -> bool:
    """Whether a report without a verb has the outcome that the condition names: "amount settled"."""
    outcomes = _OUTCOME.findall(condition.plain)
    return any(word in phrase.vocabulary for word in outcomes)


_OUTCOME = re.compile(
    r"(?<![^ ])(?:is|are|has|have|been|gets?|was|were) (?:been |fully |all )?"
    r"(\w+ed|over|done|complete|gone|live|ready|through|sent|paid|built|back|closed) "
)

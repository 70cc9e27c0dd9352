"""What a sentence leaves to ask about: the things that it speaks of with force, and settles nothing of."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph_memory.actions import ActionClass
from langgraph_memory.consolidation.candidates import Candidate
from langgraph_memory.consolidation.rules.corrections import Said
from langgraph_memory.consolidation.rules.discourse import Referent
from langgraph_memory.consolidation.rules.known_names import KnownNames
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.unread import forceful, refuses
from langgraph_memory.records import FactKind
from langgraph_memory.verbs import free


class Unsettled:
    """What is to be asked about a sentence, as far as it is heard.

    Args:
        concerned: the things that it speaks of.
        left_out: the things that it leaves out of what it says.
        known: the names that are known.
        named: whether it names one of the things itself, so that a pronoun means it.
    """

    def __init__(
        self, concerned: Sequence[Referent], left_out: Sequence[str], known: KnownNames, *, named: bool
    ) -> None:
        self._concerned = concerned
        self._left_out = left_out
        self._known = known
        self._named = named
        self._understood = set[str | None]()
        self._forced = False
        self._ruled = False

    def hear(self, meant: Stance, said: Sequence[Said]) -> None:
        """Take the next clause in, and what was read from it."""
        told = [each for each in said if _settles(each.reading)]
        self._understood |= {each.referent.entity for each in told if each.reading.intent == "assert"}
        self._ruled = self._ruled or any(each.reading.rules_out and not each.reading.hedged for each in said)
        lifted = any(each.reading.intent != "assert" for each in told)
        open_ = bool(self._concerned) and not told
        self._forced = (self._forced and not lifted) or (open_ and self._insists(meant))

    def _insists(self, meant: Stance) -> bool:
        return forceful(meant, self._known, named=self._named) or refuses(meant)

    def things(self) -> list[Referent]:
        """The things that it is asked about; what it leaves out is one, unless it rules for the rest."""
        if self._left_out:
            about = [] if self._ruled else [Referent(name) for name in self._left_out]
        else:
            about = list(self._concerned) if self._forced else []
        return [each for each in about if each.entity not in self._understood]


def without_answered(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of a message, without questions about things of which it has a plain word as well.

    A rule answers them wherever it stands, a release only if it comes after them.
    """
    plain = [(place, each) for place, each in enumerate(found) if _is_plain(each)]
    return [
        each
        for place, each in enumerate(found)
        if not (_is_unread(each) and any(_answers(said, each, later=at > place) for at, said in plain))
    ]


def _settles(reading: Reading) -> bool:
    """Whether a reading says what to make of a clause: nothing more is left in it to ask about."""
    if reading.unclassed:
        return False
    liked = reading.kind is FactKind.PREFERENCE
    return bool(reading.forbids) or reading.intent != "assert" or not (reading.hedged or liked)


def _is_plain(candidate: Candidate) -> bool:
    """Whether a candidate rules something out, or lifts it, in so many words."""
    ruling = bool(set(candidate.forbids) - free(candidate.forbids)) or candidate.intent != "assert"
    return ruling and candidate.certainty == "stated"


def _is_unread(candidate: Candidate) -> bool:
    """Whether a candidate has no form of its own, so that it holds everything meanwhile."""
    return candidate.asks_first and candidate.forbids == (ActionClass.ANY,)


def _answers(said: Candidate, unread: Candidate, *, later: bool) -> bool:
    return said.entity == unread.entity and (said.intent == "assert" or later)

"""An authoritative lookup that the application supplies: it may answer whether an end condition is met."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime

from langgraph_memory.consolidation.facts.lifecycle import retired
from langgraph_memory.log import EventLog
from langgraph_memory.log.staleness import StaleReadError
from langgraph_memory.records import Actor, Event, Fact, FactStatus
from langgraph_memory.repository import Change, Note, Repository

Lookup = Callable[[Fact], str | None]
"""Given a current fact with an `ends_when`: a reference to the evidence that it is met, or None."""

CONDITION_MET = "condition.met"
"""The event of a condition that a lookup found met."""

_LOOKUP = Actor("system", "lookup")


class Conditions:
    """Open end conditions, put to the application's lookup.

    Args:
        log: where the answer is kept as evidence.
        repository: where facts are.
        lookup: asks the system that knows; None where there is none.
        clock: the time of records.
    """

    def __init__(
        self,
        log: EventLog,
        repository: Repository,
        lookup: Lookup | None,
        clock: Callable[[], datetime],
    ) -> None:
        self._log = log
        self._repository = repository
        self._lookup = lookup
        self._clock = clock
        self._asked: dict[str, datetime] = {}

    def look_up_due(self) -> int:
        """Ask about all open conditions that were not asked about lately; how many facts have ended."""
        if self._lookup is None:
            return 0
        lately = self._clock() - self._repository.policy.lookup_every
        facts = self._repository.all_current()
        return self.look_up(fact for fact in facts if self._asked.get(fact.fact_id, lately) <= lately)

    def look_up(self, facts: Iterable[Fact]) -> int:
        """Ask about these facts now; how many of them have ended."""
        return sum(self._ends(fact) for fact in facts if fact.ends_when and self._lookup is not None)

    def _ends(self, fact: Fact) -> bool:
        self._asked[fact.fact_id] = self._clock()
        try:
            evidence = self._lookup(fact) if self._lookup else None
        except Exception as error:  # noqa: BLE001 - it is someone else's code; no answer ends nothing
            self._write((), fact, "lookup failed", f"{type(error).__name__}: {error}")
            return False
        if not isinstance(evidence, str) or not evidence or fact.status is not FactStatus.CURRENT:
            return False
        self._log.append(self._event(fact, evidence), settled=True)
        after = retired(fact, at=self._clock(), sources=(evidence,))
        change = Change(record=after, expected=self._repository.digest(fact))
        return self._write((change,), fact, "retired", f"looked up: {fact.ends_when} ({evidence})")

    def _write(self, changes: tuple[Change, ...], fact: Fact, decision: str, reason: str) -> bool:
        note = Note(decision=decision, record_id=fact.fact_id, reason=reason)
        with suppress(StaleReadError):  # someone changed it just now: it is asked about again
            self._repository.commit(
                changes, scope=fact.scope, actor=_LOOKUP.id, at=self._clock(), notes=[note]
            )
            return True
        return False

    def _event(self, fact: Fact, evidence: str) -> Event:
        digest = hashlib.sha256(f"{fact.fact_id} {evidence}".encode()).hexdigest()[:24]
        return Event(
            event_id=f"met_{digest}",
            occurred_at=self._clock(),
            scope=fact.scope,
            activity_id=f"lookup_{digest}",
            actor=_LOOKUP,
            event_type=CONDITION_MET,
            entities=(fact.entity,),
            evidence_ref=evidence,
            data={"fact": fact.fact_id},
        )

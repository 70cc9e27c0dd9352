"""Revalidation: what nobody has confirmed for an interval is demoted, or asked about."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from langgraph_memory.intervals import by_the_clock
from langgraph_memory.log.staleness import StaleReadError
from langgraph_memory.records import Fact, FactStatus
from langgraph_memory.repository import Change, Note, Repository

_AT_ONCE = 64


class Revalidation:
    """Looks after facts whose interval has passed."""

    def __init__(self, repository: Repository, clock: Callable[[], datetime]) -> None:
        self._repository = repository
        self._clock = clock

    def is_due(self) -> bool:
        """Whether the interval of any fact has passed."""
        return bool(self._repository.overdue(self._clock(), limit=1))

    def run(self) -> int:
        """Demote or ask about the facts whose interval has passed unconfirmed; how many there were."""
        total = 0
        while facts := self._repository.overdue(self._clock(), limit=_AT_ONCE):
            for fact in facts:
                self._demote(fact)
            total += len(facts)
        return total

    def _demote(self, fact: Fact) -> None:
        after = by_the_clock(fact, self._clock())
        asked = after.status is FactStatus.CURRENT
        note = Note(
            decision="asked" if asked else "demoted",
            record_id=fact.fact_id,
            reason=f"not confirmed since {fact.confirmed_at:%Y-%m-%d}",
        )
        with suppress(StaleReadError):  # someone confirmed or changed it just now: it is not overdue
            self._repository.commit(
                [Change(record=after, expected=self._repository.digest(fact))],
                scope=fact.scope,
                actor="consolidation",
                at=self._clock(),
                notes=[note],
            )

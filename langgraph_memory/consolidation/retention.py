"""Retention: what has been kept as long as its class allows is deleted, sensitive things sooner.

Facts that hold are revalidated, never expired. What they cite is kept for as long as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection

from langgraph_memory.log import EventLog
from langgraph_memory.log.erasure import Aged, Erasure
from langgraph_memory.policy import Kept
from langgraph_memory.records import Event, Fact, FactStatus
from langgraph_memory.repository import Note, Repository
from langgraph_memory.scope import Scope

_ENDED = (FactStatus.SUPERSEDED, FactStatus.RETIRED, FactStatus.REJECTED)
_NOT_HELD = (FactStatus.UNVERIFIED, FactStatus.CANDIDATE)
_NOT_OFTENER = timedelta(hours=1)


class Retention:
    """Deletes what the policy keeps no longer, at most once an hour.

    Args:
        log: where events are.
        repository: where records are, and the policy.
        clock: what ages are measured by.
    """

    def __init__(self, log: EventLog, repository: Repository, clock: Callable[[], datetime]) -> None:
        self._log = log
        self._repository = repository
        self._clock = clock
        self._erasure = Erasure(repository.ledger)
        self._last: datetime | None = None

    def is_due(self) -> bool:
        """Whether it is time to look for what is too old."""
        rules, last = self._repository.policy.retention, self._last
        return bool(rules) and (last is None or self._clock() - last >= _NOT_OFTENER)

    def expire(self) -> int:
        """Delete what is too old; how many records, events and receipts that were."""
        if not self.is_due():
            return 0
        now, rules = self._clock(), self._repository.policy.retention
        self._last = now
        count = self._facts("ended", _ENDED, now) + self._facts("unverified", _NOT_HELD, now)
        count += self._episodes(now) + self._events(now)
        if "receipt" in rules:
            count += self._erasure.drop_older_receipts(now - rules["receipt"])
        return count

    def _facts(self, kept: Kept, statuses: Sequence[FactStatus], now: datetime) -> int:
        """Facts that are not held, by the time of their last change."""
        policy = self._repository.policy
        if kept not in policy.retention:
            return 0
        longest = policy.retention[kept]
        soonest = longest * min([1.0, *policy.sensitivity_share.values()])
        aged = self._erasure.older("fact", statuses, now - soonest)
        old = [each for each in aged if self._is_old(each, longest, now)]
        return self._remove(old)

    def _is_old(self, aged: Aged, longest: timedelta, now: datetime) -> bool:
        found = self._repository.load([aged.entry])
        fact = found[0] if found else None
        share = self._repository.policy.sensitivity_share
        sensitivity = fact.sensitivity if isinstance(fact, Fact) else "normal"
        return aged.at < now - longest * share.get(sensitivity, 1.0)

    def _episodes(self, now: datetime) -> int:
        longest = self._repository.policy.retention.get("episode")
        if longest is None:
            return 0
        return self._remove(self._erasure.older("episode", None, now - longest))

    def _events(self, now: datetime) -> int:
        """Events of activities that were consolidated, unless a record cites them."""
        longest = self._repository.policy.retention.get("event")
        if longest is None:
            return 0
        count = 0
        for scope, activity_id in self._log.activities.quiet_since(now - longest):
            events = self._log.of_activity(scope, activity_id)
            gone = self._uncited(events)
            count += len(gone)
            if gone:
                with self._log.database.write() as connection:
                    self._log.erase(connection, gone, at=now)
        return count

    def _uncited(self, events: Sequence[Event]) -> list[Event]:
        sources = {source for event in events for source in (event.event_id, event.source)}
        cited = self._erasure.cited_among(sources)
        return [event for event in events if event.event_id not in cited and event.source not in cited]

    def _remove(self, old: Sequence[Aged]) -> int:
        by_scope: dict[str, list[Aged]] = {}
        for each in old:
            by_scope.setdefault(each.entry.scope, []).append(each)
        for scope_key, some in by_scope.items():
            self._remove_of(scope_key, [each.entry.record_id for each in some])
            self._repository.contents.discard([each.entry for each in some])
        return len(old)

    def _remove_of(self, scope_key: str, ids: Sequence[str]) -> None:
        def drop(connection: Connection) -> None:
            self._erasure.drop_records(connection, ids)

        self._repository.commit(
            [],
            scope=Scope.from_key(scope_key),
            actor="consolidation",
            at=self._clock(),
            notes=[
                Note(decision="expired", record_id=each, reason="kept as long as the policy says")
                for each in ids
            ],
            also=drop,
        )

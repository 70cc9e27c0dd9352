"""Retention: what has been kept as long as its class allows is deleted, sensitive things sooner.

Facts that hold are revalidated, never expired. What they rest on is kept for as long as they are, and no
event goes before consolidation has read it, however long ago it happened.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection

from langgraph_memory.consolidation.episodes.covered import released
from langgraph_memory.consolidation.facts.decisions import DECISIONS
from langgraph_memory.log import EventLog
from langgraph_memory.log.erasure import Aged, Erasure
from langgraph_memory.log.ledger import Entry
from langgraph_memory.policy import Kept
from langgraph_memory.records import Episode, Event, Fact, FactStatus
from langgraph_memory.repository import Note, Repository
from langgraph_memory.scope import Scope

_ENDED = (FactStatus.SUPERSEDED, FactStatus.RETIRED, FactStatus.REJECTED)
_NOT_HELD = (FactStatus.UNVERIFIED, FactStatus.CANDIDATE)
_NOT_OFTENER = timedelta(hours=1)
_SENSITIVE_NOT_OFTENER = timedelta(days=1)
"""What is sensitive is told by reading it."""

_AT_ONCE = 500


class Retention:
    """Deletes what the policy keeps no longer: looks for it once an hour, for what is sensitive once a day.

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
        self._last_read: datetime | None = None
        self._share = 1.0

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
        self._share = self._least_share(now)
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
        aged = self._erasure.older("fact", statuses, now - longest * self._share)
        old = [each for each in aged if self._is_old(each, longest, now)]
        return self._remove(old)

    def _is_old(self, aged: Aged, longest: timedelta, now: datetime) -> bool:
        found = self._repository.load([aged.entry])
        return aged.at < now - self._time_of(found[0] if found else None, longest)

    def _time_of(self, kept: Fact | Episode | Event | None, longest: timedelta) -> timedelta:
        """How long something is kept of what its class allows: what is personal or sensitive, less."""
        policy = self._repository.policy
        match kept:
            case Fact():
                sensitivity = kept.sensitivity
            case Episode():
                words = (kept.summary, *(excerpt.text for excerpt in kept.excerpts))
                sensitivity = policy.sensitivity_of("", "\n".join(words))
            case Event():
                said = json.dumps(kept.data, ensure_ascii=False)
                sensitivity = policy.sensitivity_of(str(kept.data.get("attribute", "")), said)
            case None:
                sensitivity = "normal"
        return longest * policy.sensitivity_share.get(sensitivity, 1.0)

    def _least_share(self, now: datetime) -> float:
        """The part of its time after which something may be due in this round."""
        if self._last_read is not None and now - self._last_read < _SENSITIVE_NOT_OFTENER:
            return 1.0
        self._last_read = now
        return min([1.0, *self._repository.policy.sensitivity_share.values()])

    def _episodes(self, now: datetime) -> int:
        longest = self._repository.policy.retention.get("episode")
        if longest is None:
            return 0
        aged = self._erasure.older("episode", None, now - longest * self._share)
        return self._remove([each for each in aged if self._is_old(each, longest, now)])

    def _events(self, now: datetime) -> int:
        """Events that consolidation has read, unless a record rests on them."""
        longest = self._repository.policy.retention.get("event")
        if longest is None:
            return 0
        count, seq, soonest = 0, 0, now - longest * self._share
        while page := self._log.outlived(soonest, after=seq, limit=_AT_ONCE):
            seq = page[-1].seq
            count += self._erase([e for e in page if e.occurred_at < now - self._time_of(e, longest)], now)
        return count

    def _erase(self, old: Sequence[Event], now: datetime) -> int:
        if not old:
            return 0
        with self._log.database.write() as connection:
            gone = self._unneeded(old)
            self._log.erase(connection, gone, at=now)
        return len(gone)

    def _unneeded(self, events: Sequence[Event]) -> list[Event]:
        """Those that no record cites, and that decide about none that is there."""
        cited = self._erasure.cited_among({name for e in events for name in (e.event_id, e.source)})
        about = {e.event_id: str(e.data.get("fact")) for e in events if e.event_type in DECISIONS}
        there = self._repository.ledger.entries(sorted(set(about.values())))
        needed = {event_id for event_id, fact_id in about.items() if fact_id in there}
        return [e for e in events if cited.isdisjoint((e.event_id, e.source)) and e.event_id not in needed]

    def _remove(self, old: Sequence[Aged]) -> int:
        by_scope: dict[str, list[Aged]] = {}
        for each in old:
            by_scope.setdefault(each.entry.scope, []).append(each)
        for scope_key, some in by_scope.items():
            self._remove_of(scope_key, [each.entry for each in some])
            self._repository.contents.discard([each.entry for each in some])
        return len(old)

    def _remove_of(self, scope_key: str, entries: Sequence[Entry]) -> None:
        ids = [entry.record_id for entry in entries]
        digests = [each for each in self._repository.load(entries) if isinstance(each, Episode)]

        def drop(connection: Connection) -> None:
            self._erasure.drop_records(connection, ids)

        self._repository.commit(
            [change for each in digests for change in released(each, self._repository, but=ids)],
            scope=Scope.from_key(scope_key),
            actor="consolidation",
            at=self._clock(),
            notes=[
                Note(decision="expired", record_id=each, reason="kept as long as the policy says")
                for each in ids
            ],
            also=drop,
        )

"""The event log: append-only, idempotent, with a cursor and a lease for every activity."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Protocol, Self

from sqlalchemy import Connection, Select, and_, delete, func, or_, select, text, update

from langgraph_memory.closing import Closing
from langgraph_memory.database import Database
from langgraph_memory.errors import InvalidEventError
from langgraph_memory.log import event_queries, event_rows
from langgraph_memory.log.activities import Activities
from langgraph_memory.log.captures import Captures
from langgraph_memory.log.event_types import CHECKPOINTS
from langgraph_memory.log.tables import activities, events, holds_in_json, in_subtree, is_below, subtree
from langgraph_memory.log.tombstones import Tombstones
from langgraph_memory.log.unread import Unread
from langgraph_memory.records import Event
from langgraph_memory.scope import Scope
from langgraph_memory.store.statements import Statement

_PAGE = 500
_TEXTS = 40


class Settles(Protocol):
    """Holds events that have happened and are to be written in a moment."""

    def settle(self) -> None:
        """Write them now."""


class EventLog(Closing):
    """Append-only events on SQL, with per-activity cursors and leases.

    Example:
        >>> from langgraph_memory.database import Database
        >>> with EventLog(Database(":memory:")) as log:
        ...     log.count()
        0
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        database.create(events, activities)
        self._insert = event_rows.insertion(database)
        self._outlived = event_queries.outlived(database)
        self.activities = Activities(database)
        self.captures = Captures(database)
        self._unread = Unread(database)
        self._desks: weakref.WeakSet[Settles] = weakref.WeakSet()
        self._with_words: weakref.WeakSet[Settles] = weakref.WeakSet()
        self._listeners: list[Callable[[], None]] = []
        self.tombstones = Tombstones(database)

    def attend(self, desk: Settles, *, words: bool) -> None:
        """Let a desk, where events lie for a moment, settle before events are read, as long as it lives.

        Args:
            desk: where they lie.
            words: whether what people said may be among them.
        """
        self._desks.add(desk)
        if words:
            self._with_words.add(desk)

    def settle(self, *, words: bool = False) -> None:
        """Write what lies on desks for this log; with `words`, just on those where people's words may lie."""
        for desk in tuple(self._with_words if words else self._desks):
            desk.settle()

    @contextmanager
    def _read(self, *, words: bool = False) -> Iterator[Connection]:
        self.settle(words=words)
        with self.database.read() as connection:
            yield connection

    @classmethod
    def open(cls, url: str) -> Self:
        """The log in a SQLite file, ":memory:", or a PostgreSQL database."""
        return cls(Database(url))

    def append(
        self,
        event: Event,
        *,
        settled: bool = False,
        also: Callable[[Connection, Event], None] | None = None,
    ) -> Event:
        """Write an event; one whose id is known already is returned as it was first written.

        An event that was forgotten is not written again: it is returned with `seq` 0.

        Args:
            event: what happened.
            settled: nothing is left to consolidate in it.
            also: written in the same transaction, for an event that the log holds now.

        Raises:
            InvalidEventError: the id is known for another scope.
        """
        with self.database.write() as connection:
            written = self._append(connection, event, settled=settled)
            if also is not None and written.seq:
                also(connection, written)
        if written.event_type in CHECKPOINTS:
            self._tell()
        return written

    @contextmanager
    def listening(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call `listener` whenever this log has written an activity checkpoint; it should be quick."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    def get(self, event_id: str) -> Event | None:
        """The event with this id."""
        return next(iter(self._found(event_queries.BY_IDS, ids=[event_id])), None)

    def known(self, event_ids: Iterable[str]) -> frozenset[str]:
        """Those of the ids that the log holds, or held before they were forgotten."""
        wanted = list(event_ids)
        found: set[str] = set()
        with self._read() as connection:
            for start in range(0, len(wanted), _PAGE):
                page = wanted[start : start + _PAGE]
                found.update(event_queries.KNOWN.column(connection, ids=page))
            missing = [event_id for event_id in wanted if event_id not in found]
            return frozenset(found) | self.tombstones.of_events(connection, missing)

    def of_activity(self, scope: Scope, activity_id: str, *, after: int = 0) -> list[Event]:
        """The events of an activity after a sequence number, in order."""
        return self._found(event_queries.OF_ACTIVITY, scope=scope.key, activity_id=activity_id, after=after)

    def talk_before(self, event: Event, *, limit: int) -> list[Event]:
        """The last messages of an event's thread in its scope before it, in order; none without a thread."""
        if event.thread_id is None:
            return []
        found = self._found(
            event_queries.TALK_BEFORE,
            thread_id=event.thread_id,
            scope=event.scope.key,
            seq=event.seq,
            limit=limit,
        )
        return found[::-1]

    def since(self, seq: int = 0, *, scope: Scope | None = None, limit: int | None = None) -> list[Event]:
        """The events after a sequence number, of one scope and those below it or of all, in order."""
        query = select(events.c.seq, events.c.body).where(events.c.seq > seq).order_by(events.c.seq)
        if scope is not None:
            query = query.where(in_subtree(events.c.scope))
        return self._events(query.limit(limit), subtree(scope) if scope else {})

    def outlived(self, moment: datetime, *, after: int, limit: int) -> list[Event]:
        """Events from before a moment that consolidation has read and no record cites by id.

        Args:
            moment: when they happened at the latest.
            after: a sequence number; only those after it, in order.
            limit: at most this many.
        """
        second = moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
        return self._found(self._outlived, before=second, after=after, limit=limit)

    def waiting(self, scopes: Sequence[Scope], *, limit: int = 200) -> list[Event]:
        """What people said in exactly these scopes that no consolidation has read yet, newest first."""
        with self._read() as connection:
            return list(self._unread.events(connection, scopes, limit))

    def said_after(self, scope: Scope, moment: datetime, *, limit: int = 200) -> list[Event]:
        """What people said in exactly this scope after a moment, oldest first; the last `limit` to arrive."""
        since = moment.astimezone(UTC).isoformat()
        said = self._found(event_queries.SAID_SINCE, keys=[scope.key], moment=since, limit=limit)
        found = [event for event in said if event.occurred_at > moment]
        return sorted(found, key=lambda event: (event.occurred_at, event.seq))

    def waiting_ids(self, scope: Scope, *, limit: int) -> Sequence[str]:
        """The ids of what people said in this scope and those below it that no consolidation has read.

        It is the same object as long as nothing changed.
        """
        with self._read(words=True) as connection:
            return self._unread.ids(connection, scope, limit)

    def events(self, event_ids: Sequence[str]) -> list[Event]:
        """The events with these ids, in order of their sequence."""
        found: list[Event] = []
        for start in range(0, len(event_ids), _PAGE):
            found += self._found(event_queries.BY_IDS, ids=list(event_ids[start : start + _PAGE]))
        return found

    def holding(self, texts: Sequence[str], *, below: Scope | None = None) -> list[Event]:
        """The events whose stored form holds one of the texts, of all scopes or below one, in order."""
        found: dict[int, Event] = {}
        for start in range(0, len(texts), _TEXTS):
            held = [
                holds_in_json(events.c.body, text, is_sqlite=self.database.is_sqlite)
                for text in texts[start : start + _TEXTS]
            ]
            query = select(events.c.seq, events.c.body).where(or_(*held))
            if below is not None:
                query = query.where(in_subtree(events.c.scope))
            found |= {event.seq: event for event in self._events(query, subtree(below) if below else {})}
        return [found[seq] for seq in sorted(found)]

    def from_sources(self, sources: Sequence[str], *, below: Scope | None = None) -> list[Event]:
        """The events with these ids or evidence references, of all scopes or below one, in order."""
        wanted = set(sources)
        found = {event.seq: event for event in self.events(sorted(wanted))}
        known = {event.event_id for event in found.values()}
        found |= {event.seq: event for event in self.holding(sorted(wanted - known), below=below)}
        return [
            event
            for event in (found[seq] for seq in sorted(found))
            if {event.event_id, event.evidence_ref} & wanted
            and (below is None or is_below(event.scope, below))
        ]

    def erase(self, connection: Connection, gone: Sequence[Event], *, at: datetime) -> None:
        """Delete events for good: what is published again under their ids is not taken."""
        ids = [event.event_id for event in gone]
        self.tombstones.bury_events(connection, ids, at=at)
        for start in range(0, len(ids), _PAGE):
            connection.execute(delete(events).where(events.c.event_id.in_(ids[start : start + _PAGE])))
        self.activities.withdraw(connection, [(event.scope, event.activity_id) for event in gone])

    def rewrite(self, connection: Connection, changed: Sequence[Event]) -> None:
        """Write events in place, without what was forgotten in them."""
        for event in changed:
            row = {name: value for name, value in event_rows.written(event).items() if name != "event_id"}
            connection.execute(update(events).where(events.c.event_id == event.event_id).values(row))
        self.activities.withdraw(connection, [(event.scope, event.activity_id) for event in changed])

    def knows_thread(self, scope: Scope, thread_id: str) -> bool:
        """Whether any event of exactly this scope was published in a thread."""
        there = and_(events.c.scope == scope.key, events.c.thread_id == thread_id)
        with self._read() as connection:
            return connection.scalar(select(events.c.seq).where(there).limit(1)) is not None

    def scopes(self) -> list[Scope]:
        """The scopes that hold events, in order of their keys."""
        with self._read() as connection:
            keys = connection.scalars(select(events.c.scope).distinct().order_by(events.c.scope))
            return [Scope.from_key(key) for key in keys]

    def count(self) -> int:
        """How many events there are."""
        with self._read() as connection:
            return int(connection.scalar(select(func.count()).select_from(events)) or 0)

    def close(self) -> None:
        """Write what lies on desks, and close the database."""
        self.settle()
        self.database.close()

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def _append(self, connection: Connection, event: Event, *, settled: bool) -> Event:
        if not self.database.is_sqlite:  # so that sequence numbers of one activity become visible in order
            key = f"{event.scope.key}/{event.activity_id}"
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:key))"), {"key": key})
        if self.tombstones.covers_event(connection, event.event_id):
            return event.model_copy(update={"seq": 0})
        inserted = self._insert.column(connection, **event_rows.written(event))
        if not inserted:
            return self._as_first_written(connection, event)
        self.activities.touch(
            connection,
            event.scope,
            event.activity_id,
            at=event.occurred_at,
            due=event.event_type in CHECKPOINTS,
            waiting=not settled,
        )
        return event.model_copy(update={"seq": inserted[0]})

    def _as_first_written(self, connection: Connection, event: Event) -> Event:
        (row,) = event_queries.BY_IDS.rows(connection, ids=[event.event_id])
        first = event_rows.of(*row)
        if first.scope != event.scope:
            raise InvalidEventError(
                f"event {event.event_id!r} of scope {str(event.scope)!r} is known in scope "
                f"{str(first.scope)!r}: an event belongs to one scope, give it another id"
            )
        return first

    def _found(self, statement: Statement, **values: Any) -> list[Event]:
        with self._read() as connection:
            rows = statement.rows(connection, **values)
        return [event_rows.of(seq, body) for seq, body in rows]

    def _events(self, query: Select[Any], values: Mapping[str, Any] | None = None) -> list[Event]:
        with self._read() as connection:
            rows = connection.execute(query, values or {}).mappings().all()
        return [event_rows.read(row) for row in rows]

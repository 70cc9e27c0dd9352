"""The event log: append-only, idempotent, with a cursor and a lease for every activity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Executable,
    Float,
    Index,
    Integer,
    RowMapping,
    Select,
    Table,
    Text,
    and_,
    bindparam,
    exists,
    func,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import TEXT as POSTGRES_TEXT
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from langgraph_memory import leases
from langgraph_memory.database import Database, metadata
from langgraph_memory.errors import InvalidEventError
from langgraph_memory.records import Event, Record
from langgraph_memory.scope import Scope

CHECKPOINTS = frozenset(
    {
        "activity.completed",
        "activity.failed",
        "feedback.correction",
        "verification.failed",
        "milestone.reached",
    }
)
"""Event types that make an activity due for consolidation."""

KEY = Text().with_variant(POSTGRES_TEXT(collation="C"), "postgresql")
"""Text that compares by code point on every database, so that a range of keys is a subtree of scopes."""

_BIG = Integer().with_variant(BigInteger(), "postgresql")

events = Table(
    "events",
    metadata,
    Column("seq", _BIG, primary_key=True, autoincrement=True),
    Column("event_id", Text, nullable=False, unique=True),
    Column("scope", KEY, nullable=False),
    Column("activity_id", Text, nullable=False),
    Column("thread_id", Text),
    Column("event_type", Text, nullable=False),
    Column("actor_kind", Text, nullable=False),
    Column("checkpoint", Boolean, nullable=False),
    Column("body", Text, nullable=False),
    Index("events_by_activity", "scope", "activity_id", "seq"),
)

activities = Table(
    "activities",
    metadata,
    Column("scope", KEY, primary_key=True),
    Column("activity_id", Text, primary_key=True),
    Column("done_seq", _BIG, nullable=False),
    Column("due", Boolean, nullable=False),
    Column("waiting", Boolean, nullable=False),
    Column("touched_at", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("not_before", Text),
    Column("error", Text),
    Column("dead", Boolean, nullable=False),
    Column("owner", Text),
    Column("leased_until", Float),
    Column("fence", Integer, nullable=False),
    Index("activities_waiting", "waiting", "scope"),
    Index("activities_due", "due", "dead"),
)


def in_subtree(column: Column[Any]) -> ColumnElement[bool]:
    """Whether a scope key is that of a scope or of one below it; the parameters come from `subtree`."""
    return or_(
        column == bindparam("top"), and_(column > bindparam("below_from"), column < bindparam("below_to"))
    )


def subtree(scope: Scope) -> dict[str, str]:
    """The parameters of `in_subtree`: labels have no dot, and `/` is the character after it."""
    return {"top": scope.key, "below_from": f"{scope.key}.", "below_to": f"{scope.key}/"}


class Claim(Record):
    """A lease on one activity: the events after `done_seq` are the holder's to consolidate.

    `fence` grows with every claim; a commit under an older one is refused.
    """

    scope: Scope
    activity_id: str
    done_seq: int
    owner: str
    fence: int
    attempts: int


class LostLeaseError(Exception):
    """The claim was taken over by another worker; what it was about to commit is dropped."""


class Backlog(Record):
    """How much waits: due activities, activities with unread events, and dead letters."""

    due: int
    waiting: int
    dead: tuple[tuple[str, str, str], ...]


class EventLog:
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
        self._insert = _insert(database)
        self._touch = _touch(database)

    @classmethod
    def open(cls, url: str) -> Self:
        """The log in a SQLite file, ":memory:", or a PostgreSQL database."""
        return cls(Database(url))

    def append(self, event: Event) -> Event:
        """Write an event; one whose id is known already is returned as it was first written.

        Raises:
            InvalidEventError: the id is known for another scope.
        """
        return self.append_all([event])[0]

    def append_all(self, batch: Sequence[Event]) -> list[Event]:
        """Write events in one transaction, in order."""
        with self.database.write() as connection:
            return [self._append(connection, event) for event in batch]

    def get(self, event_id: str) -> Event | None:
        """The event with this id."""
        with self.database.read() as connection:
            row = connection.execute(_BY_ID, {"event_id": event_id}).mappings().first()
        return _event(row) if row else None

    def known(self, event_ids: Iterable[str]) -> frozenset[str]:
        """Those of the ids that the log holds."""
        wanted = list(event_ids)
        found: set[str] = set()
        with self.database.read() as connection:
            for start in range(0, len(wanted), _PAGE):
                page = wanted[start : start + _PAGE]
                query = select(events.c.event_id).where(events.c.event_id.in_(page))
                found.update(connection.scalars(query))
        return frozenset(found)

    def of_activity(self, scope: Scope, activity_id: str, *, after: int = 0) -> list[Event]:
        """The events of an activity after a sequence number, in order."""
        query = (
            select(events.c.seq, events.c.body)
            .where(events.c.scope == scope.key, events.c.activity_id == activity_id, events.c.seq > after)
            .order_by(events.c.seq)
        )
        return self._events(query)

    def since(self, seq: int = 0, *, scope: Scope | None = None, limit: int | None = None) -> list[Event]:
        """The events after a sequence number, of one scope and those below it or of all, in order."""
        query = select(events.c.seq, events.c.body).where(events.c.seq > seq).order_by(events.c.seq)
        if scope is not None:
            query = query.where(in_subtree(events.c.scope))
        return self._events(query.limit(limit), subtree(scope) if scope else {})

    def waiting(self, scopes: Sequence[Scope], *, limit: int = 200) -> list[Event]:
        """Events of exactly these scopes that no consolidation has read yet, newest first."""
        return self._events(_WAITING_IN, {"keys": [scope.key for scope in scopes], "limit": limit})

    def waiting_below(self, scope: Scope, *, limit: int = 200) -> list[Event]:
        """Events of this scope and those below it that no consolidation has read yet, newest first."""
        return self._events(_WAITING_BELOW, {**subtree(scope), "limit": limit})

    def last_seq(self) -> int:
        """The sequence number of the newest event; 0 in an empty log."""
        with self.database.read() as connection:
            return int(connection.execute(_LAST).scalar() or 0)

    def count(self) -> int:
        """How many events there are."""
        with self.database.read() as connection:
            return int(connection.scalar(select(func.count()).select_from(events)) or 0)

    def make_due(self, scope: Scope, activity_id: str) -> None:
        """Ask for an activity to be consolidated although it has no checkpoint."""
        this = and_(activities.c.scope == scope.key, activities.c.activity_id == activity_id)
        with self.database.write() as connection:
            connection.execute(update(activities).where(this).values(due=True, not_before=None))

    def claim(
        self,
        owner: str,
        *,
        limit: int,
        now: datetime,
        idle_before: datetime,
        only: tuple[Scope, str] | None = None,
    ) -> list[Claim]:
        """Lease due activities, and those that had no event since `idle_before`; or only the one named.

        A leased activity is free again when its lease has run out, or at once when its owner was a process
        of this host that is gone.
        """
        with self.database.write() as connection:
            clock = _seconds(connection, self.database)
            free = _claimable(clock, now.isoformat(), idle_before.isoformat(), self._gone(connection))
            if only is not None:
                free = free.where(activities.c.scope == only[0].key, activities.c.activity_id == only[1])
            rows = connection.execute(
                free.order_by(activities.c.touched_at, activities.c.activity_id)
                .limit(limit)
                .with_for_update(skip_locked=True)
            ).mappings()
            claims = [_claim(row, owner) for row in rows]
            for claim in claims:
                lease = {"owner": owner, "fence": claim.fence, "leased_until": clock + leases.SECONDS}
                connection.execute(update(activities).where(_is(claim)).values(lease))
        return claims

    def renew(self, claim: Claim) -> None:
        """Extend a lease.

        Raises:
            LostLeaseError: another worker holds it now.
        """
        with self.database.write() as connection:
            until = _seconds(connection, self.database) + leases.SECONDS
            self._held(connection, claim, {"leased_until": until})

    def complete(self, connection: Connection, claim: Claim, upto: int) -> None:
        """Move the activity's cursor and give the lease back, inside the caller's transaction.

        Raises:
            LostLeaseError: another worker holds it now; roll back.
        """
        later = and_(
            events.c.scope == claim.scope.key,
            events.c.activity_id == claim.activity_id,
            events.c.seq > upto,
        )
        self._held(
            connection,
            claim,
            {
                "done_seq": upto,
                "due": exists().where(later, events.c.checkpoint.is_(True)),
                "waiting": exists().where(later),
                "attempts": 0,
                "error": None,
                "not_before": None,
                "owner": None,
                "leased_until": None,
            },
        )

    def fail(self, claim: Claim, error: str, *, not_before: datetime, dead: bool) -> None:
        """Record a failed attempt and give the lease back; a dead one waits for `revive`."""
        with self.database.write() as connection:
            self._held(
                connection,
                claim,
                {
                    "attempts": claim.attempts + 1,
                    "error": error,
                    "not_before": not_before.isoformat(),
                    "dead": dead,
                    "owner": None,
                    "leased_until": None,
                },
            )

    def revive(self) -> int:
        """Make dead letters due again; how many there were."""
        with self.database.write() as connection:
            fresh = {"dead": False, "attempts": 0, "not_before": None}
            return connection.execute(
                update(activities).where(activities.c.dead.is_(True)).values(fresh)
            ).rowcount

    def backlog(self) -> Backlog:
        """What waits for consolidation."""
        with self.database.read() as connection:
            due = connection.scalar(
                select(func.count()).where(activities.c.due.is_(True), activities.c.dead.is_(False))
            )
            waiting = connection.scalar(select(func.count()).where(activities.c.waiting.is_(True)))
            dead = connection.execute(
                select(activities.c.scope, activities.c.activity_id, activities.c.error).where(
                    activities.c.dead.is_(True)
                )
            ).all()
        return Backlog(due=due or 0, waiting=waiting or 0, dead=tuple((s, a, e or "") for s, a, e in dead))

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _append(self, connection: Connection, event: Event) -> Event:
        if not self.database.is_sqlite:  # so that sequence numbers of one activity become visible in order
            key = f"{event.scope.key}/{event.activity_id}"
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:key))"), {"key": key})
        seq = connection.execute(self._insert, _row(event)).scalar()
        if seq is None:
            return self._as_first_written(connection, event)
        touch = {
            "scope": event.scope.key,
            "activity_id": event.activity_id,
            "touched_at": event.occurred_at.isoformat(),
            "due": event.event_type in CHECKPOINTS,
        }
        connection.execute(self._touch, touch)
        return event.model_copy(update={"seq": seq})

    def _as_first_written(self, connection: Connection, event: Event) -> Event:
        row = connection.execute(_BY_ID, {"event_id": event.event_id}).mappings().one()
        first = _event(row)
        if first.scope != event.scope:
            raise InvalidEventError(
                f"event {event.event_id!r} of scope {str(event.scope)!r} is known in scope "
                f"{str(first.scope)!r}: an event belongs to one scope, give it another id"
            )
        return first

    def _held(self, connection: Connection, claim: Claim, values: dict[str, object]) -> None:
        held = and_(_is(claim), activities.c.owner == claim.owner, activities.c.fence == claim.fence)
        if connection.execute(update(activities).where(held).values(values)).rowcount != 1:
            raise LostLeaseError(f"the lease on activity {claim.activity_id!r} went to another worker")

    def _gone(self, connection: Connection) -> list[str]:
        owners = connection.scalars(
            select(activities.c.owner).where(activities.c.owner.is_not(None)).distinct()
        )
        return [owner for owner in owners if leases.is_gone(owner)]

    def _events(self, query: Select[Any], values: Mapping[str, Any] | None = None) -> list[Event]:
        with self.database.read() as connection:
            rows = connection.execute(query, values or {}).mappings().all()
        return [_event(row) for row in rows]


_PAGE = 500
_BY_ID = select(events.c.seq, events.c.body).where(events.c.event_id == bindparam("event_id"))
_LAST = select(func.max(events.c.seq))
_WAITING = (
    select(events.c.seq, events.c.body)
    .join(
        activities,
        and_(activities.c.scope == events.c.scope, activities.c.activity_id == events.c.activity_id),
    )
    .where(activities.c.waiting.is_(True), events.c.seq > activities.c.done_seq)
    .order_by(events.c.seq.desc())
    .limit(bindparam("limit", type_=Integer))
)
_WAITING_IN = _WAITING.where(activities.c.scope.in_(bindparam("keys", expanding=True)))
_WAITING_BELOW = _WAITING.where(in_subtree(activities.c.scope))


def _insert(database: Database) -> Executable:
    statement = sqlite_insert(events) if database.is_sqlite else postgres_insert(events)
    return statement.on_conflict_do_nothing(index_elements=["event_id"]).returning(events.c.seq)


def _touch(database: Database) -> Executable:
    statement = (sqlite_insert(activities) if database.is_sqlite else postgres_insert(activities)).values(
        scope=bindparam("scope"),
        activity_id=bindparam("activity_id"),
        touched_at=bindparam("touched_at"),
        due=bindparam("due"),
        waiting=True,
        done_seq=0,
        attempts=0,
        dead=False,
        fence=0,
    )
    return statement.on_conflict_do_update(
        index_elements=["scope", "activity_id"],
        set_={
            "touched_at": statement.excluded.touched_at,
            "due": or_(activities.c.due, statement.excluded.due),
            "waiting": True,
        },
    )


def _row(event: Event) -> dict[str, object]:
    return {
        "event_id": event.event_id,
        "scope": event.scope.key,
        "activity_id": event.activity_id,
        "thread_id": event.thread_id,
        "event_type": event.event_type,
        "actor_kind": event.actor.kind.value,
        "checkpoint": event.event_type in CHECKPOINTS,
        "body": event.model_dump_json(exclude={"seq"}, exclude_defaults=True),
    }


def _event(row: RowMapping) -> Event:
    return Event.model_validate_json(row["body"]).model_copy(update={"seq": row["seq"]})


def _claim(row: RowMapping, owner: str) -> Claim:
    return Claim(
        scope=Scope.from_key(row["scope"]),
        activity_id=row["activity_id"],
        done_seq=row["done_seq"],
        owner=owner,
        fence=row["fence"] + 1,
        attempts=row["attempts"],
    )


def _is(claim: Claim) -> ColumnElement[bool]:
    return and_(activities.c.scope == claim.scope.key, activities.c.activity_id == claim.activity_id)


def _claimable(clock: float, now: str, idle_before: str, gone: list[str]) -> Select[Any]:
    asked = or_(
        activities.c.due.is_(True),
        and_(activities.c.waiting.is_(True), activities.c.touched_at < idle_before),
    )
    free = or_(activities.c.owner.is_(None), activities.c.leased_until < clock, activities.c.owner.in_(gone))
    ready = or_(activities.c.not_before.is_(None), activities.c.not_before <= now)
    return select(activities).where(asked, free, ready, activities.c.dead.is_(False))


def _seconds(connection: Connection, database: Database) -> float:
    """The database's own time, so that hosts with different clocks agree on leases."""
    sqlite = "SELECT (julianday('now') - 2440587.5) * 86400.0"
    return float(
        connection.scalar(text(sqlite if database.is_sqlite else "SELECT extract(epoch FROM now())")) or 0
    )

"""Activities as a queue: which are due for consolidation, who works on them, how far they have been read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    or_,
    select,
    update,
)

from langgraph_memory.database import Database
from langgraph_memory.log import leases
from langgraph_memory.log.backlog import Backlog, counted
from langgraph_memory.log.claims import Claim, LostLeaseError
from langgraph_memory.log.counters import READINGS, Counters
from langgraph_memory.log.tables import activities, events, in_subtree, subtree
from langgraph_memory.scope import Scope
from langgraph_memory.store.statements import Statement


class Activities:
    """Cursors and leases of activities, in the log's database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.counters = Counters(database)
        self._touch = _touch(database)

    def touch(
        self,
        connection: Connection,
        scope: Scope,
        activity_id: str,
        *,
        at: datetime,
        due: bool,
        waiting: bool,
    ) -> None:
        """Note that an activity has a new event, inside the transaction that writes it."""
        self._touch.run(
            connection,
            scope=scope.key,
            activity_id=activity_id,
            touched_at=at.isoformat(),
            due=due,
            waiting=waiting,
        )

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
        below: Scope | None = None,
    ) -> list[Claim]:
        """Lease due activities, and those that had no event since `idle_before`.

        With `only` just the one named, with `below` just those of a scope and the scopes under it.

        A leased activity is free again when its lease has run out, or at once when its owner was a process
        of this host that is gone.
        """
        with self.database.write(durable=False) as connection:
            clock = leases.seconds(connection, self.database)
            free = _claimable(clock, now.isoformat(), idle_before.isoformat(), self._gone(connection))
            if only is not None:
                free = free.where(activities.c.scope == only[0].key, activities.c.activity_id == only[1])
            if below is not None:
                free = free.where(in_subtree(activities.c.scope))
            rows = connection.execute(
                free.order_by(activities.c.touched_at, activities.c.activity_id)
                .limit(limit)
                .with_for_update(skip_locked=True),
                subtree(below) if below else {},
            ).mappings()
            claims = [_claim(row, owner) for row in rows]
            leased = {"owned": owner, "until": clock + leases.SECONDS}
            if claims:
                _LEASE.run_each(connection, [leased | _named(c) | {"fenced": c.fence} for c in claims])
        return claims

    def renew(self, claim: Claim) -> None:
        """Extend a lease.

        Raises:
            LostLeaseError: another worker holds it now.
        """
        with self.database.write() as connection:
            until = leases.seconds(connection, self.database) + leases.SECONDS
            self._held(connection, claim, {"leased_until": until})

    def complete(self, connection: Connection, claim: Claim, upto: int) -> None:
        """Move the activity's cursor and give the lease back, inside the caller's transaction.

        Raises:
            LostLeaseError: another worker holds it now; roll back.
        """
        held = {**_named(claim), "owned": claim.owner, "fenced": claim.fence}
        if _COMPLETE.run(connection, **held, upto=upto) != 1:
            raise _lost(claim)
        self.counters.grow(connection, READINGS)

    def settle(self, connection: Connection, scope: Scope, activity_id: str, upto: int) -> None:
        """Note that an activity was consolidated elsewhere, up to a sequence number."""
        this = and_(activities.c.scope == scope.key, activities.c.activity_id == activity_id)
        later = and_(events.c.scope == scope.key, events.c.activity_id == activity_id, events.c.seq > upto)
        done = {
            "done_seq": upto,
            "due": exists().where(later, events.c.checkpoint.is_(True)),
            "waiting": exists().where(later),
        }
        behind = activities.c.done_seq < upto
        connection.execute(update(activities).where(this, behind).values(done))
        self.counters.grow(connection, READINGS)

    def reread(self, chosen: Iterable[tuple[Scope, str]]) -> None:
        """Ask for activities to be consolidated again, from their beginning."""
        fresh = {"done_seq": 0, "due": True, "waiting": True, "not_before": None}
        with self.database.write() as connection:
            for scope, activity_id in chosen:
                this = and_(activities.c.scope == scope.key, activities.c.activity_id == activity_id)
                connection.execute(update(activities).where(this).values(fresh))

    def withdraw(self, connection: Connection, changed: Iterable[tuple[Scope, str]]) -> None:
        """Note that events of activities were taken away or rewritten.

        Whoever holds a lease on one loses it, for what they have read is not there any more. An activity
        without events goes. Sequence numbers may be given again after the last ones went, so no cursor may
        stand behind the end of the log.
        """
        for scope, activity_id in dict.fromkeys(changed):
            this = and_(activities.c.scope == scope.key, activities.c.activity_id == activity_id)
            some = exists().where(events.c.scope == scope.key, events.c.activity_id == activity_id)
            fresh = {"fence": activities.c.fence + 1, "owner": None, "leased_until": None}
            connection.execute(delete(activities).where(this, ~some))
            connection.execute(update(activities).where(this).values(fresh))
        last = select(func.coalesce(func.max(events.c.seq), 0)).scalar_subquery()
        connection.execute(update(activities).where(activities.c.done_seq > last).values(done_seq=last))
        self.counters.grow(connection, READINGS)

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

    def ready(self, *, now: datetime, idle_before: datetime) -> bool:
        """Whether there is something to claim; only reads."""
        with self.database.read() as connection:
            clock = leases.seconds(connection, self.database)
            free = _claimable(clock, now.isoformat(), idle_before.isoformat(), self._gone(connection))
            return connection.execute(free.limit(1)).first() is not None

    def backlog(self, now: datetime | None = None) -> Backlog:
        """What waits for consolidation; with the present moment, also for how long."""
        return counted(self.database, now)

    def _held(self, connection: Connection, claim: Claim, values: dict[str, object]) -> None:
        held = and_(_is(claim), activities.c.owner == claim.owner, activities.c.fence == claim.fence)
        if connection.execute(update(activities).where(held).values(values)).rowcount != 1:
            raise _lost(claim)

    def _gone(self, connection: Connection) -> list[str]:
        owners = connection.scalars(
            select(activities.c.owner).where(activities.c.owner.is_not(None)).distinct()
        )
        return [owner for owner in owners if leases.is_gone(owner)]


def _lost(claim: Claim) -> LostLeaseError:
    return LostLeaseError(f"the lease on activity {claim.activity_id!r} went to another worker")


_UNREAD = and_(
    events.c.scope == bindparam("at"),
    events.c.activity_id == bindparam("of"),
    events.c.seq > bindparam("upto"),
)
_THIS = and_(activities.c.scope == bindparam("at"), activities.c.activity_id == bindparam("of"))
_LEASE = Statement(
    update(activities)
    .where(_THIS)
    .values(owner=bindparam("owned"), fence=bindparam("fenced"), leased_until=bindparam("until"))
)
_COMPLETE = Statement(
    update(activities)
    .where(_THIS, activities.c.owner == bindparam("owned"), activities.c.fence == bindparam("fenced"))
    .values(
        done_seq=bindparam("upto"),
        due=exists().where(_UNREAD, events.c.checkpoint.is_(True)),
        waiting=exists().where(_UNREAD),
        attempts=0,
        error=None,
        not_before=None,
        owner=None,
        leased_until=None,
    )
)
"""Moves the cursor and gives the lease back."""


def _touch(database: Database) -> Statement:
    statement = database.insert(activities).values(
        scope=bindparam("scope"),
        activity_id=bindparam("activity_id"),
        touched_at=bindparam("touched_at"),
        due=bindparam("due"),
        waiting=bindparam("waiting"),
        done_seq=0,
        attempts=0,
        dead=False,
        fence=0,
    )
    later = statement.excluded.touched_at > activities.c.touched_at  # what arrives late is not the latest
    return Statement(
        statement.on_conflict_do_update(
            index_elements=["scope", "activity_id"],
            set_={
                "touched_at": case((later, statement.excluded.touched_at), else_=activities.c.touched_at),
                "due": or_(activities.c.due, statement.excluded.due),
                "waiting": or_(activities.c.waiting, statement.excluded.waiting),
            },
        )
    )


def _claim(row: RowMapping, owner: str) -> Claim:
    return Claim(
        scope=Scope.from_key(row["scope"]),
        activity_id=row["activity_id"],
        done_seq=row["done_seq"],
        owner=owner,
        fence=row["fence"] + 1,
        attempts=row["attempts"],
    )


def _named(claim: Claim) -> dict[str, object]:
    return {"at": claim.scope.key, "of": claim.activity_id}


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

"""What waits for consolidation, and for how long."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import RowMapping, func, select

from langgraph_memory.database import Database
from langgraph_memory.log import leases
from langgraph_memory.log.tables import activities
from langgraph_memory.records import Record


class Retry(Record):
    """An activity whose consolidation failed and will be tried again."""

    scope: str
    activity_id: str
    error: str
    attempts: int
    not_before: str


class Backlog(Record):
    """How much waits for consolidation.

    Attributes:
        due: activities that are due.
        waiting: activities with unread events.
        dead: scope, activity and error of those that failed too often; `revive` makes them due again.
        retrying: those that failed and will be tried again.
        working: activities that somebody holds a lease on.
        lag: for how many seconds the longest due one has waited since its last event.
    """

    due: int
    waiting: int
    dead: tuple[tuple[str, str, str], ...]
    retrying: tuple[Retry, ...] = ()
    working: int = 0
    lag: float = 0.0


def counted(database: Database, now: datetime | None = None) -> Backlog:
    """The backlog of a database; with the present moment, also how long the longest has waited."""
    columns = activities.c
    with database.read() as connection:
        held = columns.owner.is_not(None) & (columns.leased_until >= leases.seconds(connection, database))
        due = columns.due.is_(True) & columns.dead.is_(False)
        counts = {"due": due, "waiting": columns.waiting.is_(True), "working": held}
        numbers = {
            name: connection.scalar(select(func.count()).where(those)) or 0 for name, those in counts.items()
        }
        oldest = connection.scalar(select(func.min(columns.touched_at)).where(due))
        failed = connection.execute(select(activities).where(columns.attempts > 0)).mappings().all()
    return Backlog(
        **numbers,
        dead=tuple((r["scope"], r["activity_id"], r["error"] or "") for r in failed if r["dead"]),
        retrying=tuple(_retry(row) for row in failed if not row["dead"]),
        lag=max((now - datetime.fromisoformat(oldest)).total_seconds(), 0.0) if now and oldest else 0.0,
    )


def _retry(row: RowMapping) -> Retry:
    fields = {name: row[name] or "" for name in ("scope", "activity_id", "error", "not_before")}
    return Retry(**fields, attempts=row["attempts"])

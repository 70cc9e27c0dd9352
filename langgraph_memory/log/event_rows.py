"""An event as a row, and back; the queries for what people said."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Integer, RowMapping, and_, bindparam, select

from langgraph_memory.database import Database
from langgraph_memory.log.event_types import CHECKPOINTS, SPOKEN
from langgraph_memory.log.tables import activities, computed, events, in_subtree
from langgraph_memory.records import Event
from langgraph_memory.store.statements import Statement

_COLUMNS = [column.name for column in events.c if column.name != "seq"]
BY_ID = select(events.c.seq, events.c.body).where(events.c.event_id == bindparam("event_id"))
_SAID = (
    select(events.c.seq, events.c.body)
    .join(
        activities,
        and_(
            events.c.scope == computed(activities.c.scope),
            events.c.activity_id == computed(activities.c.activity_id),
        ),
    )
    .where(events.c.event_type.in_(sorted(SPOKEN)))
    .order_by(events.c.seq.desc())
    .limit(bindparam("limit", type_=Integer))
)
_IN_SCOPES = activities.c.scope.in_(bindparam("keys", expanding=True))
_WAITING = _SAID.where(activities.c.waiting.is_(True), events.c.seq > activities.c.done_seq)
WAITING_IN = _WAITING.where(_IN_SCOPES)
SAID_SINCE = _SAID.where(_IN_SCOPES, activities.c.touched_at > bindparam("moment"))
WAITING_IDS = _WAITING.with_only_columns(events.c.event_id).where(in_subtree(activities.c.scope))


def insertion(database: Database) -> Statement:
    """Writes an event, unless one with its id is there."""
    given: dict[str, Any] = {name: bindparam(name) for name in _COLUMNS}
    written = database.insert(events).values(given).on_conflict_do_nothing(index_elements=["event_id"])
    return Statement(written.returning(events.c.seq))


def written(event: Event) -> dict[str, object]:
    """The row of an event."""
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


def read(row: RowMapping) -> Event:
    """The event of a row."""
    return Event.model_validate_json(row["body"]).model_copy(update={"seq": row["seq"]})

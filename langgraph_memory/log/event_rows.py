"""An event as a row, and back."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sqlalchemy import RowMapping, bindparam

from langgraph_memory.database import Database
from langgraph_memory.log.event_types import CHECKPOINTS
from langgraph_memory.log.tables import events
from langgraph_memory.records import Event
from langgraph_memory.store.statements import Statement

_SHORT = 4_000
_COLUMNS = [column.name for column in events.c if column.name != "seq"]


def insertion(database: Database) -> Statement:
    """Writes an event, unless one with its id is there."""
    given: dict[str, Any] = {name: bindparam(name) for name in _COLUMNS}
    row = database.insert_missing(events, "event_id").values(given)
    return Statement(row.returning(events.c.seq))


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
    return of(row["seq"], row["body"])


def of(seq: int, body: str) -> Event:
    """The event with this sequence number and stored form; short ones, read again and again, are kept."""
    return _kept(seq, body) if len(body) <= _SHORT else _read(seq, body)


@lru_cache(maxsize=4_096)
def _kept(seq: int, body: str) -> Event:
    return _read(seq, body)


def _read(seq: int, body: str) -> Event:
    return Event.model_validate_json(body).model_copy(update={"seq": seq})

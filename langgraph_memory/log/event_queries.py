"""The queries for events: by id, by activity, by thread, and for what people said."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, ColumnElement, Integer, and_, bindparam, cast, exists, func, or_, select

from langgraph_memory.database import Database
from langgraph_memory.log.counters import READINGS
from langgraph_memory.log.event_types import SPOKEN, TALK
from langgraph_memory.log.tables import activities, cited, computed, events, in_subtree, settings
from langgraph_memory.store.statements import Among, Statement

_SAID = (
    select(events.c.seq, events.c.body)
    .join(
        activities,
        and_(
            events.c.scope == computed(activities.c.scope),
            events.c.activity_id == computed(activities.c.activity_id),
        ),
    )
    .where(or_(*(events.c.event_type == kind for kind in sorted(SPOKEN))))
    .order_by(events.c.seq.desc())
    .limit(bindparam("limit", type_=Integer))
)
_IN_SCOPES = Among(activities.c.scope, "keys")
_WAITING = _SAID.where(activities.c.waiting.is_(True), events.c.seq > activities.c.done_seq)
WAITING_IN = Statement(_WAITING.where(_IN_SCOPES))
SAID_SINCE = Statement(_SAID.where(_IN_SCOPES, activities.c.touched_at > bindparam("moment")))
WAITING_IDS = Statement(_WAITING.with_only_columns(events.c.event_id).where(in_subtree(activities.c.scope)))
STATE = Statement(
    select(
        select(settings.c.number).where(settings.c.name == READINGS).scalar_subquery(),
        select(func.max(events.c.seq)).scalar_subquery(),
    )
)
"""How often what people said was read or taken away, and the last sequence number."""

_NEW = (
    select(events.c.seq, events.c.body)
    .join(
        activities,
        and_(
            activities.c.scope == computed(events.c.scope),
            activities.c.activity_id == computed(events.c.activity_id),
        ),
    )
    .where(
        events.c.seq > bindparam("after"),
        or_(*(events.c.event_type == kind for kind in sorted(SPOKEN))),
        activities.c.waiting.is_(True),
        events.c.seq > activities.c.done_seq,
    )
    .order_by(events.c.seq.desc())
    .limit(bindparam("limit", type_=Integer))
)
NEW_IN = Statement(_NEW.where(Among(computed(events.c.scope), "keys")))
NEW_IDS = Statement(_NEW.with_only_columns(events.c.event_id).where(in_subtree(computed(events.c.scope))))
KNOWN = Statement(select(events.c.event_id).where(Among(events.c.event_id, "ids")))
BY_IDS = Statement(
    select(events.c.seq, events.c.body).where(Among(events.c.event_id, "ids")).order_by(events.c.seq)
)
OF_ACTIVITY = Statement(
    select(events.c.seq, events.c.body)
    .where(*(events.c[name] == bindparam(name) for name in ("scope", "activity_id")))
    .where(events.c.seq > bindparam("after"))
    .order_by(events.c.seq)
)
TALK_BEFORE = Statement(
    select(events.c.seq, events.c.body)
    .where(
        events.c.thread_id == bindparam("thread_id"),
        events.c.scope == bindparam("scope"),
        events.c.seq < bindparam("seq"),
        or_(*(events.c.event_type == kind for kind in sorted(TALK))),
    )
    .order_by(events.c.seq.desc())
    .limit(bindparam("limit", type_=Integer))
)


def outlived(database: Database) -> Statement:
    """Events before a moment that consolidation has read and that no record cites by id, in order."""
    body = events.c.body
    happened: ColumnElement[Any] = (
        func.json_extract(body, "$.occurred_at")
        if database.is_sqlite
        else cast(body, JSON)["occurred_at"].as_string()
    )
    both = (events.c[name] == activities.c[name] for name in ("scope", "activity_id"))
    return Statement(
        select(events.c.seq, body)
        .join(activities, and_(*both))
        .where(events.c.seq > bindparam("after"), happened < bindparam("before"))
        .where(or_(events.c.seq <= activities.c.done_seq, activities.c.waiting.is_(False)))
        .where(~exists().where(cited.c.source == events.c.event_id))
        .order_by(events.c.seq)
        .limit(bindparam("limit", type_=Integer))
    )

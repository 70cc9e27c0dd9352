"""The tables of the log and the ledger: one schema, shared with the store's items in one database."""

from __future__ import annotations

import json
from string import ascii_uppercase
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Float,
    Index,
    Integer,
    Table,
    Text,
    and_,
    bindparam,
    func,
    or_,
)
from sqlalchemy.dialects.postgresql import TEXT as POSTGRES_TEXT

from langgraph_memory.database import metadata
from langgraph_memory.scope import Scope

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
    Index("events_by_thread", "thread_id", "scope", "seq"),
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

records = Table(
    "records",
    metadata,
    Column("record_id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("scope", KEY, nullable=False),
    Column("status", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("namespace", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("due", Text),
    Index("records_due", "due"),
    Index("records_by_scope", "scope", "kind", "status"),
)

record_changes = Table(
    "record_changes",
    metadata,
    Column("record_id", Text, primary_key=True),
    Column("revision", Integer, nullable=False),
    Index("record_changes_by_revision", "revision"),
)
"""In which revision a record was written last, so that who has read the others reads no more than it."""

links = Table(
    "record_entities",
    metadata,
    Column("entity", Text, primary_key=True),
    Column("record_id", Text, primary_key=True),
)

cited = Table(
    "record_sources",
    metadata,
    Column("source", Text, primary_key=True),
    Column("record_id", Text, primary_key=True),
)
"""Which records cite which sources, so that what was derived from an event is found when it goes."""

current_facts = Table(
    "current_facts",
    metadata,
    Column("scope", KEY, primary_key=True),
    Column("entity", Text, primary_key=True),
    Column("attribute", Text, primary_key=True),
    Column("slot", Text, primary_key=True),
    Column("fact_id", Text, nullable=False, unique=True),
)

tombstones = Table(
    "tombstones",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("scope", KEY, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Text, nullable=False),
)

forgotten = Table(
    "forgotten_events",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("at", Text, nullable=False),
)
"""Keyed digests of the ids of events that were forgotten: what comes with such an id is not taken again."""

aliases = Table(
    "aliases",
    metadata,
    Column("scope", KEY, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("entity", Text, primary_key=True),
    Column("source", Text, nullable=False),
    Index("aliases_of_entity", "entity"),
)

vouched = Table(
    "vouched_names",
    metadata,
    Column("scope", KEY, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("entity", Text, primary_key=True),
    Column("source", Text, nullable=False),
)
"""Those aliases that a person used or gave; what only tools brought can protect, but not end, a rule."""

audit = Table(
    "audit",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("at", Text, nullable=False),
    Column("decision", Text, nullable=False),
    Column("record_id", Text, nullable=False, index=True),
    Column("scope", KEY, nullable=False),
    Column("actor", Text, nullable=False),
    Column("reason", Text, nullable=False),
)

receipts = Table(
    "receipts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("body", Text, nullable=False),
)

approvals = Table(
    "approvals",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("actor", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("task", Text),
    Column("spent", Boolean, nullable=False),
)

spending = Table(
    "spending",
    metadata,
    Column("name", Text, primary_key=True),
    Column("number", _BIG, nullable=False),
)

captures = Table(
    "captures",
    metadata,
    Column("thread_id", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("body", Text, nullable=False),
)
"""Runs that are being captured from a checkpointer, each by which process and for whom."""

settings = Table(
    "settings",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text),
    Column("number", Integer),
)


_LONGEST_PATTERN = 10_000
"""SQLite's LIKE takes 50,000 bytes."""

_LOWER = {ord(letter): letter.lower() for letter in ascii_uppercase}
"""As SQLite's `lower` has it."""


def in_subtree(column: ColumnElement[Any]) -> ColumnElement[bool]:
    """Whether a scope key is that of a scope or of one below it; the parameters come from `subtree`."""
    return or_(
        column == bindparam("top"), and_(column > bindparam("below_from"), column < bindparam("below_to"))
    )


def subtree(scope: Scope) -> dict[str, str]:
    """The parameters of `in_subtree`: labels have no dot, and `/` is the character after it."""
    return {"top": scope.key, "below_from": f"{scope.key}.", "below_to": f"{scope.key}/"}


def computed(column: Column[Any]) -> ColumnElement[Any]:
    """A text column as an expression, by which no index is searched.

    SQLite plans without statistics. It would go over all that a scope holds, and look up for each row whether
    it is one of the few that are asked for; this way it begins with the few.
    """
    return column.concat("")


def is_below(scope: Scope, top: Scope) -> bool:
    """Whether a scope is another one or lies under it, as `in_subtree` tells it of keys."""
    return f"{scope.key}.".startswith(f"{top.key}.")


def holds(column: Column[str], text: str, *, is_sqlite: bool) -> ColumnElement[bool]:
    """Whether a column holds a text somewhere; the case of ASCII letters makes no difference."""
    if is_sqlite and len(text) > _LONGEST_PATTERN:
        return func.instr(func.lower(column), text.translate(_LOWER)) > 0
    pattern = "".join(f"\\{c}" if c in "\\%_" else c for c in text)
    compare = column.like if is_sqlite else column.ilike  # SQLite's LIKE knows no case, and is the faster one
    return compare(f"%{pattern}%", escape="\\")


def holds_in_json(column: Column[str], text: str, *, is_sqlite: bool) -> ColumnElement[bool]:
    """Whether a column of JSON holds a text in one of its strings."""
    return holds(column, json.dumps(text, ensure_ascii=False)[1:-1], is_sqlite=is_sqlite)

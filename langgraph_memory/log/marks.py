"""Marks by which the facts that calls and messages are held against are found without reading all others."""

from __future__ import annotations

from sqlalchemy import ColumnElement, literal, select

from langgraph_memory.database import Database
from langgraph_memory.log.tables import links, records, settings
from langgraph_memory.scope import Scope

HOLDING = "\x1fholding"
"""What is linked to facts that may hold calls, beside their entities; nothing is called so."""

_ENDING = "\x1fending "


def ending_in(scope: Scope) -> str:
    """What is linked to the facts of a scope that end when something comes about."""
    return f"{_ENDING}{scope.key}"


def mark_facts(database: Database) -> None:
    """Mark, once, every fact of a database that is older than a mark: each of them may be meant."""
    _mark(database, "rules marked", literal(HOLDING), ["current", "candidate"])
    _mark(database, "endings marked", literal(_ENDING) + records.c.scope, ["current"])


def _mark(database: Database, name: str, mark: ColumnElement[str], status: list[str]) -> None:
    unmarked = select(mark, records.c.record_id).where(records.c.kind == "fact", records.c.status.in_(status))
    with database.write() as connection:
        row = {"name": name, "value": None, "number": None}
        if connection.execute(database.insert_missing(settings), row).rowcount:
            marks = database.insert_missing(links).from_select(["entity", "record_id"], unmarked)
            connection.execute(marks)

"""The mark by which facts that may hold calls are found without reading all others."""

from __future__ import annotations

from sqlalchemy import literal, select

from langgraph_memory.database import Database
from langgraph_memory.log.tables import links, records, settings

HOLDING = "\x1fholding"
"""What is linked to facts that may hold calls, beside their entities; nothing is called so."""

_MARKED = "rules marked"
_UNMARKED = select(literal(HOLDING), records.c.record_id).where(
    records.c.kind == "fact", records.c.status.in_(["current", "candidate"])
)


def mark_rules(database: Database) -> None:
    """Mark, once, every fact of a database that is older than the mark: each of them may be a rule."""
    with database.write() as connection:
        row = {"name": _MARKED, "value": None, "number": None}
        if connection.execute(database.insert_missing(settings), row).rowcount:
            marks = database.insert_missing(links).from_select(["entity", "record_id"], _UNMARKED)
            connection.execute(marks)

"""In which revision each record was written last, by which what was read before is told from what is new."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select

from langgraph_memory.database import Database
from langgraph_memory.log.tables import record_changes, settings
from langgraph_memory.store.statements import Statement


class Edition(NamedTuple):
    """The records as they stand: equal as long as none was written or taken away, by whatever process.

    Attributes:
        written: the revision in which a record was written last; None where there is none.
        forgets: how often records were taken away.
        rollbacks: of this process: what was read inside a transaction that was undone is void.
    """

    written: int | None
    forgets: int
    rollbacks: int


class Editions:
    """Notes the revisions of records, as the counters have them, and tells one state from another."""

    def __init__(self, database: Database) -> None:
        self._database = database
        database.create(record_changes)
        self._note = _noting(database)

    def note(self, connection: Connection, record_ids: Iterable[str]) -> None:
        """Note that records were written in this revision, in the transaction that has just grown it."""
        rows = [{"record_id": record_id} for record_id in dict.fromkeys(record_ids)]
        if rows:
            self._note.run_each(connection, rows)

    def now(self) -> Edition:
        """What tells whether the records are those that were read before."""
        with self._database.read() as connection:
            ((written, forgets),) = _EDITION.rows(connection)
        return Edition(written, forgets, self._database.rollbacks)


_EDITION = Statement(
    select(
        select(func.max(record_changes.c.revision)).scalar_subquery(),
        select(settings.c.number).where(settings.c.name == "forgets").scalar_subquery(),
    )
)


def _noting(database: Database) -> Statement:
    revision = select(settings.c.number).where(settings.c.name == "revision").scalar_subquery()
    row = database.insert(record_changes).values(record_id=bindparam("record_id"), revision=revision)
    return Statement(
        row.on_conflict_do_update(index_elements=["record_id"], set_={"revision": row.excluded.revision})
    )

"""Which threads are being captured from a checkpointer: after a crash it is known what to look at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, select

from langgraph_memory.database import Database
from langgraph_memory.log.leases import is_gone, new_owner
from langgraph_memory.log.tables import captures
from langgraph_memory.store.statements import Statement


class Left(NamedTuple):
    """A capture that was not brought to its end: its thread, and what was noted when it began."""

    thread_id: str
    owner: str
    body: str


class Captures:
    """Notes of captures under way, each with the process that makes it.

    What a saver has captured is written a moment later than the checkpoint that holds it. The note stands
    from before the run's first step until all of it is written; one whose process is gone tells of a crash.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        database.create(captures)
        self._owner = new_owner()
        inserted = database.insert(captures).values(_GIVEN)
        changed = {name: inserted.excluded[name] for name in ("owner", "body")}
        self._begin = Statement(inserted.on_conflict_do_update(index_elements=["thread_id"], set_=changed))

    def begin(self, connection: Connection, thread_id: str, body: str) -> None:
        """Note that this process captures a run of a thread."""
        self._begin.run(connection, thread_id=thread_id, owner=self._owner, body=body)

    def end(self, connection: Connection, thread_id: str) -> None:
        """Note that all of a run is written."""
        _END.run(connection, thread_id=thread_id)

    def close(self, left: Left) -> None:
        """Note that what a crash left has been captured, unless somebody has begun anew since."""
        with self._database.write() as connection:
            _CLOSE.run(connection, thread_id=left.thread_id, owner=left.owner)

    def left(self, thread_id: str | None = None) -> list[Left]:
        """What processes that are gone have left; of a thread that goes on here, what anybody else left."""
        with self._database.read() as connection:
            if thread_id is not None:
                rows = _OF_THREAD.rows(connection, thread_id=thread_id)
                return [Left(*row) for row in rows if row[1] != self._owner]
            return [Left(*row) for row in _ALL.rows(connection) if is_gone(row[1])]


_GIVEN: Mapping[str, Any] = {name: bindparam(name) for name in ("thread_id", "owner", "body")}
_ALL = Statement(select(captures.c.thread_id, captures.c.owner, captures.c.body))
_OF_THREAD = Statement(
    select(captures.c.thread_id, captures.c.owner, captures.c.body).where(
        captures.c.thread_id == bindparam("thread_id")
    )
)
_END = Statement(delete(captures).where(captures.c.thread_id == bindparam("thread_id")))
_CLOSE = Statement(
    delete(captures).where(
        captures.c.thread_id == bindparam("thread_id"), captures.c.owner == bindparam("owner")
    )
)

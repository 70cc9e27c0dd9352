"""What people said that no consolidation has read, kept in mind: what is new is added to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from langgraph_memory.database import Database
from langgraph_memory.log import event_queries, event_rows
from langgraph_memory.log.tables import subtree
from langgraph_memory.recent import Recent
from langgraph_memory.records import Event
from langgraph_memory.scope import Scope
from langgraph_memory.store.statements import Statement

_KEPT = 64
"""So many answers are kept, each for scopes of its own."""


class _Answer(NamedTuple):
    """What was found, newest first, and in which state of the database.

    Attributes:
        since: how often words were read or taken away, and how often this process undid something.
        upto: the last sequence number.
        found: ids or events.
    """

    since: tuple[int, int]
    upto: int
    found: tuple[Any, ...]


class Unread:
    """Waiting words, found in a time that doesn't grow with their number.

    SQLite gives sequence numbers in the order of commits, so what came since an answer was read is what
    stands behind its last number; on servers, where a smaller one may be committed later, each answer is
    read anew.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept = Recent[tuple[object, ...], _Answer](_KEPT)

    def ids(self, connection: Connection, top: Scope, limit: int) -> Sequence[str]:
        """The ids of what waits in a scope and those below it; the same tuple as long as it is the same."""
        asked = _Asked(event_queries.WAITING_IDS, event_queries.NEW_IDS, subtree(top), limit, str)
        return self._answer(connection, ("below", top.key, limit), asked)

    def events(self, connection: Connection, scopes: Sequence[Scope], limit: int) -> Sequence[Event]:
        """What waits in exactly these scopes, newest first."""
        keys = [scope.key for scope in scopes]
        asked = _Asked(event_queries.WAITING_IN, event_queries.NEW_IN, {"keys": keys}, limit, event_rows.of)
        return self._answer(connection, ("in", *keys, limit), asked)

    def _answer(self, connection: Connection, key: tuple[object, ...], asked: _Asked) -> tuple[Any, ...]:
        if not self._database.is_sqlite:
            return asked.all_of(connection)
        ((read, last),) = event_queries.STATE.rows(connection)
        since, upto = (read, self._database.rollbacks), last or 0
        known = self._kept.get(key)
        if known is None or known.since != since or upto < known.upto:
            known = _Answer(since, upto, asked.all_of(connection))
        elif upto > known.upto:
            new = asked.behind(connection, known.upto)
            known = _Answer(since, upto, (*new, *known.found)[: asked.limit] if new else known.found)
        return self._kept.put(key, known).found


class _Asked(NamedTuple):
    """One question: the statements for all of the answer and for what is new, and what a row stands for."""

    whole: Statement
    new: Statement
    where: Mapping[str, Any]
    limit: int
    of: Callable[..., Any]

    def all_of(self, connection: Connection) -> tuple[Any, ...]:
        rows = self.whole.rows(connection, **self.where, limit=self.limit)
        return tuple(self.of(*row) for row in rows)

    def behind(self, connection: Connection, seq: int) -> tuple[Any, ...]:
        rows = self.new.rows(connection, **self.where, limit=self.limit, after=seq)
        return tuple(self.of(*row) for row in rows)

"""Where a search looks: in memory for scopes of a few thousand items, in the vector index above that."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection

from langgraph_memory.database import Database
from langgraph_memory.errors import StorageError
from langgraph_memory.store import findables, state
from langgraph_memory.store.fusion import centred
from langgraph_memory.store.model import NO_MODEL, Model
from langgraph_memory.store.namespaces import Territory
from langgraph_memory.store.outbox import Outbox
from langgraph_memory.store.partitions import Floats, Hits, Partition, Partitions, Vectors

_NEIGHBOURS = 200
_LEAST_SHARE = 0.5
_NO_VECTORS = -1


class Scope(NamedTuple):
    """A scope as one search sees it: its rows, and how near their vectors are to the query, if any are."""

    rows: Partition
    similarity: Floats | None


class Scopes:
    """The scopes that were searched lately. One thread at a time.

    Args:
        database: holds the items.
        model: the embedding model.
        outbox: leads to the vector index, where there is one.
        exact_limit: up to so many items a scope is compared vector by vector.
        cache_bytes: about how much memory the scopes may take.
    """

    def __init__(
        self, database: Database, model: Model, outbox: Outbox | None, *, exact_limit: int, cache_bytes: int
    ) -> None:
        self._model, self._outbox, self._exact_limit = model, outbox, exact_limit
        self._partitions = Partitions(database, budget=cache_bytes)

    def scope(
        self, connection: Connection, territory: Territory, prefix: str, query: Vectors | None
    ) -> Scope:
        """The items below an encoded prefix as the connection sees them, compared with a query."""
        rows = self._rows(connection, territory, prefix)
        if query is None:
            return Scope(rows, None)
        query = centred(query, rows.mean, rows.measured)
        if not rows.handed or self._outbox is None:
            return Scope(rows, rows.similarity(query))
        hits = self._hits(self._outbox, query, rows.measured)
        if hits is None:
            self._outbox.detach()
            self._partitions.clear()
            rows = self._rows(connection, territory, prefix)
        return Scope(rows, rows.similarity(query, hits or ()))

    def _hits(self, outbox: Outbox, query: Vectors, vectors: int) -> Hits | None:
        """What the index finds; None if it fails, or if it has lost so much that it is no help.

        The vectors are all in SQL: the answer is as good without the index, only slower. The outbox looks
        after it, and `doctor` says what is wrong.
        """
        count = min(round(_NEIGHBOURS / _LEAST_SHARE), vectors)
        try:
            hits = outbox.index.nearest(query, count)
        except StorageError:
            return None
        return hits if len(hits) >= count // 2 else None

    def begin_anew(self, connection: Connection) -> None:
        """Let every process forget what it keeps of the scopes."""
        state.add(connection, "epoch")

    def _rows(self, connection: Connection, territory: Territory, prefix: str) -> Partition:
        now = state.read(connection)
        self._model.check(connection, now)
        self._partitions.advance(connection, now)
        rows = self._partitions.find(connection, territory, prefix, self._vectors_of)
        if rows is None:
            handed = self._handed(connection, now, findables.count(connection, territory.spans(prefix)))
            rows = Partition(self._model.dims, handed)
            for some in findables.below(connection, territory.spans(prefix), model=self._vectors_of):
                rows.add(some)
        elif rows.vectors > self._exact_limit and (handed := self._handed(connection, now, len(rows))):
            rows.hand_over(handed)
        self._partitions.keep(territory, prefix, rows)
        return rows

    @property
    def _vectors_of(self) -> int:
        return _NO_VECTORS if self._model.number == NO_MODEL else self._model.number

    def _handed(self, connection: Connection, now: state.State, size: int) -> int:
        """Up to which number the vectors of a scope of this size are left to the index; 0 for none."""
        if self._outbox is None or not self._outbox.ready or size <= self._exact_limit:
            return 0
        nearly_all = now.version - now.flushed <= self._exact_limit
        large_part = size >= _LEAST_SHARE * findables.count(connection, [("", None)])
        return now.flushed if nearly_all and large_part else 0

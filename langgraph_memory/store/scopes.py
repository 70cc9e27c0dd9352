"""Where a search looks: in memory for scopes of a few thousand items, in the vector index above that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from sqlalchemy import Connection

from langgraph_memory.database import Database
from langgraph_memory.errors import StorageError
from langgraph_memory.store import findables, state
from langgraph_memory.store.fusion import centred
from langgraph_memory.store.model import NO_MODEL, Model
from langgraph_memory.store.namespaces import Territory
from langgraph_memory.store.outbox import Outbox
from langgraph_memory.store.partition import Floats, Hits, Partition, Vectors
from langgraph_memory.store.partitions import Partitions

_NEIGHBOURS = 200
_LEAST_SHARE = 0.5
_NO_VECTORS = -1


class Scope(NamedTuple):
    """A scope as one search sees it: its rows, their word scores, and how near their vectors are, if any."""

    rows: Partition
    words: Floats
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
        self,
        connection: Connection,
        now: state.State,
        territory: Territory,
        prefix: str,
        tokens: Sequence[str],
        query: Vectors | None,
    ) -> Scope:
        """The items below an encoded prefix as the connection sees them, compared with a query.

        `now` is how the store stands for the connection.
        """
        try:
            return self._compared_with(connection, now, territory, prefix, tokens, query)
        except BaseException:
            self._partitions.clear()  # an interruption may have left some half up to date
            raise

    def _compared_with(
        self,
        connection: Connection,
        now: state.State,
        territory: Territory,
        prefix: str,
        tokens: Sequence[str],
        query: Vectors | None,
    ) -> Scope:
        rows = self._rows(connection, now, territory, prefix)
        words = rows.words(tokens)
        if query is None:
            return Scope(rows, words, None)
        query = centred(query, rows.mean, rows.measured)
        if not rows.handed or self._outbox is None:
            return Scope(rows, words, rows.similarity(query))
        hits = self._hits(self._outbox, query, min(round(_NEIGHBOURS / rows.share), rows.measured))
        if hits is None:
            self._outbox.detach()
            self._partitions.clear()
            rows = self._rows(connection, now, territory, prefix)
            return Scope(rows, rows.words(tokens), rows.similarity(query))
        said = self._compared(connection, rows.leading(words, _NEIGHBOURS), query)
        return Scope(rows, words, rows.similarity(query, [*hits, *said]))

    def _compared(self, connection: Connection, versions: Sequence[int], query: Vectors) -> Hits:
        """The cosines of these items: what the words find may be too far away for the index to name."""
        found = findables.vectors_of(connection, versions, model=self._vectors_of)
        rows = [np.frombuffer(item.vectors, "<f4").reshape(-1, self._model.dims) for item in found]
        return [
            (item.version, float((r @ query).max())) for item, r in zip(found, rows, strict=True) if len(r)
        ]

    def _hits(self, outbox: Outbox, query: Vectors, count: int) -> Hits | None:
        """What the index finds nearest; None if it fails, or if it has lost so much that it is no help.

        The vectors are all in SQL: the answer is as good without the index, only slower. The outbox looks
        after it, and `doctor` says what is wrong.
        """
        try:
            hits = outbox.index.nearest(query, count)
        except StorageError:
            return None
        return hits if len(hits) >= count // 2 else None

    def begin_anew(self, connection: Connection) -> None:
        """Let every process forget what it keeps of the scopes."""
        state.add(connection, "epoch")

    def _rows(self, connection: Connection, now: state.State, territory: Territory, prefix: str) -> Partition:
        self._model.check(connection, now.model)
        self._partitions.advance(connection, now)
        rows = self._partitions.find(connection, territory, prefix, self._vectors_of)
        if rows is None:
            size = findables.count(connection, territory.spans(prefix))
            rows = Partition(self._model.dims, *self._handed(connection, now, size))
            for some in findables.below(connection, territory.spans(prefix), model=self._vectors_of):
                rows.add(some)
        elif rows.vectors > self._exact_limit:
            handed, share = self._handed(connection, now, len(rows) - rows.gaps)
            if handed:
                rows.hand_over(handed, share)
        self._partitions.keep(territory, prefix, rows)
        return rows

    @property
    def _vectors_of(self) -> int:
        return _NO_VECTORS if self._model.number == NO_MODEL else self._model.number

    def _handed(self, connection: Connection, now: state.State, size: int) -> tuple[int, float]:
        """Up to which number a scope of this size leaves its vectors to the index, 0 for none; its share."""
        if self._outbox is None or not self._outbox.ready or size <= self._exact_limit:
            return 0, 1.0
        nearly_all = now.version - now.flushed <= self._exact_limit
        share = size / max(1, findables.count(connection, [("", None)]))
        return (now.flushed, share) if nearly_all and share >= _LEAST_SHARE else (0, share)

"""The reads of one batch, all on one connection."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from langgraph.store.base import GetOp, Item, ListNamespacesOp, Op, Result, SearchItem, SearchOp
from numpy.typing import NDArray
from sqlalchemy import Connection

from langgraph_memory.store import filters, items, namespaces, state, values
from langgraph_memory.store.fusion import fuse
from langgraph_memory.store.items import Stored
from langgraph_memory.store.namespaces import Namespace, Territory
from langgraph_memory.store.operations import Ranked, RankOp
from langgraph_memory.store.partition import NEVER, Partition, Vectors
from langgraph_memory.store.ranking import page, ranked
from langgraph_memory.store.scopes import Scopes
from langgraph_memory.store.state import State
from langgraph_memory.store.tokens import query_tokens

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_ALL = 2**40
"""More items than a store holds."""


class Reader:
    """Runs reads.

    Args:
        connection: sees the one state that all of them answer from.
        territory: the view that asks.
        scopes: the searched scopes.
        queries: the vectors of the queries, empty where nothing is searched by meaning.
        now: the time in microseconds since 1970.

    Attributes:
        refreshed: numbers of items whose time to live begins anew by these reads.
    """

    def __init__(
        self,
        connection: Connection,
        territory: Territory,
        scopes: Scopes,
        queries: dict[str, Vectors],
        now: int,
    ) -> None:
        self._connection, self._territory, self._scopes = connection, territory, scopes
        self._queries, self._now = queries, now
        self._matching: dict[int, Stored] = {}
        self._state: State | None = None
        self.refreshed: list[int] = []

    def run(self, op: Op) -> Result | list[Ranked]:
        """The result of one read."""
        match op:
            case GetOp():
                return self._get(op)
            case RankOp():
                return self._ranked(op)
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._list(op)
            case _:
                raise ValueError(f"{op!r} is not a read")

    def _get(self, op: GetOp) -> Item | None:
        stored = items.get(self._connection, namespaces.encode(op.namespace), op.key, self._now)
        if stored is None:
            return None
        self._note_read([stored], wanted=op.refresh_ttl)
        return Item(**_fields(stored))

    def _list(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        spans = self._territory.spans(namespaces.literal_prefix(conditions))
        found = items.namespaces(self._connection, spans, self._now)
        return namespaces.listed(found, conditions, op.max_depth, op.limit, op.offset)

    def _ranked(self, op: RankOp) -> list[Ranked]:
        scores = self._found(op)
        names = items.names(self._connection, list(scores))
        return [
            Ranked(namespaces.decode(names[version][0]), names[version][1], score)
            for version, score in scores.items()
        ]

    def _search(self, op: SearchOp) -> list[SearchItem]:
        scores = self._found(op)
        new = [version for version in scores if version not in self._matching]
        read = self._matching | {stored.version: stored for stored in items.by_version(self._connection, new)}
        found = [read[version] for version in scores]
        self._note_read(found, wanted=op.refresh_ttl)
        return [SearchItem(**_fields(stored), score=scores[stored.version]) for stored in found]

    def _found(self, op: SearchOp) -> dict[int, float | None]:
        """Numbers of the page with their scores, in order."""
        return self._best(op, op.query) if op.query else dict.fromkeys(self._newest(op))

    def _newest(self, op: SearchOp) -> list[int]:
        """Numbers of the page, the latest updated first."""
        spans = self._territory.spans(namespaces.encode(op.namespace_prefix))
        offset, limit = _window(op)
        if not op.filter:
            return items.newest(self._connection, spans, self._now, limit, offset)
        every = items.newest(self._connection, spans, self._now, _ALL, 0)
        return page(every, self._accepted(op.filter), offset, limit)

    def _best(self, op: SearchOp, query: str) -> dict[int, float | None]:
        """Numbers of the page with their scores, the best first, those that aren't indexed last."""
        prefix = namespaces.encode(op.namespace_prefix)
        tokens, vector = query_tokens(query), self._queries.get(query)
        if self._state is None:
            self._state = state.read(self._connection)
        scope = self._scopes.scope(self._connection, self._state, self._territory, prefix, tokens, vector)
        partition, ceiling = scope.rows, scope.rows.ceiling(tokens)
        scores = fuse(query, tokens, scope.words, scope.similarity, ceiling=ceiling)
        rows = self._living(partition)
        offset, limit = _window(op)
        order = ranked(scores[rows], partition.updated[rows], offset + limit)
        ordered = (version for some in order for version in partition.versions[rows[some]].tolist())
        accepted = self._accepted(op.filter) if op.filter else None
        chosen = page(ordered, accepted, offset, limit)
        found = scores[np.searchsorted(partition.versions, chosen)].tolist()
        return {
            version: None if math.isnan(score) else score
            for version, score in zip(chosen, found, strict=True)
        }

    def _living(self, partition: Partition) -> NDArray[np.intp]:
        """The rows that are neither gaps nor expired; a read elsewhere may have put an expiry off."""
        late = np.flatnonzero(partition.alive & (partition.expires <= self._now))
        if len(late):
            found = items.expiry(self._connection, partition.versions[late].tolist())
            partition.expires[late] = [found[int(version)] or NEVER for version in partition.versions[late]]
        return np.flatnonzero(partition.alive & (partition.expires > self._now))

    def _accepted(self, condition: filters.Filter) -> Callable[[Sequence[int]], list[bool]]:
        """Which of some items meet the filter."""

        def accepted(versions: Sequence[int]) -> list[bool]:
            found = items.by_version(self._connection, versions)
            matching = {s.version: s for s in found if filters.matches(values.decode(s.value), condition)}
            self._matching |= matching
            return [version in matching for version in versions]

        return accepted

    def _note_read(self, found: Sequence[Stored], *, wanted: bool) -> None:
        if wanted:
            self.refreshed += [item.version for item in found if item.ttl is not None]


def _window(op: SearchOp) -> tuple[int, int]:
    """Offset and limit, in numbers that databases count in."""
    return min(op.offset, _ALL), min(op.limit, _ALL)


def _fields(stored: Stored) -> dict[str, Any]:
    return {
        "namespace": namespaces.decode(stored.namespace),
        "key": stored.key,
        "value": values.decode(stored.value),
        "created_at": EPOCH + timedelta(microseconds=stored.created_at),
        "updated_at": EPOCH + timedelta(microseconds=stored.updated_at),
    }

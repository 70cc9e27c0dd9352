"""Runs operations: checks them all, embeds outside of any transaction, reads one state, then writes at once."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from langgraph.store.base import GetOp, Item, ListNamespacesOp, Op, PutOp, Result, SearchItem, SearchOp
from sqlalchemy import Connection

from langgraph_memory.database import Database
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.store import filters, namespaces, values
from langgraph_memory.store.embedding import Embedder
from langgraph_memory.store.fusion import fuse
from langgraph_memory.store.items import Indexed, Items, Stored, Write
from langgraph_memory.store.namespaces import Namespace, Territory
from langgraph_memory.store.partitions import Partition, Partitions, Vectors
from langgraph_memory.store.ranking import page, ranked
from langgraph_memory.store.texts import Fields
from langgraph_memory.store.tokens import tokenize

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MINUTE = 60_000_000
_DIGEST_BYTES = 16
_ALL = 2**62


class Engine:
    """All that the views of one store share."""

    def __init__(
        self,
        database: Database,
        *,
        embedder: Embedder | None,
        fields: Sequence[str],
        clock: Callable[[], datetime],
        redact: Callable[[str], str] | None,
        cache_bytes: int,
    ) -> None:
        self.database = database
        self.items = Items(database)
        self._embedder = embedder
        self._fields = Fields(fields)
        self._clock = clock
        self._redact = redact
        self._partitions = Partitions(database, self.items, embedder.dims if embedder else 0, cache_bytes)
        self._searching = threading.RLock()

    def run(self, ops: Sequence[Op], territory: Territory) -> list[Result]:
        """The results of the operations in their order: reads first, then writes, the last put of a key wins."""
        for op in ops:
            check(op)
            territory.admit(op)
        queries = self._queries(ops)
        writes = self._writes(ops)
        now = self.now()
        results: list[Result] = [None] * len(ops)
        refreshed: list[int] = []
        reads = [i for i, op in enumerate(ops) if not isinstance(op, PutOp)]
        if reads:
            with self._reading() as connection:
                reader = _Reader(self, connection, territory, queries, now)
                for i in reads:
                    results[i] = reader.run(ops[i])
                refreshed = reader.refreshed
        self._commit(writes, refreshed, now)
        return results

    def now(self) -> int:
        """The clock's time in microseconds since 1970."""
        moment = self._clock()
        if moment.tzinfo is None:
            raise ConfigurationError(
                f"the clock gave {moment!r}, a time without a zone: give datetime.now(UTC)"
            )
        return (moment - _EPOCH) // timedelta(microseconds=1)

    def _commit(self, writes: Sequence[Write], refreshed: Sequence[int], now: int) -> None:
        if writes or refreshed:
            with self.database.write() as connection:
                if refreshed:
                    self.items.refresh(connection, refreshed, now)
                if writes:
                    self.items.write(connection, writes, now)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """A connection whose state is never older than what the partitions hold."""
        if self.database.in_memory:
            with self.database.read() as connection, self._searching:
                yield connection
        else:
            with self._searching, self.database.read() as connection:
                yield connection

    def _queries(self, ops: Sequence[Op]) -> dict[str, Vectors]:
        if self._embedder is None:
            return {}
        asked = dict.fromkeys(op.query for op in ops if isinstance(op, SearchOp) and op.query)
        return {query: self._embedder.query(query) for query in asked}

    def _writes(self, ops: Sequence[Op]) -> list[Write]:
        """What the puts come to, the last one of each item, embedded."""
        puts = {(tuple(op.namespace), op.key): op for op in ops if isinstance(op, PutOp)}
        drafts = [_Draft(op, self._fields, self._redact) for op in puts.values()]
        texts = dict.fromkeys(text for draft in drafts for text in draft.meant)
        vectors: dict[str, bytes] = {}
        if self._embedder is not None and texts:
            rows = self._embedder.documents(list(texts)).astype("<f4")
            vectors = {text: row.tobytes() for text, row in zip(texts, rows, strict=True)}
        return [draft.write(vectors, self._digest) for draft in drafts]

    def _digest(self, text: str) -> bytes:
        name = self._embedder.name if self._embedder else ""
        return hmac.digest(name.encode(), text.encode(errors="surrogatepass"), hashlib.sha256)[:_DIGEST_BYTES]


class _Draft:
    """A put on its way to become a write."""

    def __init__(self, op: PutOp, fields: Fields, redact: Callable[[str], str] | None) -> None:
        self._op = op
        self._value = None if op.value is None else values.encode(op.value, redact)
        self.meant: list[str] = []
        self._said: list[str] = []
        if self._value is not None and op.index is not False:
            chosen = fields if op.index is None else Fields(op.index)
            self.meant, self._said = chosen.texts(values.decode(self._value))

    def write(self, vectors: dict[str, bytes], digest: Callable[[str], bytes]) -> Write:
        index = self._index(vectors, digest) if self.meant else None
        ttl = None if self._op.ttl is None else round(self._op.ttl * _MINUTE)
        return Write(namespaces.encode(self._op.namespace), self._op.key, self._value, ttl, index)

    def _index(self, vectors: dict[str, bytes], digest: Callable[[str], bytes]) -> Indexed:
        paths = json.dumps(self._op.index) if isinstance(self._op.index, list) else None
        embedded = [text for text in self.meant if text in vectors]
        return Indexed(
            paths,
            b"".join(map(digest, embedded)),
            b"".join(vectors[text] for text in embedded),
            json.dumps([token for text in self._said for token in tokenize(text)]),
        )


class _Reader:
    """The reads of one batch, on one connection."""

    def __init__(
        self,
        engine: Engine,
        connection: Connection,
        territory: Territory,
        queries: dict[str, Vectors],
        now: int,
    ) -> None:
        self._engine, self._connection, self._territory = engine, connection, territory
        self._queries, self._now = queries, now
        self.refreshed: list[int] = []

    def run(self, op: Op) -> Result:
        match op:
            case GetOp():
                return self._get(op)
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._list(op)
            case _:
                raise ValueError(f"{op!r} is not a read")

    def _get(self, op: GetOp) -> Item | None:
        name = namespaces.encode(op.namespace)
        stored = self._engine.items.get(self._connection, name, op.key, self._now)
        if stored is None:
            return None
        self._refresh([stored], op.refresh_ttl)
        return Item(**_fields(stored))

    def _list(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        spans = self._territory.spans(namespaces.literal_prefix(conditions))
        found = self._engine.items.namespaces(self._connection, spans, self._now)
        return namespaces.listed(map(namespaces.decode, found), conditions, op.max_depth, op.limit, op.offset)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        found = self._find(op) if op.query else self._newest(op)
        versions = [version for version, _ in found]
        scores = dict(found)
        items = self._engine.items.by_version(self._connection, versions)
        self._refresh(items, op.refresh_ttl)
        return [SearchItem(**_fields(item), score=scores[item.version]) for item in items]

    def _newest(self, op: SearchOp) -> list[tuple[int, float | None]]:
        items, connection = self._engine.items, self._connection
        spans = self._territory.spans(namespaces.encode(op.namespace_prefix))
        if not op.filter:
            versions = items.newest(connection, spans, self._now, op.limit, op.offset)
        else:
            every = items.newest(connection, spans, self._now, _ALL, 0)
            accepted = self._accepts(every, op.filter)
            versions = [every[i] for i in page(iter(range(len(every))), accepted, op.offset, op.limit)]
        return [(version, None) for version in versions]

    def _find(self, op: SearchOp) -> list[tuple[int, float | None]]:
        prefix = namespaces.encode(op.namespace_prefix)
        partition = self._engine._partitions.get(self._connection, self._territory, prefix)
        scores = self._scores(partition, op.query or "")
        rows = self._living(partition)
        versions = partition.versions[rows]
        order = ranked(scores[rows], partition.updated[rows], versions, op.offset + op.limit)
        accepted = self._accepts([int(v) for v in versions], op.filter) if op.filter else _always
        chosen = page(order, accepted, op.offset, op.limit)
        return [(int(versions[i]), _score(scores[rows[i]])) for i in chosen]

    def _scores(self, partition: Partition, query: str) -> np.ndarray:
        tokens = tokenize(query)
        vector = self._queries.get(query)
        similarity = None if vector is None else partition.similarity(vector)
        return fuse(query, tokens, partition.words(tokens), similarity, ceiling=partition.ceiling(tokens))

    def _living(self, partition: Partition) -> np.ndarray:
        """The rows that are neither gaps nor expired."""
        late = np.flatnonzero(partition.alive & (partition.expires <= self._now))
        if len(late):
            found = self._engine.items.expiry(self._connection, partition.versions[late].tolist())
            partition.expires[late] = [found[int(v)] or 0 for v in partition.versions[late]]
        return np.flatnonzero(partition.alive & (partition.expires > self._now))

    def _accepts(self, versions: Sequence[int], condition: filters.Filter) -> Callable[[int], bool]:
        """Whether the item at a place of this list meets the filter; reads the values by the hundred."""
        known: dict[int, bool] = {}

        def accepted(place: int) -> bool:
            version = versions[place]
            if version not in known:
                found = self._engine.items.values(self._connection, versions[place : place + 500])
                for each, value in found.items():
                    known[each] = filters.matches(values.decode(value), condition)
            return known[version]

        return accepted

    def _refresh(self, items: Sequence[Stored], wanted: bool) -> None:
        if wanted:
            self.refreshed += [item.version for item in items if item.ttl is not None]


def check(op: Op) -> None:
    """Refuse an operation that can't be meant.

    Raises:
        ValueError: no operation, a negative limit or offset, an unknown filter operator, a bad time to live.
        TypeError: a key that is no string, a filter value that JSON has no form for.
    """
    match op:
        case GetOp():
            _check_key(op.key)
        case PutOp():
            _check_key(op.key)
            _check_ttl(op.ttl)
        case SearchOp():
            _check_page(op.limit, op.offset)
            filters.check(op.filter)
        case ListNamespacesOp():
            _check_page(op.limit, op.offset)
            if op.max_depth is not None and op.max_depth < 0:
                raise ValueError(f"max_depth {op.max_depth!r} is negative: leave it out for no limit")
        case _:
            raise ValueError(f"{op!r} is no operation of a store")


def _check_key(key: object) -> None:
    if not isinstance(key, str):
        raise TypeError(f"the key {key!r} is not a string")
    if "\x00" in key or any("\ud800" <= character <= "\udfff" for character in key):
        raise ValueError(f"the key {key!r} has a character that no database stores: leave it out")


def _check_ttl(ttl: object) -> None:
    if ttl is None:
        return
    if isinstance(ttl, bool) or not isinstance(ttl, int | float):
        raise TypeError(f"the ttl {ttl!r} is not a number of minutes")
    if not (math.isfinite(ttl) and ttl >= 0):
        raise ValueError(f"the ttl {ttl!r} is not a number of minutes from 0 on")


def _check_page(limit: int, offset: int) -> None:
    if limit < 0 or offset < 0:
        raise ValueError(f"limit {limit!r} and offset {offset!r}: neither may be negative")


def _fields(stored: Stored) -> dict[str, Any]:
    return {
        "namespace": namespaces.decode(stored.namespace),
        "key": stored.key,
        "value": values.decode(stored.value),
        "created_at": _EPOCH + timedelta(microseconds=stored.created_at),
        "updated_at": _EPOCH + timedelta(microseconds=stored.updated_at),
    }


def _score(score: float) -> float | None:
    return None if math.isnan(score) else float(score)


def _always(_row: int) -> bool:
    return True

"""Scopes in memory: for each searched prefix its rows, their vectors and their words, kept up to date."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from langgraph_memory.database import Database
from langgraph_memory.store import namespaces
from langgraph_memory.store.items import Items, Searchable
from langgraph_memory.store.namespaces import Territory
from langgraph_memory.store.words import WordIndex

Floats = NDArray[np.float64]
Vectors = NDArray[np.float32]

NEVER = np.iinfo(np.int64).max
"""When an item without a time to live expires."""

_ROW_BYTES = 64


class Growing:
    """An array that grows at its end in amortised constant time."""

    def __init__(self, dtype: Any, width: int | None = None) -> None:
        self._array: NDArray[Any] = np.zeros((0,) if width is None else (0, width), dtype)
        self._length = 0

    def append(self, rows: NDArray[Any] | Sequence[Any]) -> None:
        """Add rows at the end."""
        end = self._length + len(rows)
        if end > len(self._array):
            grown = np.empty((max(end, 3 * self._length // 2), *self._array.shape[1:]), self._array.dtype)
            grown[: self._length] = self._array[: self._length]
            self._array = grown
        self._array[self._length : end] = rows
        self._length = end

    @property
    def values(self) -> NDArray[Any]:
        """The rows so far, as a view."""
        return self._array[: self._length]

    @property
    def nbytes(self) -> int:
        """Bytes taken, spare room included."""
        return self._array.nbytes


class Partition:
    """The items below one prefix. Rows are in the order of their numbers; a removed row stays as a gap."""

    def __init__(self, dims: int) -> None:
        self._dims = dims
        self._versions, self._updated, self._expires = Growing(np.int64), Growing(np.int64), Growing(np.int64)
        self._alive, self._worded = Growing(np.bool_), Growing(np.bool_)
        self._vectors, self._starts, self._owners = (
            Growing(np.float32, dims),
            Growing(np.int64),
            Growing(np.int64),
        )
        self._words = WordIndex()
        self.pending: list[int] = []
        self.gaps = 0

    def __len__(self) -> int:
        return len(self._versions.values)

    @property
    def versions(self) -> NDArray[np.int64]:
        """The number of each row."""
        return self._versions.values

    @property
    def updated(self) -> NDArray[np.int64]:
        """When each row was written."""
        return self._updated.values

    @property
    def expires(self) -> NDArray[np.int64]:
        """When each row expires, as far as is known: a read in another process may have put it off."""
        return self._expires.values

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Which rows are not gaps."""
        return self._alive.values

    @property
    def nbytes(self) -> int:
        """About how much memory it takes."""
        return self._vectors.nbytes + self._words.nbytes + _ROW_BYTES * len(self) + 8 * len(self.pending)

    def add(self, found: Sequence[Searchable]) -> None:
        """Add rows, in the order of their numbers, all above those that are there."""
        first = len(self)
        self._versions.append([row.version for row in found])
        self._updated.append([row.updated_at for row in found])
        self._expires.append([NEVER if row.expires_at is None else row.expires_at for row in found])
        self._alive.append([True] * len(found))
        self._worded.append([row.tokens is not None for row in found])
        for row, item in enumerate(found, first):
            if item.tokens is not None:
                self._words.add(row, json.loads(item.tokens))
        self._add_vectors(first, found)

    def _add_vectors(self, first: int, found: Sequence[Searchable]) -> None:
        width = 4 * self._dims
        counts = [len(item.vectors or b"") // width if width else 0 for item in found]
        if not any(counts):
            return
        joined = b"".join(item.vectors for item in found if item.vectors)
        ends = np.cumsum(counts) + len(self._vectors.values)
        owners = np.flatnonzero(counts)
        self._starts.append((ends - counts)[owners])
        self._owners.append(owners + first)
        self._vectors.append(np.frombuffer(joined, "<f4").reshape(-1, self._dims))

    def discard(self, versions: Iterable[int]) -> None:
        """Make gaps of the rows of these numbers, where they are here."""
        for version in versions:
            row = int(np.searchsorted(self.versions, version))
            if row < len(self) and self.versions[row] == version and self.alive[row]:
                self.alive[row] = False
                self._worded.values[row] = False
                self._words.remove(row)
                self.gaps += 1

    def words(self, tokens: Sequence[str]) -> Floats:
        """BM25 of each row; NaN where a row isn't searched by words."""
        scores = np.full(len(self), np.nan)
        found = self._words.scores(tokens)
        scores[: len(found)] = found
        scores[~self._worded.values] = np.nan
        return scores

    def ceiling(self, tokens: Sequence[str]) -> float:
        """The word score that no row can pass."""
        return self._words.ceiling(tokens)

    def similarity(self, query: Vectors) -> Floats | None:
        """The best cosine of each row's vectors to the query; NaN where a row has none, None if none has."""
        if not len(self._owners.values):
            return None
        found = self._vectors.values @ query
        if len(found) > len(self._owners.values):
            found = np.maximum.reduceat(found, self._starts.values)
        scores = np.full(len(self), np.nan)
        scores[self._owners.values] = found
        scores[~self.alive] = np.nan
        return scores


class Partitions:
    """The partitions that were searched lately, as many as fit into `budget` bytes. One thread at a time."""

    def __init__(self, database: Database, items: Items, dims: int, budget: int) -> None:
        self._database, self._items, self._dims, self._budget = database, items, dims, budget
        self._rollbacks = database.rollbacks
        self._cached: OrderedDict[tuple[Territory, str], Partition] = OrderedDict()
        self._seen = 0

    def get(self, connection: Connection, territory: Territory, prefix: str) -> Partition:
        """The items below an encoded prefix as the connection sees them."""
        self._advance(connection)
        name = (territory, territory.narrowed(prefix))
        partition = self._cached.get(name)
        if partition is None or partition.gaps + len(partition.pending) > 1000 + len(partition) // 4:
            partition = self._load(connection, territory, prefix)
        elif partition.pending:
            partition.add(self._items.searchable_by_version(connection, partition.pending))
            partition.pending = []
        self._cached[name] = partition
        self._cached.move_to_end(name)
        self._shrink()
        return partition

    def clear(self) -> None:
        """Forget all."""
        self._cached.clear()

    def _load(self, connection: Connection, territory: Territory, prefix: str) -> Partition:
        partition = Partition(self._dims)
        for rows in self._items.searchable(connection, territory.spans(prefix)):
            partition.add(rows)
        return partition

    def _advance(self, connection: Connection) -> None:
        """Note in each partition what was written since the last time, by whichever process."""
        if self._rollbacks != self._database.rollbacks:
            self._rollbacks = self._database.rollbacks
            self._cached.clear()
        version = self._items.version(connection)
        if version == self._seen:
            return
        changes = self._items.changes(connection, self._seen) if self._cached else None
        self._seen = version
        if changes is None:
            self._cached.clear()
            return
        for added, namespace in sorted(changes.added):
            self._note(added, namespace)
        for partition in self._cached.values():
            partition.discard(changes.removed)

    def _note(self, version: int, namespace: str) -> None:
        territory = next(t for t in Territory if t.covers(namespace))
        for prefix in namespaces.ancestors(namespace):
            partition = self._cached.get((territory, prefix))
            if partition is not None:
                partition.pending.append(version)

    def _shrink(self) -> None:
        taken = sum(partition.nbytes for partition in self._cached.values())
        while taken > self._budget and len(self._cached) > 1:
            _, partition = self._cached.popitem(last=False)
            taken -= partition.nbytes

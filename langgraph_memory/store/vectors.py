"""The vector index: one Chroma collection a store, with numbers of items and their vectors, never a text.

Chroma embedded loses vectors when two processes write to one folder, so the folder has one owner; a Chroma
server may be used by all. Deleted vectors stay in Chroma's files until its folder goes, so `drop` removes the
folder. All that is here can be made anew from SQL.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from langgraph_memory.store.findables import Vectors
from langgraph_memory.store.homes import Home, chroma_errors
from langgraph_memory.store.partition import Hits

_AT_ONCE = 2000
_SEARCH_EFFORT = 256
_REACHED = 0.9


class VectorIndex:
    """The collection of one store. Entries are named by the number of their item and their place in it."""

    def __init__(self, home: Home, store: str) -> None:
        self.name = f"langgraph_memory_{store}"
        self._home = home
        self._collection: Any = None

    @property
    def shared(self) -> bool:
        """Whether other processes may be using it at the same time."""
        return self._home.shared

    def claim(self) -> bool:
        """Whether this process may use it now."""
        return self._home.claim()

    def intact(self) -> bool:
        """Whether it can be opened; false after a process that was killed, or other damage."""
        return self._home.intact()

    def upsert(self, items: Sequence[Vectors], dims: int) -> None:
        """Add the vectors of items; those that are there already are written again."""
        names = [name for item in items for name in _names(item.version, len(item.vectors) // 4 // dims)]
        rows = np.frombuffer(b"".join(item.vectors for item in items), "<f4").reshape(-1, dims)
        with self._working() as collection:
            for start in range(0, len(names), _AT_ONCE):
                chosen = slice(start, start + _AT_ONCE)
                collection.upsert(ids=names[chosen], embeddings=rows[chosen])

    def delete(self, items: Sequence[tuple[int, int]]) -> None:
        """Take the vectors of items away, given their numbers and how many vectors they had."""
        names = [name for version, count in items for name in _names(version, count)]
        with self._working() as collection:
            for start in range(0, len(names), _AT_ONCE):
                collection.delete(ids=names[start : start + _AT_ONCE])

    def nearest(self, query: np.ndarray, count: int) -> Hits:
        """Numbers of items with vectors near the query, with their cosines."""
        with self._working() as collection:
            found = collection.query(query_embeddings=[query], n_results=count, include=["distances"])
        names, distances = found["ids"][0], found["distances"][0]
        return [(_version(n), 1.0 - float(d)) for n, d in zip(names, distances, strict=True)]

    def finds(self, count: int, dims: int) -> bool:
        """Whether a query for so many neighbours gets them, but for a few that no path reaches.

        A damaged index loses them without an error; a sound one may miss some that equal others.
        """
        return not count or len(self.nearest(np.ones(dims, np.float32), count)) >= _REACHED * count

    def names(self) -> set[str]:
        """The names of all entries."""
        with self._working() as collection:
            return set(collection.get(include=[])["ids"])

    def count(self) -> int:
        """How many entries there are."""
        with self._working() as collection:
            return int(collection.count())

    def exists(self) -> bool:
        """Whether there is a collection."""
        client = self._home.client()
        with chroma_errors(self.name):
            return self.name in [collection.name for collection in client.list_collections()]

    def drop(self) -> None:
        """Remove the collection and what it has left behind."""
        self._collection = None
        self._home.drop(self.name)

    def close(self) -> None:
        """Release it."""
        self._collection = None
        self._home.close()

    @contextmanager
    def _working(self) -> Iterator[Any]:
        client = self._home.client()
        with chroma_errors(self.name):
            if self._collection is None:
                self._collection = client.get_or_create_collection(
                    self.name,
                    embedding_function=None,
                    configuration={"hnsw": {"space": "cosine", "ef_search": _SEARCH_EFFORT}},
                )
            yield self._collection


def entries(items: Sequence[tuple[int, int]]) -> set[str]:
    """The names of the entries of items, given their numbers and how many vectors they have.

    >>> sorted(entries([(7, 2)]))
    ['7', '7.1']
    """
    return {name for version, count in items for name in _names(version, count)}


def _names(version: int, count: int) -> list[str]:
    return [str(version) if i == 0 else f"{version}.{i}" for i in range(count)]


def _version(name: str) -> int:
    return int(name.partition(".")[0])

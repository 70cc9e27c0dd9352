"""The vector index: one Chroma collection a store, with numbers of items and their vectors, never a text.

Chroma embedded loses vectors when two processes write to one folder, so the folder has one owner; a Chroma
server may be used by all. Deleted vectors stay in Chroma's files until its folder goes, so `drop` removes the
folder. All that is here can be made anew from SQL.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from langgraph_memory.errors import ForeignFolderError, StorageError
from langgraph_memory.store.findables import Vectors
from langgraph_memory.store.locks import Lock
from langgraph_memory.store.ownership import Ownership
from langgraph_memory.store.partitions import Hits

CHROMA_FOLDER = "chroma"
"""The vector index in a memory's folder."""

_MARK = "belongs-to.json"
_COMING, _LEAVING, _SET_ASIDE = "coming", "leaving", "set-aside"
_AT_ONCE = 2000
_SEARCH_EFFORT = 256


class Home(Protocol):
    """Where a collection lives.

    Attributes:
        shared: whether other processes may be using it at the same time.
    """

    shared: bool

    def claim(self) -> bool:
        """Whether this process may use it now."""

    def client(self) -> Any:
        """A Chroma client, opened on the first call."""

    def drop(self, name: str) -> None:
        """Remove the collection and what it has left behind."""

    def close(self) -> None:
        """Release it."""


class FolderHome:
    """Chroma embedded, in a folder below a memory's own, used by the one process that owns it.

    All stores of a process on one folder share it: `FolderHome.at`.
    """

    shared = False
    _open: dict[Path, FolderHome] = {}  # noqa: RUF012 - what is shared is one for all, on purpose
    _lock = Lock()

    def __init__(self, memory: Path, store: str) -> None:
        self._folder = memory / CHROMA_FOLDER
        self._store = store
        self._ownership = Ownership(memory / "owner.lock")
        self._client: Any = None
        self.users = 0

    @classmethod
    def at(cls, memory: Path, store: str) -> FolderHome:
        """The home in a memory's folder, for the store of that name."""
        with cls._lock:
            home = cls._open.setdefault(memory.resolve(), cls(memory, store))
            home.users += 1
            return home

    def claim(self) -> bool:
        """Whether this process is the owner now."""
        with self._lock:
            return self._ownership.claim()

    def client(self) -> Any:
        """The embedded Chroma, opened on the first call.

        Raises:
            ForeignFolderError: what lies in its place is not this store's.
            StorageError: Chroma can't open it.
        """
        with self._lock:
            if self._client is None:
                self._clear_away()
                self._check_mark()
                self._make_folder()
                with _chroma_errors(str(self._folder)):
                    self._client = _persistent_client(self._inner_folder())
            return self._client

    def drop(self, name: str) -> None:  # noqa: ARG002 - the folder holds nothing but the collection
        """Remove the folder; one that isn't this store's is set aside."""
        with self._lock:
            self._close_client()
            if not self._folder.exists():
                return
            if self._is_ours():
                self._clear_away()
                self._folder.rename(self._beside(_LEAVING))
                self._clear_away()
            else:
                self._folder.rename(self._beside(_SET_ASIDE))

    def close(self) -> None:
        """Release it; the last of the stores that share it closes Chroma."""
        with self._lock:
            self.users -= 1
            if not self.users:
                self._close_client()
                self._ownership.release()
                self._open.pop(self._folder.parent.resolve(), None)

    def _inner_folder(self) -> Path:
        """Chroma's folder, new after each drop: Chroma remembers by path what once failed to open."""
        inner = next((path for path in self._folder.iterdir() if path.is_dir()), None)
        return inner or self._folder / secrets.token_hex(4)

    def _close_client(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def _make_folder(self) -> None:
        """Make the folder with its mark in one step, so that it is never there without."""
        if not self._folder.exists():
            coming = self._beside(_COMING)
            coming.mkdir()
            (coming / _MARK).write_text(json.dumps({"store": self._store}))
            coming.rename(self._folder)

    def _clear_away(self) -> None:
        """Remove what a process that was killed has left half made or half removed."""
        for name in (_COMING, _LEAVING):
            for folder in self._folder.parent.glob(f"{self._folder.name}.{name}-*"):
                shutil.rmtree(folder)

    def _beside(self, name: str) -> Path:
        """A new folder of that name beside this one."""
        return self._folder.with_name(f"{self._folder.name}.{name}-{secrets.token_hex(4)}")

    def _check_mark(self) -> None:
        if self._folder.exists() and not self._is_ours():
            raise ForeignFolderError(
                f"{str(self._folder)!r} is no index of this store: call rebuild(), which sets it aside"
            )

    def _is_ours(self) -> bool:
        mark = self._folder / _MARK
        return mark.exists() and mark.read_text() == json.dumps({"store": self._store})

    @classmethod
    def _forget_after_fork(cls) -> None:
        """A child can't use the parent's client, nor close it: its threads are gone."""
        _left_to_parent.extend(cls._open.values())
        cls._open = {}


_left_to_parent: list[FolderHome] = []

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=FolderHome._forget_after_fork)  # noqa: SLF001


class ClientHome:
    """A Chroma client that the user brought: a server, or Chroma Cloud. It outlives the store."""

    shared = True

    def __init__(self, client: Any) -> None:
        self._client = client

    def claim(self) -> bool:
        """Always: a server has many users."""
        return True

    def client(self) -> Any:
        """The client."""
        return self._client

    def drop(self, name: str) -> None:
        """Delete the collection."""
        with _chroma_errors(name):
            if name in [collection.name for collection in self._client.list_collections()]:
                self._client.delete_collection(name)

    def close(self) -> None:
        """Nothing: it is the user's."""


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
        """Whether a query for so many neighbours gets them: a damaged index loses them without an error."""
        return not count or len(self.nearest(np.ones(dims, np.float32), count)) >= count

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
        with _chroma_errors(self.name):
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
        with _chroma_errors(self.name):
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


def _persistent_client(folder: Path) -> Any:
    import chromadb  # noqa: PLC0415 - takes seconds, and most stores never grow to need it
    from chromadb.config import Settings  # noqa: PLC0415

    return chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))


@contextmanager
def _chroma_errors(what: str) -> Iterator[None]:
    """Chroma's errors as errors of ours, with what to do about them."""
    import httpx  # noqa: PLC0415 - comes with Chroma
    from chromadb.errors import ChromaError  # noqa: PLC0415

    try:
        yield
    except (ChromaError, ValueError, OSError, httpx.HTTPError, AttributeError) as error:
        # AttributeError is what Chroma raises when it fails to open and tidies up what it never made.
        raise StorageError(
            f"the vector index {what!r} failed: {error}; searches go on without it, rebuild() makes it anew"
        ) from error

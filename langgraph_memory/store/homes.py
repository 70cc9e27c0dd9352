"""Where a vector index lives: in a folder that one process owns, or on a Chroma server."""

from __future__ import annotations

import atexit
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from langgraph_memory.errors import ForeignFolderError, StorageError
from langgraph_memory.store import seal
from langgraph_memory.store.locks import Lock
from langgraph_memory.store.ownership import Ownership

CHROMA_FOLDER = "chroma"
"""The vector index in a memory's folder."""

OWNER_FILE = "owner.lock"
"""What the process that owns the index holds a lock on."""

_MARK = "belongs-to.json"
_COMING, _LEAVING, _SET_ASIDE = "coming", "leaving", "set-aside"


class Home(Protocol):
    """Where a collection lives.

    Attributes:
        shared: whether other processes may be using it at the same time.
    """

    shared: bool

    def claim(self) -> bool:
        """Whether this process may use it now."""

    def intact(self) -> bool:
        """Whether what lies there can be opened; false after a process that was killed, or other damage."""

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
        self._ownership = Ownership(memory / OWNER_FILE)
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

    def intact(self) -> bool:
        """Whether it is open, or there is nothing yet, or all is as it was when it was last closed.

        What isn't this store's counts as intact: it isn't ours to begin anew.
        """
        with self._lock:
            if self._client is not None or not self._folder.exists() or not self._is_ours():
                return True
            return seal.holds(self._folder)

    def client(self) -> Any:
        """The embedded Chroma, opened on the first call.

        Raises:
            ForeignFolderError: what lies in its place is not this store's.
            StorageError: it is damaged, or Chroma can't open it.
        """
        with self._lock:
            if self._client is None:
                self._clear_away()
                self._check_mark()
                self._check_seal()
                self._make_folder()
                seal.open_(self._folder)
                with chroma_errors(str(self._folder)):
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
                self.leave()
                self._open.pop(self._folder.parent.resolve(), None)

    def leave(self) -> None:
        """Close Chroma in order. A forked child, which doesn't own the folder, has nothing to close."""
        if self._client is not None and self._ownership.held:
            self._close_client()
            seal.close(self._folder)
        self._ownership.release()

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
            (coming / _MARK).write_bytes(self._mark())
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

    def _check_seal(self) -> None:
        if not self.intact():
            raise StorageError(
                f"the vector index {str(self._folder)!r} was not closed in order or has changed since: "
                "searches go on without it, rebuild() makes it anew"
            )

    def _is_ours(self) -> bool:
        mark = self._folder / _MARK
        return mark.is_file() and mark.read_bytes() == self._mark()

    def _mark(self) -> bytes:
        return json.dumps({"store": self._store}).encode()

    @classmethod
    def _forget_after_fork(cls) -> None:
        """A child can't use the parent's client, nor close it: its threads are gone."""
        _left_to_parent.extend(cls._open.values())
        cls._open = {}

    @classmethod
    def _leave_all(cls) -> None:
        """Close in order what the program left open."""
        with cls._lock:
            for home in cls._open.values():
                home.leave()


_left_to_parent: list[FolderHome] = []

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=FolderHome._forget_after_fork)  # noqa: SLF001

# What is registered last runs first, and `periodic` comes later: so this runs when its threads have ended.
atexit.register(FolderHome._leave_all)  # noqa: SLF001


class ClientHome:
    """A Chroma client that the user brought: a server, or Chroma Cloud. It outlives the store."""

    shared = True

    def __init__(self, client: Any) -> None:
        self._client = client

    def claim(self) -> bool:
        """Always: a server has many users."""
        return True

    def intact(self) -> bool:
        """Always: a server looks after its own files."""
        return True

    def client(self) -> Any:
        """The client."""
        return self._client

    def drop(self, name: str) -> None:
        """Delete the collection."""
        with chroma_errors(name):
            if name in [collection.name for collection in self._client.list_collections()]:
                self._client.delete_collection(name)

    def close(self) -> None:
        """Nothing: it is the user's."""


def _persistent_client(folder: Path) -> Any:
    import chromadb  # noqa: PLC0415 - takes seconds, and most stores never grow to need it
    from chromadb.config import Settings  # noqa: PLC0415

    return chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))


@contextmanager
def chroma_errors(what: str) -> Iterator[None]:
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

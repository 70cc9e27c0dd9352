"""From SQL to the vector index: what was written since the last time, in the present state of each row.

There is no list of what is to be sent: the items above the number `flushed` are it. A step that is cut off
anywhere is done again, which changes nothing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from sqlalchemy import Connection

from langgraph_memory.database import Database
from langgraph_memory.errors import StorageError
from langgraph_memory.store import findables, state
from langgraph_memory.store.findables import Vectors
from langgraph_memory.store.locks import Lock
from langgraph_memory.store.ownership import alone
from langgraph_memory.store.state import State
from langgraph_memory.store.vectors import VectorIndex

_ITEMS_AT_ONCE = 200
_ITEMS_IN_PASSING = 50
"""Few, since Chroma lets no other thread run meanwhile; more of them at once take less time each."""

_PROBE = 50
_SHED_AT_LEAST = 1000
_SHED_SHARE = 0.2
_CLOSING_SECONDS = 5.0
_ALL = 2**62


class _Parcel(NamedTuple):
    """What one step sends: items above `then.flushed` and up to `upto`, and rows that went meanwhile."""

    then: State
    upto: int
    dims: int
    added: list[Vectors]
    gone: list[tuple[int, int]]

    @property
    def shed(self) -> int:
        return sum(count for _, count in self.gone)


class Outbox:
    """Keeps one store's vector index up to date. Any thread may use it.

    Args:
        database: holds the items.
        index: the vector index.
        least: how many vectors there must be before the index is begun.
    """

    def __init__(self, database: Database, index: VectorIndex, least: int) -> None:
        self.index = index
        self._database, self._least = database, least
        self._lock = Lock()
        self._attached = False
        self._counted_at = 0
        self._large = self._feeding = False

    @property
    def ready(self) -> bool:
        """Whether the index is in order and this process may ask it."""
        return self._attached

    def step(self, items: int = _ITEMS_IN_PASSING) -> bool:
        """Send the next some items; whether more are waiting.

        Args:
            items: at most so many.

        Raises:
            StorageError: the index failed; all that was to be sent is still waiting.
        """
        with self._lock:
            if not self.wanted() or not self.index.claim():
                return False
            with self._alone(wait=False) as mine:
                return mine and self._step(items)

    def _step(self, items: int) -> bool:
        if not self._attached:
            self._attach()
        parcel = self._next(items)
        return parcel is not None and self._send(parcel)

    def drain(self, seconds: float = math.inf) -> None:
        """Send all that is waiting, or what can be sent in so many seconds."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self.step(_ITEMS_AT_ONCE):
            pass

    def detach(self) -> None:
        """Stop asking the index until a step has found it in order."""
        self._attached = False

    def start_over(self) -> None:
        """Remove the index with all that it has left behind; the next steps make it anew."""
        with self._lock, self._alone(wait=True):
            self._attached = False
            with self._database.write() as connection:
                for name in ("flushed", "sending", "begun"):
                    state.put(connection, name, 0)
                state.add(connection, "epoch")
            self.index.drop()
            with self._database.write() as connection:
                state.put(connection, "shed", 0)

    @contextmanager
    def renewing(self) -> Iterator[None]:
        """While inside, nothing is sent; afterwards the index is made anew by the next steps.

        Raises:
            StorageError: another process has the index.
        """
        with self._lock:
            if not self.index.claim():
                raise StorageError(
                    "another process has the vector index of this folder: close it, then rebuild"
                )
            with self._alone(wait=True):
                self.start_over()
                yield

    def purge(self) -> str | None:
        """Remove the index if deleted vectors are left in its files; or say why that has to wait."""
        with self._lock:
            if not self.holds_deleted:
                return None
            if not self.index.claim():
                return "another process has the vector index, which still holds deleted vectors"
            self.start_over()
            return None

    def close(self) -> None:
        """Take what was deleted out of the index, and out of its files where nobody else uses them."""
        with self._lock:
            try:
                if self._database.closed:
                    return
                if self.index.shared:
                    # What can't be sent now is still waiting in SQL, and `doctor` says so.
                    with suppress(StorageError):
                        self.drain(_CLOSING_SECONDS)
                else:
                    self.purge()
            finally:
                self._attached = False
                self.index.close()

    def wanted(self) -> bool:
        """Whether the store is large enough to need the index, or has begun it."""
        now = self._state()
        if now.sending or now.shed or self._large:
            return True
        if not now.model or now.version < max(self._least, self._counted_at * 1.1):
            return False
        self._counted_at = now.version
        with self._database.read() as connection:
            self._large = findables.count_vectors(connection, _ALL, model=now.model) > self._least
        return self._large

    @contextmanager
    def _alone(self, *, wait: bool) -> Iterator[bool]:
        """Whether this is the only process that feeds the index; inside of itself it is as outside."""
        if self._feeding:
            yield True
            return
        with alone(self._database, "outbox", wait=wait) as mine:
            self._feeding = mine
            try:
                yield mine
            finally:
                self._feeding = False

    def _attach(self) -> None:
        """See whether the index holds what it should; begin anew where it doesn't."""
        now = self._state()
        unfinished = bool(now.shed) and not now.flushed
        if unfinished or not self.index.intact() or (now.flushed and not self._in_order(now)):
            self.start_over()
        self._attached = True

    def _in_order(self, now: State) -> bool:
        with self._database.read() as connection:
            wanted = findables.count_vectors(connection, now.flushed, model=now.model)
            dims = state.model_dims(connection, now.model)
        if not self.index.exists() or self.index.count() < wanted:
            return False
        return self.index.finds(min(_PROBE, wanted), dims)

    def _next(self, items: int) -> _Parcel | None:
        with self._database.read() as connection:
            now = state.read(connection)
            if not now.model or now.flushed == now.version:
                return None
            added = findables.vectors(connection, now.flushed, items, model=now.model)
            upto = added[-1].version if len(added) == items else now.version
            gone = _sent(connection, now, upto)
            return _Parcel(now, upto, state.model_dims(connection, now.model), added, gone)

    def _send(self, parcel: _Parcel) -> bool:
        then = parcel.then
        if _forgotten(then) or self._mostly_deleted(parcel):
            self.start_over()
            return True
        with self._database.write() as connection:
            _announce(connection, parcel)
        if parcel.added:
            self.index.upsert(parcel.added, parcel.dims)
        if parcel.gone:
            self.index.delete(parcel.gone)
        with self._database.write() as connection:
            _advance(connection, parcel)
        return parcel.upto < then.version

    def _mostly_deleted(self, parcel: _Parcel) -> bool:
        shed = parcel.then.shed + parcel.shed
        return shed > _SHED_AT_LEAST and shed > _SHED_SHARE * self.index.count()

    @property
    def holds_deleted(self) -> bool:
        """Whether deleted vectors are left in the index."""
        with self._database.read() as connection:
            now = state.read(connection)
            if now.shed or not now.sending:
                return bool(now.shed)
            return _forgotten(now) or bool(_sent(connection, now, now.version))

    def _state(self) -> State:
        with self._database.read() as connection:
            return state.read(connection)


def _forgotten(now: State) -> bool:
    """Whether removals of what the index was sent are no longer listed."""
    return bool(now.sending) and max(now.flushed, now.begun) < now.pruned


def _sent(connection: Connection, now: State, upto: int) -> list[tuple[int, int]]:
    """Rows that the index was sent and that were removed since."""
    taken = findables.taken(connection, max(now.flushed, now.begun), upto)
    return [(version, count) for version, count in taken if version <= max(now.flushed, now.sending)]


def _announce(connection: Connection, parcel: _Parcel) -> None:
    """Note what is about to be sent: if the process dies meanwhile, the index may hold it, or not."""
    if not parcel.then.sending:
        state.put(connection, "begun", parcel.then.version)
    state.put(connection, "sending", parcel.upto)


def _advance(connection: Connection, parcel: _Parcel) -> None:
    """Note how far it has come, unless the index was begun anew meanwhile."""
    now, then = state.read(connection), parcel.then
    if (now.epoch, now.flushed) == (then.epoch, then.flushed):
        state.put(connection, "flushed", parcel.upto)
        if parcel.shed:
            state.add(connection, "shed", parcel.shed)

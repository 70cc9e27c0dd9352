"""Where work lies for a moment, so that what comes close together is done in one go."""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextvars import Context, copy_context

from langgraph_memory.database import Database
from langgraph_memory.errors import MemoryRuntimeError

Work = Callable[[], None]

_PAUSE = 0.1
_ROUNDS = 10
"""After so many pauses without work the thread ends; the next piece of work starts another."""
_AT_ONCE = 64
"""How many pieces of work share a transaction, so that other writers need not wait long."""

_Left = tuple[Context, Work]

_here = threading.local()
"""Whether this thread is at work for a desk."""


class Desk:
    """Does work that others leave, in order, in a thread of its own, a moment later.

    A thread that had to be woken for each piece would cost the one who leaves it more than the work does, and
    a transaction for each would cost another wait for the disk.

    Args:
        database: what the work writes to.
        pause: how long work lies, in seconds.
    """

    def __init__(self, database: Database, pause: float = _PAUSE) -> None:
        self._database = database
        self._pause = pause
        self._lying: deque[_Left] = deque()
        self._busy = False
        self._doing = threading.RLock()
        self._hiring = threading.Lock()
        self._clerk: threading.Thread | None = None
        _desks.add(self)

    def leave(self, work: Work) -> None:
        """Leave work to be done soon; it must not raise."""
        self._lying.append((copy_context(), work))
        clerk = self._clerk
        if clerk is None or not clerk.is_alive():
            self._hire()

    def settle(self) -> None:
        """Do now what lies here, and wait for what is being done.

        Inside a transaction it does nothing: what is being done may have to wait for that one's end. Nor does
        it in work of a desk: that of another one may wait for this.
        """
        at_work = getattr(_here, "at_work", False)
        if (self._lying or self._busy) and not at_work and not self._database.is_in_use:
            self._do()

    def _hire(self) -> None:
        with self._hiring:
            if self._clerk is None or not self._clerk.is_alive():
                self._clerk = threading.Thread(target=self._attend, name="langgraph-memory-desk", daemon=True)
                self._clerk.start()

    def _attend(self) -> None:
        idle = 0
        while True:
            time.sleep(self._pause)
            idle = 0 if self._lying else idle + 1
            if self._lying:
                self._do()
            if idle > _ROUNDS:
                with self._hiring:
                    if not self._lying:
                        self._clerk = None
                        return

    def _do(self) -> None:
        with self._doing:
            self._busy = _here.at_work = True
            try:
                for batch in iter(self._taken, []):
                    self._together(batch)
            finally:
                self._busy = _here.at_work = False

    def _taken(self) -> list[_Left]:
        return list(_popped(self._lying, _AT_ONCE))

    def _together(self, batch: Sequence[_Left]) -> None:
        """In one transaction; one by one where that fails, and on servers, where batches lock each other."""
        if len(batch) > 1 and self._database.is_sqlite:
            try:
                with self._database.write():
                    _run(batch)
            except (MemoryRuntimeError, OSError):
                _run(batch)
        else:
            _run(batch)


def _popped(lying: deque[_Left], most: int) -> Iterator[_Left]:
    while lying and most:
        most -= 1
        yield lying.popleft()


def _run(batch: Sequence[_Left]) -> None:
    for context, work in batch:
        context.run(work)


_desks: weakref.WeakSet[Desk] = weakref.WeakSet()


@atexit.register
def _settle_all() -> None:
    for desk in list(_desks):
        desk.settle()

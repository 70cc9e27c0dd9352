"""A lock that a forked child doesn't find held by a thread that it doesn't have."""

from __future__ import annotations

import os
import threading
import weakref
from types import TracebackType


class Lock:
    """A re-entrant lock; a forked child gets a new one."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        _live.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()


_live: weakref.WeakSet[Lock] = weakref.WeakSet()


def _renew() -> None:
    for lock in list(_live):
        lock._lock = threading.RLock()  # noqa: SLF001


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)

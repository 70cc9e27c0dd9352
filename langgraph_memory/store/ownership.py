"""What only one process at a time may do: own a folder's vector index, or feed a vector index.

Locks are the operating system's, or PostgreSQL's. They go when their process goes, however it goes. A forked
child doesn't inherit them.
"""

from __future__ import annotations

import os
import sys
import weakref
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import func, select

from langgraph_memory.database import Database

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int, *, wait: bool) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int, *, wait: bool) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


class Ownership:
    """The right to something, held from a successful `claim` until `release` or the end of the process."""

    def __init__(self, lock_file: Path) -> None:
        self._lock_file = lock_file
        self._descriptor: int | None = None
        _live.add(self)

    def claim(self, *, wait: bool = False) -> bool:
        """Take it if no other process has it, or wait until that is so; whether this one has it now."""
        if self._descriptor is None:
            descriptor = os.open(self._lock_file, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                _lock(descriptor, wait=wait)
            except (BlockingIOError, PermissionError):
                os.close(descriptor)
                return False
            self._descriptor = descriptor
        return True

    @property
    def held(self) -> bool:
        """Whether this process has it now."""
        return self._descriptor is not None

    def release(self) -> None:
        """Let another process have it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


@contextmanager
def alone(database: Database, purpose: str, *, wait: bool) -> Iterator[bool]:
    """Whether, inside, no other user of the database does what is done for this purpose.

    Args:
        database: whose users take turns.
        purpose: a short name of what is done.
        wait: whether to wait for one's turn; else it may be refused.
    """
    if database.in_memory:
        yield True
    elif database.is_sqlite:
        turn = Ownership(Path(f"{database.engine.url.database}.{purpose}.lock"))
        try:
            yield turn.claim(wait=wait)
        finally:
            turn.release()
    else:
        with _advisory_lock(database, zlib.crc32(purpose.encode()) - 2**31, wait=wait) as mine:
            yield mine


@contextmanager
def _advisory_lock(database: Database, number: int, *, wait: bool) -> Iterator[bool]:
    """PostgreSQL's lock on this number in the present schema; it ends with its connection at the latest."""
    pair = (func.hashtext(func.concat(func.current_database(), ".", func.current_schema())), number)
    with database.engine.connect() as connection:
        if wait:
            connection.execute(select(func.pg_advisory_lock(*pair)))
        mine = wait or bool(connection.execute(select(func.pg_try_advisory_lock(*pair))).scalar_one())
        connection.commit()
        try:
            yield mine
        finally:
            if mine:
                connection.execute(select(func.pg_advisory_unlock(*pair)))


_live: weakref.WeakSet[Ownership] = weakref.WeakSet()


def _leave_to_parent() -> None:
    """Closing the child's descriptor leaves the parent's lock alone; keeping it would outlive the parent."""
    for ownership in list(_live):
        ownership.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)

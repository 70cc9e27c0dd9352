"""What SQLite keeps of deleted rows in its files, and how it is removed.

The write-ahead log holds what was written since it was emptied. The pages are subtler: `secure_delete`
overwrites a row where it is deleted, but when SQLite moves rows from page to page, copies of them stay in the
gap between a page's directory and its rows, and outlive the deletion at the new place. Rows whose pages have
such gaps are written anew, by VACUUM; indexes by REINDEX, which takes a tenth of the time.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import Counter
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

_PATIENCE_MILLISECONDS = 1000
_HEADER = 100
_PAGES_AT_ONCE = 2048
_INDEX_NODE, _INDEX_LEAF, _ROWS = 2, 10, 13
"""Kinds of pages with texts in them; the fourth kind has nothing but numbers."""


def remove(connection: sqlite3.Connection, path: Path) -> str | None:
    """Empty the log and the gaps of a database; or say why that has to wait, a second later at most.

    Args:
        connection: one that is in no transaction.
        path: the database's file, which the caller has `open_`ed.
    """
    (before,) = connection.execute("PRAGMA busy_timeout").fetchone()
    connection.execute(f"PRAGMA busy_timeout={_PATIENCE_MILLISECONDS}")
    try:
        if not _empty_log(connection):
            return "a reader in another process holds the write-ahead log of the database"
        if found := gaps(path):
            connection.execute("VACUUM" if _ROWS in found else "REINDEX")
            return None if _empty_log(connection) else "a reader in another process holds deleted rows"
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise
        return "another process is writing to the database"
    finally:
        connection.execute(f"PRAGMA busy_timeout={before}")
    return None


def _empty_log(connection: sqlite3.Connection) -> bool:
    busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


def has_log(path: Path) -> bool:
    """Whether anything was written since the log was emptied, by whomever."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def open_(path: Path) -> None:
    """Say that this process is about to use the file."""
    with _lock:
        _users[path] += 1


def close(path: Path) -> None:
    """Say that one of its users has closed the file.

    A process that closes any descriptor of a file loses all its locks on it, those of SQLite too. So the one
    for looking at it is closed by the last user.
    """
    with _lock:
        _users[path] -= 1
        if _users[path] <= 0:
            del _users[path]
            if file := _files.pop(path, None):
                file.close()


def gaps(path: Path) -> set[int]:
    """The kinds of pages that have copies of rows in their gaps; the log has to be empty."""
    found: set[int] = set()
    with _lock:
        if not path.exists():
            return found
        file = _file(path)
        file.seek(0)
        size = int.from_bytes(file.read(_HEADER)[16:18], "big")
        size = 1 << 16 if size == 1 else size
        if not size:
            return found
        file.seek(size)  # the first page holds names of tables alone
        while some := file.read(_PAGES_AT_ONCE * size):
            pages = np.frombuffer(some, np.uint8)[: len(some) // size * size].reshape(-1, size)
            found |= _with_copies(pages)
    return found


def _with_copies(pages: NDArray[np.uint8]) -> set[int]:
    """The kinds of those pages with more in their gaps than the directory's own old entries.

    An entry is a place in the page, so it is less than the page's size; texts and vectors, read as entries,
    aren't.
    """
    pages = pages[np.isin(pages[:, 0], (_INDEX_NODE, _INDEX_LEAF, _ROWS))]
    if not len(pages):
        return set()
    size = pages.shape[1]
    words = pages.view(">u2")
    head = pages[:, :8].astype(np.int64)
    count, content = 256 * head[:, 3] + head[:, 4], 256 * head[:, 5] + head[:, 6]
    directory = np.where(pages[:, 0] == _INDEX_NODE, 12, 8) + 2 * count
    places = np.arange(0, size, 2)
    inside = (places >= directory[:, None]) & (places + 1 < np.where(content == 0, size, content)[:, None])
    copies = ((words >= size) & inside).any(axis=1)
    return set(pages[copies, 0].tolist())


def _file(path: Path) -> BinaryIO:
    """The file, opened once; again where another one has taken its place."""
    file = _files.get(path)
    if file is not None and os.fstat(file.fileno()).st_ino != path.stat().st_ino:
        file.close()
        file = None
    if file is None:
        file = _files[path] = path.open("rb", buffering=0)
    return file


_lock = threading.Lock()
_users: Counter[Path] = Counter()
_files: dict[Path, BinaryIO] = {}


def _after_fork() -> None:
    """Another thread of the parent may hold the lock; an open file has one position for both processes."""
    global _lock  # noqa: PLW0603
    _lock = threading.Lock()
    _files.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

"""One SQL database for everything that must be true: items, events, versions, leases, tombstones, audit.

SQLite by default, PostgreSQL by URL; SQLAlchemy Core speaks to both. Modules that own tables declare them on
`metadata` and share one `Database`.
"""

from __future__ import annotations

import errno
import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, create_engine, event, exc
from sqlalchemy.pool import QueuePool, StaticPool

from langgraph_memory.errors import ClosedError, ForeignFolderError, StorageError, StorageFullError

metadata = MetaData()

APPLICATION_ID = 0x4C474D45
"""Marks a SQLite file as ours ("LGME"), so that a foreign one is refused before a table is made in it."""

_BUSY_SECONDS = 60


class Database:
    """Connections to one SQLite file, one private in-memory SQLite, or one PostgreSQL database.

    Any thread may use it. Writers of one process take turns; writers of several processes wait for each
    other's transactions, at most a minute.

    Args:
        url: a SQLAlchemy URL, or the path of a SQLite file, or ":memory:".
        synchronous: SQLite's durability: "FULL" (an acknowledged write survives power loss) or "NORMAL".
    """

    def __init__(self, url: str | Path, *, synchronous: str = "FULL") -> None:
        self.url = str(url)
        self.in_memory = self.url == ":memory:"
        self.is_sqlite = self.in_memory or "://" not in self.url or self.url.startswith("sqlite")
        self._synchronous = synchronous
        self._write_lock = threading.RLock()
        self._closed = False
        self.engine = self._open()
        _live.add(self)
        with _translated(self.url):
            self._claim()

    def create(self, *tables: Any) -> None:
        """Create those of the tables that are missing."""
        with self.write() as connection:
            metadata.create_all(connection, tables=list(tables))

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one consistent state."""
        self._check_open()
        with _translated(self.url):
            if self.in_memory:
                with self._write_lock, self.engine.connect() as connection:
                    yield connection
            else:
                with self.engine.connect() as connection:
                    yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A connection in a write transaction: committed at the end, rolled back on any error."""
        self._check_open()
        with _translated(self.url), self._write_lock, self.engine.connect() as connection:
            if self.is_sqlite:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    def close(self) -> None:
        """Close all connections. Closing twice is fine."""
        self._closed = True
        self.engine.dispose()

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError(f"the database {self.url!r} is closed: open it again")

    def _open(self) -> Engine:
        if not self.is_sqlite:
            return create_engine(self.url, pool_pre_ping=True)
        options: dict[str, Any] = {"poolclass": StaticPool} if self.in_memory else {"poolclass": QueuePool}
        target = "sqlite://" if self.in_memory else self.url
        if "://" not in target:
            target = f"sqlite:///{target}"
        engine = create_engine(
            target, connect_args={"check_same_thread": False, "timeout": _BUSY_SECONDS}, **options
        )
        event.listen(engine, "connect", self._configure)
        return engine

    def _configure(self, connection: Any, _record: object) -> None:
        connection.isolation_level = None  # transactions are begun by this class, not by the driver's guess
        cursor = connection.cursor()
        cursor.execute("PRAGMA secure_delete=ON")
        cursor.execute("PRAGMA foreign_keys=ON")
        if not self.in_memory:
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute(f"PRAGMA synchronous={self._synchronous}")
        cursor.close()

    def _claim(self) -> None:
        """Mark an empty SQLite file as ours; refuse one that belongs to someone else."""
        if not self.is_sqlite:
            return
        with self._write_lock, self.engine.connect() as connection:
            found = connection.exec_driver_sql("PRAGMA application_id").scalar()
            tables = connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar()
            if found == APPLICATION_ID:
                return
            if found or tables:
                raise ForeignFolderError(
                    f"{self.url!r} is a SQLite file of another application: name another folder"
                )
            connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")


_live: weakref.WeakSet[Database] = weakref.WeakSet()


def _forget_connections_after_fork() -> None:
    for database in _live:
        database._write_lock = threading.RLock()  # noqa: SLF001
        database.engine.dispose(close=False)


os.register_at_fork(after_in_child=_forget_connections_after_fork)


@contextmanager
def _translated(url: str) -> Iterator[None]:
    """Database errors as errors of ours, with what to do about them."""
    try:
        yield
    except exc.DBAPIError as error:
        raise _meaning(url, error) from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StorageFullError(_full(url)) from error
        raise


def _meaning(url: str, error: exc.DBAPIError) -> StorageError:
    text = str(error.orig)
    if "full" in text.lower() or "No space left" in text:
        return StorageFullError(_full(url))
    if "not a database" in text:
        return ForeignFolderError(f"{url!r} is not a SQLite database: name another folder or remove the file")
    return StorageError(f"the database {url!r} failed: {text}")


def _full(url: str) -> str:
    return f"the disk of {url!r} is full: free some space; everything acknowledged before is kept"

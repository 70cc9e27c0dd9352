"""One SQL database for everything that must be true: items, events, versions, leases, tombstones, audit.

SQLite by default, PostgreSQL by URL; SQLAlchemy Core speaks to both. Modules that own tables declare them on
`metadata` and share one `Database`.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, Table, create_engine, event, exc
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.pool import QueuePool, StaticPool

from langgraph_memory import residue
from langgraph_memory.connections import Connections, commit, driver
from langgraph_memory.errors import ClosedError, ConfigurationError, ForeignFolderError, StorageError
from langgraph_memory.faults import Translated

metadata = MetaData()

APPLICATION_ID = 0x4C474D45
"""Marks a SQLite file as ours ("LGME"), so that a foreign one is refused before anything in it is touched."""

_BUSY_SECONDS = 60
_KEPT = 5
"""How many connections to SQLite are kept for the next use. The engine tests those to a server before use."""
_PAUSE_SECONDS = 0.01
_CREATING = 0x4C474D45
"""The PostgreSQL advisory lock under which tables are made."""


class Database:
    """Connections to one SQLite file, one private in-memory SQLite, or one PostgreSQL database.

    Any thread may use it. Writers of one process take turns; writers of several processes wait for each
    other's transactions, at most a minute. A `write` inside another one of the same thread joins it as a
    savepoint: it is undone alone if it fails, and kept only if the outer one commits.

    Args:
        url: a SQLAlchemy URL, or the path of a SQLite file, or ":memory:".
        synchronous: SQLite's durability: "FULL" (an acknowledged write survives power loss) or "NORMAL".
    """

    def __init__(self, url: str | Path, *, synchronous: str = "FULL") -> None:
        self.url = str(url)
        self.in_memory = self.url == ":memory:"
        self.is_sqlite = self.in_memory or "://" not in self.url or self.url.startswith("sqlite")
        self.insert = sqlite.insert if self.is_sqlite else postgresql.insert
        """Begins an INSERT in the dialect spoken here; both know ON CONFLICT."""
        self.rollbacks = 0
        """How many write transactions were undone: what was cached of their state is void."""
        self._synchronous = synchronous
        self._write_lock = threading.RLock()
        self._thread = threading.local()
        self._outer: Connection | None = None
        self._holder: int | None = None
        self._closed = False
        self._connections = Connections(_KEPT if self.is_sqlite else 0)
        self.engine = self._open()
        self._file = self._path()
        self._unclean = False
        self._reading = (
            self.engine
            if self.is_sqlite
            else self.engine.execution_options(isolation_level="REPEATABLE READ")
        )
        self._translated = Translated(self.url, self.engine.dialect.loaded_dbapi.Error)
        _live.add(self)
        with self._translated:
            self._claim()
        self._inode = self._inode_now()
        if self._file is not None:
            residue.open_(self._file)

    def create(self, *tables: Any) -> None:
        """Create those of the tables that are missing."""
        with self.write() as connection:
            if not self.is_sqlite:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_CREATING})")
            metadata.create_all(connection, tables=list(tables))

    def insert_missing(self, table: Table, *key: str) -> sqlite.Insert | postgresql.Insert:
        """Begins an INSERT that passes over rows that are there: by these columns, or by any unique ones."""
        return self.insert(table).on_conflict_do_nothing(index_elements=key or None)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one committed state (in memory also what this thread is about to commit).

        A read inside a read of the same thread is part of it: same connection, same state.
        """
        self._check_open()
        outer: Connection | None = getattr(self._thread, "reading", None)
        if outer is not None:
            yield outer
            return
        with self._translated:
            if self.in_memory:
                with self._write_lock:
                    if self._outer is not None:
                        yield self._outer
                    else:
                        with self._connections.lent(self.engine) as connection, self._held():
                            yield connection
                return
            with self._connections.lent(self._reading) as connection:
                if self.is_sqlite:
                    driver(connection).execute("BEGIN")
                self._thread.reading = connection
                try:
                    yield connection
                finally:
                    self._thread.reading = None

    @contextmanager
    def write(self, *, durable: bool = True) -> Iterator[Connection]:
        """A connection in a write transaction: committed at the end, rolled back on any error.

        Args:
            durable: whether the commit has to outlive a power failure. One that need not doesn't wait for the
                disk; it is there all the same when the process is killed, and before any later commit.
        """
        self._check_open()
        with self._translated, self._write_lock:
            if self._outer is not None:
                with self._savepoint(self._outer):
                    yield self._outer
                return
            with self._connections.lent(self.engine) as connection:
                self._begin(connection, durable=durable)
                self._outer = connection
                try:
                    with self._held():
                        yield connection
                    commit(connection)
                except BaseException:  # an interruption undoes it, too
                    self.rollbacks += 1
                    raise
                finally:
                    self._outer = None

    def _begin(self, connection: Connection, *, durable: bool) -> None:
        """Begin a write transaction, having set how its commit waits for the disk."""
        if not self.is_sqlite:
            if not durable:
                connection.exec_driver_sql("SET LOCAL synchronous_commit TO OFF")
            return
        self._check_in_place()
        level = self._synchronous if durable else "NORMAL"
        if not self.in_memory and connection.info.get("synchronous", self._synchronous) != level:
            driver(connection).execute(f"PRAGMA synchronous={level}")
            connection.info["synchronous"] = level
        driver(connection).execute("BEGIN IMMEDIATE")

    @contextmanager
    def _savepoint(self, connection: Connection) -> Iterator[None]:
        """A part of a transaction that is undone alone; SQLite's own, which takes SQLAlchemy longer."""
        if not self.is_sqlite:
            with connection.begin_nested():
                yield
            return
        run = driver(connection).execute
        run("SAVEPOINT part")
        try:
            yield
        except BaseException:  # an interruption undoes it, too
            self.rollbacks += 1
            run("ROLLBACK TO part")
            run("RELEASE part")
            raise
        run("RELEASE part")

    @contextmanager
    def _held(self) -> Iterator[None]:
        """While this thread holds the write lock for a transaction."""
        before, self._holder = self._holder, threading.get_ident()
        try:
            yield
        finally:
            self._holder = before

    @property
    def is_in_use(self) -> bool:
        """Whether this thread is in a transaction, of which another thread may have to wait for the end."""
        reading = getattr(self._thread, "reading", None)
        return reading is not None or self._holder == threading.get_ident()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._closed

    def expunge(self) -> str | None:
        """Take what was deleted out of SQLite's files; or say why that has to wait."""
        if self._file is None:
            return None
        self._unclean = self._unclean or residue.has_log(self._file)
        if self._unclean:
            with self._translated, self._write_lock, self._connections.lent(self.engine) as connection:
                waits = residue.remove(driver(connection), self._file)
                self._unclean = waits is not None
                return waits
        return None

    def close(self) -> None:
        """Close all connections; what was deleted leaves the files. Closing twice is fine.

        Raises:
            StorageFullError: the disk is full, so that what was deleted stays in the files for now.
        """
        if not self._closed:
            try:
                self.expunge()
            finally:
                self._closed = True
                self._connections.close()
                self.engine.dispose()
                if self._file is not None:
                    residue.close(self._file)

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError(f"the database {self.url!r} is closed: open it again")

    def _check_in_place(self) -> None:
        """Refuse to write into a file that nobody would find again: removed, or replaced by another one."""
        if self._inode is not None and self._inode_now() != self._inode:
            raise StorageError(
                f"the file {self.url!r} was removed or replaced while it was open: put it back, or "
                "close this memory and open it again"
            )

    def _inode_now(self) -> tuple[int, int] | None:
        """What tells the file at the path from any other; None where there is none."""
        try:
            found = self._file.stat() if self._file is not None else None
        except OSError:
            return None
        return None if found is None else (found.st_dev, found.st_ino)

    def _open(self) -> Engine:
        if not self.is_sqlite:
            return self._by_url()
        options: dict[str, Any] = (
            {"poolclass": StaticPool} if self.in_memory else {"poolclass": QueuePool, "max_overflow": -1}
        )
        target = "sqlite://" if self.in_memory else self.url
        if "://" not in target:
            target = f"sqlite:///{target}"
        engine = create_engine(
            target, connect_args={"check_same_thread": False, "timeout": _BUSY_SECONDS}, **options
        )
        event.listen(engine, "connect", self._configure)
        return engine

    def _path(self) -> Path | None:
        """The SQLite file, None where there is none."""
        name = self.engine.url.database
        return Path(name).resolve() if self.is_sqlite and name and name != ":memory:" else None

    def _by_url(self) -> Engine:
        try:
            return create_engine(self.url, pool_pre_ping=True)
        except (exc.ArgumentError, ImportError, ValueError) as error:
            raise ConfigurationError(
                f"{self.url!r} is no database that can be opened ({error}): name a folder, ':memory:', or a "
                "URL like postgresql+psycopg://user@host/name"
            ) from error

    def _configure(self, connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions are begun by this class, not by the driver's guess
        self._refuse_foreign(connection)
        connection.execute("PRAGMA secure_delete=ON")
        connection.execute("PRAGMA foreign_keys=ON")
        if not self.in_memory:
            _log_ahead(connection)
            connection.execute(f"PRAGMA synchronous={self._synchronous}")

    def _refuse_foreign(self, connection: sqlite3.Connection) -> None:
        (found,) = connection.execute("PRAGMA application_id").fetchone()
        if found == APPLICATION_ID:
            return
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if found or tables:
            raise ForeignFolderError(
                f"{self.url!r} is a SQLite file of another application: name another folder"
            )

    def _claim(self) -> None:
        """Mark an empty SQLite file as ours."""
        if self.is_sqlite:
            with self._write_lock, self.engine.connect() as connection:
                if driver(connection).execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
                    driver(connection).execute(f"PRAGMA application_id={APPLICATION_ID}")


_live: weakref.WeakSet[Database] = weakref.WeakSet()


_left_to_parent: list[object] = []


def _forget_connections_after_fork() -> None:
    """A child opens connections of its own; the parent's must not even be closed here.

    Memory is copied by a fork, so a database in memory goes on as a copy.
    """
    for database in list(_live):
        database._write_lock = threading.RLock()  # noqa: SLF001
        database._thread = threading.local()  # noqa: SLF001
        database._outer = None  # noqa: SLF001
        if not database.in_memory:
            _left_to_parent.extend((database.engine.pool, database._connections.left_behind()))  # noqa: SLF001
            database.engine.dispose(close=False)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_connections_after_fork)


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Turn the write-ahead log on.

    Where two processes do so in a new file at once, SQLite refuses one of them without the wait that it
    grants all other statements.
    """
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE_SECONDS)
        else:
            return

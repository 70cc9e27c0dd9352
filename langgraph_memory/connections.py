"""Connections of an engine that are kept between their uses, and the driver's own below them."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from sqlalchemy import Connection, Engine


class Connections:
    """Lends connections and keeps some of those that come back.

    Taking one from an engine's pool and giving it back costs as much as a query. The one that was used last
    goes first: what it has read is still in its cache.

    Args:
        kept: how many are kept; 0 leaves all of that to the engine's own pool.
    """

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._idle: list[Connection] = []
        self._closed = False

    def lent(self, engine: Engine) -> Lent:
        """A connection for the time of a `with`; what is left uncommitted is rolled back."""
        return Lent(self, engine)

    def take(self, engine: Engine) -> Connection:
        """A connection that nobody else uses."""
        try:
            return self._idle.pop()
        except IndexError:
            return engine.connect()

    def give_back(self, connection: Connection) -> None:
        """Take back one that has no transaction."""
        if self._closed:
            connection.detach()  # from a pool that is no more, so that the close is one
        elif len(self._idle) < self._kept:
            self._idle.append(connection)
            return
        connection.close()

    def close(self) -> None:
        """Close what is kept now, and what comes back later."""
        self._closed = True
        while self._idle:
            self._idle.pop().close()

    def left_behind(self) -> list[Connection]:
        """What is kept, which now is the caller's: a forked child must not even close it."""
        found, self._idle = self._idle, []
        return found


class Lent:
    """One connection, lent. After an error it is closed instead of kept."""

    def __init__(self, connections: Connections, engine: Engine) -> None:
        self._connections, self._engine = connections, engine

    def __enter__(self) -> Connection:
        self._connection = self._connections.take(self._engine)
        return self._connection

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            roll_back(self._connection)
            self._connections.give_back(self._connection)
        else:
            self._connection.close()


def driver(connection: Connection) -> Any:
    """The driver's own connection."""
    return connection.connection.dbapi_connection


def commit(connection: Connection) -> None:
    """Commit what was begun on the connection or, as the hot statements do, on the driver's own."""
    if connection.in_transaction():
        connection.commit()
    else:
        driver(connection).commit()


def roll_back(connection: Connection) -> None:
    """Undo what was begun and not committed, on the connection or on the driver's own."""
    if connection.in_transaction():
        connection.rollback()
    else:
        driver(connection).rollback()

"""Counters that tell when what was cached is stale, and when something was done last."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal, NamedTuple

from sqlalchemy import Connection, bindparam, select, update

from langgraph_memory.database import Database
from langgraph_memory.log.tables import settings
from langgraph_memory.store.statements import Among, Statement

_TIDIED = "tidied"
_COUNTERS = ("revision", "names", "forgets")
READINGS = "readings"
"""The counter of how often events were consolidated, rewritten or taken away."""


class Versions(NamedTuple):
    """By what can be told whether something read before is stale.

    Attributes:
        revision: grows with every commit.
        names: grows whenever a name is added or forgotten.
        forgets: grows whenever records are taken away.
        rollbacks: of this process: what was read inside a transaction that was undone is void.
    """

    revision: int
    names: int
    forgets: int
    rollbacks: int

    def follow(self, before: Versions) -> bool:
        """Whether nothing was taken away or undone since others, so that what was read then still counts."""
        same = (before.forgets, before.rollbacks) == (self.forgets, self.rollbacks)
        return same and before.revision <= self.revision


class Counters:
    """Numbers and moments in the settings of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        database.create(settings)
        with database.write() as connection:
            rows: list[dict[str, object]] = [
                {"name": n, "value": None, "number": 0} for n in (*_COUNTERS, READINGS)
            ]
            connection.execute(database.insert_missing(settings), rows)

    def versions(self) -> Versions:
        """All of them, as they stand in one state of the database."""
        with self._database.read() as connection:
            numbers: dict[str, int] = dict(_NUMBERS.rows(connection, counters=list(_COUNTERS)))
        return Versions(**numbers, rollbacks=self._database.rollbacks)

    def revision(self) -> int:
        """A number that grows with every commit; what was cached under an older one is stale."""
        with self._database.read() as connection:
            return self._number(connection, "revision")

    def names(self) -> int:
        """A number that grows whenever a name is added or forgotten."""
        with self._database.read() as connection:
            return self._number(connection, "names")

    def forgets(self, connection: Connection) -> int:
        """How often something was forgotten."""
        return self._number(connection, "forgets")

    def advance(self, connection: Connection, *also: Literal["names", "forgets"]) -> None:
        """Grow the revision, and other counters with it, inside the transaction that changed something."""
        self.grow(connection, "revision", *also)

    def grow(self, connection: Connection, *counters: str) -> None:
        """Grow some of them, inside the transaction that changed something."""
        _ADVANCE.run(connection, counters=list(counters))

    def tidied(self) -> datetime | None:
        """When consolidation across episodes ran last."""
        with self._database.read() as connection:
            value = connection.scalar(select(settings.c.value).where(settings.c.name == _TIDIED))
        return datetime.fromisoformat(value) if value else None

    def note_tidied(self, at: datetime) -> None:
        """Note when consolidation across episodes ran."""
        moment = at.astimezone(UTC).isoformat()
        with self._database.write() as connection:
            row = {"name": _TIDIED, "value": moment, "number": None}
            connection.execute(self._database.insert_missing(settings), row)
            connection.execute(update(settings).where(settings.c.name == _TIDIED).values(value=moment))

    def _number(self, connection: Connection, name: str) -> int:
        return int(next(iter(_NUMBER.column(connection, name=name)), 0) or 0)


_NUMBER = Statement(select(settings.c.number).where(settings.c.name == bindparam("name")))
_AMONG = Among(settings.c.name, "counters")
_NUMBERS = Statement(select(settings.c.name, settings.c.number).where(_AMONG))
_ADVANCE = Statement(update(settings).where(_AMONG).values(number=settings.c.number + 1))

"""What was seen to work or not, activity by activity: counts on which proposals and promotions rest.

Only keys made of tool and argument names are kept here, no text that anyone wrote.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Boolean, Column, Connection, Index, Table, Text, bindparam, delete, select

from langgraph_memory.database import metadata
from langgraph_memory.log.ledger import Ledger
from langgraph_memory.log.tables import KEY
from langgraph_memory.records import Moment, Record
from langgraph_memory.scope import Scope
from langgraph_memory.store.statements import Among, Statement, parameters_of

observations = Table(
    "observations",
    metadata,
    Column("scope", KEY, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("activity_id", Text, primary_key=True),
    Column("tool", Text, nullable=False),
    Column("episode_id", Text, nullable=False),
    Column("good", Boolean, nullable=False),
    Column("at", Text, nullable=False),
    Index("observations_by_tool", "scope", "tool"),
    Index("observations_by_episode", "episode_id"),
)


class Key(Record):
    """What was seen, in names.

    Attributes:
        kind: `fix`, `ignored`, `sequence` or `incident`.
        tool: which it is about; of a sequence the last.
        gone: argument names that did not work.
        new: argument names that did, or the tools of a sequence in order.
    """

    kind: str
    tool: str
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The key as it is stored."""
        return json.dumps([self.kind, self.tool, self.gone, self.new])

    @classmethod
    def parse(cls, text: str) -> Key:
        """The key with this text."""
        kind, tool, gone, new = json.loads(text)
        return cls(kind=kind, tool=tool, gone=tuple(gone), new=tuple(new))


class Seen(Record):
    """Whether something went well in one activity."""

    key: Key
    good: bool


class Observation(Record):
    """Something seen in one activity, with the episode that tells of it."""

    activity_id: str
    episode_id: str
    good: bool
    at: Moment


class Observations:
    """Observations by scope and key, in the ledger's database."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        insert = ledger.database.insert(observations).values(parameters_of(observations))
        later = {name: insert.excluded[name] for name in ("episode_id", "good", "at")}
        place = ["scope", "key", "activity_id"]
        self._write = Statement(insert.on_conflict_do_update(index_elements=place, set_=later))
        ledger.database.create(observations)

    def note(
        self,
        connection: Connection,
        scope: Scope,
        seen: Iterable[Seen],
        *,
        activity_id: str,
        episode_id: str,
        at: datetime,
    ) -> None:
        """Write what an activity showed; what a later episode of it shows counts instead of the earlier."""
        for each in seen:
            place = {"scope": scope.key, "key": each.key.text, "activity_id": activity_id}
            told = {"episode_id": episode_id, "good": each.good, "at": at.isoformat()}
            self._write.run(connection, **place, **told, tool=each.key.tool)

    def of(self, scope: Scope, key: Key) -> list[Observation]:
        """The latest observations of a key, oldest first; all of them would cost more with each activity."""
        with self._ledger.database.read() as connection:
            rows = _OF.rows(connection, scope=scope.key, key=key.text)
        fields = ("activity_id", "episode_id", "good", "at")
        return [Observation(**dict(zip(fields, row, strict=True))) for row in rows][::-1]

    def keys(self, scope: Scope, tools: Sequence[str]) -> list[Key]:
        """The keys that were seen about these tools."""
        with self._ledger.database.read() as connection:
            found = _KEYS.column(connection, scope=scope.key, tools=list(tools))
        return [Key.parse(text) for text in found]

    def forget(self, connection: Connection, episode_ids: Iterable[str]) -> None:
        """Take out what episodes told that are forgotten."""
        wanted = list(episode_ids)
        if wanted:
            connection.execute(_FORGET, {"episodes": wanted})


_LATEST = 50
_OF = Statement(
    select(observations.c.activity_id, observations.c.episode_id, observations.c.good, observations.c.at)
    .where(observations.c.scope == bindparam("scope"), observations.c.key == bindparam("key"))
    .order_by(observations.c.at.desc(), observations.c.activity_id.desc())
    .limit(_LATEST)
)
_KEYS = Statement(
    select(observations.c.key)
    .where(observations.c.scope == bindparam("scope"), Among(observations.c.tool, "tools"))
    .distinct()
    .order_by(observations.c.key)
)
_FORGET = delete(observations).where(observations.c.episode_id.in_(bindparam("episodes", expanding=True)))

"""What may not come back: keyed digests of values and of event ids, which tell nothing themselves."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, select

from langgraph_memory.database import Database
from langgraph_memory.log.tables import forgotten, settings, tombstones
from langgraph_memory.lookalikes import skeleton
from langgraph_memory.names import bare
from langgraph_memory.scope import Scope
from langgraph_memory.store.statements import Among, Statement

_PAGE = 400
_KEY = "tombstone_key"


class Tombstones:
    """Tombstones of values and of events, in one database.

    Digests are HMACs under a key of the database's own: they can't be guessed elsewhere. Spelling makes no
    difference to them: case, width, marks, letters of other alphabets that look alike, `type:id` or `id`.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        database.create(settings, tombstones, forgotten)
        self._key = self._settled_key()

    def bury(
        self, connection: Connection, scope: Scope, entity: str, value: str, *, reason: str, at: datetime
    ) -> None:
        """This value of this entity does not come back by itself, under whatever attribute."""
        row = {
            "digest": self._of_value(scope, entity, value),
            "scope": self.digest(scope.key),
            "reason": reason,
            "at": at.isoformat(),
        }
        connection.execute(self.database.insert_missing(tombstones), row)

    def exhume(self, connection: Connection, scope: Scope, entity: str, value: str) -> None:
        """Take the tombstone of a value away."""
        digest = self._of_value(scope, entity, value)
        connection.execute(delete(tombstones).where(tombstones.c.digest == digest))

    def reason(self, scope: Scope, entities: Iterable[str], value: str) -> str | None:
        """Why this value of an entity with these ids and names may not come back; None where it may."""
        digests = sorted({self._of_value(scope, entity, value) for entity in entities})
        with self.database.read() as connection:
            reasons = set(connection.scalars(_REASONS, {"digests": digests}))
        return "rejected" if "rejected" in reasons else min(reasons, default=None)

    def bury_events(self, connection: Connection, event_ids: Iterable[str], *, at: datetime) -> None:
        """Events with these ids are not taken again, whoever brings them."""
        rows = [{"digest": self.digest(event_id), "at": at.isoformat()} for event_id in event_ids]
        if rows:
            connection.execute(self.database.insert_missing(forgotten), rows)

    def covers_event(self, connection: Connection, event_id: str) -> bool:
        """Whether an event with this id was forgotten."""
        return bool(_COVERS.rows(connection, digest=self.digest(event_id)))

    def of_events(self, connection: Connection, event_ids: Sequence[str]) -> frozenset[str]:
        """Those of the ids that are ids of forgotten events."""
        by_digest = {self.digest(event_id): event_id for event_id in event_ids}
        digests = list(by_digest)
        found: set[str] = set()
        for start in range(0, len(digests), _PAGE):
            there = _AMONG.column(connection, digests=digests[start : start + _PAGE])
            found.update(by_digest[digest] for digest in there)
        return frozenset(found)

    def digest(self, text: str) -> str:
        """The keyed digest of a text."""
        return hmac.digest(self._key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hex()

    def _of_value(self, scope: Scope, entity: str, value: str) -> str:
        return self.digest(json.dumps([scope.key, skeleton(bare(entity)), skeleton(value)]))

    def _settled_key(self) -> bytes:
        with self.database.write() as connection:
            row = {"name": _KEY, "value": secrets.token_hex(32), "number": None}
            connection.execute(self.database.insert_missing(settings), row)
            query = select(settings.c.value).where(settings.c.name == _KEY)
            return bytes.fromhex(str(connection.scalar(query)))


_COVERS = Statement(select(forgotten.c.digest).where(forgotten.c.digest == bindparam("digest")))
_REASONS = select(tombstones.c.reason).where(tombstones.c.digest.in_(bindparam("digests", expanding=True)))
_AMONG = Statement(select(forgotten.c.digest).where(Among(forgotten.c.digest, "digests")))

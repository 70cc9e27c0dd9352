"""The audit trail: every decision about a record, who made it and why."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, insert, select

from langgraph_memory.answers import AuditEntry
from langgraph_memory.database import Database
from langgraph_memory.log.tables import audit
from langgraph_memory.log.tombstones import Tombstones
from langgraph_memory.store.statements import Statement, parameters_of


class Audit:
    """Entries about decisions; only added, and blanked where they tell of what was forgotten."""

    def __init__(self, database: Database, tombstones: Tombstones) -> None:
        self._database = database
        self._tombstones = tombstones
        database.create(audit)

    def note(
        self,
        connection: Connection,
        decision: str,
        *,
        record_id: str,
        scope: str,
        actor: str,
        reason: str,
        at: datetime,
    ) -> None:
        """Write an audit entry."""
        entry = {"decision": decision, "record_id": record_id, "scope": scope, "actor": actor}
        _NEW_NOTE.run(connection, **entry, reason=reason, at=at.isoformat())

    def of(self, record_id: str) -> list[AuditEntry]:
        """The audit entries about a record, oldest first."""
        names = (record_id, self._tombstones.digest(record_id))  # one that told too much was replaced
        query = select(audit).where(audit.c.record_id.in_(names)).order_by(audit.c.seq)
        with self._database.read() as connection:
            rows = connection.execute(query).mappings().all()
        return [AuditEntry.model_validate(dict(row)) for row in rows]


_NEW_NOTE = Statement(insert(audit).values(parameters_of(audit, without="seq")).inline())

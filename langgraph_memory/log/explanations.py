"""What recalls and guard decisions told, as it is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from langgraph_memory.answers import Explanation
from langgraph_memory.database import Database
from langgraph_memory.log.tables import receipts
from langgraph_memory.store.statements import Statement


class Explanations:
    """Receipts of recalls and decisions, by id."""

    def __init__(self, database: Database) -> None:
        self._database = database
        database.create(receipts)
        self._insert = Statement(database.insert_missing(receipts))

    def keep(self, connection: Connection, batch: Sequence[Explanation]) -> None:
        """Write receipts of recalls and decisions."""
        rows = [
            {"id": r.id, "kind": r.kind, "at": r.at.isoformat(), "body": json.dumps(r.body)} for r in batch
        ]
        if rows:
            self._insert.run_each(connection, rows)

    def get(self, receipt_id: str) -> Explanation | None:
        """The receipt with this id."""
        with self._database.read() as connection:
            row = connection.execute(select(receipts).where(receipts.c.id == receipt_id)).mappings().first()
        return _explanation(row) if row else None

    def all(self, kind: str, *, naming: str | None = None) -> list[Explanation]:
        """The receipts of recalls or of decisions, oldest first; or only those that name another receipt."""
        query = select(receipts).where(receipts.c.kind == kind).order_by(receipts.c.at, receipts.c.id)
        if naming is not None:
            query = query.where(receipts.c.body.contains(f'"{naming}"', autoescape=True))
        with self._database.read() as connection:
            return [_explanation(row) for row in connection.execute(query).mappings()]


def _explanation(row: Mapping[Any, Any]) -> Explanation:
    return Explanation(id=row["id"], kind=row["kind"], at=row["at"], body=json.loads(row["body"]))

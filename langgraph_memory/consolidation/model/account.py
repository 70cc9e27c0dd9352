"""The sum of what consolidation's model calls took, kept in the log's database, whoever made them."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from langgraph_memory.consolidation.model.spending import Meter, Spent
from langgraph_memory.database import Database
from langgraph_memory.log.tables import spending


class Account:
    """Adds up what a meter counts.

    Args:
        database: the log's.
        meter: passed to the model calls.
    """

    def __init__(self, database: Database, meter: Meter) -> None:
        self.meter = meter
        self._database = database
        database.create(spending)
        row = database.insert(spending).values(name=bindparam("name"), number=bindparam("number"))
        self._add = row.on_conflict_do_update(
            index_elements=["name"], set_={"number": spending.c.number + row.excluded.number}
        )

    def settle(self) -> Spent:
        """Write what was counted since the last time, and give it."""
        spent = self.meter.take()
        rows = [{"name": name, "number": number} for name, number in spent.model_dump().items() if number]
        if rows:
            with self._database.write() as connection:
                connection.execute(self._add, rows)
        return spent

    def total(self) -> Spent:
        """The sum so far."""
        with self._database.read() as connection:
            rows = connection.execute(select(spending.c.name, spending.c.number)).all()
        return Spent(**{name: number for name, number in rows if name in Spent.model_fields})

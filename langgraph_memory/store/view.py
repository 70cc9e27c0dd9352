"""A part of a store's namespaces as a store of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from langgraph.store.base import BaseStore, Op, PutOp, Result, TTLConfig

from langgraph_memory.database import Database
from langgraph_memory.store.engine import Engine
from langgraph_memory.store.namespaces import Territory


class StoreView(BaseStore):
    """What an engine holds in one territory. Any thread and any event loop may use it.

    Args:
        engine: does the work.
        territory: what it reaches.
        ttl: times to live where an operation doesn't say.
        on_expiring: called after an item with a time to live was put.
    """

    supports_ttl = True

    def __init__(
        self, engine: Engine, territory: Territory, ttl: TTLConfig | None, on_expiring: Callable[[], None]
    ) -> None:
        self._engine, self._territory, self._on_expiring = engine, territory, on_expiring
        self.ttl_config = ttl

    def shares(self, database: Database) -> bool:
        """Whether what is written here can be part of this database's transactions."""
        return self._engine.database is database

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations: all reads see the state before the writes; all writes happen, or none."""
        return self.prepared(ops)()

    def prepared(self, ops: Iterable[Op]) -> Callable[[], list[Result]]:
        """Check operations and embed their texts now; what is given back runs them.

        So a transaction that they are to be part of need not wait for the embedding model.
        """
        listed = list(ops)
        run = self._engine.prepared(listed, self._territory)

        def results() -> list[Result]:
            found = run()
            if any(isinstance(op, PutOp) and op.ttl is not None for op in listed):
                self._on_expiring()
            return found

        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same in a thread, so that the event loop stays free."""
        return await asyncio.to_thread(self.batch, list(ops))

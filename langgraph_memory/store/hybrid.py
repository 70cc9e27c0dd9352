"""`HybridStore`: LangGraph's store over SQL, vectors and words together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from langgraph.store.base import BaseStore, IndexConfig, Op, Result, TTLConfig

from langgraph_memory.database import Database
from langgraph_memory.errors import ForeignFolderError
from langgraph_memory.store.embedding import Embedder
from langgraph_memory.store.engine import Engine
from langgraph_memory.store.namespaces import Territory
from langgraph_memory.store.texts import WHOLE

DATABASE_FILE = "memory.sqlite3"
"""The database in a memory's folder."""

BUNDLED_INDEX: Final[IndexConfig] = {"fields": [WHOLE]}
"""The index that a store has unless it is told otherwise: whole values, by the bundled model."""


class StoreView(BaseStore):
    """A part of an engine's namespaces as a store. Any thread and any event loop may use it."""

    supports_ttl = True

    def __init__(self, engine: Engine, territory: Territory, ttl: TTLConfig | None) -> None:
        self._engine = engine
        self._territory = territory
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations: all reads see the state before the writes, the writes happen together or not at all."""
        return self._engine.run(list(ops), self._territory)

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same in a thread, so that the event loop stays free."""
        return await asyncio.to_thread(self.batch, list(ops))


class HybridStore(StoreView):
    """A LangGraph store that finds by meaning and by words, in a folder, in memory, or on PostgreSQL.

    >>> with HybridStore(":memory:") as store:
    ...     store.put(("users", "bob"), "food", {"text": "Bob can't eat peanuts"})
    ...     store.search(("users",), query="allergies")[0].key
    'food'
    """

    def __init__(
        self,
        location: str | Path,
        *,
        index: IndexConfig | dict[str, Any] | None = BUNDLED_INDEX,
        ttl: TTLConfig | None = None,
        clock: Callable[[], datetime] | None = None,
        redact: Callable[[str], str] | None = None,
        cache_bytes: int = 512 << 20,
        database: Database | None = None,
    ) -> None:
        self._owns_database = database is None
        engine = Engine(
            database or open_database(location),
            embedder=None if index is None else Embedder.of(index),  # type: ignore[arg-type]
            fields=(index or {}).get("fields") or [WHOLE],
            clock=clock or _now,
            redact=redact,
            cache_bytes=cache_bytes,
        )
        super().__init__(engine, Territory.PUBLIC, ttl)

    @classmethod
    def from_conn_string(cls, conn_string: str, **options: Any) -> Self:
        """The store at a path or URL, to be used as a context manager as other LangGraph stores are."""
        return cls(conn_string, **options)

    @property
    def database(self) -> Database:
        """The database that holds the items."""
        return self._engine.database

    def setup(self) -> None:
        """Nothing: a store is set up when it is opened. Other LangGraph stores need the call."""

    def private(self) -> BaseStore:
        """A view of memory's own namespaces, which this store refuses, and of nothing else."""
        return StoreView(self._engine, Territory.PRIVATE, self.ttl_config)

    def close(self) -> None:
        """Release everything. Closing twice is fine."""
        if self._owns_database:
            self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.close)


def open_database(location: str | Path) -> Database:
    """The database of a memory: of a folder, which is made where it is missing, in memory, or at a URL.

    Raises:
        ForeignFolderError: a file where the folder should be, or another application's database in it.
    """
    name = str(location)
    if name == ":memory:":
        return Database(name)
    if "://" in name:
        scheme, _, rest = name.partition("://")
        return Database(f"postgresql+psycopg://{rest}" if scheme in ("postgres", "postgresql") else name)
    folder = Path(location)
    if folder.exists() and not folder.is_dir():
        raise ForeignFolderError(f"{name!r} is a file: name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    return Database(folder / DATABASE_FILE)


def _now() -> datetime:
    return datetime.now(UTC)

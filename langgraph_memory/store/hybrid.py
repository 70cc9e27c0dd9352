"""`HybridStore`: LangGraph's store over SQL, vectors and words together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, cast

from langgraph.store.base import BaseStore, IndexConfig, TTLConfig

from langgraph_memory.arguments import place
from langgraph_memory.closing import Closing
from langgraph_memory.database import Database
from langgraph_memory.errors import ForeignFolderError
from langgraph_memory.file_access import reaching
from langgraph_memory.signature import checked
from langgraph_memory.store import doctor, namespaces, state
from langgraph_memory.store.doctor import Finding, Rebuilt
from langgraph_memory.store.drafts import Drafts
from langgraph_memory.store.embedding import Embedder
from langgraph_memory.store.engine import Engine
from langgraph_memory.store.homes import CHROMA_FOLDER, OWNER_FILE, ClientHome, FolderHome
from langgraph_memory.store.model import Model
from langgraph_memory.store.namespaces import Namespace, Territory
from langgraph_memory.store.outbox import Outbox
from langgraph_memory.store.periodic import Periodic
from langgraph_memory.store.ready import Count, Done
from langgraph_memory.store.scopes import Scopes
from langgraph_memory.store.texts import WHOLE
from langgraph_memory.store.vectors import VectorIndex
from langgraph_memory.store.view import StoreView

DATABASE_FILE = "memory.sqlite3"
"""The database in a memory's folder."""

BUNDLED_INDEX: Final[IndexConfig] = {"fields": [WHOLE]}
"""The index that a store has unless it is told otherwise: whole values, by the bundled model."""

EXACT_LIMIT = 20_000
"""Scopes up to this size are compared vector by vector: as fast as an index, and it misses nothing."""

CACHE_BYTES = 512 << 20
"""About how much memory the searched scopes may take."""

_log = logging.getLogger(__name__)

_FLUSH_SECONDS = 1.0
_SWEEP_MINUTES = 5.0


class HybridStore(StoreView, Closing):
    """A LangGraph store that finds by meaning and by words, in a folder, in memory, or on PostgreSQL.

    >>> with HybridStore(":memory:") as store:
    ...     store.put(("users", "bob"), "food", {"text": "Bob can't eat peanuts"})
    ...     store.search(("users",), query="allergies")[0].key
    'food'

    Any thread, any event loop and any number of processes may use one location at once.

    Args:
        location: a folder, made where it is missing; ":memory:" for a store that ends with its object; or a
            PostgreSQL URL.
        index: LangGraph's `IndexConfig`, as a whole or in part: what it leaves out is the bundled embedding
            model and the whole value. None: items are found by their words alone.
        ttl: LangGraph's `TTLConfig`. Times to live work without it, too. Expired items are hidden at once
            (`omit_expired` is always on) and deleted each `sweep_interval_minutes`, 5 by default.
        clock: gives the time, aware of its zone.
        redact: applied to every string of a value before it is stored.
        chroma: a Chroma client (`chromadb.HttpClient(…)`) that is to hold the vectors of large scopes.
            Without one a folder has a Chroma of its own, and other locations compare vector by vector.
        exact_limit: scopes up to this size are compared vector by vector.
        cache_bytes: about how much memory the searched scopes may take.
        background: whether expired items are deleted and the vector index is fed in the background. Commands
            that only look do without.
        database: an open database to use in place of the location's own; it is not closed with the store.

    Raises:
        ForeignFolderError: the location belongs to another application.
        ConfigurationError: arguments that contradict each other.
    """

    @checked("location")
    def __init__(
        self,
        location: str | Path,
        *,
        index: IndexConfig | None = BUNDLED_INDEX,
        ttl: TTLConfig | None = None,
        clock: Callable[[], datetime] | None = None,
        redact: Callable[[str], str] | None = None,
        chroma: Any = None,
        exact_limit: int = EXACT_LIMIT,
        cache_bytes: int = CACHE_BYTES,
        background: bool = True,
        database: Database | None = None,
    ) -> None:
        embedder = None if index is None else Embedder.of(index)
        self.database = database or open_database(location)
        """Where the items are."""
        self._owns_database, self._closed = database is None, False
        name, secret = state.create(self.database)
        self._model = Model(self.database, embedder)
        if problem := self._model.mismatch():
            _log.warning("%s; until then every put and search of texts is refused", problem)
        self.index_config = _completed(index, embedder)
        """The index as it is in force, None for none."""
        self.embeddings = embedder.embeddings if embedder else None
        """What makes the vectors, None for nothing."""
        self._outbox = _outbox(self.database, location, name, chroma, exact_limit)
        scopes = Scopes(
            self.database, self._model, self._outbox, exact_limit=exact_limit, cache_bytes=cache_bytes
        )
        drafts = Drafts((index or {}).get("fields") or [WHOLE], embedder, secret, redact)
        engine = Engine(self.database, drafts, self._model, scopes, clock or _now)
        self._background = background
        super().__init__(engine, Territory.PUBLIC, ttl, self._start_sweeping)
        self._sweeper = Periodic("store-sweeper", self._sweep, 60 * _sweep_minutes(ttl))
        self._flusher = Periodic("store-flusher", self._flush, _FLUSH_SECONDS)
        if background:
            self._start()

    @classmethod
    def from_conn_string(cls, conn_string: str, **options: Any) -> Self:
        """The store at a path or URL, to be used as a context manager as other LangGraph stores are."""
        return cls(conn_string, **options)

    def setup(self) -> Done:
        """Nothing: a store is set up when it is opened. Other LangGraph stores need the call, or await it."""
        return Done()

    def private(self) -> BaseStore:
        """A view of memory's own namespaces, which this store refuses, and of nothing else."""
        return StoreView(self._engine, Territory.PRIVATE, self.ttl_config, self._start_sweeping)

    @checked("namespace")
    def delete_namespace(self, namespace: Namespace) -> int:
        """Delete all items of a namespace and of those below it; how many that were."""
        self._territory.admit_prefix(namespace)
        return self._engine.delete_below(namespaces.encode(namespace), self._territory)

    def sweep_ttl(self) -> Count:
        """Delete what has expired now; how many items that were."""
        return Count(self._engine.sweep())

    def start_ttl_sweeper(self) -> Done:
        """Start the sweeper now; it starts by itself when there is something to sweep."""
        self._sweeper.start()
        return Done()

    @checked()
    def stop_ttl_sweeper(self, timeout: float | None = None) -> Count:
        """Stop the sweeper until the next item with a time to live; whether it stopped within the timeout."""
        return Count(self._sweeper.stop(timeout))

    def flush(self) -> None:
        """Bring the vector index up to date now, where there is one; it is done in the background anyway."""
        if self._outbox is not None:
            self._outbox.drain()

    def purge(self) -> tuple[str, ...]:
        """Take deleted texts and vectors out of the store's files now, as `close` does.

        Returns:
            What has to wait, and why; nothing when all is done.
        """
        found = [self.database.expunge()]
        if self._outbox is not None:
            found.append(self._outbox.purge())
        return tuple(reason for reason in found if reason)

    def leftovers(self) -> tuple[str, ...]:
        """What of deleted texts and vectors is still in the store's files, and why.

        Texts leave them now. Deleted vectors stay in the vector index until it is made anew, by `purge`,
        or by `close`.
        """
        found = [self.database.expunge()]
        if self._outbox is not None and self._outbox.holds_deleted:
            found.append("deleted vectors are in the vector index until it is made anew: close, or purge()")
        return tuple(reason for reason in found if reason)

    def doctor(self) -> tuple[Finding, ...]:
        """What is wrong with the indexes; nothing if all is well. `rebuild` mends it."""
        return doctor.examine(self.database, self._outbox, model=self._model.described)

    def rebuild(self) -> Rebuilt:
        """Make all indexes anew from the items; only texts that this model never embedded are embedded.

        Raises:
            StorageError: another process uses the folder's vector index.
        """
        with self._outbox.renewing() if self._outbox is not None else nullcontext():
            done, embedded = self._engine.reindex()
        self.flush()
        return Rebuilt(done, embedded)

    def close(self) -> None:
        """Release everything; what was deleted leaves the files. Closing twice is fine."""
        self._sweeper.stop()
        self._flusher.stop()
        try:
            if self._outbox is not None and not self._closed:
                self._outbox.close()
        finally:
            self._closed = True
            if self._owns_database:
                self.database.close()

    def _start(self) -> None:
        if self._outbox is not None:
            self._flusher.start()
        if self.ttl_config is not None or self._engine.any_expires():
            self._start_sweeping()

    def _start_sweeping(self) -> None:
        if self._background and not self._sweeper.running:
            self._sweeper.start()

    def _sweep(self) -> bool:
        self._engine.sweep()
        return False

    def _flush(self) -> bool:
        return self._outbox is not None and self._outbox.step()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.close)


def open_database(location: str | Path) -> Database:
    """The database of a memory: of a folder, which is made where it is missing, in memory, or at a URL.

    Raises:
        ForeignFolderError: a file where the folder should be, or a folder with what is not a memory's.
        FileAccessError: the folder can't be made or read.
    """
    name = str(place("location", location))
    if name == ":memory:":
        return Database(name)
    if "://" in str(location):
        name = str(location)
        scheme, _, rest = name.partition("://")
        return Database(f"postgresql+psycopg://{rest}" if scheme in ("postgres", "postgresql") else name)
    folder = Path(location)
    with reaching(folder):
        if folder.exists() and not folder.is_dir():
            raise ForeignFolderError(f"{name!r} is a file: name a folder")
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / DATABASE_FILE).exists() and (others := _files_of_others(folder)):
            raise ForeignFolderError(
                f"{name!r} holds other files ({others[0]!r}) and no memory: name an empty folder, or a "
                "memory's"
            )
    return Database(folder / DATABASE_FILE)


def _files_of_others(folder: Path) -> list[str]:
    """What a folder holds beside hidden files and what another process may just be making there."""
    ours = (".", DATABASE_FILE, OWNER_FILE, CHROMA_FOLDER)
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith(ours))


def _outbox(
    database: Database, location: str | Path, store: str, chroma: Any, exact_limit: int
) -> Outbox | None:
    if chroma is not None:
        return Outbox(database, VectorIndex(ClientHome(chroma), store), least=0)
    if database.in_memory or "://" in str(location) or str(location) == ":memory:":
        return None
    return Outbox(database, VectorIndex(FolderHome.at(Path(location), store), store), least=exact_limit)


def _completed(index: IndexConfig | None, embedder: Embedder | None) -> IndexConfig | None:
    """An index with what the bundled model fills in."""
    if index is None or embedder is None:
        return None
    found: dict[str, Any] = {"embed": embedder.embeddings, "fields": [WHOLE]}
    if embedder.known_dims:
        found["dims"] = embedder.known_dims
    return cast("IndexConfig", found | {name: value for name, value in index.items() if value is not None})


def _sweep_minutes(ttl: TTLConfig | None) -> float:
    return (ttl or {}).get("sweep_interval_minutes") or _SWEEP_MINUTES


def _now() -> datetime:
    return datetime.now(UTC)

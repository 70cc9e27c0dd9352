"""Runs operations: checks all, embeds outside of any transaction, reads one state, writes at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from langgraph.store.base import Op, PutOp, SearchOp
from sqlalchemy import Connection

from langgraph_memory.database import Database
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.store import findables, items
from langgraph_memory.store.drafts import Drafts
from langgraph_memory.store.items import Write
from langgraph_memory.store.locks import Lock
from langgraph_memory.store.model import Model
from langgraph_memory.store.namespaces import Territory
from langgraph_memory.store.operations import check
from langgraph_memory.store.partition import Vectors
from langgraph_memory.store.reader import EPOCH, Reader
from langgraph_memory.store.scopes import Scopes

_REBUILT_AT_ONCE = 200


class Engine:
    """All that the views of one store share. Any thread may use it.

    Args:
        database: holds the items.
        drafts: makes rows of puts.
        model: the embedding model, where there is one.
        scopes: finds what is searched.
        clock: gives the time.
    """

    def __init__(
        self,
        database: Database,
        drafts: Drafts,
        model: Model,
        scopes: Scopes,
        clock: Callable[[], datetime],
    ) -> None:
        self.database = database
        self._drafts, self._model, self._scopes, self._clock = drafts, model, scopes, clock
        self._searching = Lock()

    def prepared(self, ops: Sequence[Op], territory: Territory) -> Callable[[], list[Any]]:
        """Check and embed now; what is given back runs the operations, and may be called in a transaction.

        Its results are in the order of the operations, of the type `Result`; of a `RankOp` they are `Ranked`.
        Reads come first; the last put of a key wins.
        """
        for op in ops:
            check(op)
            territory.admit(op)
        asked = _asked(ops)
        queries = self._model.queries(asked) if asked else {}
        writes = self._writes([op for op in ops if isinstance(op, PutOp)])
        return partial(self._run, ops, territory, queries, writes)

    def _run(
        self, ops: Sequence[Op], territory: Territory, queries: dict[str, Vectors], writes: Sequence[Write]
    ) -> list[Any]:
        now = self.now()
        results: list[Any] = [None] * len(ops)
        reads = [i for i, op in enumerate(ops) if not isinstance(op, PutOp)]
        refreshed: list[int] = []
        if reads:
            with self._reading(searching=bool(_asked(ops))) as connection:
                reader = Reader(connection, territory, self._scopes, queries, now)
                for i in reads:
                    results[i] = reader.run(ops[i])
                refreshed = reader.refreshed
        self._commit(writes, refreshed, now)
        return results

    def now(self) -> int:
        """The clock's time in microseconds since 1970."""
        moment = self._clock()
        if moment.tzinfo is None:
            raise ConfigurationError(
                f"the clock gave {moment!r}, a time without a zone: give datetime.now(UTC)"
            )
        return (moment - EPOCH) // timedelta(microseconds=1)

    def sweep(self) -> int:
        """Delete what has expired; how many items that were."""
        swept = 0
        while True:
            with self.database.write() as connection:
                found = items.expired(connection, self.now())
                items.remove(connection, found)
            swept += len(found)
            if not found:
                return swept

    def delete_below(self, prefix: str, territory: Territory) -> int:
        """Delete all items below an encoded prefix; how many that were."""
        with self.database.write() as connection:
            found = items.versions(connection, territory.spans(prefix))
            items.remove(connection, found)
            return len(found)

    def any_expires(self) -> bool:
        """Whether there is an item with a time to live."""
        with self.database.read() as connection:
            return items.any_expires(connection)

    def reindex(self) -> tuple[int, int]:
        """Make words and vectors of all items anew; how many items, and how many texts were embedded.

        A vector of this model that is there already is kept. A rebuild that is cut off can be done again.
        """
        with self.database.write() as connection:
            self._model.replace(connection)
            findables.drop_orphans(connection)
        done = embedded = since = 0
        while sources := self._sources(since):
            made, new = self._drafts.made_anew(sources, self._model.number)
            with self.database.write() as connection:
                findables.replace(connection, made)
            done, embedded, since = done + len(made), embedded + new, sources[-1].version
        with self.database.write() as connection:
            self._scopes.begin_anew(connection)
        return done, embedded

    def _sources(self, since: int) -> list[findables.Source]:
        with self.database.read() as connection:
            return findables.sources(connection, since, _REBUILT_AT_ONCE)

    @contextmanager
    def _reading(self, *, searching: bool) -> Iterator[Connection]:
        """A connection; for a search, one whose state is never older than what is kept of the scopes."""
        turn = self._searching if searching else nullcontext()
        if self.database.in_memory:
            with self.database.read() as connection, turn:
                yield connection
        else:
            with turn, self.database.read() as connection:
                yield connection

    def _commit(self, writes: Sequence[Write], refreshed: Sequence[int], now: int) -> None:
        if not writes and not refreshed:
            return
        with self.database.write() as connection:
            if refreshed:
                items.refresh(connection, refreshed, now)
            if writes:
                if any(write.index and write.index.model for write in writes):
                    self._model.adopt(connection)
                items.write(connection, writes, now)

    def _writes(self, puts: Sequence[PutOp]) -> list[Write]:
        if any(put.value is not None and put.index is not False for put in puts):
            self._model.learn()
        return self._drafts.writes(puts, self._model.number, self._known) if puts else []

    def _known(self, keys: dict[str, list[str]]) -> dict[bytes, bytes]:
        """Vectors that these items have already, by the digests of their texts, where it pays to look."""
        if self._model.quick:
            return {}
        of_ours = {"model": self._model.number, "dims": self._model.dims}
        with self.database.read() as connection:
            return {
                digest: vector
                for namespace, wanted in keys.items()
                for digest, vector in findables.known(connection, namespace, wanted, **of_ours)
            }


def _asked(ops: Sequence[Op]) -> list[str]:
    """The queries that are searched for."""
    return list(dict.fromkeys(op.query for op in ops if isinstance(op, SearchOp) and op.query))

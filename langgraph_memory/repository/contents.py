"""The bodies of records in a store: written, read, checked against the ledger and deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from langgraph.store.base import BaseStore, GetOp, Item, Op, PutOp, SearchOp

from langgraph_memory.errors import MemoryRuntimeError, StorageError
from langgraph_memory.log.ledger import Entry, Ledger
from langgraph_memory.records import Episode
from langgraph_memory.repository import passages as passages_in
from langgraph_memory.repository.bodies import (
    ParsedBodies,
    Stored,
    answers,
    id_of,
    key_of,
    matches,
    parsed,
    put_operation,
    written,
)
from langgraph_memory.repository.changes import Change
from langgraph_memory.store import StoreView

_AT_ONCE = 500
_NONE = Entry(record_id="", kind="", scope="", status="", digest="", namespace=())


class Contents:
    """What a store holds of the records.

    Args:
        store: any BaseStore; of a `HybridStore`, its private view.
        ledger: says which bodies count.
        clock: the time of audit entries.
    """

    def __init__(self, store: BaseStore, ledger: Ledger, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._ledger = ledger
        self._clock = clock
        self.is_ours = isinstance(store, StoreView)
        """Whether the store is our own: it indexes only what may be recalled, and ranks it."""
        self._bodies = ParsedBodies()
        self._distrusted: set[str] = set()

    def prepared(self, changes: Sequence[Change]) -> tuple[list[Entry], Callable[[], object]]:
        """What changed records will be known by, and a call that writes their bodies.

        A store of ours embeds them before the call, which may be made in a transaction.
        """
        writes = [written(change.record) for change in changes]
        operations = [
            operation
            for (entry, body), change in zip(writes, changes, strict=True)
            for operation in _operations(entry, body, change.record)
        ]
        return [entry for entry, _ in writes], self._prepared(operations)

    def _prepared(self, operations: Sequence[Op]) -> Callable[[], object]:
        if not isinstance(self._store, StoreView):
            return lambda: self.batch(operations) if operations else None
        with self._failures_told():
            return self._store.prepared(operations)

    def load(self, entries: Sequence[Entry]) -> list[Any]:
        """The records of these entries, in order; bodies that don't match their digest are left out."""
        return [record for record in self.load_each(entries) if record is not None]

    def load_each(self, entries: Sequence[Entry]) -> list[Any]:
        """The record of each of these entries; None for a body that doesn't match its digest."""
        records = self._bodies.get_each(entries)
        missing = [n for n, record in enumerate(records) if record is None]
        if missing:
            wanted = [entries[n] for n in missing]
            items = self.batch(
                [GetOp(entry.namespace, key_of(entry.record_id, entry.digest)) for entry in wanted]
            )
            for n, entry, item in zip(missing, wanted, items, strict=True):
                if isinstance(item, Item) and matches(item, entry):
                    records[n] = self._bodies.keep(entry, parsed(item, entry.kind))
                else:
                    self.distrust(entry.record_id, entry.scope, "the store's body is gone or was changed")
        return records

    def drop_old(self, changes: Sequence[Change], entries: Sequence[Entry]) -> None:
        """Delete the bodies that count no longer; one left behind by a crash is harmless."""
        self.discard(
            [
                entry._replace(digest=change.expected)
                for change, entry in zip(changes, entries, strict=True)
                if change.expected is not None and change.expected != entry.digest
            ]
        )

    def discard(self, entries: Sequence[Entry]) -> None:
        """Delete bodies that count no longer, and the passages of episodes with them."""
        gone = [PutOp(entry.namespace, key_of(entry.record_id, entry.digest), None) for entry in entries]
        for entry in entries:
            if entry.kind == "episode":
                gone += passages_in.delete_operations(entry, self.bodies_in(passages_in.place_under(entry)))
        for start in range(0, len(gone), _AT_ONCE):
            self.batch(gone[start : start + _AT_ONCE])

    def abandon(self, unwanted: Sequence[Stored]) -> None:
        """Delete the bodies of records that were written and will never be committed."""
        with self._ledger.database.write():
            entries = [written(record)[0] for record in unwanted]
            counted = self._ledger.entries([entry.record_id for entry in entries])
            self.discard([e for e in entries if counted.get(e.record_id, _NONE).digest != e.digest])

    def bodies_in(self, namespace: tuple[str, ...]) -> Iterator[Item]:
        """All bodies under a namespace, also those that nobody committed."""
        start = 0
        while items := self.batch([SearchOp(namespace, None, _AT_ONCE, start)])[0]:
            yield from items
            start += len(items)

    def sweep(self, items: Sequence[Item]) -> None:
        """Delete those of the bodies that nobody committed, and passages that belong to none."""
        items = [*items, *(each for item in items for each in self._beside(item))]
        owners = [passages_in.owner_of(item) for item in items]
        entries = self._ledger.entries(list(dict.fromkeys(id_of(owner) for owner in owners)))
        counted = {key_of(entry.record_id, entry.digest) for entry in entries.values()}
        gone = [
            PutOp(item.namespace, item.key, None)
            for item, owner in zip(items, owners, strict=True)
            if owner not in counted
        ]
        for start in range(0, len(gone), _AT_ONCE):
            self.batch(gone[start : start + _AT_ONCE])

    def _beside(self, item: Item) -> Iterator[Item]:
        """The passages that were written with a body."""
        if item.namespace[-1] == "episode":
            yield from self.bodies_in(passages_in.place_beside(item))

    def still_stored(self, entries: Sequence[Entry]) -> list[str]:
        """The ids of those entries whose bodies the store still has."""
        found: list[str] = []
        for start in range(0, len(entries), _AT_ONCE):
            page = entries[start : start + _AT_ONCE]
            gets = [GetOp(e.namespace, key_of(e.record_id, e.digest), refresh_ttl=False) for e in page]
            items = self.batch(gets)
            found += [e.record_id for e, item in zip(page, items, strict=True) if item is not None]
        return found

    def batch(self, operations: Sequence[Op]) -> list[Any]:
        """The store's answers; whatever a store of someone else's raises becomes a `StorageError`."""
        with self._failures_told():
            given = self._store.batch(operations)
            return given if self.is_ours else answers(operations, given)

    @contextmanager
    def _failures_told(self) -> Iterator[None]:
        try:
            yield
        except MemoryRuntimeError:
            raise
        except Exception as error:  # a store of others may raise anything
            raise StorageError(
                f"the store {type(self._store).__name__} failed: {type(error).__name__}: {error}; "
                "nothing was lost, the work is done again when it answers"
            ) from error

    def distrust(self, record_id: str, scope: str, reason: str) -> None:
        """Audit a body that does not match the ledger, once; for all else it counts as absent."""
        if record_id in self._distrusted:
            return
        self._distrusted.add(record_id)
        with self._ledger.database.write() as connection:
            self._ledger.audit.note(
                connection,
                "tampered",
                record_id=record_id,
                scope=scope,
                actor="store",
                reason=reason,
                at=self._clock(),
            )


def _operations(entry: Entry, body: str, record: Stored) -> list[PutOp]:
    """What is written for a record: its body, and of an episode the passages by which it is found."""
    passages = passages_in.put_operations(entry, record) if isinstance(record, Episode) else []
    return [put_operation(entry, body, record), *passages]

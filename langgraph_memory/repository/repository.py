"""Typed records over any `BaseStore`: stored dicts become records here, and nowhere else.

The store holds bodies under content-addressed keys; the ledger says which body counts. A commit writes
the new bodies and flips the ledger: in one transaction where both are in one database; elsewhere the bodies
first, so that a reader sees the old state or the new one and a crash leaves at most bodies that nobody refers
to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial
from typing import Any

from langgraph.store.base import BaseStore
from sqlalchemy import Connection

from langgraph_memory.answers import record_id
from langgraph_memory.log.ledger import Entry, Ledger, Place
from langgraph_memory.names import canonical
from langgraph_memory.policy import Policy
from langgraph_memory.records import Episode, EpisodeStatus, Fact, FactStatus, Procedure, ProcedureStatus
from langgraph_memory.repository.bodies import Kind, Stored, digest_of, links_of, sources_of, written
from langgraph_memory.repository.changes import Change, Note
from langgraph_memory.repository.contents import Contents
from langgraph_memory.repository.denials import Denials
from langgraph_memory.repository.search import Search
from langgraph_memory.scope import Scope
from langgraph_memory.store import StoreView

_AT_ONCE = 500
_FACTS = 200
_PAST_FACTS = 50
_EPISODES = 5
_OPEN = tuple(EpisodeStatus)
_NOT_CURRENT = tuple(status for status in FactStatus if status is not FactStatus.CURRENT)


class Repository:
    """Facts, episodes and procedures, read and written as records.

    Args:
        store: any BaseStore; of a `HybridStore`, its private view.
        ledger: says which bodies count.
        policy: tells single-valued from multi-valued attributes.
        clock: the time of audit entries.
    """

    def __init__(
        self, store: BaseStore, ledger: Ledger, policy: Policy, clock: Callable[[], datetime]
    ) -> None:
        self.clock = clock
        self.store = store
        self.ledger = ledger
        self.policy = policy
        self.is_one = isinstance(store, StoreView) and store.shares(ledger.database)
        """Whether bodies and ledger are in one database, so that they can be deleted in one transaction."""
        self.contents = Contents(store, ledger, clock)
        self.denials = Denials(ledger, clock)
        self.search = Search(self.contents, ledger).of
        """Finds records that fit a text, best first."""

    def reading(self) -> AbstractContextManager[Connection]:
        """One committed state for all that this thread reads inside."""
        return self.ledger.database.read()

    def commit(
        self,
        changes: Sequence[Change],
        *,
        scope: Scope,
        actor: str,
        at: datetime,
        notes: Sequence[Note] = (),
        leaving: Iterable[str] = (),
        also: Callable[[Connection], None] | None = None,
        durable: bool = True,
    ) -> None:
        """Write records and what belongs to them: all of it or nothing.

        Args:
            changes: records, each with the digest on which the decision was made.
            scope: where the decisions were made, for the audit.
            actor: who made them.
            at: when.
            notes: the decisions.
            leaving: ids of facts that give up their places first.
            also: runs in the same transaction, such as moving a cursor.
            durable: whether it has to outlive a power failure; see `Database.write`.

        Raises:
            StaleReadError: a record changed meanwhile; read and decide again.
        """
        entries, write_bodies = self.contents.prepared(changes)
        if not self.is_one:
            write_bodies()
        with self.ledger.database.write(durable=durable) as connection:
            if self.is_one:
                write_bodies()
            for fact_id in leaving:
                self.ledger.give_up_place(connection, fact_id)
            self._flip(connection, changes, entries, at)
            for note in notes:
                self.ledger.audit.note(
                    connection,
                    note.decision,
                    record_id=note.record_id,
                    scope=scope.key,
                    actor=actor,
                    reason=note.reason,
                    at=at,
                )
            if also is not None:
                also(connection)
            self.ledger.counters.advance(connection)
            self.ledger.editions.note(connection, [entry.record_id for entry in entries])
            if self.is_one:
                self.contents.drop_old(changes, entries)
        if not self.is_one:
            self.contents.drop_old(changes, entries)

    def digest(self, record: Stored) -> str:
        """The digest under which this version of a record counts."""
        return written(record)[0].digest

    def over(self, record: Stored) -> Change:
        """A change that writes a record over what counts under its id now."""
        held = self.record(record_id(record))
        return Change(record=record, expected=self.digest(held) if held else None)

    def record(self, wanted: str) -> Stored | None:
        """The record with this id, as it counts now."""
        entry = self.ledger.entries([wanted]).get(wanted)
        return next(iter(self.contents.load([entry])), None) if entry else None

    def current(self, scope: Scope, entity: str, attribute: str, value: str) -> Fact | None:
        """The current fact that a statement about this attribute meets."""
        place = self.place(scope, entity, attribute, value)
        holder = self.holder(place)
        found = self.record(holder) if holder else None
        return found if isinstance(found, Fact) else None

    def holder(self, place: Place) -> str | None:
        """The id of the record that is current in a place."""
        with self.ledger.database.read() as connection:
            return self.ledger.holder(connection, place)

    def place(self, scope: Scope, entity: str, attribute: str, value: str) -> Place:
        """Where a fact is the only current one; many-valued attributes have a place for each value."""
        slot = digest_of(canonical(value)) if self.policy.is_multi_valued(attribute) else ""
        return Place(scope=scope.key, entity=entity, attribute=attribute, slot=slot)

    def tombstone(self, scope: Scope, entity: str, value: str) -> str | None:
        """Why this value of an entity, under any name that people use, may not come back; None if it may."""
        names = self.ledger.aliases.vouched([scope], [entity])
        return self.ledger.tombstones.reason(scope, [entity, *names], value)

    def trigger_place(self, scope: Scope, trigger_intent: str) -> Place:
        """Where a procedure is the only current one for its trigger."""
        slot = digest_of(canonical(trigger_intent))
        return Place(scope=scope.key, entity="procedure", attribute="trigger_intent", slot=slot)

    def find(
        self,
        kind: Kind,
        scopes: Sequence[Scope],
        *,
        entities: Sequence[str] | None = None,
        status: Sequence[str] | None = None,
        below: bool = False,
        limit: int | None = None,
    ) -> list[Any]:
        """Records of a kind, newest first, by scope, entity and status."""
        return self.contents.load(
            self.ledger.find(scopes, kind, entities=entities, status=status, below=below, limit=limit)
        )

    def overdue(self, now: datetime, *, limit: int) -> list[Fact]:
        """Current facts that had to be confirmed again by now, the longest overdue first."""
        return self.load(self.ledger.overdue(now, limit=limit))

    def concerning(self, scopes: Sequence[Scope], entities: Sequence[str]) -> list[Entry]:
        """What there is about entities, newest first in each kind: current facts, past ones, last episodes.

        They are looked up apart, so that a rule is found however much has happened since.
        """
        look = partial(self.ledger.find, scopes, entities=entities)
        return [
            *look("fact", status=[FactStatus.CURRENT], limit=_FACTS),
            *look("fact", status=_NOT_CURRENT, limit=_PAST_FACTS),
            *look("episode", status=_OPEN, limit=_EPISODES),
        ]

    def all_current(self) -> Iterator[Fact]:
        """The current facts of all scopes."""
        after = ""
        while entries := self.ledger.current_after(after, limit=_AT_ONCE):
            yield from self.contents.load(entries)
            after = entries[-1].record_id

    def episodes_between(
        self, after: datetime | None, before: datetime | None, *, limit: int
    ) -> list[Episode]:
        """Episodes of all scopes that ended after one moment and before another, oldest first."""
        return self.load(self.ledger.episodes_between(after, before, limit=limit))

    def load(self, entries: Sequence[Entry]) -> list[Any]:
        """The records of these entries, in order; bodies that don't match their digest are left out."""
        return self.contents.load(entries)

    def names(self, scopes: Sequence[Scope], *, below: bool = False) -> list[tuple[str, str]]:
        """Pairs of name and entity known in these scopes."""
        return self.ledger.aliases.of(scopes, below=below)

    def _flip(
        self, connection: Connection, changes: Sequence[Change], entries: Sequence[Entry], at: datetime
    ) -> None:
        """Make the new bodies count; facts that lose their place go before those that take one."""
        for change, entry in zip(changes, entries, strict=True):
            record = change.record
            happened = record.ended_at if isinstance(record, Episode) else at
            self.ledger.put(connection, entry, expected=change.expected, at=happened)
            self.ledger.link(connection, entry.record_id, links_of(change.record), sources_of(change.record))
            if not isinstance(change.record, Episode) and self._place_of(change.record) is None:
                self.ledger.give_up_place(connection, entry.record_id)
        for change, entry in zip(changes, entries, strict=True):
            place = self._place_of(change.record)
            if place is not None:
                self.ledger.take_place(connection, place, entry.record_id)

    def _place_of(self, record: Stored) -> Place | None:
        """The place in which a record is the only current one; None if it is not current."""
        if isinstance(record, Fact) and record.status is FactStatus.CURRENT:
            return self.place(record.scope, record.entity, record.attribute, record.value)
        if isinstance(record, Procedure) and record.status is ProcedureStatus.CURRENT:
            return self.trigger_place(record.scope, record.trigger_intent)
        return None

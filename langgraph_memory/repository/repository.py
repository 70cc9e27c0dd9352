"""Typed records over any `BaseStore`: stored dicts become records here, and nowhere else.

The store holds bodies under content-addressed keys; the ledger says which body counts. A commit writes
the new bodies, then flips the ledger in one transaction, so a reader sees the old state or the new one and a
crash leaves at most bodies that nobody refers to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial
from typing import Any

from langgraph.store.base import BaseStore, GetOp, Item, Op, PutOp, SearchItem, SearchOp
from pydantic import Field
from sqlalchemy import Connection

from langgraph_memory.answers import record_id
from langgraph_memory.errors import MemoryRuntimeError, StorageError
from langgraph_memory.log.ledger import Entry, Ledger, Place
from langgraph_memory.names import canonical
from langgraph_memory.policy import Policy
from langgraph_memory.records import (
    Episode,
    EpisodeStatus,
    Fact,
    FactStatus,
    Procedure,
    ProcedureStatus,
    Record,
    is_asked_first,
)
from langgraph_memory.repository import passages as passages_in
from langgraph_memory.repository.bodies import (
    Kind,
    ParsedBodies,
    Stored,
    answers,
    digest_of,
    entities_of,
    id_of,
    is_recalled,
    key_of,
    matches,
    namespace_of,
    parsed,
    put_operation,
    scope_of,
    sources_of,
    written,
)
from langgraph_memory.scope import Scope, decode_label
from langgraph_memory.store import StoreView
from langgraph_memory.store.tokens import tokenize

_AT_ONCE = 500
_NONE = Entry(record_id="", kind="", scope="", status="", digest="", namespace=())
_RECALLED: Mapping[Kind, dict[str, Any]] = {
    "fact": {"status": FactStatus.CURRENT.value},
    "procedure": {"status": ProcedureStatus.CURRENT.value},
}


_FACTS = 200
_PAST_FACTS = 50
_EPISODES = 5
_OPEN = tuple(EpisodeStatus)
_NOT_CURRENT = tuple(status for status in FactStatus if status is not FactStatus.CURRENT)


class Change(Record):
    """One record to write, decided on the version whose digest is `expected`; None if it is new."""

    record: Stored
    expected: str | None = None


class Note(Record):
    """One decision for the audit trail."""

    decision: str
    record_id: str
    reason: str


class Found(Record):
    """A record that a search found, with the store's score in [0, 1]; of an episode also its passages'."""

    record: Stored
    score: float
    passages: dict[int, float] = Field(default_factory=dict)


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
        self._bodies = ParsedBodies()
        self._distrusted: set[str] = set()

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

        Raises:
            StaleReadError: a record changed meanwhile; read and decide again.
        """
        writes = [written(change.record) for change in changes]
        if writes:
            self._batch(
                [
                    operation
                    for (entry, body), change in zip(writes, changes, strict=True)
                    for operation in _operations(entry, body, change.record)
                ]
            )
        with self.ledger.database.write() as connection:
            for fact_id in leaving:
                self.ledger.give_up_place(connection, fact_id)
            self._flip(connection, changes, [entry for entry, _ in writes], at)
            for note in notes:
                self.ledger.note(
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
            self.ledger.advance(connection)
            if self.is_one:
                self._drop_old(changes, [entry for entry, _ in writes])
        if not self.is_one:
            self._drop_old(changes, [entry for entry, _ in writes])

    def discard(self, entries: Sequence[Entry]) -> None:
        """Delete bodies that count no longer, and the passages of episodes with them."""
        gone = [PutOp(entry.namespace, key_of(entry.record_id, entry.digest), None) for entry in entries]
        for entry in entries:
            if entry.kind == "episode":
                gone += passages_in.delete_operations(entry, self.bodies_in(passages_in.place_under(entry)))
        for start in range(0, len(gone), _AT_ONCE):
            self._batch(gone[start : start + _AT_ONCE])

    def abandon(self, unwanted: Sequence[Stored]) -> None:
        """Delete the bodies of records that were written and will never be committed."""
        with self.ledger.database.write():
            entries = [written(record)[0] for record in unwanted]
            counted = self.ledger.entries([entry.record_id for entry in entries])
            self.discard([e for e in entries if counted.get(e.record_id, _NONE).digest != e.digest])

    def bodies_in(self, namespace: tuple[str, ...]) -> Iterator[Item]:
        """All bodies under a namespace, also those that nobody committed."""
        start = 0
        while items := self._batch([SearchOp(namespace, None, _AT_ONCE, start)])[0]:
            yield from items
            start += len(items)

    def sweep(self, items: Sequence[Item]) -> None:
        """Delete those of the bodies that nobody committed, and passages that belong to none."""
        items = [*items, *(each for item in items for each in self._beside(item))]
        owners = [passages_in.owner_of(item) for item in items]
        entries = self.ledger.entries(list(dict.fromkeys(id_of(owner) for owner in owners)))
        counted = {key_of(entry.record_id, entry.digest) for entry in entries.values()}
        gone = [
            PutOp(item.namespace, item.key, None)
            for item, owner in zip(items, owners, strict=True)
            if owner not in counted
        ]
        for start in range(0, len(gone), _AT_ONCE):
            self._batch(gone[start : start + _AT_ONCE])

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
            items = self._batch(gets)
            found += [e.record_id for e, item in zip(page, items, strict=True) if item is not None]
        return found

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
        return next(iter(self.load([entry])), None) if entry else None

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
        names = self.ledger.vouched_names([scope], [entity])
        return self.ledger.tombstone(scope, [entity, *names], value)

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
        return self.load(
            self.ledger.find(scopes, kind, entities=entities, status=status, below=below, limit=limit)
        )

    def current_facts_below(self, top: Scope) -> tuple[list[Fact], list[str]]:
        """The current facts of a scope and those below it, and the entities of those that can't be read."""
        entries = self.ledger.find([top], "fact", status=[FactStatus.CURRENT], below=True)
        facts: list[Fact] = self.load(entries)
        readable = {fact.fact_id for fact in facts}
        lost = [entry for entry in entries if entry.record_id not in readable]
        return facts, [decode_label(entry.namespace[-1]) for entry in lost]

    def asked_first_below(self, top: Scope) -> list[Fact]:
        """What waits for an answer in a scope and those below it, and holds calls meanwhile."""
        entries = self.ledger.find([top], "fact", status=[FactStatus.CANDIDATE], below=True)
        return [fact for fact in self.load(entries) if is_asked_first(fact)]

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
            yield from self.load(entries)
            after = entries[-1].record_id

    def episodes_between(
        self, after: datetime | None, before: datetime | None, *, limit: int
    ) -> list[Episode]:
        """Episodes of all scopes that ended after one moment and before another, oldest first."""
        return self.load(self.ledger.episodes_between(after, before, limit=limit))

    def load(self, entries: Sequence[Entry]) -> list[Any]:
        """The records of these entries, in order; bodies that don't match their digest are left out."""
        missing = [entry for entry in entries if self._bodies.get(entry) is None]
        if missing:
            items = self._batch(
                [GetOp(entry.namespace, key_of(entry.record_id, entry.digest)) for entry in missing]
            )
            for entry, item in zip(missing, items, strict=True):
                if isinstance(item, Item) and matches(item, entry):
                    self._bodies.keep(entry, parsed(item, entry.kind))
                else:
                    self._distrust(entry.record_id, entry.scope, "the store's body is gone or was changed")
        return [record for entry in entries if (record := self._bodies.get(entry)) is not None]

    def search(
        self, query: str, scopes: Sequence[Scope], kinds: Iterable[Kind], *, limit: int, passages: int
    ) -> list[Found]:
        """Records that fit a text, best first, of exactly these scopes; only those that may be recalled.

        Args:
            query: the text.
            scopes: where to look.
            kinds: of which kinds.
            limit: at most this many a scope and kind.
            passages: at most this many passages of episodes a scope.
        """
        populated = self.ledger.populated(scopes)
        places = [(scope, kind) for kind in kinds for scope in scopes if (scope.key, kind) in populated]
        if not places:
            return []
        answers = self._batch(
            [self._search(s, k, query, passages if k == "episode" else limit) for s, k in places]
        )
        hits: dict[bool, list[tuple[SearchItem, float]]] = {True: [], False: []}
        for (_, kind), answer in zip(places, answers, strict=True):
            hits[kind == "episode"] += _scored(query, answer)
        found = [*self._found(hits[False]), *self._found_episodes(hits[True])]
        return sorted(found, key=lambda hit: -hit.score)

    def _found(self, hits: Sequence[tuple[SearchItem, float]]) -> Iterable[Found]:
        """Facts and procedures by their bodies; a body that nobody committed is no record."""
        entries = self.ledger.entries([id_of(item.key) for item, _ in hits])
        for item, score in hits:
            entry = entries.get(id_of(item.key))
            counts = entry is not None and key_of(entry.record_id, entry.digest) == item.key
            if entry is not None and counts and matches(item, entry):
                record = self._bodies.get(entry) or self._bodies.keep(entry, parsed(item, entry.kind))
                if is_recalled(record):
                    yield Found(record=record, score=score)
            elif entry is None or counts:
                self._distrust(id_of(item.key), scope_of(item), "nobody committed the store's body")

    def _found_episodes(self, hits: Sequence[tuple[SearchItem, float]]) -> Iterable[Found]:
        """Episodes by their passages; a passage that its episode doesn't have counts as absent."""
        passages: dict[str, list[tuple[SearchItem, int, float]]] = {}
        for item, score in hits:
            body, position = passages_in.body_of(item.key)
            passages.setdefault(body, []).append((item, position, score))
        entries = self.ledger.entries([id_of(body) for body in passages])
        current = {e.record_id: key_of(e.record_id, e.digest) for e in entries.values()}
        loaded: list[Episode] = self.load([e for e in entries.values() if current[e.record_id] in passages])
        episodes = {current[episode.episode_id]: episode for episode in loaded}
        for body, found in passages.items():
            episode = episodes.get(body)
            own = {at: score for item, at, score in found if episode and passages_in.fits(item, at, episode)}
            if episode is not None and own:
                yield Found(record=episode, score=max(own.values()), passages=own)
            if len(own) < len(found) and (episode is not None or id_of(body) not in entries):
                self._distrust(id_of(body), scope_of(found[0][0]), "nobody committed the store's passage")

    def names(self, scopes: Sequence[Scope], *, below: bool = False) -> list[tuple[str, str]]:
        """Pairs of name and entity known in these scopes."""
        return self.ledger.aliases(scopes, below=below)

    def _search(self, scope: Scope, kind: Kind, query: str, limit: int) -> SearchOp:
        """The search for one kind in one scope.

        Our own store ranks what is indexed, and only what may be recalled is; others are told by a filter.
        """
        status = None if isinstance(self.store, StoreView) else _RECALLED.get(kind)
        place = passages_in.place_of(scope) if kind == "episode" else namespace_of(scope, kind)
        return SearchOp(place, status, limit, 0, query or None)

    def _batch(self, operations: Sequence[Op]) -> list[Any]:
        """The store's answers; whatever a store of someone else's raises becomes a `StorageError`."""
        try:
            return answers(operations, self.store.batch(operations))
        except MemoryRuntimeError:
            raise
        except Exception as error:
            raise StorageError(
                f"the store {type(self.store).__name__} failed: {type(error).__name__}: {error}; "
                "nothing was lost, the work is done again when it answers"
            ) from error

    def _distrust(self, record_id: str, scope: str, reason: str) -> None:
        """Audit a body that does not match the ledger, once; for all else it counts as absent."""
        if record_id in self._distrusted:
            return
        self._distrusted.add(record_id)
        with self.ledger.database.write() as connection:
            self.ledger.note(
                connection,
                "tampered",
                record_id=record_id,
                scope=scope,
                actor="store",
                reason=reason,
                at=self.clock(),
            )

    def _flip(
        self, connection: Connection, changes: Sequence[Change], entries: Sequence[Entry], at: datetime
    ) -> None:
        """Make the new bodies count; facts that lose their place go before those that take one."""
        for change, entry in zip(changes, entries, strict=True):
            record = change.record
            happened = record.ended_at if isinstance(record, Episode) else at
            self.ledger.put(connection, entry, expected=change.expected, at=happened)
            self.ledger.link(
                connection, entry.record_id, entities_of(change.record), sources_of(change.record)
            )
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

    def _drop_old(self, changes: Sequence[Change], entries: Sequence[Entry]) -> None:
        """Delete the bodies that count no longer; one left behind by a crash is harmless."""
        self.discard(
            [
                entry.model_copy(update={"digest": change.expected})
                for change, entry in zip(changes, entries, strict=True)
                if change.expected is not None and change.expected != entry.digest
            ]
        )


def _operations(entry: Entry, body: str, record: Stored) -> list[PutOp]:
    """What is written for a record: its body, and of an episode the passages by which it is found."""
    passages = passages_in.put_operations(entry, record) if isinstance(record, Episode) else []
    return [put_operation(entry, body, record), *passages]


def _scored(query: str, items: list[SearchItem]) -> list[tuple[SearchItem, float]]:
    """Items with the store's scores; where it gives none, with the share of the query's words they hold."""
    if any(item.score is not None for item in items):
        return [(item, float(item.score)) for item in items if item.score is not None]
    words = set(tokenize(query))
    if not words:
        return [(item, 0.0) for item in items]
    shares = [(item, len(words & set(tokenize(str(item.value.get("text"))))) / len(words)) for item in items]
    return [(item, share) for item, share in shares if share]

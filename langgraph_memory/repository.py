"""Typed records over any `BaseStore`: stored dicts become records here, and nowhere else.

The store holds bodies under content-addressed keys; the ledger says which body counts. A commit writes
the new bodies, then flips the ledger in one transaction, so a reader sees the old state or the new one and a
crash leaves at most bodies that nobody refers to.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import takewhile
from typing import Any, Literal

from langgraph.store.base import BaseStore, GetOp, Item, Op, PutOp, SearchItem, SearchOp
from pydantic import ValidationError
from sqlalchemy import Connection

from langgraph_memory.answers import record_id
from langgraph_memory.errors import InvalidRecordError, MemoryRuntimeError, StorageError
from langgraph_memory.ledger import Entry, Ledger, Place
from langgraph_memory.names import normalise
from langgraph_memory.policy import Policy
from langgraph_memory.records import (
    SCHEMA_VERSION,
    Episode,
    Fact,
    FactStatus,
    Procedure,
    ProcedureStatus,
    Record,
)
from langgraph_memory.scope import Scope, decode_label, encode_label
from langgraph_memory.store import RESERVED_ROOT
from langgraph_memory.store.tokens import tokenize

Kind = Literal["fact", "episode", "procedure"]
Stored = Fact | Episode | Procedure

_TYPES: Mapping[str, type[Stored]] = {"fact": Fact, "episode": Episode, "procedure": Procedure}
_CACHED = 20_000
_UNRANKED = 1_000


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
    """A record that a search found, with the store's score in [0, 1]."""

    record: Stored
    score: float


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
        self._bodies = _Bodies()
        self._distrusted: set[str] = set()

    def commit(
        self,
        changes: Sequence[Change],
        *,
        scope: Scope,
        actor: str,
        at: datetime,
        notes: Sequence[Note] = (),
        aliases: Mapping[str, str] | None = None,
        source: str = "",
        also: Callable[[Connection], None] | None = None,
    ) -> None:
        """Write records and what belongs to them: all of it or nothing.

        Args:
            changes: records, each with the digest on which the decision was made.
            scope: where the decisions were made, for the audit.
            actor: who made them.
            at: when.
            notes: the decisions.
            aliases: names of entities to add, with `source`.
            source: where the aliases come from.
            also: runs in the same transaction, such as moving a cursor.

        Raises:
            StaleReadError: a record changed meanwhile; read and decide again.
        """
        writes = [_written(change.record) for change in changes]
        if writes:
            self._batch(
                [
                    _put(entry, body, change.record)
                    for (entry, body), change in zip(writes, changes, strict=True)
                ]
            )
        with self.ledger.database.write() as connection:
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
            if aliases:
                self.ledger.add_aliases(connection, scope, aliases, source)
            if also is not None:
                also(connection)
            self.ledger.advance(connection)
        self._drop_old(changes, [entry for entry, _ in writes])

    def digest(self, record: Stored) -> str:
        """The digest under which this version of a record counts."""
        return _written(record)[0].digest

    def record(self, wanted: str) -> Stored | None:
        """The record with this id, as it counts now."""
        entry = self.ledger.entries([wanted]).get(wanted)
        return next(iter(self.load([entry])), None) if entry else None

    def current(self, scope: Scope, entity: str, attribute: str, value: str) -> Fact | None:
        """The current fact that a statement about this attribute meets."""
        place = self.place(scope, entity, attribute, value)
        with self.ledger.database.read() as connection:
            holder = self.ledger.holder(connection, place)
        found = self.record(holder) if holder else None
        return found if isinstance(found, Fact) else None

    def place(self, scope: Scope, entity: str, attribute: str, value: str) -> Place:
        """Where a fact is the only current one; many-valued attributes have a place for each value."""
        slot = _digest(canonical(value)) if self.policy.is_multi_valued(attribute) else ""
        return Place(scope=scope.key, entity=entity, attribute=attribute, slot=slot)

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

    def overdue(self, now: datetime, *, limit: int) -> list[Fact]:
        """Current facts that had to be confirmed again by now, the longest overdue first."""
        return self.load(self.ledger.overdue(now, limit=limit))

    def concerning(self, scopes: Sequence[Scope], entities: Sequence[str], *, limit: int) -> list[Entry]:
        """Entries of all kinds and statuses that concern one of the entities, newest first."""
        return self.ledger.concerning(scopes, entities, limit=limit)

    def load(self, entries: Sequence[Entry]) -> list[Any]:
        """The records of these entries, in order; bodies that don't match their digest are left out."""
        missing = [entry for entry in entries if self._bodies.get(entry) is None]
        if missing:
            items = self._batch([GetOp(entry.namespace, _key(entry)) for entry in missing])
            for entry, item in zip(missing, items, strict=True):
                if isinstance(item, Item) and _matches(item, entry):
                    self._bodies.keep(entry, _parsed(item))
                else:
                    self._distrust(entry.record_id, entry.scope, "the store's body is gone or was changed")
        return [record for entry in entries if (record := self._bodies.get(entry)) is not None]

    def search(
        self, query: str, scopes: Sequence[Scope], kinds: Iterable[Kind], *, limit: int
    ) -> list[Found]:
        """Records that fit a text, best first, of exactly these scopes; only those that may be recalled."""
        operations = [_search(scope, kind, query, limit) for kind in kinds for scope in scopes]
        hits: list[tuple[SearchItem, float]] = []
        for answer in self._batch(operations):
            hits += _scored(query, answer)  # type: ignore[arg-type]
        entries = self.ledger.entries([_id_of(item.key) for item, _ in hits])
        found = []
        for item, score in hits:
            entry = entries.get(_id_of(item.key))
            if entry is not None and _key(entry) == item.key and _matches(item, entry):
                record = self._bodies.get(entry) or self._bodies.keep(entry, _parsed(item))
                if _is_recalled(record):
                    found.append(Found(record=record, score=score))
            elif entry is None or _key(entry) == item.key:
                self._distrust(_id_of(item.key), _scope_of(item), "nobody committed the store's body")
        return sorted(found, key=lambda hit: -hit.score)

    def names(self, scopes: Sequence[Scope], *, below: bool = False) -> list[tuple[str, str]]:
        """Pairs of name and entity known in these scopes."""
        return self.ledger.aliases(scopes, below=below)

    def _batch(self, operations: Sequence[Op]) -> list[Any]:
        """The store's answers; whatever a store of someone else's raises becomes a `StorageError`."""
        try:
            return self.store.batch(operations)
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
            self.ledger.put(connection, entry, expected=change.expected, at=at)
            self.ledger.link(connection, entry.record_id, _entities(change.record))
            if isinstance(change.record, Fact) and change.record.status is not FactStatus.CURRENT:
                self.ledger.give_up_place(connection, change.record.fact_id)
        for change in changes:
            fact = change.record
            if isinstance(fact, Fact) and fact.status is FactStatus.CURRENT:
                place = self.place(fact.scope, fact.entity, fact.attribute, fact.value)
                self.ledger.take_place(connection, place, fact.fact_id)

    def _drop_old(self, changes: Sequence[Change], entries: Sequence[Entry]) -> None:
        """Delete the bodies that count no longer; one left behind by a crash is harmless."""
        old = [
            PutOp(entry.namespace, f"{entry.record_id}~{change.expected}", None)
            for change, entry in zip(changes, entries, strict=True)
            if change.expected is not None and change.expected != entry.digest
        ]
        if old:
            self._batch(old)


class _Bodies:
    """Parsed records by id and digest, least recently used first out; they are immutable, so never stale."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], Stored] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, entry: Entry) -> Stored | None:
        with self._lock:
            key = (entry.record_id, entry.digest)
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, entry: Entry, record: Stored) -> Stored:
        with self._lock:
            self._kept[entry.record_id, entry.digest] = record
            if len(self._kept) > _CACHED:
                self._kept.popitem(last=False)
        return record


def canonical(text: str) -> str:
    """A value for comparison: case, spacing, compatibility forms and closing marks don't make a difference.

    >>> canonical("Keep it  RUNNING.") == canonical("keep it running")
    True
    """
    return " ".join(normalise(text).split()).strip(" .!;,")


def namespace_of(scope: Scope, kind: Kind, entity: str | None = None) -> tuple[str, ...]:
    """Where records live: root, the scope's levels, the kind, and for facts the entity."""
    return (RESERVED_ROOT, *scope.labels, kind, *([encode_label(entity)] if entity else []))


def _written(record: Stored) -> tuple[Entry, str]:
    body = record.model_dump_json(exclude_defaults=True)
    entity = record.entity if isinstance(record, Fact) else None
    entry = Entry(
        record_id=record_id(record),
        kind=_kind(record),
        scope=record.scope.key,
        status=record.status.value,
        digest=_digest(body),
        namespace=namespace_of(record.scope, _kind(record), entity),
        due=_due(record),
    )
    return entry, body


def _due(record: Stored) -> str | None:
    """When a record has to be confirmed again; None where it need not be, or is asked about already."""
    if not isinstance(record, Fact) or record.status is not FactStatus.CURRENT or record.revalidation_due:
        return None
    return record.revalidate_after.isoformat() if record.revalidate_after else None


def _put(entry: Entry, body: str, record: Stored) -> PutOp:
    value = {"text": searchable_text(record), "status": entry.status, "record": body}
    return PutOp(entry.namespace, _key(entry), value, ["text"] if _is_recalled(record) else False)


def _search(scope: Scope, kind: Kind, query: str, limit: int) -> SearchOp:
    wanted = {"fact": FactStatus.CURRENT.value, "procedure": ProcedureStatus.CURRENT.value}.get(kind)
    return SearchOp(
        namespace_of(scope, kind), {"status": wanted} if wanted else None, limit, 0, query or None
    )


def _scored(query: str, items: list[SearchItem]) -> list[tuple[SearchItem, float]]:
    """Items with the store's scores; where it gives none, with the share of the query's words they hold."""
    if any(item.score is not None for item in items):
        return [(item, float(item.score)) for item in items if item.score is not None]
    words = set(tokenize(query))
    if not words:
        return [(item, 0.0) for item in items]
    shares = [(item, len(words & set(tokenize(item.value["text"]))) / len(words)) for item in items]
    return [(item, share) for item, share in shares if share]


def searchable_text(record: Stored) -> str:
    """The words by which a record is found."""
    match record:
        case Fact():
            until = f" until {record.ends_when}" if record.ends_when else ""
            return f"{record.entity} {record.attribute.replace('_', ' ')}: {record.value}{until}"
        case Episode():
            words = "\n".join(f"{excerpt.speaker}: {excerpt.text}" for excerpt in record.excerpts)
            return f"{record.summary}\n{record.resolution or ''}\n{words}"
        case Procedure():
            return "\n".join([record.trigger_intent, *record.steps])


def _is_recalled(record: Stored) -> bool:
    match record:
        case Fact():
            return record.status is FactStatus.CURRENT
        case Episode():
            return True
        case Procedure():
            return record.status is ProcedureStatus.CURRENT


def _entities(record: Stored) -> tuple[str, ...]:
    match record:
        case Fact():
            return (record.entity,)
        case Episode():
            return record.entities
        case Procedure():
            return ()


def _kind(record: Stored) -> Kind:
    match record:
        case Fact():
            return "fact"
        case Episode():
            return "episode"
        case Procedure():
            return "procedure"


def _key(entry: Entry) -> str:
    return f"{entry.record_id}~{entry.digest}"


def _scope_of(item: Item) -> str:
    """The scope under which a body stands: its labels between the root and the kind."""
    return ".".join(takewhile(lambda label: label not in _TYPES, item.namespace[1:]))


def _id_of(key: str) -> str:
    return key.rpartition("~")[0]


def _matches(item: Item, entry: Entry) -> bool:
    body = item.value.get("record")
    return isinstance(body, str) and _digest(body) == entry.digest


def _parsed(item: Item) -> Stored:
    kind = next(label for label in item.namespace if label in _TYPES)
    try:
        record = _TYPES[kind].model_validate_json(item.value["record"])
    except ValidationError as error:
        raise InvalidRecordError(
            f"the {kind} under {item.key!r} is not a record of schema {SCHEMA_VERSION}: "
            f"open the memory with the version that wrote it ({error.error_count()} errors)"
        ) from error
    return record


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]

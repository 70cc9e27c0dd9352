"""The stored form of a record: its text under a content-addressed key, and back."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, Literal

from langgraph.store.base import GetOp, Item, Op, PutOp, SearchItem, SearchOp
from pydantic import ValidationError

from langgraph_memory.answers import record_id
from langgraph_memory.errors import InvalidRecordError, StorageError
from langgraph_memory.log.ledger import Entry
from langgraph_memory.log.marks import HOLDING, ending_in
from langgraph_memory.records import (
    SCHEMA_VERSION,
    Episode,
    Fact,
    FactStatus,
    Procedure,
    ProcedureStatus,
    may_hold,
)
from langgraph_memory.scope import Scope, encode_label
from langgraph_memory.store import RESERVED_ROOT

Kind = Literal["fact", "episode", "procedure"]
Stored = Fact | Episode | Procedure

_TYPES: Mapping[str, type[Stored]] = {"fact": Fact, "episode": Episode, "procedure": Procedure}
_CACHED = 20_000


def namespace_of(scope: Scope, kind: Kind, entity: str | None = None) -> tuple[str, ...]:
    """Where records live: root, the scope's levels, the kind, and for facts the entity."""
    return (RESERVED_ROOT, *scope.labels, kind, *([encode_label(entity)] if entity else []))


def written(record: Stored) -> tuple[Entry, str]:
    """The entry and the text of a record, as they are written."""
    body = record.model_dump_json(exclude_defaults=True)
    entity = record.entity if isinstance(record, Fact) else None
    entry = Entry(
        record_id=record_id(record),
        kind=_kind(record),
        scope=record.scope.key,
        status=status_of(record),
        digest=digest_of(body),
        namespace=namespace_of(record.scope, _kind(record), entity),
        due=_due(record),
    )
    return entry, body


ARCHIVED = "archived"
"""The status under which the ledger keeps an episode that another one covers."""


def status_of(record: Stored) -> str:
    """The status by which records are looked up."""
    archived = isinstance(record, Episode) and record.archived_into is not None
    return ARCHIVED if archived else record.status.value


def put_operation(entry: Entry, body: str, record: Stored) -> PutOp:
    """The operation that writes a body; what is not found by its own text is not indexed."""
    value = {"text": searchable_text(record), "status": entry.status, "record": body}
    return PutOp(
        entry.namespace,
        key_of(entry.record_id, entry.digest),
        value,
        ["text"] if is_found_by_text(record) else False,
    )


def searchable_text(record: Stored) -> str:
    """The words by which a record is found."""
    match record:
        case Fact():
            until = f" until {record.ends_when}" if record.ends_when else ""
            return f"{record.entity} {record.attribute.replace('_', ' ')}: {record.value}{until}"
        case Episode():
            return record.summary
        case Procedure():
            return "\n".join([record.trigger_intent, *record.steps])


def is_found_by_text(record: Stored) -> bool:
    """Whether a record's body is indexed; an episode is found by its passages."""
    return is_recalled(record) and not isinstance(record, Episode)


def is_recalled(record: Stored) -> bool:
    """Whether a search may bring the record."""
    match record:
        case Fact():
            return record.status is FactStatus.CURRENT
        case Episode():
            return record.archived_into is None
        case Procedure():
            return record.status is ProcedureStatus.CURRENT


def entities_of(record: Stored) -> tuple[str, ...]:
    """The entities that a record concerns."""
    match record:
        case Fact():
            return (record.entity,)
        case Episode():
            return record.entities
        case Procedure():
            tools = (f"tool:{name}" for name in record.tool_fingerprints)
            return (procedure_entity(record.procedure_id), *tools)


def links_of(record: Stored) -> tuple[str, ...]:
    """Under what the ledger finds a record: its entities, and marks on what may hold calls or be ended."""
    entities = entities_of(record)
    if not isinstance(record, Fact):
        return entities
    holding = [HOLDING] if may_hold(record) else []
    ending = [ending_in(record.scope)] if record.ends_when else []
    return (*entities, *holding, *ending)


def procedure_entity(procedure_id: str) -> str:
    """The entity under which all versions of a procedure are found."""
    return f"procedure:{procedure_id}"


def sources_of(record: Stored) -> tuple[str, ...]:
    """The events, evidence and records that a record cites."""
    match record:
        case Fact():
            return (*record.sources, *record.counterexamples)
        case Episode():
            return record.sources
        case Procedure():
            said = (source for cited in record.step_sources for source in cited.split(", "))
            return tuple(s for s in (*record.evidence, *record.counterexamples, *said) if s)


def key_of(record_id: str, digest: str) -> str:
    """The key of one version of a record; keys are content-addressed, so nothing is overwritten."""
    return f"{record_id}~{digest}"


def id_of(key: str) -> str:
    """The id of the record under a key."""
    return key.rpartition("~")[0]


def scope_of(namespace: Sequence[str]) -> str:
    """The scope to which a namespace of records belongs: its labels between the root and the kind."""
    return ".".join(takewhile(lambda label: "=" in label, namespace[1:]))


def matches(item: Item, entry: Entry) -> bool:
    """Whether a stored item is the body that counts."""
    body = item.value.get("record")
    return isinstance(body, str) and digest_of(body) == entry.digest


def answers(operations: Sequence[Op], given: Any) -> list[Any]:
    """The answers of a store, one an operation, each of the form that the operation asks for.

    Raises:
        StorageError: a store of someone else gave something else.
    """
    listed = given if isinstance(given, list) else []
    if len(listed) != len(operations):
        raise StorageError(
            f"the store answered {given!r:.80} to {len(operations)} operations: mend the store"
        )
    for operation, answer in zip(operations, listed, strict=True):
        items = answer if isinstance(operation, SearchOp) else [answer] * isinstance(operation, GetOp)
        if not isinstance(items, list) or not all(_is_item(operation, item) for item in items):
            raise StorageError(
                f"the store answered {answer!r:.80} to a {type(operation).__name__}: mend the store"
            )
    return listed


def _is_item(operation: Op, item: Any) -> bool:
    if isinstance(operation, GetOp) and item is None:
        return True
    kind = SearchItem if isinstance(operation, SearchOp) else Item
    return (
        isinstance(item, kind)
        and isinstance(item.value, dict)
        and isinstance(item.key, str)
        and all(isinstance(label, str) for label in item.namespace)
        and isinstance(getattr(item, "score", None), int | float | None)
    )


def parsed(item: Item, kind: str) -> Stored:
    """The record of a kind in a stored item.

    Raises:
        InvalidRecordError: a record of another schema.
    """
    try:
        record = _TYPES[kind].model_validate_json(item.value["record"])
    except ValidationError as error:
        raise InvalidRecordError(
            f"the {kind} under {item.key!r} is not a record of schema {SCHEMA_VERSION}: "
            f"open the memory with the version that wrote it ({error.error_count()} errors)"
        ) from error
    return record


def digest_of(text: str) -> str:
    """A digest that tells two texts apart."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class ParsedBodies:
    """Parsed records by id and digest, least recently used first out; they are immutable, so never stale."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], Stored] = OrderedDict()
        self._lock = threading.Lock()

    def get_each(self, entries: Sequence[Entry]) -> list[Stored | None]:
        """The record of each entry; None for one that was not read before."""
        keys = [(entry.record_id, entry.digest) for entry in entries]
        with self._lock:
            for key in keys:
                if key in self._kept:
                    self._kept.move_to_end(key)
            return [self._kept.get(key) for key in keys]

    def keep(self, entry: Entry, record: Stored) -> Stored:
        """Remember a record and give it back."""
        with self._lock:
            self._kept[entry.record_id, entry.digest] = record
            if len(self._kept) > _CACHED:
                self._kept.popitem(last=False)
        return record


def _due(record: Stored) -> str | None:
    """When a record has to be confirmed again; None where it need not be, or is asked about already."""
    if not isinstance(record, Fact) or record.status is not FactStatus.CURRENT or record.revalidation_due:
        return None
    return record.revalidate_after.isoformat() if record.revalidate_after else None


def _kind(record: Stored) -> Kind:
    match record:
        case Fact():
            return "fact"
        case Episode():
            return "episode"
        case Procedure():
            return "procedure"

"""The truth about items in SQL: every version of an item is a row of its own, and one counter numbers them.

A put takes the old row away and adds a new one under the next number, so whatever was derived from a row
(vectors, words, an entry in Chroma) belongs to that number and to nothing else. What changed since a number
is read as rows above it and removals above it: that is how caches and the vector index catch up, in this
process and in others.

All functions work on a connection whose transaction the caller owns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Integer,
    and_,
    bindparam,
    cast,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from langgraph_memory.store import state
from langgraph_memory.store.namespaces import Span
from langgraph_memory.store.statements import Among, Statement
from langgraph_memory.store.tables import indexed, items, removed

_T = TypeVar("_T")

Shape = tuple[bool, ...]
"""For each of some ranges of namespaces, whether it has an end."""

DIGEST_BYTES = 16
"""The length of a text's digest."""

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Indexed:
    """What an item is to be found by: its words, and digests and vectors of its texts, one after another."""

    model: int
    paths: str | None
    digests: bytes
    tokens: str
    vectors: bytes


@dataclass(frozen=True, slots=True)
class Write:
    """One item to store, or to delete where `value` is None. `ttl` is in microseconds."""

    namespace: str
    key: str
    value: str | None
    ttl: int | None = None
    index: Indexed | None = None


class Stored(NamedTuple):
    """One stored item."""

    version: int
    namespace: str
    key: str
    value: str
    created_at: int
    updated_at: int
    ttl: int | None


class _Previous(NamedTuple):
    """What a write needs to know of the row that it replaces."""

    version: int
    created_at: int
    expires_at: int | None


def alive() -> ColumnElement[bool]:
    """The condition that an item has not expired at the time `now`."""
    return or_(items.c.expires_at.is_(None), items.c.expires_at > bindparam("now"))


def within(shape: Shape) -> ColumnElement[bool]:
    """The condition that an item lies in one of some ranges of namespaces, which `ends` gives."""
    return or_(*(_between(i, bounded=bounded) for i, bounded in enumerate(shape)))


def shape(spans: Sequence[Span]) -> Shape:
    """What the condition `within` depends on."""
    return tuple(end is not None for _, end in spans)


def ends(spans: Sequence[Span]) -> dict[str, str | None]:
    """The parameters of the condition `within`."""
    starts: dict[str, str | None] = {f"start{i}": start for i, (start, _) in enumerate(spans)}
    return starts | {f"end{i}": end for i, (_, end) in enumerate(spans) if end is not None}


def _between(i: int, *, bounded: bool) -> ColumnElement[bool]:
    above = items.c.namespace >= bindparam(f"start{i}")
    return and_(above, items.c.namespace < bindparam(f"end{i}")) if bounded else above


def _among() -> Among:
    return Among(items.c.version, "versions")


_STORED = (
    items.c.version,
    items.c.namespace,
    items.c.key,
    items.c.value,
    items.c.created_at,
    items.c.updated_at,
    items.c.ttl,
)
_GET = Statement(
    select(*_STORED).where(
        items.c.namespace == bindparam("namespace"), items.c.key == bindparam("key"), alive()
    )
)
_BY_VERSION = Statement(select(*_STORED).where(_among()))
_NAMES = Statement(select(items.c.version, items.c.namespace, items.c.key).where(_among()))
_EXPIRY = Statement(select(items.c.version, items.c.expires_at).where(_among()))
_PREVIOUS = Statement(
    select(items.c.key, items.c.version, items.c.created_at, items.c.expires_at).where(
        items.c.namespace == bindparam("namespace"), Among(items.c.key, "keys")
    )
)
_INSERT_ITEM = Statement(insert(items))
_INSERT_INDEXED = Statement(insert(indexed))
_NOTE_REMOVED = Statement(
    insert(removed).from_select(
        ["at", "version", "vectors"],
        select(
            cast(bindparam("at"), BigInteger),
            items.c.version,
            func.coalesce(func.length(indexed.c.digests, type_=Integer) // DIGEST_BYTES, 0),
        )
        .select_from(items.outerjoin(indexed, indexed.c.version == items.c.version))
        .where(_among()),
    )
)
_DELETE_ITEMS = Statement(delete(items).where(_among()))
_DELETE_INDEXED = Statement(delete(indexed).where(Among(indexed.c.version, "versions")))
_REFRESH = Statement(
    update(items).where(_among(), items.c.ttl.is_not(None)).values(expires_at=bindparam("now") + items.c.ttl)
)
_EXPIRED = Statement(
    select(items.c.version).where(items.c.expires_at <= bindparam("now")).limit(bindparam("limit"))
)
_EXPIRES = Statement(select(items.c.version).where(items.c.expires_at.is_not(None)).limit(1))


@cache
def _newest(shape: Shape) -> Statement:
    return Statement(
        select(items.c.version)
        .where(within(shape), alive())
        .order_by(items.c.updated_at.desc(), items.c.version.desc())
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
    )


@cache
def _namespaces(shape: Shape) -> Statement:
    return Statement(select(items.c.namespace).where(within(shape), alive()).distinct())


@cache
def _versions(shape: Shape) -> Statement:
    return Statement(select(items.c.version).where(within(shape)))


def get(connection: Connection, namespace: str, key: str, now: int) -> Stored | None:
    """The item of that name, unless it has expired."""
    rows = _GET.rows(connection, namespace=namespace, key=key, now=now)
    return Stored(*rows[0]) if rows else None


def by_version(connection: Connection, versions: Sequence[int]) -> list[Stored]:
    """The items of these numbers, in this order; those that are gone are left out."""
    found = {row[0]: Stored(*row) for row in paged(connection, _BY_VERSION, versions)}
    return [found[version] for version in versions if version in found]


def names(connection: Connection, versions: Sequence[int]) -> dict[int, tuple[str, str]]:
    """Encoded namespace and key of the items of these numbers."""
    rows = paged(connection, _NAMES, versions)
    return {version: (namespace, key) for version, namespace, key in rows}


def newest(connection: Connection, spans: Sequence[Span], now: int, limit: int, offset: int) -> list[int]:
    """Numbers of the items in these ranges, the latest updated first."""
    statement = _newest(shape(spans))
    return statement.column(connection, now=now, limit=limit, offset=offset, **ends(spans))


def namespaces(connection: Connection, spans: Sequence[Span], now: int) -> list[str]:
    """All encoded namespaces in these ranges that hold an item."""
    return _namespaces(shape(spans)).column(connection, now=now, **ends(spans))


def versions(connection: Connection, spans: Sequence[Span]) -> list[int]:
    """Numbers of all items in these ranges, the expired ones too."""
    return _versions(shape(spans)).column(connection, **ends(spans))


def expiry(connection: Connection, versions: Sequence[int]) -> dict[int, int | None]:
    """When each of these items expires, as it stands now."""
    return dict(paged(connection, _EXPIRY, versions))


def write(connection: Connection, writes: Sequence[Write], now: int) -> None:
    """Store and delete items. No two writes may name the same item."""
    last = state.take_numbers(connection, max(1, len(writes)))
    previous = _previous(connection, writes)
    _remove(connection, [row.version for row in previous.values()], last)
    numbered = enumerate(writes, last - len(writes) + 1)
    kept = [(version, write) for version, write in numbered if write.value is not None]
    if kept:
        _INSERT_ITEM.run_each(connection, [_item_row(v, w, previous, now) for v, w in kept])
    found = [_index_row(version, write.index) for version, write in kept if write.index is not None]
    if found:
        _INSERT_INDEXED.run_each(connection, found)


def remove(connection: Connection, versions: Sequence[int]) -> None:
    """Delete the items of these numbers."""
    if versions:
        _remove(connection, versions, state.take_numbers(connection, 1))


def refresh(connection: Connection, versions: Sequence[int], now: int) -> None:
    """Let the time to live of these items begin anew."""
    for page in _pages(versions):
        _REFRESH.run(connection, versions=page, now=now)


def expired(connection: Connection, now: int) -> list[int]:
    """Numbers of some items that have expired; empty when there are no more."""
    return _EXPIRED.column(connection, now=now, limit=_PAGE)


def any_expires(connection: Connection) -> bool:
    """Whether there is an item with a time to live."""
    return bool(_EXPIRES.rows(connection))


def paged(
    connection: Connection, statement: Statement, versions: Iterable[int], **parameters: Any
) -> Iterator[tuple[Any, ...]]:
    """The rows of a statement over a list of versions, asked for some hundred versions at a time."""
    for page in _pages(versions):
        yield from statement.rows(connection, versions=page, **parameters)


def _remove(connection: Connection, versions: Sequence[int], at: int) -> None:
    for page in _pages(versions):
        _NOTE_REMOVED.run(connection, at=at, versions=page)
        _DELETE_INDEXED.run(connection, versions=page)
        _DELETE_ITEMS.run(connection, versions=page)


def _previous(connection: Connection, writes: Sequence[Write]) -> dict[tuple[str, str], _Previous]:
    """The rows that these writes replace, by namespace and key."""
    keys: dict[str, list[str]] = defaultdict(list)
    for each in writes:
        keys[each.namespace].append(each.key)
    return {
        (namespace, key): _Previous(*row)
        for namespace, wanted in keys.items()
        for page in _pages(wanted)
        for key, *row in _PREVIOUS.rows(connection, namespace=namespace, keys=page)
    }


def _pages(things: Iterable[_T]) -> Iterator[list[_T]]:
    """As many at a time as a statement takes."""
    rest = iter(things)
    while page := list(islice(rest, _PAGE)):
        yield page


def _item_row(
    version: int, write: Write, previous: dict[tuple[str, str], _Previous], now: int
) -> dict[str, Any]:
    """An update keeps the time of creation; an item that had expired begins anew."""
    old = previous.get((write.namespace, write.key))
    continues = old is not None and (old.expires_at is None or old.expires_at > now)
    return {
        "version": version,
        "namespace": write.namespace,
        "key": write.key,
        "value": write.value,
        "created_at": old.created_at if old is not None and continues else now,
        "updated_at": now,
        "expires_at": None if write.ttl is None else now + write.ttl,
        "ttl": write.ttl,
    }


def _index_row(version: int, index: Indexed) -> dict[str, Any]:
    return {
        "version": version,
        "model": index.model,
        "paths": index.paths,
        "digests": index.digests,
        "tokens": index.tokens,
        "vectors": index.vectors,
    }

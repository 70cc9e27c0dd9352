"""The truth about items in SQL: every version of an item is a row of its own, and one counter numbers them.

A put takes the old row away and adds a new one under the next number, so whatever was derived from a row
(vectors, words, an entry in Chroma) belongs to that number and to nothing else. What changed since a number
is read as rows above it and removals above it: that is how caches and the vector index catch up, in this
process and in others.
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
    Column,
    ColumnElement,
    Connection,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    and_,
    bindparam,
    delete,
    insert,
    or_,
    select,
    update,
)

from langgraph_memory.database import Database, metadata
from langgraph_memory.store.namespaces import Span
from langgraph_memory.store.statements import Among, Statement

_T = TypeVar("_T")

Shape = tuple[bool, ...]
"""For each of some ranges, whether it has an end."""

_Number = BigInteger().with_variant(Integer, "sqlite")
_Label = Text().with_variant(Text(collation="C"), "postgresql")
_CHUNK = 500
_KEPT_REMOVALS = 50_000
_PRUNED_EVERY = 10_000

items = Table(
    "store_items",
    metadata,
    Column("version", _Number, primary_key=True, autoincrement=False),
    Column("namespace", _Label, nullable=False),
    Column("key", _Label, nullable=False),
    Column("value", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger),
    Column("ttl", BigInteger),
    UniqueConstraint("namespace", "key"),
)
Index("store_items_listing", items.c.namespace, items.c.updated_at, items.c.version, items.c.expires_at)
Index(
    "store_items_expiry",
    items.c.expires_at,
    sqlite_where=items.c.expires_at.is_not(None),
    postgresql_where=items.c.expires_at.is_not(None),
)
"""Times are microseconds since 1970 in UTC, `ttl` is a span of microseconds."""

indexed = Table(
    "store_index",
    metadata,
    Column("version", _Number, primary_key=True, autoincrement=False),
    Column("paths", Text),
    Column("digests", LargeBinary, nullable=False),
    Column("vectors", LargeBinary, nullable=False),
    Column("tokens", Text, nullable=False),
)
"""What an item is found by: one row for each item that is searched by meaning or words."""

removed = Table(
    "store_removed",
    metadata,
    Column("at", _Number, primary_key=True, autoincrement=False),
    Column("version", _Number, primary_key=True, autoincrement=False),
)
"""Which rows went, and at which number."""

numbers = Table(
    "store_numbers",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", BigInteger, nullable=False),
)
"""`version`: the last number given. `pruned`: removals up to here are no longer listed."""

TABLES = (items, indexed, removed, numbers)


@dataclass(frozen=True, slots=True)
class Indexed:
    """What an item is to be found by: digests and vectors of its texts, one after another, and its words."""

    paths: str | None
    digests: bytes
    vectors: bytes
    tokens: str


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


class Searchable(NamedTuple):
    """What a search has to know of one item; digests, vectors and tokens are None where it isn't indexed."""

    version: int
    updated_at: int
    expires_at: int | None
    vectors: bytes | None
    tokens: str | None


class Changes(NamedTuple):
    """What happened between two numbers: rows added, with their namespaces, and rows removed."""

    added: Sequence[tuple[int, str]]
    removed: Sequence[int]


def _alive(now: str = "now") -> ColumnElement[bool]:
    return or_(items.c.expires_at.is_(None), items.c.expires_at > bindparam(now))


def _among(column: ColumnElement[int]) -> Among:
    return Among(column, "versions")


def _within(shape: Shape) -> ColumnElement[bool]:
    """The condition that an item lies in one of the ranges of namespaces, which `_ends` gives."""
    return or_(*(_between(i, bounded=bounded) for i, bounded in enumerate(shape)))


def _between(i: int, *, bounded: bool) -> ColumnElement[bool]:
    above = items.c.namespace >= bindparam(f"start{i}")
    return and_(above, items.c.namespace < bindparam(f"end{i}")) if bounded else above


def _shape(spans: Sequence[Span]) -> Shape:
    return tuple(end is not None for _, end in spans)


def _ends(spans: Sequence[Span]) -> dict[str, str | None]:
    starts = {f"start{i}": start for i, (start, _) in enumerate(spans)}
    return starts | {f"end{i}": end for i, (_, end) in enumerate(spans) if end is not None}


_STORED = (
    items.c.version,
    items.c.namespace,
    items.c.key,
    items.c.value,
    items.c.created_at,
    items.c.updated_at,
    items.c.ttl,
)
_SEARCHABLE = (
    items.c.version,
    items.c.updated_at,
    items.c.expires_at,
    indexed.c.vectors,
    indexed.c.tokens,
)
_joined = items.outerjoin(indexed, indexed.c.version == items.c.version)

_NEXT = Statement(
    update(numbers)
    .where(numbers.c.name == "version")
    .values(value=numbers.c.value + bindparam("count"))
    .returning(numbers.c.value)
)
_NUMBER = Statement(select(numbers.c.value).where(numbers.c.name == bindparam("name")))
_SET_NUMBER = Statement(
    update(numbers).where(numbers.c.name == bindparam("which")).values(value=bindparam("upto"))
)
_GET = Statement(
    select(*_STORED).where(
        items.c.namespace == bindparam("namespace"), items.c.key == bindparam("key"), _alive()
    )
)
_BY_VERSION = Statement(select(*_STORED).where(_among(items.c.version)))
_PREVIOUS = Statement(
    select(items.c.key, items.c.version, items.c.created_at, items.c.expires_at).where(
        items.c.namespace == bindparam("namespace"), Among(items.c.key, "keys")
    )
)
_INSERT_ITEM = Statement(insert(items))
_INSERT_INDEXED = Statement(insert(indexed))
_INSERT_REMOVED = Statement(insert(removed))
_DELETE_ITEMS = Statement(delete(items).where(_among(items.c.version)))
_DELETE_INDEXED = Statement(delete(indexed).where(_among(indexed.c.version)))
_REFRESH = Statement(
    update(items)
    .where(_among(items.c.version), items.c.ttl.is_not(None))
    .values(expires_at=bindparam("now") + items.c.ttl)
)
_EXPIRY = Statement(select(items.c.version, items.c.expires_at).where(_among(items.c.version)))
_EXPIRED = Statement(
    select(items.c.version).where(items.c.expires_at <= bindparam("now")).limit(bindparam("limit"))
)
_ADDED = Statement(select(items.c.version, items.c.namespace).where(items.c.version > bindparam("since")))
_REMOVED = Statement(select(removed.c.version).where(removed.c.at > bindparam("since")))
_PRUNE = Statement(delete(removed).where(removed.c.at <= bindparam("upto")))
_SEARCHABLE_BY_VERSION = Statement(
    select(*_SEARCHABLE).select_from(_joined).where(_among(items.c.version)).order_by(items.c.version)
)
_VALUES = Statement(select(items.c.version, items.c.value).where(_among(items.c.version)))


@cache
def _newest(shape: Shape) -> Statement:
    return Statement(
        select(items.c.version)
        .where(_within(shape), _alive())
        .order_by(items.c.updated_at.desc(), items.c.version.desc())
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
    )


@cache
def _namespaces(shape: Shape) -> Statement:
    return Statement(select(items.c.namespace).where(_within(shape), _alive()).distinct())


@cache
def _searchable(shape: Shape) -> Statement:
    columns = select(*_SEARCHABLE).select_from(_joined)
    return Statement(columns.where(_within(shape)).order_by(items.c.version))


class Items:
    """Reads and writes items on a given connection; the caller owns the transaction."""

    def __init__(self, database: Database) -> None:
        database.create(*TABLES)
        with database.write() as connection:
            known = set(connection.execute(select(numbers.c.name)).scalars())
            for name in {"version", "pruned"} - known:
                connection.execute(insert(numbers).values(name=name, value=0))

    def version(self, connection: Connection) -> int:
        """The last number given."""
        return self._number(connection, "version")

    def pruned(self, connection: Connection) -> int:
        """The number up to which removals are no longer listed."""
        return self._number(connection, "pruned")

    def get(self, connection: Connection, namespace: str, key: str, now: int) -> Stored | None:
        """The item of that name, unless it has expired."""
        rows = _GET.rows(connection, namespace=namespace, key=key, now=now)
        return Stored(*rows[0]) if rows else None

    def by_version(self, connection: Connection, versions: Sequence[int]) -> list[Stored]:
        """The items of these numbers, in this order; those that are gone are left out."""
        found = {row[0]: Stored(*row) for row in _each_chunk(connection, _BY_VERSION, versions)}
        return [found[version] for version in versions if version in found]

    def newest(
        self, connection: Connection, spans: Sequence[Span], now: int, limit: int, offset: int
    ) -> list[int]:
        """Numbers of the items in these ranges, the latest updated first."""
        statement = _newest(_shape(spans))
        return statement.column(connection, now=now, limit=limit, offset=offset, **_ends(spans))

    def namespaces(self, connection: Connection, spans: Sequence[Span], now: int) -> list[str]:
        """All encoded namespaces in these ranges that hold an item."""
        return _namespaces(_shape(spans)).column(connection, now=now, **_ends(spans))

    def searchable(self, connection: Connection, spans: Sequence[Span]) -> Iterator[list[Searchable]]:
        """All items in these ranges, the expired ones too, by number, some at a time."""
        for rows in _searchable(_shape(spans)).stream(connection, **_ends(spans)):
            yield [Searchable(*row) for row in rows]

    def searchable_by_version(self, connection: Connection, versions: Sequence[int]) -> list[Searchable]:
        """The items of these numbers that are still there, by number."""
        rows = _each_chunk(connection, _SEARCHABLE_BY_VERSION, sorted(versions))
        return [Searchable(*row) for row in rows]

    def values(self, connection: Connection, versions: Sequence[int]) -> dict[int, str]:
        """The stored values of these numbers."""
        return dict(_each_chunk(connection, _VALUES, versions))

    def expiry(self, connection: Connection, versions: Sequence[int]) -> dict[int, int | None]:
        """When each of these items expires, as it stands now."""
        return dict(_each_chunk(connection, _EXPIRY, versions))

    def changes(self, connection: Connection, since: int) -> Changes | None:
        """What was added and removed above a number; None if that is too long ago to tell."""
        if since < self.pruned(connection):
            return None
        added = [(version, namespace) for version, namespace in _ADDED.rows(connection, since=since)]
        return Changes(added, _REMOVED.column(connection, since=since))

    def write(self, connection: Connection, writes: Sequence[Write], now: int) -> None:
        """Store and delete items. No two writes may name the same item."""
        last = self._next(connection, max(1, len(writes)))
        previous = _previous(connection, writes)
        self._remove(connection, [row.version for row in previous.values()], last)
        versions = range(last - len(writes) + 1, last + 1)
        kept = [(version, w) for version, w in zip(versions, writes, strict=True) if w.value is not None]
        if kept:
            _INSERT_ITEM.run_each(connection, [_item_row(v, w, previous, now) for v, w in kept])
        found = [_index_row(version, w.index) for version, w in kept if w.index is not None]
        if found:
            _INSERT_INDEXED.run_each(connection, found)

    def remove(self, connection: Connection, versions: Sequence[int]) -> None:
        """Delete the items of these numbers."""
        if versions:
            self._remove(connection, versions, self._next(connection, 1))

    def refresh(self, connection: Connection, versions: Sequence[int], now: int) -> None:
        """Let the time to live of these items begin anew."""
        for chunk in _chunks(versions):
            _REFRESH.run(connection, versions=chunk, now=now)

    def expired(self, connection: Connection, now: int) -> list[int]:
        """Numbers of some items that have expired; empty when there are no more."""
        return _EXPIRED.column(connection, now=now, limit=_CHUNK)

    def _number(self, connection: Connection, name: str) -> int:
        return int(_NUMBER.rows(connection, name=name)[0][0])

    def _next(self, connection: Connection, count: int) -> int:
        """Take the next numbers and return the last of them; other writers wait until this one commits."""
        last = int(_NEXT.rows(connection, count=count)[0][0])
        if last // _PRUNED_EVERY != (last - count) // _PRUNED_EVERY and last > _KEPT_REMOVALS:
            upto = last - _KEPT_REMOVALS
            _PRUNE.run(connection, upto=upto)
            _SET_NUMBER.run(connection, which="pruned", upto=upto)
        return last

    def _remove(self, connection: Connection, versions: Sequence[int], at: int) -> None:
        for chunk in _chunks(versions):
            _DELETE_ITEMS.run(connection, versions=chunk)
            _DELETE_INDEXED.run(connection, versions=chunk)
            _INSERT_REMOVED.run_each(connection, [{"at": at, "version": version} for version in chunk])


class _Previous(NamedTuple):
    """What a write needs to know of the row that it replaces."""

    version: int
    created_at: int
    expires_at: int | None

    def still_alive(self, now: int) -> bool:
        return self.expires_at is None or self.expires_at > now


def _previous(connection: Connection, writes: Sequence[Write]) -> dict[tuple[str, str], _Previous]:
    """The rows that these writes replace, by namespace and key."""
    keys: dict[str, list[str]] = defaultdict(list)
    for write in writes:
        keys[write.namespace].append(write.key)
    return {
        (namespace, key): _Previous(*row)
        for namespace, wanted in keys.items()
        for chunk in _chunks(wanted)
        for key, *row in _PREVIOUS.rows(connection, namespace=namespace, keys=chunk)
    }


def _each_chunk(
    connection: Connection, statement: Statement, versions: Iterable[int]
) -> Iterator[tuple[Any, ...]]:
    for chunk in _chunks(versions):
        yield from statement.rows(connection, versions=chunk)


def _chunks(things: Iterable[_T]) -> Iterator[list[_T]]:
    """As many at a time as a statement takes."""
    rest = iter(things)
    while chunk := list(islice(rest, _CHUNK)):
        yield chunk


def _item_row(
    version: int, write: Write, previous: dict[tuple[str, str], _Previous], now: int
) -> dict[str, Any]:
    """An update keeps the time of creation; an item that had expired begins anew."""
    old = previous.get((write.namespace, write.key))
    return {
        "version": version,
        "namespace": write.namespace,
        "key": write.key,
        "value": write.value,
        "created_at": old.created_at if old and old.still_alive(now) else now,
        "updated_at": now,
        "expires_at": None if write.ttl is None else now + write.ttl,
        "ttl": write.ttl,
    }


def _index_row(version: int, index: Indexed) -> dict[str, Any]:
    return {
        "version": version,
        "paths": index.paths,
        "digests": index.digests,
        "vectors": index.vectors,
        "tokens": index.tokens,
    }

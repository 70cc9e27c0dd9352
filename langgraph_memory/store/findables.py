"""What items are found by, in SQL: words and vectors, what changed of them, how they are made anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Select,
    bindparam,
    case,
    delete,
    func,
    select,
    update,
)

from langgraph_memory.store import state
from langgraph_memory.store.items import DIGEST_BYTES, Indexed, Shape, ends, paged, shape, within
from langgraph_memory.store.namespaces import Span
from langgraph_memory.store.statements import Among, Statement
from langgraph_memory.store.tables import indexed, items, removed

NO_WORDS = "[]"
"""The stored tokens of an item that has none."""


class Findable(NamedTuple):
    """What a search has to know of one item; tokens and vectors are None where it isn't indexed.

    Attributes:
        vectors: its vectors by the model that was asked for, one after another.
    """

    version: int
    updated_at: int
    expires_at: int | None
    tokens: str | None
    vectors: bytes | None


class Changes(NamedTuple):
    """What happened since a number: rows added, with their namespaces, and numbers of rows removed."""

    added: list[tuple[int, str]]
    removed: list[int]


class Vectors(NamedTuple):
    """The vectors of one item, one after another, 4 bytes a number."""

    version: int
    vectors: bytes


class Source(NamedTuple):
    """What an item's index is made of: its value, the paths to its texts, what was made of them before."""

    version: int
    value: str
    paths: str | None
    model: int
    digests: bytes
    vectors: bytes


_both = items.join(indexed, indexed.c.version == items.c.version)
_every = items.outerjoin(indexed, indexed.c.version == items.c.version)
_ours = indexed.c.model == bindparam("model")


def _digest_count() -> ColumnElement[int]:
    return func.length(indexed.c.digests, type_=Integer) // DIGEST_BYTES


@cache
def _count_within(shape: Shape) -> Statement:
    return Statement(select(func.count()).select_from(items).where(within(shape)))


def _findable() -> Select[tuple[object, ...]]:
    return select(
        items.c.version,
        items.c.updated_at,
        items.c.expires_at,
        indexed.c.tokens,
        case((_ours, indexed.c.vectors)),
    ).select_from(_every)


@cache
def _findable_within(shape: Shape) -> Statement:
    return Statement(_findable().where(within(shape)).order_by(items.c.version))


_FINDABLE = Statement(_findable().where(Among(items.c.version, "versions")).order_by(items.c.version))
_ADDED = Statement(select(items.c.version, items.c.namespace).where(items.c.version > bindparam("since")))
_REMOVED = Statement(select(removed.c.version).where(removed.c.at > bindparam("since")))
_TAKEN = Statement(
    select(removed.c.version, removed.c.vectors).where(
        removed.c.at > bindparam("since"), removed.c.at <= bindparam("upto"), removed.c.vectors > 0
    )
)
_VECTORS = Statement(
    select(items.c.version, indexed.c.vectors)
    .select_from(_both)
    .where(items.c.version > bindparam("since"), _ours)
    .order_by(items.c.version)
    .limit(bindparam("limit"))
)
_COUNTS = Statement(
    select(items.c.version, _digest_count())
    .select_from(_both)
    .where(items.c.version <= bindparam("upto"), _ours, func.length(indexed.c.digests) > 0)
)
_COUNT = Statement(
    select(func.coalesce(func.sum(_digest_count()), 0))
    .select_from(_both)
    .where(items.c.version <= bindparam("upto"), _ours)
)
_VECTORS_OF = Statement(
    select(indexed.c.version, indexed.c.vectors).where(Among(indexed.c.version, "versions"), _ours)
)
_KNOWN = Statement(
    select(indexed.c.digests, indexed.c.vectors)
    .select_from(_both)
    .where(items.c.namespace == bindparam("namespace"), Among(items.c.key, "keys"), _ours)
)
_SOURCES = Statement(
    select(
        items.c.version,
        items.c.value,
        indexed.c.paths,
        indexed.c.model,
        indexed.c.digests,
        indexed.c.vectors,
    )
    .select_from(_both)
    .where(items.c.version > bindparam("since"))
    .order_by(items.c.version)
    .limit(bindparam("limit"))
)
_DROP_ORPHANS = Statement(delete(indexed).where(indexed.c.version.not_in(select(items.c.version))))
_REPLACE = Statement(
    update(indexed)
    .where(indexed.c.version == bindparam("which"))
    .values(
        model=bindparam("model"),
        digests=bindparam("digests"),
        tokens=bindparam("tokens"),
        vectors=bindparam("vectors"),
    )
)


def below(connection: Connection, spans: Sequence[Span], *, model: int) -> Iterator[list[Findable]]:
    """All items in these ranges by number, some at a time, with their vectors of a model."""
    for rows in _findable_within(shape(spans)).stream(connection, model=model, **ends(spans)):
        yield [Findable(*row) for row in rows]


def by_version(connection: Connection, versions: Sequence[int], *, model: int) -> list[Findable]:
    """The items of these numbers that are still there, by number."""
    rows = paged(connection, _FINDABLE, sorted(versions), model=model)
    return [Findable(*row) for row in rows]


def changes(connection: Connection, since: int) -> Changes | None:
    """What was added and removed since a number; None if that is too long ago to tell."""
    if since < state.read(connection).pruned:
        return None
    added = [(version, namespace) for version, namespace in _ADDED.rows(connection, since=since)]
    return Changes(added, _REMOVED.column(connection, since=since))


def taken(connection: Connection, since: int, upto: int) -> list[tuple[int, int]]:
    """Rows with vectors that were removed above `since` and up to `upto`, with their numbers of vectors."""
    return [(version, count) for version, count in _TAKEN.rows(connection, since=since, upto=upto)]


def vectors(connection: Connection, since: int, limit: int, *, model: int) -> list[Vectors]:
    """Vectors of the next items above a number."""
    return [Vectors(*row) for row in _VECTORS.rows(connection, since=since, limit=limit, model=model)]


def vectors_of(connection: Connection, versions: Sequence[int], *, model: int) -> list[Vectors]:
    """Vectors of the items of these numbers."""
    return [Vectors(*row) for row in paged(connection, _VECTORS_OF, versions, model=model)]


def vector_counts(connection: Connection, upto: int, *, model: int) -> list[tuple[int, int]]:
    """The items up to a number that have vectors of a model, with how many."""
    return [(version, count) for version, count in _COUNTS.rows(connection, upto=upto, model=model)]


def count_vectors(connection: Connection, upto: int, *, model: int) -> int:
    """How many vectors of a model the items up to a number have together."""
    return int(_COUNT.rows(connection, upto=upto, model=model)[0][0])


def count(connection: Connection, spans: Sequence[Span]) -> int:
    """How many items there are in these ranges."""
    return int(_count_within(shape(spans)).rows(connection, **ends(spans))[0][0])


def known(
    connection: Connection, namespace: str, keys: list[str], *, model: int, dims: int
) -> Iterator[tuple[bytes, bytes]]:
    """The digests of texts of these items, each with its vector."""
    for digests, joined in _KNOWN.rows(connection, namespace=namespace, keys=keys, model=model):
        yield from by_digest(digests, joined, dims).items()


def by_digest(digests: bytes, joined: bytes, dims: int) -> dict[bytes, bytes]:
    """Vectors stored one after another, by the digests of their texts; none if their length is wrong.

    >>> by_digest(b"a" * 16 + b"b" * 16, b"11112222", 1)[b"b" * 16]
    b'2222'
    """
    count, width = len(digests) // DIGEST_BYTES, 4 * dims
    if len(joined) != count * width:
        return {}
    return {
        digests[i * DIGEST_BYTES : (i + 1) * DIGEST_BYTES]: joined[i * width : (i + 1) * width]
        for i in range(count)
    }


def sources(connection: Connection, since: int, limit: int) -> list[Source]:
    """What the indexes of the next items above a number are made of."""
    return [Source(*row) for row in _SOURCES.rows(connection, since=since, limit=limit)]


def replace(connection: Connection, made: Sequence[tuple[int, Indexed]]) -> None:
    """Put newly made indexes in the place of the old ones; those of items that are gone are left out."""
    rows = [
        {
            "which": version,
            "model": index.model,
            "digests": index.digests,
            "tokens": index.tokens,
            "vectors": index.vectors,
        }
        for version, index in made
    ]
    if rows:
        _REPLACE.run_each(connection, rows)


def drop_orphans(connection: Connection) -> None:
    """Drop the indexes that belong to no item."""
    _DROP_ORPHANS.run(connection)

"""What is wrong with a store's indexes, found by comparing them with the items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, Integer, and_, func, select

from langgraph_memory.database import Database
from langgraph_memory.errors import StorageError
from langgraph_memory.store import findables, state
from langgraph_memory.store.findables import NO_WORDS
from langgraph_memory.store.items import DIGEST_BYTES
from langgraph_memory.store.outbox import Outbox
from langgraph_memory.store.state import State
from langgraph_memory.store.tables import indexed, items
from langgraph_memory.store.vectors import VectorIndex, entries

_PROBE = 1000


@dataclass(frozen=True)
class Finding:
    """Something that `rebuild` mends.

    Attributes:
        name: what kind of fault it is.
        detail: what was found, in words.
    """

    name: str
    detail: str


@dataclass(frozen=True)
class Rebuilt:
    """What a rebuild did: how many items were indexed anew, and how many texts had to be embedded for it."""

    items: int
    embedded: int


def examine(
    database: Database, outbox: Outbox | None, *, model: tuple[str, int] | None
) -> tuple[Finding, ...]:
    """All that is wrong, nothing if all is well.

    Args:
        database: holds the items.
        outbox: leads to the vector index, where there is one.
        model: name and dimensions of the embedding model that the store was opened with; None for none.
    """
    with database.read() as connection:
        now = state.read(connection)
        found = [
            *_broken_file(database, connection),
            *_other_model(connection, now, model),
            *_not_embedded(connection, embeds=model is not None),
            *_damaged(connection, now),
            *_orphans(connection),
        ]
        wanted = entries(findables.vector_counts(connection, now.flushed, model=now.model))
        dims = state.model_dims(connection, now.model) if now.model else 0
    if outbox is not None and outbox.wanted() and outbox.index.claim():
        found += _index(outbox.index, now, wanted, dims)
    return tuple(found)


def _broken_file(database: Database, connection: Connection) -> Iterator[Finding]:
    if database.is_sqlite:
        lines = connection.exec_driver_sql("PRAGMA quick_check").scalars().all()
        if list(lines) != ["ok"]:
            yield Finding("database", f"the SQLite file is damaged: {lines[0]}; restore it from a backup")


def _other_model(connection: Connection, now: State, model: tuple[str, int] | None) -> Iterator[Finding]:
    if model is not None and now.model:
        found = state.described(*state.model_of(connection, now.model))
        wanted = state.described(*model)
        if found != wanted:
            yield Finding("model", f"the vectors are of {found}, the store was opened with {wanted}")
    rest = connection.execute(
        select(func.count()).where(indexed.c.model != now.model, indexed.c.model != 0)
    ).scalar_one()
    if rest:
        yield Finding("model", f"{rest} items have vectors of an earlier model")


def _not_embedded(connection: Connection, *, embeds: bool) -> Iterator[Finding]:
    missing = connection.execute(
        select(func.count()).where(indexed.c.model == 0, indexed.c.tokens != NO_WORDS)
    ).scalar_one()
    if missing and embeds:
        yield Finding("vectors", f"{missing} items were put without an embedding model and have no vectors")


def _damaged(connection: Connection, now: State) -> Iterator[Finding]:
    if not now.model:
        return
    count = func.length(indexed.c.digests, type_=Integer) // DIGEST_BYTES
    width = 4 * state.model_dims(connection, now.model)
    odd = connection.execute(
        select(func.count()).where(
            and_(indexed.c.model == now.model, func.length(indexed.c.vectors) != count * width)
        )
    ).scalar_one()
    if odd:
        yield Finding("vectors", f"{odd} items have vectors of the wrong length")


def _orphans(connection: Connection) -> Iterator[Finding]:
    left = connection.execute(
        select(func.count()).where(indexed.c.version.not_in(select(items.c.version)))
    ).scalar_one()
    if left:
        yield Finding("orphans", f"{left} indexes belong to no item")


def _index(index: VectorIndex, now: State, wanted: set[str], dims: int) -> Iterator[Finding]:
    try:
        yield from _compared(index, now, wanted, dims)
    except StorageError as error:
        yield Finding("vector index", str(error))


def _compared(index: VectorIndex, now: State, wanted: set[str], dims: int) -> Iterator[Finding]:
    if now.flushed < now.version:
        yield Finding("outbox", f"{now.version - now.flushed} changes wait to be sent to the vector index")
    if not index.exists():
        yield Finding("vector index", "the vector index is missing")
        return
    found = index.names()
    if wanted - found:
        yield Finding(
            "vector index", f"the vector index lacks {len(wanted - found)} of {len(wanted)} vectors"
        )
    elif not index.finds(min(_PROBE, len(wanted)), dims):
        yield Finding("vector index", "a query of the vector index doesn't find vectors that it holds")
    if found - wanted and now.flushed == now.version:
        yield Finding("vector index", f"the vector index holds {len(found - wanted)} vectors of no item")

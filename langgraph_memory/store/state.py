"""Numbers and names that hold for a whole store: the counter, the model in use, how far indexes are."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, insert, select, update

from langgraph_memory.database import Database
from langgraph_memory.errors import ForeignFolderError
from langgraph_memory.store.statements import Statement
from langgraph_memory.store.tables import TABLES, marks, models, numbers, removed

SCHEMA = 1
"""Version of the tables; a store of a later one is refused."""

_KEPT_REMOVALS = 50_000
_PRUNED_EVERY = 10_000


class State(NamedTuple):
    """How a store stands.

    Attributes:
        version: the last number that was given to a row.
        pruned: removals up to this number are no longer listed.
        model: whose vectors the store holds; 0 while it holds none.
        epoch: how often indexes were made anew; what was cached in an earlier one is void.
        flushed: up to this number the vector index has caught up.
        sending: up to this number items may have been sent to the vector index.
        begun: the number that was the last one when the vector index was begun.
        shed: how many vectors were taken out of the vector index since it was made.
        schema: version of the tables.
    """

    version: int = 0
    pruned: int = 0
    model: int = 0
    epoch: int = 0
    flushed: int = 0
    sending: int = 0
    begun: int = 0
    shed: int = 0
    schema: int = SCHEMA


_STATE = Statement(select(numbers.c.name, numbers.c.value))
_ONE = Statement(select(numbers.c.value).where(numbers.c.name == bindparam("which")))
_NEXT = Statement(
    update(numbers)
    .where(numbers.c.name == "version")
    .values(value=numbers.c.value + bindparam("count"))
    .returning(numbers.c.value)
)
_SET = Statement(update(numbers).where(numbers.c.name == bindparam("which")).values(value=bindparam("to")))
_ADD = Statement(
    update(numbers)
    .where(numbers.c.name == bindparam("which"))
    .values(value=numbers.c.value + bindparam("by"))
)
_PRUNE = Statement(removed.delete().where(removed.c.at <= bindparam("upto")))


def create(database: Database) -> tuple[str, str]:
    """Make the tables and first values that are missing.

    Returns:
        A name for the store that no other has, and the key of its digests.

    Raises:
        ForeignFolderError: they are of a later version.
    """
    with database.write() as connection:
        database.create(*TABLES)  # under a lock that is kept until the rows are there, too
        known = dict(_STATE.rows(connection))
        if known.get("schema", SCHEMA) > SCHEMA:
            raise ForeignFolderError(
                f"{database.url!r} was made by a later version of this package (schema {known['schema']}, "
                f"not {SCHEMA}): update the package"
            )
        missing = {n: v for n, v in State()._asdict().items() if n not in known}
        if missing:
            connection.execute(insert(numbers), [{"name": n, "value": v} for n, v in missing.items()])
        return _mark(connection, "store"), _mark(connection, "secret")


def read(connection: Connection) -> State:
    """The state as the connection sees it."""
    return State(**dict(_STATE.rows(connection)))


def model(connection: Connection) -> int:
    """The number of the model whose vectors the store holds; 0 while it holds none."""
    return int(_ONE.rows(connection, which="model")[0][0])


def _mark(connection: Connection, name: str) -> str:
    """A text that is drawn once in the life of a store."""
    found = connection.execute(select(marks.c.value).where(marks.c.name == name)).scalar()
    if found is None:
        found = secrets.token_hex(16)
        connection.execute(insert(marks), {"name": name, "value": found})
    return str(found)


def take_numbers(connection: Connection, count: int) -> int:
    """Take the next numbers and return the last of them; other writers wait until this one commits."""
    last = int(_NEXT.rows(connection, count=count)[0][0])
    if last // _PRUNED_EVERY != (last - count) // _PRUNED_EVERY and last > _KEPT_REMOVALS:
        upto = last - _KEPT_REMOVALS
        _PRUNE.run(connection, upto=upto)
        put(connection, "pruned", upto)
    return last


def put(connection: Connection, name: str, value: int) -> None:
    """Set a number of the state."""
    _SET.run(connection, which=name, to=value)


def add(connection: Connection, name: str, by: int = 1) -> None:
    """Add to a number of the state."""
    _ADD.run(connection, which=name, by=by)


def model_number(connection: Connection, name: str, dims: int) -> int:
    """The number of an embedding model, given to it now if it is new to the store."""
    take_numbers(connection, 0)  # no other process may register one at the same time
    same = (models.c.name == name) & (models.c.dims == dims)
    found = connection.execute(select(models.c.model).where(same)).scalar()
    if found is None:
        found = int(connection.execute(select(func.coalesce(func.max(models.c.model), 0))).scalar_one()) + 1
        connection.execute(insert(models), {"model": found, "name": name, "dims": dims})
    return int(found)


def model_dims(connection: Connection, number: int) -> int:
    """The length of a model's vectors."""
    return int(connection.execute(select(models.c.dims).where(models.c.model == number)).scalar_one())


def model_of(connection: Connection, number: int) -> tuple[str, int]:
    """A model's name and dimensions."""
    found = connection.execute(select(models.c.name, models.c.dims).where(models.c.model == number)).one()
    return str(found.name), int(found.dims)


def described(name: str, dims: int | None) -> str:
    """A model's name and dimensions, to be shown."""
    return name if dims is None else f"{name} with {dims} dimensions"

"""SQL statements compiled once for each kind of database and run on the driver's own cursor.

Building, caching and wrapping a statement takes SQLAlchemy five times as long as SQLite takes to run it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

from sqlalchemy import BindParameter, ClauseElement, ColumnElement, Connection, Dialect, Table, bindparam
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

from langgraph_memory.connections import driver

Parameters = Mapping[str, Any]

_ROWS_AT_ONCE = 1000


class Among(ColumnElement[bool]):
    """That a column's value is in a list, which is one parameter however long it is."""

    inherit_cache = False

    def __init__(self, column: ColumnElement[Any], name: str) -> None:
        self.column = column
        self.listed: BindParameter[Any] = bindparam(name)


@compiles(Among, "sqlite")
def _among_in_json(element: Among, compiler: SQLCompiler, **options: Any) -> str:
    column, listed = compiler.process(element.column, **options), compiler.process(element.listed, **options)
    return f"{column} IN (SELECT value FROM json_each({listed}))"  # noqa: S608 - both parts are compiled


@compiles(Among, "postgresql")
def _among_in_array(element: Among, compiler: SQLCompiler, **options: Any) -> str:
    column, listed = compiler.process(element.column, **options), compiler.process(element.listed, **options)
    return f"{column} = ANY({listed})"


class _Compiled(NamedTuple):
    """A statement's text, the order of its parameters where they go by position, and its constants."""

    text: str
    names: tuple[str, ...] | None
    constants: dict[str, Any]

    def bound(self, parameters: Parameters) -> Any:
        """The parameters as the driver takes them: SQLite by position and lists as JSON, psycopg by name."""
        given = {**self.constants, **parameters} if self.constants else parameters
        if self.names is None:
            return given
        return tuple(
            [_flat(given[name]) if type(given[name]) is list else given[name] for name in self.names]
        )


class Statement:
    """A statement with named parameters; a list is given to a parameter of `Among`."""

    def __init__(self, clause: ClauseElement) -> None:
        self._clause = clause
        self._compiled: dict[str, _Compiled] = {}

    def run(self, connection: Connection, **parameters: Any) -> int:
        """Run it for its effect; how many rows it touched."""
        cursor = self._cursor(connection, parameters)
        touched: int = cursor.rowcount
        cursor.close()
        return touched

    def run_each(self, connection: Connection, rows: Sequence[Parameters]) -> None:
        """Run it for its effect, once for each row of parameters."""
        if len(rows) == 1:
            self._cursor(connection, rows[0]).close()
            return
        compiled = self._for(connection.dialect)
        cursor = driver(connection).cursor()
        cursor.executemany(compiled.text, [compiled.bound(row) for row in rows])
        cursor.close()

    def rows(self, connection: Connection, **parameters: Any) -> list[tuple[Any, ...]]:
        """All rows of its result."""
        cursor = self._cursor(connection, parameters)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        cursor.close()
        return found

    def stream(self, connection: Connection, **parameters: Any) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of its result, a thousand at a time."""
        cursor = self._cursor(connection, parameters)
        yield from iter(partial(cursor.fetchmany, _ROWS_AT_ONCE), [])
        cursor.close()

    def column(self, connection: Connection, **parameters: Any) -> list[Any]:
        """The first column of its result."""
        return [row[0] for row in self.rows(connection, **parameters)]

    def _cursor(self, connection: Connection, parameters: Parameters) -> Any:
        compiled = self._for(connection.dialect)
        return driver(connection).execute(compiled.text, compiled.bound(parameters))

    def _for(self, dialect: Dialect) -> _Compiled:
        found = self._compiled.get(dialect.name)
        if found is None:
            found = self._compiled[dialect.name] = _compile(self._clause, dialect)
        return found


def parameters_of(table: Table, *, without: str | None = None) -> dict[str, BindParameter[Any]]:
    """A parameter for each column of a table but one, called as the column is."""
    return {column.name: bindparam(column.name) for column in table.c if column.name != without}


def _compile(clause: ClauseElement, dialect: Dialect) -> _Compiled:
    compiled = cast("SQLCompiler", clause.compile(dialect=dialect))
    names = None if compiled.positiontup is None else tuple(compiled.positiontup)
    constants = {name: value for name, value in compiled.params.items() if not compiled.binds[name].required}
    return _Compiled(compiled.string, names, constants)


def _flat(values: list[Any]) -> str:
    """A list of numbers, or one of texts, as JSON."""
    encoded = map(str, values) if values and isinstance(values[0], int) else map(_quoted, values)
    return f"[{','.join(encoded)}]"


_quoted = json.encoder.encode_basestring_ascii

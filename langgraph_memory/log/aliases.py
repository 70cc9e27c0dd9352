"""By which names entities are known in a scope, and which of them people used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select, union

from langgraph_memory.database import Database
from langgraph_memory.log.counters import Counters
from langgraph_memory.log.tables import aliases, computed, in_subtree, subtree, vouched
from langgraph_memory.scope import Scope
from langgraph_memory.store.statements import Among, Statement


class Aliases:
    """Pairs of normalised name and entity; only added, until they are forgotten."""

    def __init__(self, database: Database, counters: Counters) -> None:
        self._database = database
        self._counters = counters
        database.create(aliases, vouched)

    def add(
        self, connection: Connection, scope: Scope, names: Iterable[tuple[str, str]], source: str
    ) -> None:
        """Add pairs of normalised name and entity; the counters grow if one of them is new."""
        rows = [{"scope": scope.key, "name": n, "entity": e, "source": source} for n, e in names]
        new = self._database.insert_missing(aliases)
        if rows and connection.execute(new, rows).rowcount:
            self._counters.advance(connection, "names")

    def vouch(
        self, connection: Connection, scope: Scope, names: Iterable[tuple[str, str]], source: str
    ) -> None:
        """Note that a person used these normalised names for these entities."""
        rows = [{"scope": scope.key, "name": n, "entity": e, "source": source} for n, e in names]
        if rows:
            connection.execute(self._database.insert_missing(vouched), rows)

    def vouched(self, scopes: Sequence[Scope], entities: Sequence[str]) -> frozenset[str]:
        """The normalised names that people used for one of these entities."""
        keys = [scope.key for scope in scopes]
        with self._database.read() as connection:
            return frozenset(_VOUCHED.column(connection, keys=keys, entities=list(entities)))

    def of(self, scopes: Sequence[Scope], *, below: bool = False) -> list[tuple[str, str]]:
        """Pairs of normalised name and entity known in these scopes."""
        if below:
            return self._pairs(_ALIASES_BELOW, subtree(scopes[0]))
        return self._pairs(_ALIASES_OF, {"keys": [scope.key for scope in scopes]})

    def related(self, scopes: Sequence[Scope], names: Sequence[str]) -> list[tuple[str, str]]:
        """Those pairs of these scopes in which one of `names` is the name or the entity."""
        values = {"keys": [scope.key for scope in scopes], "names": list(names)}
        return self._pairs(_RELATED_ALIASES, values)

    def _pairs(self, statement: Statement, values: Mapping[str, Any]) -> list[tuple[str, str]]:
        with self._database.read() as connection:
            return [(name, entity) for name, entity in statement.rows(connection, **values)]


_PAIR = select(aliases.c.name, aliases.c.entity)
_ALIASES = _PAIR.distinct().order_by(aliases.c.name, aliases.c.entity)
_VOUCHED = Statement(
    select(vouched.c.name).where(Among(vouched.c.scope, "keys"), Among(vouched.c.entity, "entities"))
)
_IN_SCOPES = Among(aliases.c.scope, "keys")
_ALIASES_OF = Statement(_ALIASES.where(_IN_SCOPES))
_ALIASES_BELOW = Statement(_ALIASES.where(in_subtree(aliases.c.scope)))
_RELATED_ALIASES = Statement(
    union(
        _PAIR.where(_IN_SCOPES, Among(aliases.c.name, "names")),
        _PAIR.where(Among(computed(aliases.c.scope), "keys"), Among(aliases.c.entity, "names")),
    ).order_by("name", "entity")
)
"""In two parts, which begin with the names: one query for both would go over all that a scope has."""

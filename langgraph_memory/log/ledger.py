"""What SQL keeps about records that a store can't: which body counts, the one current fact of a place.

A `BaseStore` has no compare-and-set, so it holds the bodies and the ledger decides which of them count.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Integer, bindparam, delete, exists, select, text, update

from langgraph_memory.database import Database
from langgraph_memory.log.aliases import Aliases
from langgraph_memory.log.audit import Audit
from langgraph_memory.log.counters import Counters
from langgraph_memory.log.editions import Editions
from langgraph_memory.log.explanations import Explanations
from langgraph_memory.log.marks import mark_facts
from langgraph_memory.log.staleness import StaleReadError
from langgraph_memory.log.tables import (
    cited,
    computed,
    current_facts,
    in_subtree,
    links,
    record_changes,
    records,
    subtree,
)
from langgraph_memory.log.tombstones import Tombstones
from langgraph_memory.records import EpisodeStatus, Record
from langgraph_memory.scope import Scope
from langgraph_memory.store.statements import Among, Statement, parameters_of

_PAGE = 400


class Entry(NamedTuple):
    """What the ledger says of one record: which body counts and where the store keeps it.

    `due` is when it has to be confirmed again, in ISO form and UTC.
    """

    record_id: str
    kind: str
    scope: str
    status: str
    digest: str
    namespace: tuple[str, ...]
    due: str | None = None


class Place(Record):
    """One current fact's place: a scope has one current fact for entity, attribute and slot."""

    scope: str
    entity: str
    attribute: str
    slot: str


class Ledger:
    """Entries and current facts, with tombstones, aliases, audit and explanations beside them."""

    def __init__(self, database: Database) -> None:
        self.database = database
        database.create(records, links, cited, current_facts)
        self._new_record, self._new_link, self._new_citation, self._new_place = (
            Statement(database.insert_missing(table).values(parameters_of(table)))
            for table in (records, links, cited, current_facts)
        )
        self.tombstones = Tombstones(database)
        self.counters = Counters(database)
        self.editions = Editions(database)
        self.aliases = Aliases(database, self.counters)
        self.audit = Audit(database, self.tombstones)
        self.explanations = Explanations(database)
        mark_facts(database)

    def put(self, connection: Connection, entry: Entry, *, expected: str | None, at: datetime) -> None:
        """Make a body count; `expected` is the digest that counted when the decision was made.

        Raises:
            StaleReadError: another digest counts by now.
        """
        row = entry._asdict() | {"namespace": json.dumps(entry.namespace), "at": at.isoformat()}
        if expected is None:
            if self._new_record.run(connection, **row) == 1:
                return
            expected = entry.digest  # the same commit again, after a crash, changes nothing
        same = {"known": entry.record_id, "expected": expected}
        if _CHANGE_RECORD.run(connection, **row, **same) != 1:
            raise StaleReadError(entry.record_id)

    def changed(self, top: Scope, kind: str, *, after: int) -> list[Entry]:
        """Entries of a kind, of a scope and those below it, that were written after a revision."""
        with self.database.read() as connection:
            rows = _CHANGED.rows(connection, **subtree(top), kind=kind, after=after)
        return [_entry(row) for row in rows]

    def link(
        self, connection: Connection, record_id: str, entities: Iterable[str], sources: Iterable[str]
    ) -> None:
        """Note which entities a record concerns, and what it cites."""
        about = [{"entity": entity, "record_id": record_id} for entity in dict.fromkeys(entities)]
        if about:
            self._new_link.run_each(connection, about)
        from_ = [{"source": source, "record_id": record_id} for source in dict.fromkeys(sources)]
        if from_:
            self._new_citation.run_each(connection, from_)

    def take_place(self, connection: Connection, place: Place, fact_id: str) -> None:
        """Make a fact the current one of its place.

        Raises:
            StaleReadError: another fact is current there.
        """
        self._new_place.run(connection, **place.model_dump(), fact_id=fact_id)
        if self.holder(connection, place) != fact_id:
            raise StaleReadError(fact_id)

    def holder(self, connection: Connection, place: Place) -> str | None:
        """The id of the fact that is current in a place."""
        return next(iter(_HOLDER.column(connection, **place.model_dump())), None)

    def give_up_place(self, connection: Connection, fact_id: str) -> None:
        """Note that a fact is current no longer."""
        _GIVE_UP.run(connection, leaving=fact_id)

    def entries(self, record_ids: Sequence[str]) -> dict[str, Entry]:
        """The entries of these records, by id; unknown ids are left out."""
        found: dict[str, Entry] = {}
        with self.database.read() as connection:
            for start in range(0, len(record_ids), _PAGE):
                rows = _BY_IDS.rows(connection, ids=list(record_ids[start : start + _PAGE]))
                found |= {row[0]: _entry(row) for row in rows}
        return found

    def find(
        self,
        scopes: Sequence[Scope],
        kind: str,
        *,
        entities: Sequence[str] | None = None,
        status: Sequence[str] | None = None,
        below: bool = False,
        limit: int | None = None,
    ) -> list[Entry]:
        """Entries of a kind in these scopes, newest first.

        Args:
            scopes: exactly these; with `below`, only one, and those under it too.
            kind: fact, episode or procedure.
            entities: only records that concern one of them.
            status: only records of one of these statuses.
            below: whether to look under the scope.
            limit: at most this many.
        """
        statement = _finding(
            below=below,
            by_entity=entities is not None,
            by_status=status is not None,
            limited=limit is not None,
        )
        values: dict[str, Any] = {"kind": kind}
        values |= subtree(scopes[0]) if below else {"keys": [scope.key for scope in scopes]}
        values |= {"entities": list(entities)} if entities is not None else {}
        values |= {"status": [str(each) for each in status]} if status is not None else {}
        values |= {"limit": limit} if limit is not None else {}
        return self._entries(statement, values)

    def of_entities(self, kind: str, entities: Sequence[str], *, status: Sequence[str]) -> list[Entry]:
        """Entries of a kind, in all scopes, that concern one of the entities and have one of the statuses."""
        values = {"kinds": [kind], "entities": list(entities), "status": [str(each) for each in status]}
        return self._entries(_OF_ENTITIES, values)

    def current_of(self, connection: Connection, scope: Scope, entity: str) -> list[str]:
        """The ids of the current records of a scope that concern an entity, inside a transaction.

        Those who ask for the same entity take turns until they commit.
        """
        now = self.standings_now(connection, scope, entity)
        return [record_id for record_id, status in now.items() if status == "current"]

    def standings(self, scope: Scope, entity: str) -> dict[str, str]:
        """The status of each record of a scope that concerns an entity and is current or retired, by id."""
        with self.database.read() as connection:
            return self._standings(connection, scope, entity)

    def standings_now(self, connection: Connection, scope: Scope, entity: str) -> dict[str, str]:
        """The same inside a transaction; those who ask for one entity take turns until they commit."""
        if not self.database.is_sqlite:
            lock = text("SELECT pg_advisory_xact_lock(hashtext(:key))")
            connection.execute(lock, {"key": f"{scope.key}/{entity}"})
        return self._standings(connection, scope, entity)

    def _standings(self, connection: Connection, scope: Scope, entity: str) -> dict[str, str]:
        rows = connection.execute(_STANDINGS, {"scope": scope.key, "entity": entity}).all()
        return {row.record_id: row.status for row in rows}

    def populated(self, scopes: Sequence[Scope]) -> set[tuple[str, str]]:
        """Those pairs of scope key and kind under which there are records."""
        pairs = [(scope.key, kind) for scope in scopes for kind in _KINDS]
        if not pairs:
            return set()
        keys = {f"scope{n}": scope.key for n, scope in enumerate(scopes)}
        with self.database.read() as connection:
            (row,) = _populated(len(scopes)).rows(connection, **keys)
        return {pair for pair, there in zip(pairs, row, strict=True) if there}

    def overdue(self, now: datetime, *, limit: int) -> list[Entry]:
        """Entries that had to be confirmed again by now, the longest overdue first."""
        return self._entries(_OVERDUE, {"now": now.astimezone(UTC).isoformat(), "limit": limit})

    def current_after(self, record_id: str, *, limit: int) -> list[Entry]:
        """Entries of current facts of all scopes, in order of their ids, after one of them."""
        return self._entries(_CURRENT_AFTER, {"after": record_id, "limit": limit})

    def episodes_between(self, after: datetime | None, before: datetime | None, *, limit: int) -> list[Entry]:
        """Entries of episodes that ended after a moment and before another, oldest first, none archived."""
        first = after.astimezone(UTC).isoformat() if after else ""
        last = before.astimezone(UTC).isoformat() if before else "9999"
        values = {
            "after": first,
            "before": last,
            "limit": limit,
            "open": [str(each) for each in EpisodeStatus],
        }
        return self._entries(_EPISODES_BETWEEN, values)

    def _entries(self, statement: Statement, values: Mapping[str, Any]) -> list[Entry]:
        with self.database.read() as connection:
            return [_entry(row) for row in statement.rows(connection, **values)]


_ENTRIES = select(*(records.c[name] for name in Entry._fields), records.c.at)
_CHANGED = Statement(
    _ENTRIES.join(record_changes, record_changes.c.record_id == records.c.record_id).where(
        record_changes.c.revision > bindparam("after"),
        computed(records.c.kind) == bindparam("kind"),
        in_subtree(computed(records.c.scope)),
    )
)
_CHANGE_RECORD = Statement(
    update(records)
    .where(records.c.record_id == bindparam("known"), records.c.digest == bindparam("expected"))
    .values(parameters_of(records))
)
_HOLDER = Statement(
    select(current_facts.c.fact_id).where(
        *(current_facts.c[name] == bindparam(name) for name in ("scope", "entity", "attribute", "slot"))
    )
)
_GIVE_UP = Statement(delete(current_facts).where(current_facts.c.fact_id == bindparam("leaving")))
_KINDS = ("fact", "episode", "procedure")

_CURRENT_AFTER = Statement(
    _ENTRIES.where(
        records.c.kind == "fact", records.c.status == "current", records.c.record_id > bindparam("after")
    )
    .order_by(records.c.record_id)
    .limit(bindparam("limit", type_=Integer))
)
_EPISODES_BETWEEN = Statement(
    _ENTRIES.where(
        records.c.kind == "episode",
        Among(records.c.status, "open"),
        records.c.at > bindparam("after"),
        records.c.at < bindparam("before"),
    )
    .order_by(records.c.at, records.c.record_id)
    .limit(bindparam("limit", type_=Integer))
)
_OVERDUE = Statement(
    _ENTRIES.where(records.c.due < bindparam("now"))
    .order_by(records.c.due)
    .limit(bindparam("limit", type_=Integer))
)
_BY_IDS = Statement(_ENTRIES.where(Among(records.c.record_id, "ids")))

_OF_ENTITIES = Statement(
    _ENTRIES.join(links, links.c.record_id == records.c.record_id)
    .where(
        Among(records.c.kind, "kinds"),
        Among(records.c.status, "status"),
        Among(links.c.entity, "entities"),
    )
    .distinct()
    .order_by(records.c.record_id)
)
_STANDINGS = (
    select(records.c.record_id, records.c.status)
    .join(links, links.c.record_id == records.c.record_id)
    .where(
        computed(records.c.scope) == bindparam("scope"),
        records.c.status.in_(["current", "retired"]),
        links.c.entity == bindparam("entity"),
    )
)


@cache
def _populated(scopes: int) -> Statement:
    """Whether there are records, scope by scope and kind by kind.

    Each pair is looked up apart: the distinct pairs of a scope would be counted from all its records.
    """
    pairs = [(f"scope{n}", kind) for n in range(scopes) for kind in _KINDS]
    there = (exists().where(records.c.scope == bindparam(at), records.c.kind == kind) for at, kind in pairs)
    return Statement(select(*there))


@cache
def _finding(*, below: bool, by_entity: bool, by_status: bool, limited: bool) -> Statement:
    """A query for entries; built once a form, since building one costs more than running it."""
    query = _ENTRIES.where(records.c.kind == bindparam("kind"))
    scope = computed(records.c.scope) if by_entity else records.c.scope
    query = query.where(in_subtree(scope) if below else Among(scope, "keys"))
    if by_status:
        query = query.where(Among(records.c.status, "status"))
    if by_entity:
        query = query.join(links, links.c.record_id == records.c.record_id).distinct()
        query = query.where(Among(links.c.entity, "entities"))
    query = query.order_by(records.c.at.desc(), records.c.record_id)
    return Statement(query.limit(bindparam("limit", type_=Integer)) if limited else query)


def _entry(row: Sequence[Any]) -> Entry:
    """The entry of a row, whose columns begin with its fields."""
    record_id, kind, scope, status, digest, namespace, due, *_ = row
    return Entry(record_id, kind, scope, status, digest, _namespace(namespace), due)


@lru_cache(maxsize=4096)
def _namespace(written: str) -> tuple[str, ...]:
    return tuple(json.loads(written))

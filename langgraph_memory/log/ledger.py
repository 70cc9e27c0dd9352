"""What SQL keeps about records that a store can't: digests, the one current fact, tombstones, audit.

A `BaseStore` has no compare-and-set, so it holds the bodies and the ledger decides which of them count.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    Integer,
    Select,
    bindparam,
    delete,
    exists,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from langgraph_memory.answers import AuditEntry, Explanation
from langgraph_memory.database import Database
from langgraph_memory.log.staleness import StaleReadError
from langgraph_memory.log.tables import (
    aliases,
    audit,
    cited,
    computed,
    current_facts,
    in_subtree,
    links,
    receipts,
    records,
    settings,
    subtree,
    vouched,
)
from langgraph_memory.log.tombstones import Tombstones
from langgraph_memory.records import EpisodeStatus, Record
from langgraph_memory.scope import Scope

_TABLES = (records, links, cited, current_facts, aliases, vouched, audit, receipts, settings)
_PAGE = 400


class Entry(Record):
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
    """Entries, current facts, tombstones, aliases, audit and receipts, in the event log's database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        database.create(*_TABLES)
        self._insert = sqlite_insert if database.is_sqlite else postgres_insert
        self._new_record, self._new_link, self._new_citation, self._new_place = (
            self._insert(table).on_conflict_do_nothing() for table in (records, links, cited, current_facts)
        )
        self.tombstones = Tombstones(database)
        self._settle()

    def put(self, connection: Connection, entry: Entry, *, expected: str | None, at: datetime) -> None:
        """Make a body count; `expected` is the digest that counted when the decision was made.

        Raises:
            StaleReadError: another digest counts by now.
        """
        row = entry.model_dump() | {"namespace": json.dumps(entry.namespace), "at": at.isoformat()}
        if expected is None:
            if connection.execute(self._new_record, row).rowcount == 1:
                return
            expected = entry.digest  # the same commit again, after a crash, changes nothing
        same = {"known": entry.record_id, "expected": expected}
        if connection.execute(_CHANGE_RECORD, row | same).rowcount != 1:
            raise StaleReadError(entry.record_id)

    def link(
        self, connection: Connection, record_id: str, entities: Iterable[str], sources: Iterable[str]
    ) -> None:
        """Note which entities a record concerns, and what it cites."""
        about = [{"entity": entity, "record_id": record_id} for entity in dict.fromkeys(entities)]
        if about:
            connection.execute(self._new_link, about)
        from_ = [{"source": source, "record_id": record_id} for source in dict.fromkeys(sources)]
        if from_:
            connection.execute(self._new_citation, from_)

    def cites(self, source: str) -> bool:
        """Whether a record cites a source."""
        with self.database.read() as connection:
            return connection.execute(_CITES, {"source": source}).first() is not None

    def take_place(self, connection: Connection, place: Place, fact_id: str) -> None:
        """Make a fact the current one of its place.

        Raises:
            StaleReadError: another fact is current there.
        """
        connection.execute(self._new_place, place.model_dump() | {"fact_id": fact_id})
        if self.holder(connection, place) != fact_id:
            raise StaleReadError(fact_id)

    def holder(self, connection: Connection, place: Place) -> str | None:
        """The id of the fact that is current in a place."""
        return connection.scalar(_HOLDER, place.model_dump())

    def give_up_place(self, connection: Connection, fact_id: str) -> None:
        """Note that a fact is current no longer."""
        connection.execute(_GIVE_UP, {"leaving": fact_id})

    def entries(self, record_ids: Sequence[str]) -> dict[str, Entry]:
        """The entries of these records, by id; unknown ids are left out."""
        found: dict[str, Entry] = {}
        with self.database.read() as connection:
            for start in range(0, len(record_ids), _PAGE):
                page = {"ids": list(record_ids[start : start + _PAGE])}
                rows = connection.execute(_BY_IDS, page).mappings()
                found |= {row["record_id"]: _entry(row) for row in rows}
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
        values: dict[str, Any] = {"kinds": [kind]}
        values |= subtree(scopes[0]) if below else {"keys": [scope.key for scope in scopes]}
        values |= {"entities": list(entities)} if entities is not None else {}
        values |= {"status": list(status)} if status is not None else {}
        values |= {"limit": limit} if limit is not None else {}
        return self._entries(statement, values)

    def of_entities(self, kind: str, entities: Sequence[str], *, status: Sequence[str]) -> list[Entry]:
        """Entries of a kind, in all scopes, that concern one of the entities and have one of the statuses."""
        values = {"kinds": [kind], "entities": list(entities), "status": list(status)}
        return self._entries(_OF_ENTITIES, values)

    def current_of(self, connection: Connection, scope: Scope, entity: str) -> list[str]:
        """The ids of the current records of a scope that concern an entity, inside a transaction.

        Those who ask for the same entity take turns until they commit.
        """
        if not self.database.is_sqlite:
            lock = text("SELECT pg_advisory_xact_lock(hashtext(:key))")
            connection.execute(lock, {"key": f"{scope.key}/{entity}"})
        return list(connection.scalars(_CURRENT_OF, {"scope": scope.key, "entity": entity}))

    def populated(self, scopes: Sequence[Scope]) -> set[tuple[str, str]]:
        """Those pairs of scope key and kind under which there are records."""
        pairs = [(scope.key, kind) for scope in scopes for kind in _KINDS]
        with self.database.read() as connection:
            return {
                pair
                for pair in pairs
                if connection.scalar(_IS_POPULATED, dict(zip(_PAIR, pair, strict=True)))
            }

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
        values = {"after": first, "before": last, "limit": limit, "open": list(EpisodeStatus)}
        return self._entries(_EPISODES_BETWEEN, values)

    def tidied(self) -> datetime | None:
        """When consolidation across episodes ran last."""
        with self.database.read() as connection:
            value = connection.scalar(select(settings.c.value).where(settings.c.name == _TIDIED))
        return datetime.fromisoformat(value) if value else None

    def note_tidied(self, at: datetime) -> None:
        """Note when consolidation across episodes ran."""
        moment = at.astimezone(UTC).isoformat()
        with self.database.write() as connection:
            row = {"name": _TIDIED, "value": moment, "number": None}
            connection.execute(self._insert(settings).values(row).on_conflict_do_nothing())
            connection.execute(update(settings).where(settings.c.name == _TIDIED).values(value=moment))

    def _entries(self, statement: Select[Any], values: Mapping[str, Any]) -> list[Entry]:
        with self.database.read() as connection:
            return [_entry(row) for row in connection.execute(statement, values).mappings()]

    def revision(self) -> int:
        """A number that grows with every commit; what was cached under an older one is stale."""
        with self.database.read() as connection:
            return int(connection.execute(_NUMBER, {"name": "revision"}).scalar() or 0)

    def advance(self, connection: Connection) -> None:
        """Grow the revision, inside the transaction that changed something."""
        connection.execute(_ADVANCE, {"counters": ["revision"]})

    def add_aliases(
        self, connection: Connection, scope: Scope, names: Iterable[tuple[str, str]], source: str
    ) -> None:
        """Add pairs of normalised name and entity; both counters grow if one of them is new."""
        rows = [{"scope": scope.key, "name": n, "entity": e, "source": source} for n, e in names]
        if rows and connection.execute(self._insert(aliases).on_conflict_do_nothing(), rows).rowcount:
            connection.execute(_ADVANCE, {"counters": ["revision", "names"]})

    def names_revision(self) -> int:
        """A number that grows whenever a name is added or forgotten."""
        with self.database.read() as connection:
            return int(connection.execute(_NUMBER, {"name": "names"}).scalar() or 0)

    def forgets(self, connection: Connection) -> int:
        """How often something was forgotten."""
        return int(connection.execute(_NUMBER, {"name": "forgets"}).scalar() or 0)

    def note_forgetting(self, connection: Connection) -> None:
        """Grow all counters: whatever anybody has cached of names and records is stale."""
        connection.execute(_ADVANCE, {"counters": ["revision", "names", "forgets"]})

    def vouch(
        self, connection: Connection, scope: Scope, names: Iterable[tuple[str, str]], source: str
    ) -> None:
        """Note that a person used these normalised names for these entities."""
        rows = [{"scope": scope.key, "name": n, "entity": e, "source": source} for n, e in names]
        if rows:
            connection.execute(self._insert(vouched).on_conflict_do_nothing(), rows)

    def vouched_names(self, scopes: Sequence[Scope], entities: Sequence[str]) -> frozenset[str]:
        """The normalised names that people used for one of these entities."""
        values = {"keys": [scope.key for scope in scopes], "entities": list(entities)}
        with self.database.read() as connection:
            return frozenset(connection.scalars(_VOUCHED, values))

    def aliases(self, scopes: Sequence[Scope], *, below: bool = False) -> list[tuple[str, str]]:
        """Pairs of normalised name and entity known in these scopes."""
        if below:
            return self._pairs(_ALIASES_BELOW, subtree(scopes[0]))
        return self._pairs(_ALIASES_OF, {"keys": [scope.key for scope in scopes]})

    def related_names(self, scopes: Sequence[Scope], names: Sequence[str]) -> list[tuple[str, str]]:
        """Those pairs of these scopes in which one of `names` is the name or the entity."""
        values = {"keys": [scope.key for scope in scopes], "names": list(names)}
        return self._pairs(_RELATED_ALIASES, values)

    def _pairs(self, statement: Select[Any], values: Mapping[str, Any]) -> list[tuple[str, str]]:
        with self.database.read() as connection:
            return [(name, entity) for name, entity in connection.execute(statement, values)]

    def bury(
        self, connection: Connection, scope: Scope, entity: str, value: str, *, reason: str, at: datetime
    ) -> None:
        """Leave a tombstone: this value of this entity does not come back by itself."""
        self.tombstones.bury(connection, scope, entity, value, reason=reason, at=at)

    def exhume(self, connection: Connection, scope: Scope, entity: str, value: str) -> None:
        """Take a tombstone away, after someone with authority confirmed the value."""
        self.tombstones.exhume(connection, scope, entity, value)

    def tombstone(self, scope: Scope, entities: Iterable[str], value: str) -> str | None:
        """Why this value of an entity with these ids and names may not come back; None where it may."""
        return self.tombstones.reason(scope, entities, value)

    def note(
        self,
        connection: Connection,
        decision: str,
        *,
        record_id: str,
        scope: str,
        actor: str,
        reason: str,
        at: datetime,
    ) -> None:
        """Write an audit entry."""
        entry = {"decision": decision, "record_id": record_id, "scope": scope, "actor": actor}
        connection.execute(_NEW_NOTE, entry | {"reason": reason, "at": at.isoformat()})

    def audit_of(self, record_id: str) -> list[AuditEntry]:
        """The audit entries about a record, oldest first."""
        names = (record_id, self.tombstones.digest(record_id))  # one that told too much was replaced
        query = select(audit).where(audit.c.record_id.in_(names)).order_by(audit.c.seq)
        with self.database.read() as connection:
            rows = connection.execute(query).mappings().all()
        return [AuditEntry.model_validate(dict(row)) for row in rows]

    def keep_receipts(self, connection: Connection, batch: Sequence[Explanation]) -> None:
        """Write receipts of recalls and decisions."""
        rows = [
            {"id": r.id, "kind": r.kind, "at": r.at.isoformat(), "body": json.dumps(r.body)} for r in batch
        ]
        if rows:
            connection.execute(self._insert(receipts).on_conflict_do_nothing(), rows)

    def receipt(self, receipt_id: str) -> Explanation | None:
        """The receipt with this id."""
        with self.database.read() as connection:
            row = connection.execute(select(receipts).where(receipts.c.id == receipt_id)).mappings().first()
        return _explanation(row) if row else None

    def receipts(self, kind: str, *, naming: str | None = None) -> list[Explanation]:
        """The receipts of recalls or of decisions, oldest first; or only those that name another receipt."""
        query = select(receipts).where(receipts.c.kind == kind).order_by(receipts.c.at, receipts.c.id)
        if naming is not None:
            query = query.where(receipts.c.body.contains(f'"{naming}"', autoescape=True))
        with self.database.read() as connection:
            return [_explanation(row) for row in connection.execute(query).mappings()]

    def _settle(self) -> None:
        """Start the counters."""
        with self.database.write() as connection:
            rows: list[dict[str, object]] = [
                {"name": name, "value": None, "number": 0} for name in ("revision", "names", "forgets")
            ]
            connection.execute(self._insert(settings).on_conflict_do_nothing(), rows)


def _explanation(row: Mapping[Any, Any]) -> Explanation:
    return Explanation(id=row["id"], kind=row["kind"], at=row["at"], body=json.loads(row["body"]))


_CHANGE_RECORD = update(records).where(
    records.c.record_id == bindparam("known"), records.c.digest == bindparam("expected")
)
_HOLDER = select(current_facts.c.fact_id).where(
    *(current_facts.c[name] == bindparam(name) for name in ("scope", "entity", "attribute", "slot"))
)
_GIVE_UP = delete(current_facts).where(current_facts.c.fact_id == bindparam("leaving"))
_NEW_NOTE = insert(audit)
_KEYS: BindParameter[Any] = bindparam("keys", expanding=True)
_NUMBER = select(settings.c.number).where(settings.c.name == bindparam("name"))
_ADVANCE = (
    update(settings)
    .where(settings.c.name.in_(bindparam("counters", expanding=True)))
    .values(number=settings.c.number + 1)
)
_CITES = select(cited.c.record_id).where(cited.c.source == bindparam("source")).limit(1)
_KINDS = ("fact", "episode", "procedure")
_PAIR = ("scope", "kind")
_IS_POPULATED = select(exists().where(*(records.c[name] == bindparam(name) for name in _PAIR)))
"""Looked up pair by pair: the distinct pairs of a scope would be counted from all its records."""

_TIDIED = "tidied"
_CURRENT_AFTER = (
    select(records)
    .where(records.c.kind == "fact", records.c.status == "current", records.c.record_id > bindparam("after"))
    .order_by(records.c.record_id)
    .limit(bindparam("limit", type_=Integer))
)
_EPISODES_BETWEEN = (
    select(records)
    .where(
        records.c.kind == "episode",
        records.c.status.in_(bindparam("open", expanding=True)),
        records.c.at > bindparam("after"),
        records.c.at < bindparam("before"),
    )
    .order_by(records.c.at, records.c.record_id)
    .limit(bindparam("limit", type_=Integer))
)
_OVERDUE = (
    select(records)
    .where(records.c.due < bindparam("now"))
    .order_by(records.c.due)
    .limit(bindparam("limit", type_=Integer))
)
_BY_IDS = select(records).where(records.c.record_id.in_(bindparam("ids", expanding=True)))

_OF_ENTITIES = (
    select(records)
    .join(links, links.c.record_id == records.c.record_id)
    .where(
        records.c.kind.in_(bindparam("kinds", expanding=True)),
        records.c.status.in_(bindparam("status", expanding=True)),
        links.c.entity.in_(bindparam("entities", expanding=True)),
    )
    .distinct()
    .order_by(records.c.record_id)
)
_CURRENT_OF = (
    select(records.c.record_id)
    .join(links, links.c.record_id == records.c.record_id)
    .where(
        records.c.scope == bindparam("scope"),
        records.c.status == "current",
        links.c.entity == bindparam("entity"),
    )
)

_NAMES: BindParameter[Any] = bindparam("names", expanding=True)
_ALIASES = select(aliases.c.name, aliases.c.entity).distinct().order_by(aliases.c.name, aliases.c.entity)
_VOUCHED = select(vouched.c.name).where(
    vouched.c.scope.in_(_KEYS), vouched.c.entity.in_(bindparam("entities", expanding=True))
)
_ALIASES_OF = _ALIASES.where(aliases.c.scope.in_(_KEYS))
_ALIASES_BELOW = _ALIASES.where(in_subtree(aliases.c.scope))
_RELATED_ALIASES = _ALIASES_OF.where(aliases.c.name.in_(_NAMES) | aliases.c.entity.in_(_NAMES))


@cache
def _finding(*, below: bool, by_entity: bool, by_status: bool, limited: bool) -> Select[Any]:
    """A query for entries; built once a form, since building one costs more than running it."""
    query = select(records).where(records.c.kind.in_(bindparam("kinds", expanding=True)))
    scope = computed(records.c.scope) if by_entity else records.c.scope
    query = query.where(in_subtree(scope) if below else scope.in_(_KEYS))
    if by_status:
        query = query.where(records.c.status.in_(bindparam("status", expanding=True)))
    if by_entity:
        query = query.join(links, links.c.record_id == records.c.record_id).distinct()
        query = query.where(links.c.entity.in_(bindparam("entities", expanding=True)))
    query = query.order_by(records.c.at.desc(), records.c.record_id)
    return query.limit(bindparam("limit", type_=Integer)) if limited else query


def _entry(row: Mapping[Any, Any]) -> Entry:
    """The entry of a row; a recall reads hundreds, and the columns' types are the fields'."""
    fields = {name: row[name] for name in ("record_id", "kind", "scope", "status", "digest", "due")}
    return Entry.model_construct(**fields, namespace=_namespace(row["namespace"]))


@lru_cache(maxsize=4096)
def _namespace(written: str) -> tuple[str, ...]:
    return tuple(json.loads(written))

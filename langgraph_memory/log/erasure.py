"""What the ledger holds of something that is forgotten: found by what it cites and says, and taken out."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, delete, or_, select, update

from langgraph_memory.log.ledger import Entry, Ledger
from langgraph_memory.log.tables import (
    aliases,
    audit,
    cited,
    current_facts,
    holds,
    holds_in_json,
    in_subtree,
    links,
    receipts,
    record_changes,
    records,
    subtree,
    vouched,
)
from langgraph_memory.names import bare, normalise
from langgraph_memory.scope import Scope

BLANK = "[forgotten]"
"""What stands in the place of a forgotten text."""

_TELLS_NOTHING = re.compile(r"(?:fact|note|forget|recall|guard)_[0-9a-f]+")
"""Ids that are drawn or hashed: nobody put a word into them."""

_PAGE = 400
_TEXTS = 40
_KINDS = ("fact", "episode", "procedure")


class Aged(NamedTuple):
    """An entry, and when it was last written."""

    entry: Entry
    at: datetime


class Erasure:
    """Reads and deletes in the ledger's tables, by scope, record, source and text."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._is_sqlite = ledger.database.is_sqlite

    def entries_below(self, top: Scope, *, entities: Sequence[str] | None = None) -> list[Entry]:
        """The entries of all records of a scope and those under it, or of what concerns `entities` there."""
        found: list[Entry] = []
        for kind in _KINDS:
            found += self._ledger.find([top], kind, entities=entities, below=True)
        return found

    def about(self, entities: Sequence[str]) -> list[Entry]:
        """The entries of all records that concern one of the entities, in any scope."""
        query = select(links.c.record_id).where(links.c.entity.in_(entities)).distinct()
        with self._ledger.database.read() as connection:
            ids = list(connection.scalars(query))
        return list(self._ledger.entries(ids).values())

    def citing(self, sources: Iterable[str], *, kind: str | None = None) -> list[Entry]:
        """The entries of the records that cite one of the sources; of one kind."""
        ids: dict[str, None] = {}
        with self._ledger.database.read() as connection:
            for page in pages(sources):
                query = select(cited.c.record_id).where(cited.c.source.in_(page))
                ids |= dict.fromkeys(connection.scalars(query))
        found = self._ledger.entries(list(ids)).values()
        return [entry for entry in found if kind in (None, entry.kind)]

    def cited_among(self, sources: Iterable[str]) -> set[str]:
        """Those of the sources that a record cites."""
        found: set[str] = set()
        with self._ledger.database.read() as connection:
            for page in pages(sources):
                found.update(connection.scalars(select(cited.c.source).where(cited.c.source.in_(page))))
        return found

    def decided_by(self, actor: str, decision: str, *, below: Scope) -> list[str]:
        """The ids of the records about which someone decided so in a scope and those under it."""
        made = and_(audit.c.actor == actor, audit.c.decision == decision, in_subtree(audit.c.scope))
        with self._ledger.database.read() as connection:
            return list(connection.scalars(select(audit.c.record_id).where(made).distinct(), subtree(below)))

    def older(self, kind: str, statuses: Sequence[str] | None, before: datetime) -> list[Aged]:
        """The entries of a kind and of some statuses that were last written before a moment."""
        query = select(records.c.record_id, records.c.at).where(
            records.c.kind == kind, records.c.at < before.astimezone(UTC).isoformat()
        )
        if statuses is not None:
            query = query.where(records.c.status.in_(list(statuses)))
        with self._ledger.database.read() as connection:
            written = {name: datetime.fromisoformat(at) for name, at in connection.execute(query)}
        entries = self._ledger.entries(list(written))
        return [Aged(entry, written[name]) for name, entry in entries.items()]

    def drop_older_receipts(self, before: datetime) -> int:
        """Delete the receipts of recalls and decisions before a moment; how many that were."""
        old = receipts.c.at < before.astimezone(UTC).isoformat()
        with self._ledger.database.write() as connection:
            return connection.execute(delete(receipts).where(old)).rowcount

    def names(self, top: Scope, forms: Sequence[str]) -> list[tuple[str, str]]:
        """Pairs of name and entity under a scope and above it in which one of the forms occurs."""
        asked = or_(aliases.c.name.in_(forms), aliases.c.entity.in_(forms))
        query = select(aliases.c.name, aliases.c.entity).where(in_subtree(aliases.c.scope), asked).distinct()
        with self._ledger.database.read() as connection:
            below = [(name, entity) for name, entity in connection.execute(query, subtree(top))]
        return [*below, *self._ledger.aliases.related(list(top.ancestors()), forms)]

    def names_of(self, top: Scope, entities: Iterable[str]) -> dict[str, set[str]]:
        """All other names and ids by which these entities are known under a scope and above it."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for page in pages(entities):
            by_form = {form: entity for entity in page for form in (entity, bare(entity), normalise(entity))}
            for name, of in self.names(top, list(by_form)):
                for form in (name, of):
                    if form in by_form:
                        found[by_form[form]].update((name, of))
        return found

    def drop_records(self, connection: Connection, record_ids: Sequence[str]) -> None:
        """Delete the entries of records, and all that leads to them."""
        for page in pages(record_ids):
            for table in (records, record_changes, links, cited):
                connection.execute(delete(table).where(table.c.record_id.in_(page)))
            connection.execute(delete(current_facts).where(current_facts.c.fact_id.in_(page)))
        self._ledger.counters.grow(connection, "forgets")

    def drop_sources(self, connection: Connection, sources: Iterable[str]) -> None:
        """Forget that anything was cited from these sources."""
        for page in pages(sources):
            connection.execute(delete(cited).where(cited.c.source.in_(page)))

    def drop_links(self, connection: Connection, entities: Sequence[str], record_ids: Sequence[str]) -> None:
        """Forget that these records concern these entities."""
        for page in pages(record_ids):
            both = and_(links.c.entity.in_(entities), links.c.record_id.in_(page))
            connection.execute(delete(links).where(both))

    def drop_names(self, connection: Connection, top: Scope, entities: Sequence[str] | None = None) -> int:
        """Delete the names of a scope and those under it; with `entities`, those that name one of them."""
        count = 0
        for table in (vouched, aliases):
            query = delete(table).where(in_subtree(table.c.scope))
            if entities is not None:
                query = query.where(or_(table.c.entity.in_(entities), table.c.name.in_(entities)))
            count = connection.execute(query, subtree(top)).rowcount
        return count

    def drop_vouching(self, connection: Connection, activities: Iterable[tuple[Scope, str]]) -> None:
        """Forget that people used names in these activities."""
        for scope, activity_id in dict.fromkeys(activities):
            there = and_(vouched.c.scope == scope.key, vouched.c.source == activity_id)
            connection.execute(delete(vouched).where(there))

    def names_from(self, top: Scope, sources: Iterable[str]) -> list[tuple[Scope, str, str]]:
        """Scope, name and entity of the names that came with one of the sources."""
        found: list[tuple[Scope, str, str]] = []
        with self._ledger.database.read() as connection:
            for page in pages(sources):
                query = select(aliases.c.scope, aliases.c.name, aliases.c.entity).where(
                    aliases.c.source.in_(page), in_subtree(aliases.c.scope)
                )
                rows = connection.execute(query, subtree(top))
                found += [(Scope.from_key(scope), name, entity) for scope, name, entity in rows]
        return found

    def drop_name(self, connection: Connection, scope: Scope, name: str, entity: str) -> None:
        """Delete one name."""
        for table in (vouched, aliases):
            same = and_(table.c.scope == scope.key, table.c.name == name, table.c.entity == entity)
            connection.execute(delete(table).where(same))

    def drop_receipts(
        self, connection: Connection, texts: Sequence[str], is_meant: Callable[[Any], bool]
    ) -> int:
        """Delete the receipts of recalls and decisions that hold one of the texts and are meant."""
        count = 0
        for page in pages(texts, _TEXTS):
            held = [holds_in_json(receipts.c.body, text, is_sqlite=self._is_sqlite) for text in page]
            escaped = [holds(receipts.c.body, _ascii(text), is_sqlite=self._is_sqlite) for text in page]
            rows = connection.execute(select(receipts.c.id, receipts.c.body).where(or_(*held, *escaped)))
            meant = [receipt_id for receipt_id, body in rows if is_meant(json.loads(body))]
            for ids in pages(meant):
                count += connection.execute(delete(receipts).where(receipts.c.id.in_(ids))).rowcount
        return count

    def blank_audit(
        self, connection: Connection, texts: Sequence[str], is_meant: Callable[[Any], bool]
    ) -> None:
        """Take what is meant out of reasons and actors of the audit, and digest record ids that tell it."""
        for page in pages(texts, _TEXTS):
            for column in (audit.c.reason, audit.c.actor, audit.c.record_id):
                held = or_(*(holds(column, text, is_sqlite=self._is_sqlite) for text in page))
                found = connection.scalars(select(column).where(held).distinct())
                for value in [value for value in found if is_meant(value)]:
                    told = self._ledger.tombstones.digest(value) if column is audit.c.record_id else BLANK
                    connection.execute(update(audit).where(column == value).values({column.name: told}))

    def blank_reasons(self, connection: Connection, record_ids: Iterable[str]) -> None:
        """Take the words of all decisions about these records out of the audit."""
        for page in pages(record_ids):
            made = and_(audit.c.record_id.in_(page), audit.c.decision != "forgotten")
            connection.execute(update(audit).where(made).values(reason=BLANK))

    def blank_audit_below(self, connection: Connection, top: Scope) -> None:
        """Take all reasons and ids of a scope, and of those under it, out of the audit."""
        here = in_subtree(audit.c.scope)
        digest = self._ledger.tombstones.digest(top.key)
        connection.execute(update(audit).where(here).values(reason=BLANK), subtree(top))
        self._digest_ids(connection, here, top)
        connection.execute(update(audit).where(here).values(scope=digest), subtree(top))

    def _digest_ids(self, connection: Connection, where: ColumnElement[bool], top: Scope) -> None:
        ids = connection.scalars(select(audit.c.record_id).where(where).distinct(), subtree(top)).all()
        for record_id in ids:
            if _TELLS_NOTHING.fullmatch(record_id):
                continue
            digest = self._ledger.tombstones.digest(record_id)
            same = audit.c.record_id == record_id
            connection.execute(update(audit).where(same).values(record_id=digest))


def pages(things: Iterable[str], size: int = _PAGE) -> Iterator[list[str]]:
    """As many different things at a time as a statement takes."""
    listed = list(dict.fromkeys(things))
    for start in range(0, len(listed), size):
        yield listed[start : start + size]


def _ascii(text: str) -> str:
    """The text as JSON that is written in ASCII holds it."""
    return json.dumps(text)[1:-1]

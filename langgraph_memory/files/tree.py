"""The files of one scope, as one transaction sees and changes them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from langgraph.store.base import BaseStore, GetOp, Item, PutOp
from sqlalchemy import (
    Column,
    Connection,
    Integer,
    RowMapping,
    Table,
    Text,
    Update,
    and_,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from langgraph_memory.database import metadata
from langgraph_memory.errors import StorageError
from langgraph_memory.log.ledger import Ledger
from langgraph_memory.log.tables import KEY
from langgraph_memory.records import Moment, Record
from langgraph_memory.repository.bodies import digest_of
from langgraph_memory.scope import Scope
from langgraph_memory.store import RESERVED_ROOT

KIND = "note"
"""The label of notes in a namespace, and how they are marked in the store."""

files = Table(
    "files",
    metadata,
    Column("scope", KEY, primary_key=True),
    Column("path", KEY, primary_key=True),
    Column("file_id", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("size", Integer, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("modified_at", Text, nullable=False),
)


class Entry(Record):
    """One file: where it is, which text counts, and how large it is in bytes."""

    path: str
    file_id: str
    digest: str
    size: int
    created_at: Moment
    modified_at: Moment


class Tree:
    """Files by path; lives as long as the transaction in which it was opened by a `Shelf`."""

    def __init__(
        self,
        store: BaseStore,
        ledger: Ledger,
        connection: Connection,
        scope: Scope,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._connection = connection
        self._scope = scope
        self._clock = clock
        self._namespace = (RESERVED_ROOT, *scope.labels, KIND)

    def sizes(self) -> list[tuple[str, int]]:
        """Path and size of all files, in order of their paths."""
        rows = self._connection.execute(_SIZES, {"scope": self._scope.key})
        return [(path, size) for path, size in rows]

    def entries(self) -> list[Entry]:
        """All files, in order of their paths."""
        return [_entry(row) for row in self._connection.execute(_ALL, {"scope": self._scope.key}).mappings()]

    def entry(self, path: str) -> Entry | None:
        """The file under a path."""
        place = {"scope": self._scope.key, "path": path}
        row = self._connection.execute(_ONE, place).mappings().first()
        return _entry(row) if row else None

    def usage(self) -> tuple[int, int]:
        """How many files there are, and their bytes in all."""
        count, size = self._connection.execute(_USAGE, {"scope": self._scope.key}).one()
        return int(count), int(size or 0)

    def text(self, entry: Entry) -> str:
        """The text of a file.

        Raises:
            StorageError: the store lost it, or someone changed it behind memory's back.
        """
        (item,) = self._store.batch([GetOp(self._namespace, _key(entry))])
        found = item.value.get("text") if isinstance(item, Item) else None
        if not isinstance(found, str) or digest_of(found) != entry.digest:
            raise StorageError(
                f"the text of {entry.path!r} is gone from the store or was changed there: delete the file "
                "and write it again"
            )
        return found

    def put(self, path: str, content: str, *, author: str) -> Entry:
        """Write a file, over the one that is there."""
        old, now = self.entry(path), self._clock()
        new = Entry(
            path=path,
            file_id=old.file_id if old else f"note_{uuid.uuid4().hex}",
            digest=digest_of(content),
            size=len(content.encode()),
            created_at=old.created_at if old else now,
            modified_at=now,
        )
        value = {"text": content, "kind": KIND, "author": author}
        operations = [PutOp(self._namespace, _key(new), value, False)]
        if old is not None and old.digest != new.digest:
            operations.append(PutOp(self._namespace, _key(old), None))
        self._store.batch(operations)
        row = {"scope": self._scope.key, **new.model_dump(mode="json")}
        self._connection.execute(insert(files).values(row) if old is None else self._update(path, row))
        self._note(new, "written", author)
        return new

    def move(self, moves: Mapping[str, str], *, author: str) -> None:
        """Give files other paths; their texts stay where they are."""
        for entry in self.entries():
            if entry.path in moves:
                self._connection.execute(self._update(entry.path, {"path": moves[entry.path]}))
                self._note(entry, "renamed", author)

    def remove(self, entries: Sequence[Entry], *, author: str) -> None:
        """Delete files and their texts."""
        for entry in entries:
            self._connection.execute(_DELETE, {"scope": self._scope.key, "path": entry.path})
            self._note(entry, "deleted", author)
        if entries:
            self._store.batch([PutOp(self._namespace, _key(entry), None) for entry in entries])

    def _update(self, path: str, values: Mapping[str, object]) -> Update:
        here = and_(files.c.scope == self._scope.key, files.c.path == path)
        return update(files).where(here).values(dict(values))

    def _note(self, entry: Entry, decision: str, author: str) -> None:
        self._ledger.audit.note(
            self._connection,
            decision,
            record_id=entry.file_id,
            scope=self._scope.key,
            actor=author,
            reason="the agent's own note",
            at=self._clock(),
        )


_HERE = files.c.scope == bindparam("scope")
_THIS = and_(_HERE, files.c.path == bindparam("path"))
_SIZES = select(files.c.path, files.c.size).where(_HERE).order_by(files.c.path)
_ALL = select(files).where(_HERE).order_by(files.c.path)
_ONE = select(files).where(_THIS)
_DELETE = delete(files).where(_THIS)
_USAGE = select(func.count(), func.sum(files.c.size)).where(_HERE)


def _key(entry: Entry) -> str:
    return f"{entry.file_id}~{entry.digest}"


def _entry(row: RowMapping) -> Entry:
    return Entry(**{name: row[name] for name in Entry.model_fields})

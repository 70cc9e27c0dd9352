"""Writes what a scope holds as JSON lines: events, then all that was made of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from langgraph_memory.answers import ExportReport
from langgraph_memory.file_access import reaching
from langgraph_memory.log import EventLog
from langgraph_memory.log.leases import is_gone, new_owner
from langgraph_memory.records import Episode, Event, Fact, Procedure
from langgraph_memory.redaction import Redactor
from langgraph_memory.repository import Repository
from langgraph_memory.repository.bodies import Kind
from langgraph_memory.scope import Scope
from langgraph_memory.transfer.export_lines import TOLD, Exported, line_of

_KINDS: tuple[Kind, ...] = ("episode", "fact", "procedure")
_READ_AT_ONCE = 500
_SHOWN_NAME = 80
_JOINT, _PARTS = "~", 3


def export(
    scope: Scope, path: Path, *, log: EventLog, repository: Repository, redactor: Redactor
) -> ExportReport:
    """Write all of a scope and those below it to a file, which is there as a whole or not at all.

    Args:
        scope: where.
        path: the file; one that is there is replaced.
        log: where events are.
        repository: where records are.
        redactor: takes out secrets that an earlier one let pass.

    Raises:
        FileAccessError: the file can't be written.
    """
    with reaching(path):
        return _export(scope, path, log, repository, redactor)


def _export(
    scope: Scope, path: Path, log: EventLog, repository: Repository, redactor: Redactor
) -> ExportReport:
    counts: dict[type[Exported], int] = {Event: 0, Episode: 0, Fact: 0, Procedure: 0}
    with _replacing(path) as file, repository.reading():
        for record in _records(scope, log, repository):
            file.write(line_of(_fields(record, redactor)))
            counts[type(record)] += 1
    return ExportReport(
        path=str(path),
        events=counts[Event],
        episodes=counts[Episode],
        facts=counts[Fact],
        procedures=counts[Procedure],
    )


def _coming(place: Path, owner: str) -> str:
    """The name of a file on its way, which says who writes it."""
    return f".{place.name[:_SHOWN_NAME]}.{owner.replace('|', _JOINT)}"


def _remove_remains(place: Path) -> None:
    """Remove what exports to the same place left that were killed: it holds what may be forgotten since."""
    start = _coming(place, "")
    for each in place.parent.iterdir():
        owner = each.name.removeprefix(start).replace(_JOINT, "|")
        if each.name.startswith(start) and owner.count("|") == _PARTS and is_gone(owner):
            each.unlink(missing_ok=True)


@contextmanager
def _replacing(path: Path) -> Iterator[TextIO]:
    """A file that takes the place of another when it is whole; pipes and devices are written as they are."""
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8") as file:
            yield file
        return
    place = path.resolve()  # a link stays one
    _remove_remains(place)
    coming = place.with_name(_coming(place, new_owner()))
    descriptor = os.open(coming, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            yield file
        coming.replace(place)
    except BaseException:  # an interruption leaves no half of a file, either
        coming.unlink(missing_ok=True)
        raise


def _records(scope: Scope, log: EventLog, repository: Repository) -> Iterator[Exported]:
    seq = 0
    while events := log.since(seq, scope=scope, limit=_READ_AT_ONCE):
        yield from events
        seq = events[-1].seq
    for kind in _KINDS:
        entries = repository.ledger.find([scope], kind, below=True)
        for start in range(0, len(entries), _READ_AT_ONCE):
            yield from repository.load(entries[start : start + _READ_AT_ONCE])


def _fields(record: Exported, redactor: Redactor) -> dict[str, Any]:
    fields: dict[str, Any] = record.model_dump(mode="json")
    return fields | {name: redactor(fields[name]).value for name in TOLD[type(record)]}

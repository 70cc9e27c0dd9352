"""The lines of an export: one record a line, told apart by its id, without anything of an embedding."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from langgraph_memory import strict_json
from langgraph_memory.errors import IngestError
from langgraph_memory.file_access import reaching
from langgraph_memory.records import SCHEMA_VERSION, Episode, Event, Fact, Procedure

Exported = Event | Episode | Fact | Procedure

_TYPES: Mapping[str, type[Exported]] = {
    "event_id": Event,
    "episode_id": Episode,
    "fact_id": Fact,
    "procedure_id": Procedure,
}
_PLACES = frozenset({"seq"})
"""Fields that belong to one log and mean nothing in another."""

TOLD = {
    Event: ("data", "entities", "evidence_ref"),
    Episode: (
        "entities",
        "summary",
        "resolution",
        "excerpts",
        "keywords",
        "actions",
        "observed",
        "outcome",
        "feedback",
    ),
    Fact: ("entity", "attribute", "value", "ends_when"),
    Procedure: ("trigger_intent", "steps", "checks", "reason"),
}
"""The fields in which words stand; all others are ids, times and closed sets."""


def line_of(fields: Mapping[str, Any]) -> str:
    """The line of a record, given its fields as JSON."""
    return json.dumps({k: v for k, v in fields.items() if k not in _PLACES}, ensure_ascii=False) + "\n"


def read(path: Path) -> Iterator[Exported]:
    """The records of a file, in order.

    Raises:
        IngestError: a line that is no record of this version.
        FileAccessError: the file can't be read.
    """
    with reaching(path), path.open(encoding="utf-8-sig") as lines:
        try:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _record(line, f"{path}, line {number}")
        except UnicodeDecodeError as error:
            raise IngestError(f"{path} is not UTF-8 ({error}): export it again") from error


def _record(line: str, where: str) -> Exported:
    try:
        fields = strict_json.loads(line)
    except ValueError as error:
        raise IngestError(f"{where}: not JSON ({error})") from error
    kind = next((_TYPES[name] for name in _TYPES if isinstance(fields, dict) and name in fields), None)
    if kind is None:
        raise IngestError(f"{where}: no record: a line has one of {', '.join(_TYPES)}")
    if (
        not isinstance(version := fields.get("schema_version", SCHEMA_VERSION), int)
        or version > SCHEMA_VERSION
    ):
        raise IngestError(
            f"{where}: schema {version!r} is later than {SCHEMA_VERSION}, which this package reads: update it"
        )
    try:
        return kind.model_validate_json(json.dumps(fields))
    except ValidationError as error:
        first = error.errors()[0]
        at = ".".join(map(str, first["loc"]))
        raise IngestError(f"{where}: no {kind.__name__.lower()}: {at}: {first['msg']}") from error

"""What the tools last showed of the things that an activity dealt with: observations, which are no facts.

A call that changed something, or a value that was seen to change, says how things stood when the activity
ended. It is kept with the episode, dated, so that a later episode can outdate it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from langgraph_memory.actions import is_reading
from langgraph_memory.entities.identifiers import is_identifier
from langgraph_memory.entities.keys import Announces, announced_by, key_words
from langgraph_memory.outputs import parsed, reports_failure
from langgraph_memory.records import Event, Observation

MAX_OBSERVATIONS = 24
MAX_VALUE = 600

_MOST_OBJECTS = 10
_STATES = frozenset({"status", "state", "phase", "stage", "health"})
_IDS = ("id", "_id", "Id", "ID", "uid", "uuid", "arn", "Arn")


def observed(events: Sequence[Event]) -> tuple[Observation, ...]:
    """How things stood at the end, as the calls that went well show it: of each attribute the last value.

    Kept are states, what a call that changes things gave back, and what was seen to change.
    """
    last: dict[tuple[str, str], Observation] = {}
    kept: dict[tuple[str, str], None] = {}
    for event in events:
        for observation in _shown_by(event):
            place = (observation.entity, observation.attribute)
            before = last.get(place)
            if (
                _is_state(observation.attribute)
                or not is_reading(_tool(event))
                or (before is not None and before.value != observation.value)
            ):
                kept.pop(place, None)
                kept[place] = None
            last[place] = observation
    ordered = sorted(kept, key=lambda place: not _is_state(place[1]))[:MAX_OBSERVATIONS]
    return tuple(last[place] for place in ordered)


def _shown_by(event: Event) -> Iterator[Observation]:
    if not event.event_type.startswith("tool.") or event.event_type == "tool.failed":
        return
    output = parsed(event.data.get("output"))
    if reports_failure(output):
        return
    args = event.data.get("args")
    asked = (
        {str(v) for v in args.values() if isinstance(v, str | int)} if isinstance(args, Mapping) else set()
    )
    for thing in _objects(output):
        entity = _subject(thing, asked)
        if entity is not None:
            yield from _of_thing(thing, entity, event.source, event.occurred_at)


def _objects(output: Any) -> list[Mapping[str, Any]]:
    """The objects that an output is about: itself, or the few in its list."""
    if isinstance(output, Mapping):
        values = list(output.values())
        if len(values) == 1 and isinstance(values[0], list | Mapping):
            return _objects(values[0])
        return [output]
    if isinstance(output, list) and len(output) <= _MOST_OBJECTS:
        return [each for each in output if isinstance(each, Mapping)]
    return []


def _subject(thing: Mapping[str, Any], asked: set[str]) -> str | None:
    """The id of the thing that an object describes: one that was asked for, else its own, else its name.

    A name counts that was asked for, or whose shape says so (`web-1`).
    """
    ids = {key: str(value) for key, value in thing.items() if _is_id(key, value)}
    names = [value for key, value in thing.items() if isinstance(value, str) and _is_name(key)]
    own = [ids[key] for key in _IDS if key in ids] or list(ids.values())
    meant = [each for each in ids.values() if each in asked]
    telling = [name for name in names if name in asked or is_identifier(name)]
    return next(iter([*meant, *own, *telling]), None)


def _is_id(key: object, value: object) -> bool:
    return (
        isinstance(key, str)
        and isinstance(value, str | int)
        and not isinstance(value, bool)
        and announced_by(key) is Announces.IDENTIFIER
    )


def _is_name(key: object) -> bool:
    """Whether a key announces what something is called (`name`, `service`, `queue_name`)."""
    if not isinstance(key, str):
        return False
    return key_words(key)[-1:] == ("name",) or announced_by(key) is Announces.RESOURCE


def _of_thing(thing: Mapping[str, Any], entity: str, source: str, at: datetime) -> Iterator[Observation]:
    for key, value in thing.items():
        if value is None or value == entity or _is_id(key, value):
            continue
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        if text.strip() and len(text) <= MAX_VALUE:
            yield Observation(entity=entity, attribute=str(key), value=text, source=source, at=at)


def _is_state(attribute: str) -> bool:
    return not _STATES.isdisjoint(key_words(attribute))


def _tool(event: Event) -> str:
    tool = event.data.get("tool")
    return tool if isinstance(tool, str) else ""

"""What of an activity a model is shown: all of it, in as many prompts as that takes, up to a limit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from langgraph_memory.log import SPOKEN
from langgraph_memory.names import normalise
from langgraph_memory.records import Event

_EVENT_CHARS, _SPOKEN_CHARS = 2_000, 12_000
WINDOW_CHARS = 48_000
"""How much of an activity one prompt shows, in characters: longer ones are read in parts."""

_BORDER = re.compile(r"\n|[.!?] ")

Shown = dict[str, object]
"""An event, or a part of one, as prompts give it."""


class Windows(NamedTuple):
    """An activity in parts that each fit a prompt, and the ids of events that are not in them to the end."""

    parts: list[list[Shown]]
    left_out: frozenset[str] = frozenset()


def windows(events: Sequence[Event], most: int) -> Windows:
    """The events in parts that each fit a prompt; of more than `most` parts the first and the last ones.

    What people say is shown whole, in pieces that end where sentences do.
    """
    parts = _packed([piece for event in events for piece in _pieces(event)])
    if len(parts) <= most:
        return Windows(parts)
    first = most - most // 2
    kept, dropped = [*parts[:first], *parts[len(parts) - most // 2 :]], parts[first : len(parts) - most // 2]
    return Windows(kept, frozenset(str(piece["event_id"]) for part in dropped for piece in part))


def shortened(events: Sequence[Event]) -> list[Shown]:
    """The events as far as they fit one prompt: the first and the last ones, and how many lie between."""
    every = [shown(event) for event in events]
    head = _packed(every)[0]
    if len(head) == len(every):
        return head
    tail = _packed(every[::-1])[0][::-1]
    head = head[: len(head) // 2]
    tail = tail[-max(len(tail) // 2, 1) :]
    return [*head, {"left_out": len(events) - len(head) - len(tail)}, *tail]


def shown(event: Event) -> Shown:
    """An event as prompts give it, its data cut to a length."""
    limit = _SPOKEN_CHARS if event.event_type in SPOKEN else _EVENT_CHARS
    return _shown(event, json.dumps(event.data, ensure_ascii=False)[:limit])


def named_in(part: Sequence[Shown], known: Mapping[str, str]) -> dict[str, str]:
    """The known names that turn up in a part of an activity: a scope may know thousands."""
    text = normalise(json.dumps(part, ensure_ascii=False))
    return {name: entity for name, entity in known.items() if name in text}


def _pieces(event: Event) -> Iterator[Shown]:
    """The event; what a person says at length in several pieces."""
    if event.event_type not in SPOKEN or len(event.text) <= _SPOKEN_CHARS:
        yield shown(event)
        return
    for piece in _cut(event.text):
        yield _shown(event, json.dumps({**event.data, "text": piece}, ensure_ascii=False))


def _cut(text: str) -> Iterator[str]:
    """A long text in pieces, each up to the last end of a sentence that fits."""
    start = 0
    while len(text) - start > _SPOKEN_CHARS:
        ends = [match.end() for match in _BORDER.finditer(text, start, start + _SPOKEN_CHARS)]
        end = ends[-1] if ends else start + _SPOKEN_CHARS
        yield text[start:end]
        start = end
    yield text[start:]


def _packed(pieces: Sequence[Shown]) -> list[list[Shown]]:
    """What is shown in parts that each fit a prompt; at least one."""
    parts: list[list[Shown]] = [[]]
    size = 0
    for piece in pieces:
        size += len(str(piece["data"]))
        if parts[-1] and size > WINDOW_CHARS:
            parts.append([])
            size = len(str(piece["data"]))
        parts[-1].append(piece)
    return parts


def _shown(event: Event, data: str) -> Shown:
    return {
        "event_id": event.event_id,
        "type": event.event_type,
        "by": f"{event.actor.kind.value} {event.actor.id}",
        "entities": list(event.entities),
        "data": data,
    }

"""What is going on and the prompt holds no longer: the request, the last steps, what tools showed there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from langgraph_memory.records import Event, Observation, Record
from langgraph_memory.retrieval.render import escaped

_SHARES = {"task": 0.15, "recent": 0.2, "live": 0.1}
"""The parts of a recall's budget that these sections get at most; constraints go before all of them."""

_MAX_SAID = 400
_MAX_RESULT = 200
_SPOKEN = frozenset({"message.user", "message.agent", "feedback.correction"})
_USED = frozenset({"tool.completed", "tool.failed"})


class Here(Record):
    """What left the prompt while its activity goes on.

    Attributes:
        task: the latest request of a person.
        recent: what was said and done besides, in order.
        live: how the tools showed things to be.
    """

    task: Event | None = None
    recent: tuple[Event, ...] = ()
    live: tuple[Observation, ...] = ()

    @property
    def sections(self) -> dict[str, list[str]]:
        """The lines of each section that has any, by its name."""
        lines = {
            "task": [_asked(self.task)] if self.task else [],
            "recent": [_step(event) for event in self.recent],
            "live": [_shown(each) for each in self.live],
        }
        return {name: told for name, told in lines.items() if told}


def left(events: Iterable[Event], live: Iterable[Observation] = ()) -> Here:
    """What events whose messages left the prompt, and observations that rest on them, tell.

    Args:
        events: of one activity, in order.
        live: as the tools last showed things; those that rest on other events are in the prompt still.
    """
    gone = list(events)
    asked = [event for event in gone if event.event_type == "message.user"]
    task = asked[-1] if asked else None
    sources = {event.event_id for event in gone}
    return Here(
        task=task,
        recent=tuple(event for event in gone if event is not task and event.event_type in _SPOKEN | _USED),
        live=tuple(each for each in live if each.source in sources),
    )


def fitting(here: Here, budget: int, count: Callable[[str], int]) -> list[str]:
    """The lines of the sections, the newest that fit each section's share, in order."""
    return [
        line
        for name, lines in here.sections.items()
        for line in _newest(lines, int(_SHARES[name] * budget), count)
    ]


def _newest(lines: Sequence[str], budget: int, count: Callable[[str], int]) -> list[str]:
    kept: list[str] = []
    for line in reversed(lines):
        if count("\n".join([line, *kept])) > budget:
            break
        kept.insert(0, line)
    return kept


def _asked(event: Event) -> str:
    by, source = escaped(event.actor.id, 80), escaped(event.source, 120)
    told = escaped(event.text, _MAX_SAID)
    return f"- TASK (asked {event.occurred_at:%Y-%m-%d} by {by}, source {source}) {told}"


def _step(event: Event) -> str:
    told = f"- EARLIER (in this task, {event.occurred_at:%Y-%m-%d}, source {escaped(event.source, 120)})"
    if event.event_type in _SPOKEN:
        return f"{told} {escaped(event.actor.id, 80)}: {escaped(event.text, _MAX_SAID)}"
    tool, args = escaped(str(event.data.get("tool", "")), 80), _as_text(event.data.get("args"))
    gave = "failed with" if event.event_type == "tool.failed" else "gave"
    result = _as_text(event.data.get("error") or event.data.get("output"))
    return f"{told} {tool} {args} {gave} {result}"


def _shown(observation: Observation) -> str:
    when = f"a tool showed it {observation.at:%Y-%m-%d %H:%M}, source {escaped(observation.source, 120)}"
    thing, attribute = escaped(observation.entity, 80), escaped(observation.attribute, 60)
    return f"- NOW ({when}) {thing} {attribute} = {escaped(observation.value, _MAX_RESULT)}"


def _as_text(value: object) -> str:
    return escaped(value if isinstance(value, str) else json.dumps(value, default=str), _MAX_RESULT)

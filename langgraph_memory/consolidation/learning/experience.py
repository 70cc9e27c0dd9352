"""What an activity shows about tools: which order of calls works, what mended an error, what is ignored.

Only names of tools and arguments are read, never what a tool or a document said: a lesson can't carry a
sentence that someone planted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from langgraph_memory.consolidation.episodes.building import failed
from langgraph_memory.playbooks.observations import Key, Seen
from langgraph_memory.records import Event, Record

_NAME = re.compile(r"[A-Za-z_][\w.\-]{0,63}")
_IGNORED_KEYS = frozenset({"ignored", "ignored_args", "ignored_arguments", "ignored_parameters", "unused"})
_LONGEST_SEQUENCE = 8
_SHORTEST_SEQUENCE = 2


class Call(Record):
    """One tool call: the names of its arguments, whether it went well, and which of them were ignored."""

    tool: str
    arguments: frozenset[str]
    good: bool
    ignored: frozenset[str] = frozenset()


def calls_in(events: Iterable[Event]) -> list[Call]:
    """The tool calls of an activity, in order; names that are no names are left out."""
    found = []
    for event in events:
        tool, args = event.data.get("tool"), event.data.get("args")
        if event.event_type.startswith("tool.") and isinstance(tool, str) and _NAME.fullmatch(tool):
            names = (
                frozenset(name for name in args if _NAME.fullmatch(name)) if isinstance(args, dict) else ()
            )
            ignored = _ignored(event.data.get("output")) & frozenset(names)
            found.append(Call(tool=tool, arguments=frozenset(names), good=not failed(event), ignored=ignored))
    return found


def lessons(calls: Sequence[Call], known: Iterable[Key], *, well: bool | None) -> list[Seen]:
    """What the calls of one activity show.

    Args:
        calls: in order.
        known: what was seen about these tools before; the calls speak for or against it.
        well: whether the activity ended well; None if nobody knows.
    """
    seen = dict(_fixes(calls))
    seen |= {
        Key(kind="ignored", tool=c.tool, gone=(name,)): True for c in calls for name in sorted(c.ignored)
    }
    for key in known:
        verdict = _verdict(key, calls)
        if verdict is not None:
            seen[key] = seen.get(key, True) and verdict
    sequence = _sequence(calls)
    if sequence is not None and well is not None:
        seen[sequence] = well
    return [Seen(key=key, good=good) for key, good in seen.items()]


def _fixes(calls: Sequence[Call]) -> Iterable[tuple[Key, bool]]:
    """Calls that went well with other arguments after the same tool had failed."""
    broken: dict[str, Call] = {}
    for call in calls:
        before = broken.get(call.tool)
        if not call.good:
            broken[call.tool] = call
        elif before is not None:
            gone, new = before.arguments - call.arguments, call.arguments - before.arguments
            if gone or new:
                yield Key(kind="fix", tool=call.tool, gone=tuple(sorted(gone)), new=tuple(sorted(new))), True
            del broken[call.tool]


def _verdict(key: Key, calls: Sequence[Call]) -> bool | None:
    """Whether the last call that followed a lesson went well; None if no call followed it."""
    for call in reversed(calls):
        if call.tool != key.tool:
            continue
        if key.kind == "fix" and call.arguments >= set(key.new) and call.arguments.isdisjoint(key.gone):
            return call.good
        if key.kind == "ignored" and call.good and call.arguments >= set(key.gone):
            return not call.ignored.isdisjoint(key.gone)
    return None


def _sequence(calls: Sequence[Call]) -> Key | None:
    """The tools of the calls that went well, in order, each run of one tool once."""
    tools: list[str] = []
    for call in calls:
        if call.good and (not tools or tools[-1] != call.tool):
            tools.append(call.tool)
    if not _SHORTEST_SEQUENCE <= len(tools) <= _LONGEST_SEQUENCE:
        return None
    return Key(kind="sequence", tool=tools[-1], new=tuple(tools))


def _ignored(output: object) -> frozenset[str]:
    """The arguments that an output lists as ignored."""
    if not isinstance(output, Mapping):
        return frozenset()
    listed = [value for key, value in output.items() if key in _IGNORED_KEYS and isinstance(value, list)]
    return frozenset(name for names in listed for name in names if isinstance(name, str))

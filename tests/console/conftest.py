"""The console in this process, and recordings for it to read."""

import json

import pytest
from typer.testing import CliRunner

from langgraph_memory import Memory, Scope
from langgraph_memory.cli import app
from langgraph_memory.records import FactStatus

DESK = "org=acme,user=lena"
"""A personal scope: what its user says counts without a rule."""


def chat(number, *said):
    """A conversation about an order: `said` by the user, with a lookup that works and one that fails."""
    order = f"ORD-77{number:02}"

    def call(name, key, value, result):
        function = {"name": name, "arguments": json.dumps({key: value})}
        request = {"id": f"{name}-{number}", "type": "function", "function": function}
        return (
            {"role": "assistant", "content": None, "tool_calls": [request]},
            {"role": "tool", "tool_call_id": f"{name}-{number}", "content": result},
        )

    return {
        "conversation_id": f"chat-{number}",
        "messages": [
            {"role": "user", "content": f"What about my order {order}?"},
            *call("get_order", "order_id", order, json.dumps({"order_id": order, "state": "sent"})),
            *call("get_parcel", "parcel_id", f"PX{number}", "Error: no such parcel"),
            {"role": "assistant", "content": f"{order} is on its way."},
            *({"role": "user", "content": text} for text in said),
        ],
    }


@pytest.fixture
def chats(tmp_path):
    """Writes a file of conversations, with raw lines where a text is given, and gives its path."""

    def write(*conversations, name="chats.jsonl"):
        lines = [each if isinstance(each, str) else json.dumps(each) for each in conversations]
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "memory"


@pytest.fixture
def console(folder):
    """Runs a sub-command on the folder, in the personal scope where it takes one; arguments come last."""
    runner = CliRunner()

    def run(command, *arguments, scope=DESK):
        place = ("--scope", scope) if scope else ()
        return runner.invoke(app, [command, "--path", str(folder), *place, *map(str, arguments)])

    return run


@pytest.fixture
def ingest(console):
    """Ingests as the user of the personal scope."""
    return lambda *arguments: console("ingest", *arguments, "--user", "lena")


def held(folder, scope=DESK):
    """All that a scope holds, without the times at which it was written."""
    place = Scope.parse(scope)
    with Memory.open(folder) as memory:
        return {
            "events": [event.event_id for event in memory.events(place)],
            "episodes": sorted(
                (e.episode_id, e.summary, e.entities, e.sources) for e in memory.episodes(place)
            ),
            "facts": sorted(
                (f.fact_id, f.entity, f.attribute, f.value, f.status, f.sources)
                for f in memory.facts(place, status=tuple(FactStatus))
            ),
            "backlog": memory.backlog(),
        }


@pytest.fixture
def remembered(folder):
    return lambda scope=DESK: held(folder, scope)

"""Killed at any point, a captured run has lost nothing that its checkpoints hold; nothing is told twice."""

import signal

import pytest
from acceptance.killed import run
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.sqlite import SqliteSaver

from langgraph_memory import CapturingSaver, Memory

from .killed import ROUNDS, converse, die_inside, look_again, nested, opened
from .scenes import ANA, CONTEXT, POLICY, SAID, TEAM, WORD, ask, thread, told

LOOKED = [("tool.completed", "look", f"gpu-{turn}{n}") for turn in range(ROUNDS) for n in (1, 2)]
WHOLE = sorted(
    [
        ("message.user", "ana", SAID),
        *LOOKED,
        ("message.agent", "agent", WORD),
        ("activity.completed", "agent", "completed"),
    ]
)
SHARES = [0.1, 0.25, 0.4, 0.7]


def held(stored):
    """What the messages of a stored checkpoint stand for, each once."""
    found = []
    names = {}
    for message in stored.checkpoint["channel_values"].get("messages", ()) if stored else ():
        if isinstance(message, HumanMessage):
            found.append(("message.user", "ana", message.text))
        elif isinstance(message, ToolMessage):
            found.append(("tool.completed", "look", names[message.tool_call_id]))
        elif isinstance(message, AIMessage) and message.tool_calls:
            names |= {call["id"]: call["args"]["name"] for call in message.tool_calls}
        else:
            found += [("message.agent", "agent", WORD), ("activity.completed", "agent", "completed")]
    return set(found)


def looked_at_and_gone_on_with(folder):
    """What is told when the folder is opened, what was stored then, and what is told in the end."""
    with opened(folder) as (memory, saver, made):
        first, stored = told(memory), saver.get_tuple(thread())
        made.invoke(ask(id="h1") if stored is None else None, thread(), context=CONTEXT)
        assert saver.notices == ()
        return first, stored, told(memory)


@pytest.mark.parametrize("durability", ["sync", "async"])
def test_killed_anywhere_nothing_is_lost_and_nothing_doubled(tmp_path, durability):
    code, total = run(converse, tmp_path / "unbroken", durability)
    assert code == 0
    broken = 0
    for share in SHARES:
        folder = tmp_path / f"killed-{share}"
        code, _ = run(converse, folder, durability, last=max(1, int(total * share)))
        first, stored, then = looked_at_and_gone_on_with(folder)
        assert len(first) == len(set(first))
        assert held(stored) <= set(first) <= set(WHOLE)
        assert sorted(then) == WHOLE, share
        broken += code == -signal.SIGKILL and len(first) < len(WHOLE)
    assert broken >= 2


def test_killed_while_it_captures_what_was_left_it_still_arrives(tmp_path):
    _, total = run(converse, tmp_path / "unbroken", "sync")
    folder = tmp_path / "killed"
    run(converse, folder, "sync", last=int(total * 0.6))
    for last in (200, 400, 800):
        run(look_again, folder, last=last)
    first, stored, then = looked_at_and_gone_on_with(folder)
    assert held(stored) <= set(first)
    assert sorted(then) == WHOLE


def test_what_a_person_said_before_the_crash_counts_although_the_run_never_goes_on(tmp_path):
    _, total = run(converse, tmp_path / "unbroken", "sync")
    folder = tmp_path / "killed"
    run(converse, folder, "sync", last=int(total * 0.7))
    with opened(folder) as (memory, _, _):
        assert memory.check("stop_machine", {"name": "gpu-1"}, principal=ANA, scope=TEAM).outcome == "defer"
        assert memory.check("stop_machine", {"name": "gpu-7"}, principal=ANA, scope=TEAM).outcome == "allow"
    with Memory.open(folder, policy=POLICY, index=None) as memory:
        assert memory.log.captures.left() == []


def test_what_a_subgraph_stored_before_its_root_was_said_by_who_said_it(tmp_path):
    code, _ = run(die_inside, tmp_path)
    assert code == -signal.SIGKILL
    with (
        Memory.open(tmp_path, policy=POLICY, index=None) as memory,
        SqliteSaver.from_conn_string(str(tmp_path / "checkpoints")) as inner,
    ):
        graph = nested(CapturingSaver(inner, memory), lambda _: {})
        graph.invoke(None, thread(), context=CONTEXT)
        said = [each for each in told(memory) if each[0] != "activity.completed"]
    assert said == [
        ("message.user", "ana", "First words."),
        ("message.agent", "agent", "Looking."),
        ("message.user", "ana", SAID),
    ]

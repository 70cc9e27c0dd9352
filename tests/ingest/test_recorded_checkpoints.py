"""Conversations in the file of LangGraph's SQLite checkpointer."""

import dataclasses
import os
import sqlite3
from typing import Annotated, TypedDict

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.channels import DeltaChannel
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages

from langgraph_memory.errors import IngestError
from langgraph_memory.log import event_ids
from langgraph_memory.recordings import open_recording

sqlite = pytest.importorskip("langgraph.checkpoint.sqlite", reason="needs the extra sqlite-checkpoints")

TURN = [
    SystemMessage("Be careful.", id="s1"),
    HumanMessage("Stop i-1.", id="h1"),
    AIMessage("", id="a1", tool_calls=[{"name": "stop", "args": {"id": "i-1"}, "id": "k1"}]),
    ToolMessage('{"state": "stopped"}', id="t1", tool_call_id="k1", name="stop"),
    AIMessage("Stopped.", id="a2"),
]


class Chat(TypedDict):
    messages: Annotated[list, add_messages]


def folded(state, writes):
    for write in writes:
        state = add_messages(state, write)
    return state


class DeltaChat(TypedDict):
    messages: Annotated[list, DeltaChannel(folded)]


class Log(TypedDict, total=False):
    history: list
    count: int
    trap: object


def run(path, thread, inputs, schema=Chat, node=lambda state: {}):
    graph = StateGraph(schema).add_node("node", node).add_edge(START, "node")
    with sqlite.SqliteSaver.from_conn_string(str(path)) as saver:
        compiled = graph.compile(checkpointer=saver)
        config = {"configurable": {"thread_id": thread}, "metadata": {"user_id": "ana"}}
        for given in inputs:
            compiled.invoke(given, config)


def read(path):
    return [entry.conversation for entry in open_recording(path)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state"


def test_the_last_state_of_each_thread_is_read(path):
    run(path, "t-2", [{"messages": [message]} for message in TURN])
    run(path, "t-1", [{"messages": [HumanMessage("hi", id="h")]}])
    one, two = read(path)
    assert (one.conversation_id, two.conversation_id, two.user) == ("t-1", "t-2", "ana")
    assert [item.message_id for item in two.items] == ["s1", "h1", "a1", "a2"]
    stop = two.items[2]
    assert (stop.tool, stop.args, stop.call_id, stop.output) == (
        "stop",
        {"id": "i-1"},
        "k1",
        {"state": "stopped"},
    )
    assert two.threaded
    assert all(item.at is not None for item in two.items)


def test_ids_are_those_that_a_live_capture_makes(path):
    run(path, "t-1", [{"messages": TURN}])
    (conversation,) = read(path)
    stop = conversation.items[2]
    assert event_ids.of_tool_call(
        "t-1", stop.message_id, stop.call_id, "tool.completed"
    ) == event_ids.of_tool_call("t-1", "a1", "k1", "tool.completed")


def test_messages_stored_as_changes_are_put_together(path):
    run(path, "t-1", [{"messages": [message]} for message in TURN], DeltaChat)
    (conversation,) = read(path)
    assert [item.message_id for item in conversation.items] == ["s1", "h1", "a1", "a2"]


def test_messages_under_another_key_are_found(path):
    run(path, "t-1", [{"history": TURN, "count": 5}], Log)
    (conversation,) = read(path)
    assert len(conversation.items) == 4


def test_a_thread_without_messages_is_an_empty_conversation(path):
    run(path, "t-1", [{"history": [], "count": 5}], Log)
    (conversation,) = read(path)
    assert conversation.items == ()


def test_a_failed_tool_is_told_by_its_status(path):
    failed = ToolMessage("no", id="t1", tool_call_id="k1", name="stop", status="error")
    run(path, "t-1", [{"messages": [*TURN[:3], failed]}])
    (conversation,) = read(path)
    assert conversation.items[-1].failed


def test_the_file_is_only_read(path):
    run(path, "t-1", [{"messages": TURN}])
    before = path.read_bytes()
    read(path)
    assert path.read_bytes() == before


@dataclasses.dataclass
class Trap:
    """Something that a checkpoint of strangers could make a careless reader build."""

    sprung = 0
    bait: str

    def __post_init__(self):
        Trap.sprung += 1


def test_objects_of_strangers_are_not_built(path):
    run(path, "t-1", [{"history": TURN, "trap": Trap("x")}], Log)
    Trap.sprung = 0
    (conversation,) = read(path)
    assert len(conversation.items) == 4
    assert Trap.sprung == 0


def test_a_file_in_a_folder_that_is_only_readable(path, monkeypatch):
    run(path, "t-1", [{"messages": TURN}])
    monkeypatch.setattr(os, "access", lambda folder, mode: False)
    (conversation,) = read(path)
    assert len(conversation.items) == 4


def test_another_sqlite_file_is_named(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE other (x)")
    connection.close()
    with pytest.raises(IngestError, match="no checkpoints of LangGraph"):
        open_recording(path)


def test_a_checkpoint_that_cannot_be_read_is_named_and_the_others_are_read(path):
    run(path, "t-1", [{"messages": TURN}])
    run(path, "t-2", [{"messages": TURN}])
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE checkpoints SET type = 'pickle' WHERE thread_id = 't-1'")
    connection.close()
    bad, good = open_recording(path)
    assert bad.conversation is None
    assert "thread 't-1'" in bad.where
    assert good.conversation.conversation_id == "t-2"

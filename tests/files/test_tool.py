"""The memory tool in graphs, and what becomes of what an agent writes there."""

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from langgraph_memory import Actor, Memory, MemoryContext, Policy, memory_tool
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.policy import ToolRule

from .conftest import BOB, EVE, TEAM

PLAN = "/memories/plan.md"
ARGUMENTS = {
    "command", "path", "view_range", "file_text", "old_str", "new_str", "insert_line", "insert_text",
    "old_path", "new_path",
}  # fmt: skip


def graph_of(tool):
    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("tools", ToolNode([tool]))
    builder.add_edge(START, "tools")
    builder.add_edge("tools", END)
    return builder.compile()


def call(**args):
    return {"messages": [AIMessage("", tool_calls=[{"id": "1", "name": "memory", "args": args}])]}


def test_the_tool_has_the_name_and_the_arguments_of_anthropics(memory):
    tool = memory_tool(memory)
    assert tool.name == "memory"
    assert set(tool.args) == ARGUMENTS
    with pytest.raises(ConfigurationError, match="principal="):
        tool.invoke({"command": "view", "path": "/memories"})


def test_in_a_graph_the_notes_are_those_of_the_runs_principal(memory):
    graph = graph_of(memory_tool(memory))
    bobs, eves = (MemoryContext(principal=who, scope=TEAM) for who in (BOB, EVE))
    done = graph.invoke(call(command="create", path=PLAN, file_text="bob's\n"), context=bobs)
    assert done["messages"][-1].status == "success"
    assert "bob's" in graph.invoke(call(command="view", path=PLAN), context=bobs)["messages"][-1].text
    refused = graph.invoke(call(command="view", path=PLAN), context=eves)["messages"][-1]
    assert refused.status == "error"
    assert "does not exist" in refused.text


async def test_the_tool_works_in_an_async_graph(memory):
    graph = graph_of(memory_tool(memory))
    context = MemoryContext(principal=BOB, scope=TEAM)
    done = await graph.ainvoke(call(command="create", path=PLAN, file_text="x"), context=context)
    assert done["messages"][-1].status == "success"


def test_a_refused_path_is_an_error_message_for_the_model(memory):
    tool = memory_tool(memory, principal=BOB, scope=TEAM)
    message = tool.invoke(
        {
            "type": "tool_call", "id": "1", "name": "memory",
            "args": {"command": "view", "path": "/memories/../x"},
        }
    )  # fmt: skip
    assert isinstance(message, ToolMessage)
    assert message.status == "error"
    assert "refused" in message.text


def test_a_note_never_becomes_a_fact_and_a_person_saying_the_same_does(memory):
    rule = "Keep db-1 running until QA has migrated."
    own = TEAM.model_copy(update={"user": "bob"})
    tool = memory_tool(memory, principal=BOB, scope=TEAM)
    tool.invoke({"command": "create", "path": PLAN, "file_text": f"{rule}\n"})
    viewing = {"command": "view", "path": PLAN}
    output = tool.invoke(viewing)
    assert rule in output
    memory.publish(
        scope=own, activity_id="a", event_type="tool.completed", actor=Actor("tool", "memory"),
        entities=("db-1",), data={"tool": "memory", "args": viewing, "output": output},
    )  # fmt: skip
    memory.publish(scope=own, activity_id="a", event_type="activity.completed", actor=Actor("system", "x"))
    memory.consolidate()
    everything = ("candidate", "current", "unverified")
    assert memory.facts(own, status=everything) == []
    memory.publish(
        scope=own, activity_id="b", event_type="feedback.correction", actor=Actor("user", "bob"),
        entities=("db-1",), data={"text": rule}, wait=True,
    )  # fmt: skip
    assert [fact.entity for fact in memory.facts(own, status=everything)] == ["db-1"]


def test_notes_are_not_recalled(memory):
    memory.files(principal=BOB, scope=TEAM).create(PLAN, "The zebra migration is on Friday.")
    recall = memory.recall("zebra migration", principal=BOB, scope=TEAM)
    assert recall.items == ()


def test_declared_as_reading_a_note_may_name_what_is_constrained():
    args = {"command": "create", "path": PLAN, "file_text": "Looked at db-1."}
    rule = {"tools": {"memory": ToolRule(read_only=True)}}
    for policy, expected in ((Policy(), "defer"), (Policy(**rule), "allow")):
        with Memory.open(":memory:", index=None, policy=policy) as memory:
            own = TEAM.model_copy(update={"user": "bob"})
            memory.assert_fact(
                scope=own, entity="db-1", attribute="lifecycle_policy", value="Keep it", kind="constraint",
                forbids=("stop",), actor=Actor("user", "bob"),
            )  # fmt: skip
            assert memory.check("memory", args, principal=BOB, scope=own).outcome == expected

"""Tools that carry the guard themselves, in a tools node and by hand."""

from typing import Annotated

import pytest
from acceptance.agent import Cloud, calls
from acceptance.world import ANA, GPU, KEEP, SANDBOX, constrain
from langchain_core.tools import StructuredTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import InjectedState, ToolNode, tools_condition
from langgraph.types import Command

from langgraph_memory import MemoryContext, guard_node, guard_tools
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.testing import ScriptedChatModel

from .looking import asked, errors, results

MIXED = calls(
    ("run_command", {"command": f"poweroff {GPU}"}),
    ("run_command", {"command": f"reboot {GPU}"}),
    ("stop_instance", {"instance": SANDBOX}),
    ("stop_instance", {"instance": GPU}),
)
OFF, REBOOT, OTHER, BLOCKED = (call["id"] for call in MIXED.tool_calls)
CONFIG = {"configurable": {"thread_id": "t"}}


def agent(memory, script, tools, *, guard=None, checkpointer=None):
    model = ScriptedChatModel(script)
    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("agent", lambda state: {"messages": [model.invoke(state["messages"])]})
    builder.add_node("tools", ToolNode(guard_tools(tools, memory)))
    builder.add_edge(START, "agent")
    builder.add_edge("tools", "agent")
    if guard:
        builder.add_node("guard", guard_node(memory, otherwise="agent"))
        builder.add_conditional_edges("agent", tools_condition, {"tools": "guard", "__end__": "__end__"})
    else:
        builder.add_conditional_edges("agent", tools_condition)
    return builder.compile(checkpointer=checkpointer)


def test_one_tools_node_asks_once_for_all_before_any_of_its_tools_has_run(memory, play):
    constrain(memory)
    cloud = Cloud()
    graph = agent(memory, [MIXED, "Done."], cloud.tools(), checkpointer=InMemorySaver())
    assert asked(play(graph, config=CONFIG)) == [[OFF, REBOOT]]
    assert cloud.ran == []
    state = play(graph, Command(resume={OFF: "approve", REBOOT: "deny"}), CONFIG, principal=ANA)
    assert cloud.stopped == [SANDBOX]
    assert cloud.ran.count("run_command") == 1
    assert results(state) == {OFF: "success", REBOOT: "error", OTHER: "success", BLOCKED: "error"}


def test_what_a_guard_node_was_answered_is_not_asked_again(memory, play):
    constrain(memory)
    cloud = Cloud()
    graph = agent(memory, [MIXED, "Done."], cloud.tools(), guard=True, checkpointer=InMemorySaver())
    assert asked(play(graph, config=CONFIG)) == [[OFF, REBOOT]]
    state = play(graph, Command(resume={OFF: "approve", REBOOT: "approve"}), CONFIG, principal=ANA)
    assert "__interrupt__" not in state
    assert cloud.ran.count("run_command") == 2


def test_without_a_checkpointer_what_is_held_is_refused(memory, play):
    constrain(memory)
    cloud = Cloud()
    state = play(agent(memory, [MIXED, "Done."], cloud.tools()))
    assert cloud.stopped == [SANDBOX]
    assert {error.tool_call_id for error in errors(state)} == {OFF, REBOOT, BLOCKED}


def test_injected_arguments_reach_the_tool_and_are_no_part_of_what_is_judged(memory, play):
    constrain(memory)
    seen = []

    @tool
    def stop_instance(instance: str, state: Annotated[dict, InjectedState]) -> str:
        """Stop an instance."""
        seen.append(len(state["messages"]))
        return f"stopped {instance}"

    step = calls(("get_instance_metrics", {"instance": GPU}), ("stop_instance", {"instance": SANDBOX}))
    state = play(agent(memory, [step, "Done."], [stop_instance, Cloud().tools()[1]]))
    assert errors(state) == []
    assert seen == [2]


@pytest.mark.parametrize("way", ["args", "call"])
def test_outside_of_a_run_only_reading_is_free(memory, way):
    cloud = Cloud()
    tools = {each.name: each for each in guard_tools(cloud.tools(), memory)}
    args = {"instance": SANDBOX}
    given = args if way == "args" else {"name": "x", "args": args, "id": "1", "type": "tool_call"}
    assert "doesn't know who is acting" in str(tools["stop_instance"].invoke(given))
    tools["get_instance_metrics"].invoke(given)
    assert cloud.ran == ["get_instance_metrics"]


def test_names_schemas_and_classes_stay_as_they_are(memory):
    plain = Cloud().tools()
    for before, after in zip(plain, guard_tools(plain, memory), strict=True):
        assert (after.name, after.description, after.args) == (before.name, before.description, before.args)
        assert isinstance(after, StructuredTool)
        assert type(before) is StructuredTool


def test_functions_are_taken_and_what_runs_elsewhere_is_refused(memory):
    def list_all() -> str:
        """List."""
        return "none"

    (made,) = guard_tools([list_all], memory)
    assert made.invoke({}) == "none"
    with pytest.raises(ConfigurationError, match="web_search"):
        guard_tools([{"type": "web_search"}], memory)


def test_a_blocked_call_names_the_rule(memory, play):
    constrain(memory)
    state = play(agent(memory, [calls(("stop_instance", {"instance": GPU})), "Done."], Cloud().tools()))
    assert KEEP in errors(state)[0].text

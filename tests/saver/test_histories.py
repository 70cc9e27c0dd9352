"""Histories that a graph writes again: each result stays with its call, and with the request it served."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from langgraph_memory import CapturingSaver, Memory, MemoryContext

from .scenes import CONTEXT, POLICY, TEAM, ask, calls, look, thread

ROUNDS = 3


def steps(name):
    """A planner that looks at a machine in each round; every call has the same id."""

    def planner(state):
        requests = [n for n, message in enumerate(state["messages"]) if isinstance(message, HumanMessage)]
        since = state["messages"][requests[-1] :]
        done = sum(isinstance(each, AIMessage) and each.name == name for each in since)
        if done == ROUNDS:
            return {"messages": [AIMessage(f"{name} is done.", name=name)]}
        machine = f"{name}-{len(requests)}{done}"
        message = calls(("look", {"name": machine}), ids=["call"]).model_copy(update={"name": name})
        return {"messages": [message]}

    return planner


def loop(name, *, then=END, inner=None, saver=None):
    """planner ⇄ tools, and then a graph that works on with the same messages."""
    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("planner", steps(name))
    builder.add_node("tools", ToolNode([look]))
    builder.add_edge(START, "planner")
    builder.add_conditional_edges(
        "planner", lambda s: "tools" if s["messages"][-1].tool_calls else then, ["tools", then]
    )
    builder.add_edge("tools", "planner")
    if inner is not None:
        builder.add_node(then, inner)
    return builder.compile(checkpointer=saver)


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_a_subgraph_that_hands_the_history_on_mixes_no_results_up(tmp_path, durability):
    with (
        Memory.open(tmp_path, policy=POLICY, index=None) as memory,
        CapturingSaver.open(tmp_path, memory) as saver,
    ):
        graph = loop("outer", then="more", inner=loop("inner"), saver=saver)
        for turn in (1, 2):
            graph.invoke(ask(f"Turn {turn}"), thread(), context=CONTEXT, durability=durability)
        used = [event for event in memory.events(TEAM) if event.event_type == "tool.completed"]
    looked = sorted(
        f"{name}-{turn}{n}" for name in ("outer", "inner") for turn in (1, 2) for n in range(ROUNDS)
    )
    assert sorted(event.data["args"]["name"] for event in used) == looked
    assert [event.data["output"]["name"] for event in used] == [event.data["args"]["name"] for event in used]


@pytest.mark.parametrize("durability", ["sync", "async"])
def test_what_a_run_does_at_once_belongs_to_its_own_request(tmp_path, durability):
    with (
        Memory.open(tmp_path, policy=POLICY, index=None) as memory,
        CapturingSaver.open(tmp_path, memory) as saver,
    ):
        graph = loop("outer", saver=saver)
        for turn in (1, 2, 3):
            graph.invoke(ask(f"Turn {turn}"), thread(), context=CONTEXT, durability=durability)
        by_activity = {}
        for event in memory.events(TEAM):
            by_activity.setdefault(event.activity_id, []).append(event.event_type)
    one = ["activity.completed", "message.agent", "message.user", *["tool.completed"] * ROUNDS]
    assert [sorted(each) for each in by_activity.values()] == [one] * 3

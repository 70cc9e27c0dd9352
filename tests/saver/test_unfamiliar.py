"""Graphs as others write them: fan-out, routing by commands, subgraphs, questions, retries."""

import asyncio
import operator
from collections import Counter
from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, RetryPolicy, Send, interrupt
from typing_extensions import TypedDict

from langgraph_memory import CapturingSaver, Memory, MemoryContext, attach

from .scenes import CONTEXT, POLICY, SAID, told

AGAIN = RetryPolicy(max_attempts=4, initial_interval=0.001, jitter=False, retry_on=ConnectionError)
THREAD = {"configurable": {"thread_id": "t"}}


def fan_out(memory, attached):
    """Every call is a task of its own; one is tried three times, one asks a person."""
    tries = Counter()

    @tool
    def look(name: str) -> dict:
        """The load of a machine."""
        tries[name] += 1
        if name == "flaky" and tries[name] < 3:
            raise ConnectionError("away")
        return {"name": name, "answer": interrupt("may I?") if name == "asks" else "idle"}

    def planner(state):
        if sum(isinstance(m, ToolMessage) for m in state["messages"]) == 3:
            return {"messages": [AIMessage("All done.")]}
        named = enumerate(("gpu-1", "flaky", "asks"))
        calls = [{"name": "look", "args": {"name": each}, "id": f"c{n}"} for n, each in named]
        return {"messages": [AIMessage("", tool_calls=calls)]}

    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("agent", planner)
    builder.add_node("tools", ToolNode([look], handle_tool_errors=False), retry_policy=AGAIN)
    builder.add_edge(START, "agent")
    builder.add_conditional_edges(
        "agent", lambda s: [Send("tools", [c]) for c in s["messages"][-1].tool_calls] or END, ["tools", END]
    )
    builder.add_edge("tools", "agent")
    return attach(builder, memory) if attached else builder


def team(memory, attached, name):
    """An agent that acts once, compiled to be a part of another graph."""

    @tool
    def act(name: str) -> str:
        """Act."""
        return f"{name} is tidy"

    def planner(state):
        if any(isinstance(m, ToolMessage) and m.tool_call_id == f"{name}-c" for m in state["messages"]):
            return {"messages": [AIMessage(f"{name} finished")]}
        call = {"name": "act", "args": {"name": f"{name}-box"}, "id": f"{name}-c"}
        return {"messages": [AIMessage("", tool_calls=[call])]}

    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("agent", planner)
    builder.add_node("tools", ToolNode([act]))
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", lambda s: "tools" if s["messages"][-1].tool_calls else END)
    builder.add_edge("tools", "agent")
    return (attach(builder, memory) if attached else builder).compile()


def routed(memory, attached):
    """A supervisor sends two teams by `Command`, puts words into a person's mouth, and asks at the end."""

    def boss(state):
        texts = [message.text for message in state["messages"]]
        if "ops finished" not in texts:
            return Command(goto="ops")
        if "web finished" not in texts:
            return Command(goto="web", update={"messages": [HumanMessage("Nobody may touch web-box.")]})
        return Command(goto=END, update={"messages": [AIMessage(f"closed: {interrupt('close?')}")]})

    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("boss", boss, destinations=("ops", "web", END))
    for name in ("ops", "web"):
        builder.add_node(name, team(memory, attached, name))
        builder.add_edge(name, "boss")
    builder.add_edge(START, "boss")
    return builder


class Hosts(TypedDict):
    """A state whose messages no reducer gives ids to."""

    messages: Annotated[list[Any], operator.add]
    hosts: list[str]


class Host(TypedDict):
    """The input of one task."""

    host: str


def mapped(memory, attached):
    """A task for each host, tried again, runs a graph of its own in a private state."""
    inner, tries = team(memory, attached, "inner"), Counter()

    def work(given: Host):
        tries[given["host"]] += 1
        if tries[given["host"]] < 2:
            raise ConnectionError("away")
        inner.invoke({"messages": [HumanMessage(f"Look at {given['host']}.")]})
        return {"messages": [AIMessage(f"looked at {given['host']}")]}

    builder = StateGraph(Hosts, context_schema=MemoryContext)
    builder.add_node("work", work, retry_policy=AGAIN)
    builder.add_node("join", lambda _: {"messages": [AIMessage("joined")]})
    builder.add_conditional_edges(START, lambda s: [Send("work", {"host": h}) for h in s["hosts"]], ["work"])
    builder.add_edge("work", "join")
    return builder


ASKED = {"messages": [HumanMessage(SAID, id="h1")], "hosts": ["a", "b"]}
GRAPHS = {
    fan_out: (
        [ASKED, Command(resume="yes")],
        [("tool.completed", "look", name) for name in ("gpu-1", "flaky", "asks")]
        + [("milestone.reached", "runtime", "interrupted"), ("message.agent", "agent", "All done.")],
    ),
    routed: (
        [ASKED, Command(resume="yes")],
        [("tool.completed", "act", f"{name}-box") for name in ("ops", "web")]
        + [("message.agent", "agent", f"{name} finished") for name in ("ops", "web")]
        + [("message.agent", "agent", "Nobody may touch web-box."), ("message.agent", "agent", "closed: yes")]
        + [("milestone.reached", "runtime", "interrupted")],
    ),
    mapped: (
        [ASKED],
        [("tool.completed", "act", "inner-box"), ("message.agent", "agent", "inner finished")] * 2
        + [("message.agent", "agent", f"Look at {host}.") for host in "ab"]
        + [("message.agent", "agent", f"looked at {host}") for host in "ab"]
        + [("message.agent", "agent", "joined")],
    ),
}


def said_and_done(memory):
    """All events but the ends of activities, of which each part of a graph tells its own."""
    return Counter(each for each in told(memory) if each[0] != "activity.completed")


def expected(build):
    return Counter([("message.user", "ana", SAID), *GRAPHS[build][1]])


@pytest.mark.parametrize("durability", ["sync", "async"])
@pytest.mark.parametrize("attached", [False, True], ids=["alone", "attached"])
@pytest.mark.parametrize("build", GRAPHS)
def test_each_thing_is_told_once(build, attached, durability):
    with Memory.open(":memory:", policy=POLICY, index=None) as memory:
        saver = CapturingSaver(InMemorySaver(), memory)
        graph = build(memory, attached).compile(checkpointer=saver)
        for given in GRAPHS[build][0]:
            graph.invoke(given, THREAD, context=CONTEXT, durability=durability)
        assert saver.notices == ()
        assert said_and_done(memory) == expected(build)
        assert ("activity.completed", "agent", "completed") in told(memory)


@pytest.mark.parametrize("attached", [False, True], ids=["alone", "attached"])
@pytest.mark.parametrize("build", GRAPHS)
async def test_so_it_is_asynchronously(build, attached, tmp_path):
    with Memory.open(tmp_path / "m", policy=POLICY, index=None) as memory:
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as inner:
            graph = build(memory, attached).compile(checkpointer=CapturingSaver(inner, memory))
            for given in GRAPHS[build][0]:
                await asyncio.wait_for(graph.ainvoke(given, THREAD, context=CONTEXT), 30)
        assert said_and_done(memory) == expected(build)

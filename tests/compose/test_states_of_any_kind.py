"""The nodes by hand in graphs whose state is a model or a record, not a mapping."""

from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode
from pydantic import BaseModel

from langgraph_memory import (
    AuthorityRule,
    Memory,
    MemoryContext,
    Policy,
    Principal,
    Scope,
    guard_node,
    publish_node,
    recall_node,
)
from langgraph_memory.conversation import window_node

TEAM = Scope.of(org="acme", workspace="w")
ANA = MemoryContext(Principal("ana", roles={"lead"}, grants=(TEAM,)), TEAM)
Chat = Annotated[list[AnyMessage], add_messages]


class Model(BaseModel):
    messages: Chat = []
    memory: str = ""
    recall: dict[str, Any] = {}
    notice: str | None = None


@dataclass
class Whole:
    messages: Chat = field(default_factory=list)
    memory: str = ""
    recall: dict[str, Any] = field(default_factory=dict)
    notice: str | None = None


@tool
def stop_instance(name: str) -> str:
    """Stop a machine."""
    return f"{name} stopped"


def planner(state):
    asked = [message.text for message in state.messages if message.type == "human"][-1]
    if asked == "Clean up." and state.messages[-1].type == "human":
        calls = [
            {"name": "stop_instance", "args": {"name": name}, "id": name}
            for name in ("gpu-bench-01", "web-1")
        ]
        return {"messages": [AIMessage("", tool_calls=calls)]}
    return {"messages": [AIMessage("Done.")]}


@pytest.mark.parametrize("schema", [Model, Whole])
def test_recall_guard_and_publish(schema):
    policy = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
    with Memory.open(":memory:", policy=policy, index=None) as memory:
        builder = StateGraph(schema, context_schema=MemoryContext)
        builder.add_node("window", window_node(memory, max_tokens=10_000))
        builder.add_node("recall", recall_node(memory))
        builder.add_node("planner", planner)
        builder.add_node("guard", guard_node(memory))
        builder.add_node("tools", ToolNode([stop_instance]))
        builder.add_node("publish", publish_node(memory))
        for here, there in (
            (START, "window"),
            ("window", "recall"),
            ("recall", "planner"),
            ("tools", "publish"),
        ):
            builder.add_edge(here, there)
        builder.add_conditional_edges(
            "planner", lambda s: "guard" if s.messages[-1].tool_calls else "publish", ["guard", "publish"]
        )
        graph = builder.compile(checkpointer=InMemorySaver())

        def say(text, thread):
            given = {"messages": [HumanMessage(text)]}
            return graph.invoke(given, {"configurable": {"thread_id": thread}}, context=ANA)

        say("Keep gpu-bench-01 running until May.", "monday")
        memory.consolidate()
        state = say("Clean up.", "thursday")
        told = {m.tool_call_id: m.text for m in state["messages"] if m.type == "tool"}
        assert "is blocked by" in told["gpu-bench-01"]
        assert told["web-1"] == "web-1 stopped"
        assert state["notice"] is None
        assert [e.event_type for e in memory.events(TEAM)].count("tool.completed") == 1

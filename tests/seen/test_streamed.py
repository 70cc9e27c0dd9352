"""Whoever streams a run sees what memory does in it."""

import pytest
from acceptance.agent import CLEANUP
from acceptance.agent import agent as agent_with_nodes
from acceptance.world import GPU, KEEP, ana_in, constrain, leads_policy
from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from langgraph_memory import Memory, MemoryContext, MemoryMiddleware
from langgraph_memory.testing import ScriptedChatModel

ASK = {"messages": [HumanMessage("Clean up staging.")]}


@pytest.fixture
def memory():
    with Memory.open(":memory:", policy=leads_policy(), index=None) as opened:
        constrain(opened)
        yield opened


def seen(graph, **more):
    told = graph.stream(ASK, context=ana_in("act-1"), stream_mode="custom", **more)
    return [event for event in told if event.get("type", "").startswith("memory.")]


@tool
def stop_instance(instance: str) -> str:
    """Stop an instance."""
    return f"{instance} stopped"


@tool
def list_instances() -> list:
    """The running instances."""
    return [GPU]


def by_nodes(memory):
    return agent_with_nodes(memory, CLEANUP).graph


def by_middleware(memory):
    return create_agent(
        ScriptedChatModel(CLEANUP),
        tools=[list_instances, stop_instance],
        middleware=[MemoryMiddleware(memory)],
        context_schema=MemoryContext,
    )


@pytest.mark.parametrize("form", [by_nodes, by_middleware])
def test_recalls_publishes_and_decisions_are_streamed(memory, form):
    events = seen(form(memory))
    kinds = [event["type"] for event in events]
    assert kinds.count("memory.recall") >= 3
    published = [each for event in events if event["type"] == "memory.publish" for each in event["events"]]
    assert {"message.user", "tool.completed", "activity.completed"} <= {e["event_type"] for e in published}
    assert {e["event_id"] for e in published} <= {e.event_id for e in memory.events(ana_in("a").scope)}
    decided = {(e["action"], e["outcome"]) for e in events if e["type"] == "memory.decision"}
    assert {("list_instances", "allow"), ("stop_instance", "block"), ("stop_instance", "allow")} <= decided
    blocked = next(e for e in events if e.get("outcome") == "block")
    assert KEEP in blocked["message"]
    assert memory.explain(blocked["id"]).kind == "decision"
    recalled = [event for event in events if event["type"] == "memory.recall"]
    assert blocked["facts"][0] in recalled[-1]["offered"]
    assert memory.explain(recalled[-1]["receipt_id"]).kind == "recall"


async def test_asynchronous_runs_stream_too(memory):
    told = [
        event
        async for event in by_middleware(memory).astream(ASK, context=ana_in("act-1"), stream_mode="custom")
    ]
    assert {"memory.recall", "memory.publish", "memory.decision"} <= {event["type"] for event in told}


def test_outside_of_a_run_nothing_is_streamed_and_nothing_fails(memory):
    context = ana_in("act-1")
    assert memory.recall("", principal=context.principal, scope=context.scope).receipt_id
    graph = agent_with_nodes(memory, CLEANUP, checkpointer=InMemorySaver()).graph
    assert graph.invoke(ASK, {"configurable": {"thread_id": "t"}}, context=context)["messages"]

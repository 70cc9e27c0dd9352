"""An agent that acts on what it was shown keeps it in force, in any graph, by itself."""

import pytest
from acceptance.world import ANA, LEAD, STAGING
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from langgraph_memory import (
    CapturingSaver,
    MemoryContext,
    MemoryMiddleware,
    MemoryState,
    attach,
    guard_node,
    publish_node,
    recall_node,
)
from langgraph_memory.consolidation.facts.citing import cited
from langgraph_memory.testing import ScriptedChatModel

WINDOW = "Maintain billing-db-7 at 03:30"


@tool
def schedule(host: str, at: str) -> str:
    """Plan the maintenance of a host."""
    return f"planned for {host} at {at}"


def turn(at="03:30", host="billing-db-7"):
    """The agent plans a maintenance and says that it is done."""
    call = {"name": "schedule", "args": {"host": host, "at": at}, "id": f"call-{host}-{at}"}
    return [AIMessage("", tool_calls=[call]), AIMessage("Planned.")]


def attached(memory, script):
    model = ScriptedChatModel(script)
    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("agent", lambda state: {"messages": [model.invoke(state["messages"])]})
    builder.add_node("tools", ToolNode([schedule]))
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", tools_condition)
    builder.add_edge("tools", "agent")
    return attach(builder, memory).compile(checkpointer=InMemorySaver())


def by_nodes(memory, script):
    model = ScriptedChatModel(script)
    builder = StateGraph(MemoryState, context_schema=MemoryContext)
    builder.add_node("recall", recall_node(memory))
    builder.add_node("agent", lambda state: {"messages": [model.invoke(state["messages"])]})
    builder.add_node("guard", guard_node(memory))
    builder.add_node("tools", ToolNode([schedule]))
    builder.add_node("publish", publish_node(memory))
    builder.add_edge(START, "recall")
    builder.add_edge("recall", "agent")
    builder.add_conditional_edges("agent", tools_condition, {"tools": "guard", END: "publish"})
    builder.add_edge("tools", "publish")
    builder.add_conditional_edges("publish", _goes_on, {True: "recall", False: END})
    return builder.compile(checkpointer=InMemorySaver())


def _goes_on(state):
    return state["messages"][-1].type == "tool"


def by_middleware(memory, script):
    return create_agent(
        ScriptedChatModel(script), [schedule], middleware=[MemoryMiddleware(memory)],
        context_schema=MemoryContext, checkpointer=InMemorySaver(),
    )  # fmt: skip


def by_middleware_and_saver(memory, script):
    return create_agent(
        ScriptedChatModel(script), [schedule], middleware=[MemoryMiddleware(memory)],
        context_schema=MemoryContext, checkpointer=CapturingSaver(InMemorySaver(), memory),
    )  # fmt: skip


@pytest.fixture(params=[attached, by_nodes, by_middleware, by_middleware_and_saver])
def build(request):
    return request.param


@pytest.fixture
def window(memory):
    """What the lead has laid down, due for confirmation in half a year."""
    return memory.assert_fact(
        scope=STAGING, entity="billing-db-7", attribute="maintenance_window", value=WINDOW, kind="project",
        actor=LEAD,
    ).fact  # fmt: skip


def ask(memory, play, graph, text="When is billing-db-7 due? Plan its maintenance."):
    play(graph, text, {"configurable": {"thread_id": "t"}}, principal=ANA, activity="act-plan")
    memory.consolidate()


def renewed(memory, fact):
    return "used" in [entry.decision for entry in memory.audit(fact.fact_id)]


def test_a_fact_that_was_acted_on_is_asserted_for_another_interval(memory, play, build, clock, window):
    clock.advance(days=80)
    ask(memory, play, build(memory, turn()))
    (kept,) = memory.facts(STAGING, entity="billing-db-7")
    assert renewed(memory, window)
    assert kept.revalidate_after > window.revalidate_after
    assert kept.confirmed_at == window.confirmed_at
    assert kept.sources == window.sources
    assert kept.corroboration == window.corroboration


@pytest.mark.parametrize("args", [{"at": "05:00"}, {"host": "billing-db-8"}])
def test_one_that_was_only_shown_is_not(memory, play, build, clock, window, args):
    clock.advance(days=80)
    ask(memory, play, build(memory, turn(**args)))
    assert not renewed(memory, window)


def test_nor_one_that_the_agent_only_talked_about(memory, play, build, clock, window):
    clock.advance(days=80)
    ask(memory, play, build(memory, [AIMessage(f"I remember: {WINDOW}.")]))
    assert not renewed(memory, window)
    (kept,) = memory.facts(STAGING, entity="billing-db-7")
    assert kept == window


def test_what_the_application_says_itself_goes_before(memory, window):
    recall = memory.recall("plan", principal=ANA, scope=STAGING, entities=["billing-db-7"], thread_id="t")
    args = {"host": "billing-db-7", "at": "03:30"}
    events = [
        memory.publish(
            scope=STAGING, activity_id="a", event_type="tool.completed", thread_id="t",
            actor=LEAD, data={"tool": "schedule", "args": args, "output": "ok"} | own,
        )
        for own in ({}, {"cites": []})
    ]  # fmt: skip
    assert [event.data.get("cites") for event in events] == [[window.fact_id], []]
    assert events[0].data["receipt_id"] == recall.receipt_id


@pytest.mark.parametrize(
    ("args", "rests"),
    [
        ({"host": "billing-db-7", "at": "03:30"}, True),
        ({"command": "maintain billing-db-7 --at 03:30"}, True),
        ({"host": "billing-db-7"}, False),
        ({"host": "billing-db-77", "at": "03:30"}, False),
        ({"at": "03:30"}, False),
        ({}, False),
    ],
)
def test_arguments_tell_what_a_call_rests_on(window, args, rests):
    assert cited(args, [window]) == ((window.fact_id,) if rests else ())

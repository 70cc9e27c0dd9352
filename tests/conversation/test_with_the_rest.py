"""Compaction beside the other ways to have memory: one result is one event, and forgetting reaches it all."""

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from langgraph_memory import (
    CapturingSaver,
    MemoryContext,
    MemoryMiddleware,
    MemoryState,
    attach,
    publish_node,
)
from langgraph_memory.conversation import compaction_node, compactions
from langgraph_memory.conversation.middleware import CompactionMiddleware
from langgraph_memory.testing import ScriptedChatModel

from .conftest import BOB, CONTEXT

SECRETLY = "My neighbour Ottokar collects harpsichords."
TALK = ("My name is Bob.", SECRETLY, *(f"Remark {n}: " + "the day went on and on, " * 8 for n in range(12)))


@tool
def look(place: str) -> str:
    """Look at a place."""
    return f"{place}: " + "sand " * 30


def said(memory):
    return [event.data["text"] for event in memory.events(BOB) if event.event_type == "message.user"]


def test_beside_memory_middleware_and_a_capturing_saver_one_message_is_one_event(memory):
    model = ScriptedChatModel(iter(lambda: AIMessage("Noted."), None))
    graph = create_agent(
        model,
        [look],
        middleware=[CompactionMiddleware(memory, max_tokens=500), MemoryMiddleware(memory)],
        context_schema=MemoryContext,
        checkpointer=CapturingSaver(InMemorySaver(), memory),
    )
    config = {"configurable": {"thread_id": "t"}}
    for text in TALK:
        state = graph.invoke({"messages": [HumanMessage(text)]}, config, context=CONTEXT)
    assert "My name is Bob" in state["messages"][0].text
    assert len(state["messages"]) < len(TALK)
    assert said(memory) == list(TALK)
    assert not any("[Summary" in str(event.data) for event in memory.events(BOB))
    answers = [event for event in memory.events(BOB) if event.event_type == "message.agent"]
    assert len(answers) == len(TALK)


def test_in_a_graph_with_memory_attached(memory):
    seen = []

    def planner(state):
        seen.append(state["messages"])
        return {"messages": [AIMessage("Noted.")]}

    builder = StateGraph(MemoryState, context_schema=MemoryContext)
    builder.add_node("compact", compaction_node(memory, max_tokens=500))
    builder.add_node("agent", planner)
    builder.add_edge(START, "compact")
    builder.add_edge("compact", "agent")
    builder.add_edge("agent", END)
    graph = attach(builder, memory, planner="agent", tools=None).compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    for text in (*TALK, "What does my neighbour collect?"):
        graph.invoke({"messages": [HumanMessage(text)]}, config, context=CONTEXT)
    assert said(memory)[:2] == list(TALK[:2])
    told = "\n".join(message.text for message in seen[-1])
    assert "My name is Bob" in seen[-1][0].text
    assert SECRETLY in told  # it left the conversation, and memory brings it back


@pytest.fixture
def compacted(memory):
    """A graph whose thread has dropped what it will be asked to forget, and its saver."""
    saver = InMemorySaver()
    builder = StateGraph(MemoryState, context_schema=MemoryContext)
    builder.add_node("compact", compaction_node(memory, max_tokens=500))
    builder.add_node("agent", lambda _: {"messages": [AIMessage("Noted.")]})
    builder.add_node("publish", publish_node(memory))
    for here, there in ((START, "compact"), ("compact", "agent"), ("agent", "publish"), ("publish", END)):
        builder.add_edge(here, there)
    graph = builder.compile(checkpointer=saver)
    for text in TALK:
        graph.invoke(
            {"messages": [HumanMessage(text)]}, {"configurable": {"thread_id": "t"}}, context=CONTEXT
        )
    memory.consolidate()
    return saver


def test_what_was_dropped_can_be_forgotten(memory, compacted):
    (event,) = [event for event in memory.events(BOB) if event.data.get("text") == SECRETLY]
    assert any(event.event_id in record.dropped for record in compactions(memory, BOB, "t"))
    receipt = memory.forget(BOB, source=event.event_id, principal=CONTEXT.principal, saver=compacted)
    assert event.event_id in receipt.events
    assert receipt.left == ()
    assert "Ottokar" not in str([event.data for event in memory.events(BOB)])
    assert "Ottokar" not in str(memory.episodes(BOB))
    assert list(compacted.list({"configurable": {"thread_id": "t"}})) == []
    assert len(compactions(memory, BOB, "t")) >= 1  # still a record, of what is left
    assert TALK[0] in said(memory)

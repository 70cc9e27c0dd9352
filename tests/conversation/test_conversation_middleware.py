"""The window and compaction in an agent of `create_agent`, with real tool calls, sync and async."""

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from langgraph_memory import MemoryContext
from langgraph_memory.conversation import compactions
from langgraph_memory.conversation.middleware import CompactionMiddleware, WindowMiddleware
from langgraph_memory.errors import StorageError
from langgraph_memory.testing import ScriptedChatModel

from .conftest import BOB, CONTEXT


@tool
def look(place: str) -> str:
    """Look at a place."""
    return f"{place}: " + "nothing but sand " * 20


def planned(messages):
    """Looks twice for each request, one call after another, then answers."""
    last = [m.type for m in messages].count("human") and messages[-1]
    looked = 0
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            break
        looked += isinstance(message, ToolMessage)
    if looked < 2:
        return AIMessage(
            "",
            tool_calls=[{"name": "look", "args": {"place": f"dune {looked}"}, "id": f"{last.id}-{looked}"}],
        )
    return AIMessage("Sand everywhere.")


def agent(middleware):
    model = ScriptedChatModel(iter(lambda: planned, None))
    graph = create_agent(
        model, [look], middleware=[middleware], context_schema=MemoryContext, checkpointer=InMemorySaver()
    )
    return graph, model


def whole(messages):
    """Whether each result has its call before it and each call its result."""
    called = [call["id"] for m in messages if isinstance(m, AIMessage) for call in m.tool_calls]
    answered = [m.tool_call_id for m in messages if isinstance(m, ToolMessage)]
    return called == answered


REQUESTS = (
    "My name is Ana. Look around.",
    "We decided to dig at dune 7. Look again.",
    "And once more, please.",
)


@pytest.mark.parametrize("kind", [WindowMiddleware, CompactionMiddleware])
def test_the_model_sees_a_short_and_whole_conversation(memory, kind):
    graph, model = agent(kind(memory, max_tokens=400, keep_tokens=300))
    for request in REQUESTS:
        graph.invoke(
            {"messages": [HumanMessage(request)]}, {"configurable": {"thread_id": "t"}}, context=CONTEXT
        )
    last = model.calls[-1].messages
    assert all(whole(call.messages) for call in model.calls)
    assert REQUESTS[-1] in [message.text for message in last]
    assert REQUESTS[0] in [message.text for message in model.calls[0].messages]
    assert REQUESTS[0] not in [message.text for message in last]
    assert len(compactions(memory, BOB, "t")) >= 1
    if kind is CompactionMiddleware:
        assert "My name is Ana" in last[0].text
        assert "We decided to dig at dune 7" in last[0].text


async def test_why_a_conversation_is_not_shortened_is_logged(memory, monkeypatch, caplog):
    graph, _ = agent(WindowMiddleware(memory, max_tokens=200))
    monkeypatch.setattr(memory, "publish", lambda **_: (_ for _ in ()).throw(StorageError("no disk")))
    thread = {"configurable": {"thread_id": "t"}}
    graph.invoke({"messages": [HumanMessage(REQUESTS[0])]}, thread, context=CONTEXT)
    await graph.ainvoke({"messages": [HumanMessage(REQUESTS[1])]}, thread, context=CONTEXT)
    assert caplog.text.count("not shortened: memory failed: StorageError: no disk") == 1


async def test_the_same_in_an_async_run(memory):
    graph, model = agent(CompactionMiddleware(memory, max_tokens=400, keep_tokens=300))
    for request in REQUESTS:
        await graph.ainvoke(
            {"messages": [HumanMessage(request)]}, {"configurable": {"thread_id": "t"}}, context=CONTEXT
        )
    assert "My name is Ana" in model.calls[-1].messages[0].text
    assert all(whole(call.messages) for call in model.calls)
    said = {event.data["text"] for event in memory.events(BOB) if event.event_type == "message.user"}
    assert set(REQUESTS[:2]) <= said

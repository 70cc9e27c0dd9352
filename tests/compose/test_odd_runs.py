"""What is odd about a run never ends it and loses nothing: threads, tool names, artifacts, contexts."""

import uuid
from dataclasses import dataclass

import pytest
from acceptance.world import ANA, DAN, KEEP, LEAD, STAGING
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import Command

from langgraph_memory import CapturingSaver, MemoryContext, MemoryMiddleware, attach
from langgraph_memory.testing import ScriptedChatModel

RUN = MemoryContext(ANA, STAGING)
ODD_THREADS = [uuid.UUID("2f1c9d3e-0b7a-4f59-8a86-5d1f3c2b9e70"), 7]


class Detached:
    """A row of a closed session: it fails whoever shows it."""

    def __repr__(self):
        raise RuntimeError("not loaded")


class Unwalked(dict):
    """A mapping that fails whoever walks through it."""

    def items(self):
        raise RuntimeError("not loaded")

    __iter__ = keys = values = items


def calling(*calls):
    """A model's words: tool calls by name and arguments, each in a step of its own; then an answer."""
    asked = [
        AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"call-{number}"}])
        for number, (name, args) in enumerate(calls)
    ]
    return ScriptedChatModel([*asked, "Done."])


def attached(memory, model, tools, **options):
    builder = StateGraph(MessagesState, context_schema=options.pop("context_schema", MemoryContext))
    builder.add_node("agent", lambda state: {"messages": [model.invoke(state["messages"])]})
    builder.add_node("tools", ToolNode(tools))
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", tools_condition)
    builder.add_edge("tools", "agent")
    return attach(builder, memory, planner="agent", tools="tools").compile(**options)


def with_middleware(memory, model, tools, **options):
    middleware = [MemoryMiddleware(memory)]
    return create_agent(model, tools, middleware=middleware, context_schema=MemoryContext, **options)


@tool
def stop_instance(name: str) -> str:
    """Stop a machine."""
    return f"{name} stopped"


def told(memory):
    return {(event.event_type, event.thread_id) for event in memory.events(STAGING)}


@pytest.mark.parametrize("build", [attached, with_middleware])
@pytest.mark.parametrize("thread", ODD_THREADS)
def test_a_thread_is_known_by_the_text_of_its_id_as_langgraph_keeps_it(memory, build, thread):
    graph = build(memory, calling(), [stop_instance], checkpointer=InMemorySaver())
    said = {"messages": [HumanMessage("Keep gpu-bench-01 running until Friday.")]}
    graph.invoke(said, {"configurable": {"thread_id": thread}}, context=RUN)
    memory.consolidate()
    (rule,) = memory.facts(STAGING)
    assert rule.entity == "gpu-bench-01"
    assert told(memory) >= {("message.user", str(thread)), ("activity.completed", str(thread))}


@pytest.mark.parametrize("thread", ODD_THREADS)
def test_a_saver_knows_a_thread_by_the_text_of_its_id(memory, thread):
    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("answer", lambda state: {"messages": [("ai", "Noted.")]})
    builder.add_edge(START, "answer")
    saver = CapturingSaver(InMemorySaver(), memory)
    said = {"messages": [HumanMessage("Hello.")]}
    builder.compile(checkpointer=saver).invoke(said, {"configurable": {"thread_id": thread}}, context=RUN)
    assert told(memory) >= {("message.user", str(thread)), ("activity.completed", str(thread))}
    assert saver.notices == ()


@pytest.mark.parametrize("build", [attached, with_middleware])
@pytest.mark.parametrize("thread", ODD_THREADS)
def test_a_call_that_is_held_is_asked_about_and_approved_in_such_a_thread(memory, build, thread):
    memory.publish(
        scope=STAGING, activity_id="monday", event_type="feedback.correction", actor=LEAD, data={"text": KEEP}
    )
    graph = build(
        memory,
        calling(("stop_instance", {"name": "gpu-bench-01"})),
        [stop_instance],
        checkpointer=InMemorySaver(),
    )
    config = {"configurable": {"thread_id": thread}}
    asked = graph.invoke({"messages": [HumanMessage("Clean up.")]}, config, context=RUN)
    assert asked["__interrupt__"]
    done = graph.invoke(Command(resume="approve"), config, context=RUN)
    assert [m.text for m in done["messages"] if m.type == "tool"] == ["gpu-bench-01 stopped"]


@pytest.mark.parametrize("build", [attached, with_middleware])
@pytest.mark.parametrize("name", ["\ud800", "stop\x00instance", "\x00", "stop" * 100, " "])
def test_a_tool_name_that_no_tool_can_have_ends_no_run_and_is_noted(memory, build, name):
    graph = build(memory, calling((name, {"name": "web-1"})), [stop_instance])
    done = graph.invoke({"messages": [HumanMessage("Clean up.")]}, context=RUN)
    assert done["messages"][-1].text == "Done."
    assert done["messages"][2].status == "error"
    assert "tool.failed" in {event.event_type for event in memory.events(STAGING)}


@pytest.mark.parametrize("build", [attached, with_middleware])
@pytest.mark.parametrize("artifact", [Detached(), {"rows": [Detached()]}, Unwalked(a=1)])
def test_a_result_with_an_artifact_that_cannot_be_shown_is_kept_all_the_same(memory, build, artifact):
    @tool(response_format="content_and_artifact")
    def list_rows() -> tuple[str, object]:
        """List rows."""
        return "3 rows", artifact

    graph = build(memory, calling(("list_rows", {})), [list_rows])
    graph.invoke({"messages": [HumanMessage("How many?")]}, context=RUN)
    (event,) = [each for each in memory.events(STAGING) if each.event_type == "tool.completed"]
    assert event.data["output"] == "3 rows"
    assert event.data["artifact"]


def test_a_call_whose_arguments_cannot_be_walked_is_held(memory):
    for args in (Unwalked(name="web-1"), {"name": Unwalked()}, {"name": Detached()}):
        decision = memory.check("stop_instance", args, principal=DAN, scope=STAGING)
        assert decision.outcome in ("defer", "allow")
        assert memory.explain(decision.id).body["outcome"] == decision.outcome
    assert memory.check("stop_instance", Unwalked(), principal=DAN, scope=STAGING).outcome == "defer"


@dataclass
class OwnContext:
    """A context of the application's own, with more than memory may tell."""

    api_key: str = "the-key-of-the-application"


def test_a_context_of_another_kind_is_named_by_its_type_and_not_shown(memory):
    model = calling(("stop_instance", {"name": "web-1"}))
    graph = attached(memory, model, [stop_instance], context_schema=OwnContext)
    done = graph.invoke({"messages": [HumanMessage("Clean up.")]}, context=OwnContext())
    seen = " ".join(message.text for call in model.calls for message in call.messages)
    assert "OwnContext" in seen
    assert "OwnContext" in done["messages"][2].text
    assert "the-key" not in seen

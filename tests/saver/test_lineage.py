"""Forks, time travel, resumes, subgraphs and other captures beside: nothing lost, nothing twice."""

import itertools
from contextlib import suppress

import pytest
from acceptance.agent import CLEANUP
from acceptance.agent import agent as agent_with_nodes
from acceptance.world import ana_in, leads_policy
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, interrupt

from langgraph_memory import CapturingSaver, Memory, MemoryContext, MemoryMiddleware
from langgraph_memory.testing import ScriptedChatModel

from .scenes import (
    ANA,
    CONTEXT,
    LOOK,
    SAID,
    STORY,
    TEAM,
    WORD,
    DeltaState,
    agent,
    ask,
    calls,
    gist,
    thread,
    told,
)

WAITS = ("milestone.reached", "runtime", "interrupted")
STATES = pytest.mark.parametrize("state", [MessagesState, DeltaState], ids=["values", "changes"])


@STATES
def test_a_run_that_waits_for_a_person_goes_on_in_another_process(memory, state):
    inner = InMemorySaver()

    def pause(state):
        interrupt("may I?")
        return {}

    first = agent(LOOK[:1], CapturingSaver(inner, memory), before_tools=pause, state=state)
    first.invoke(ask(), thread(), context=CONTEXT)
    assert told(memory) == [STORY[0], WAITS]
    second = agent(LOOK[1:], CapturingSaver(inner, memory), before_tools=pause, state=state)
    second.invoke(Command(resume="yes"), thread(), context=CONTEXT)
    assert told(memory) == [STORY[0], WAITS, *STORY[1:]]


@STATES
def test_going_back_in_time_tells_only_what_is_new(memory, state):
    saver = CapturingSaver(InMemorySaver(), memory)
    script = itertools.chain(LOOK, ["I looked again."])
    graph = agent(script, saver, state=state)
    graph.invoke(ask(), thread(), context=CONTEXT)
    before_last = next(s for s in graph.get_state_history(thread()) if s.next == ("planner",) and s.tasks)
    graph.invoke(None, before_last.config, context=CONTEXT)
    assert told(memory) == [*STORY, ("message.agent", "agent", "I looked again."), STORY[-1]]


@STATES
def test_tools_that_run_again_after_a_fork_are_one_event(memory, state):
    saver = CapturingSaver(InMemorySaver(), memory)
    graph = agent([*LOOK, WORD], saver, state=state)
    graph.invoke(ask(), thread(), context=CONTEXT)
    before_tools = next(s for s in graph.get_state_history(thread()) if s.next == ("tools",))
    graph.invoke(None, before_tools.config, context=CONTEXT)
    assert [event for event in told(memory) if event[0] == "tool.completed"] == STORY[1:3]


@STATES
def test_a_call_id_that_another_branch_used_too_is_its_own_call(memory, state):
    """Some models number their calls anew in every message."""
    saver = CapturingSaver(InMemorySaver(), memory)
    second = calls(("look", {"name": "gpu-9"}))
    graph = agent([*LOOK, second, WORD], saver, state=state)
    graph.invoke(ask(), thread(), context=CONTEXT)
    start = [s for s in graph.get_state_history(thread()) if s.next == ("planner",)][-1]
    graph.invoke(None, start.config, context=CONTEXT)
    named = [gist for kind, _, gist in told(memory) if kind == "tool.completed"]
    assert named == ["gpu-1", "gpu-2", "gpu-9"]


def test_a_message_put_in_from_outside_is_no_persons(memory):
    saver = CapturingSaver(InMemorySaver(), memory)
    graph = agent([*LOOK, *LOOK], saver)
    graph.invoke(ask("Look around."), thread(), context=CONTEXT)
    graph.update_state(thread(), ask(), as_node="tools")
    graph.invoke(ask("And again."), thread(), context=CONTEXT)
    speakers = {text: kind for kind, _, text in told(memory)}
    assert speakers[SAID] == "message.agent"
    assert speakers["And again."] == "message.user"


@pytest.mark.parametrize("identified", [True, False])
def test_an_update_that_poses_as_input_is_no_persons(memory, identified):
    identify = (lambda config, metadata: CONTEXT) if identified else None
    saver = CapturingSaver(InMemorySaver(), memory, identify=identify)
    graph = agent(LOOK, saver)
    graph.update_state(thread(), ask(), as_node="__input__")
    graph.invoke(None, thread(), context=CONTEXT)
    assert ("message.agent", "agent", SAID) in told(memory)
    assert "message.user" not in {kind for kind, _, _ in told(memory)}


def test_a_human_message_by_a_node_is_no_persons(memory):
    saver = CapturingSaver(InMemorySaver(), memory)
    graph = agent(LOOK, saver, more=lambda _: {"messages": [HumanMessage(SAID)]})
    graph.invoke(ask("Look around."), thread(), context=CONTEXT)
    assert told(memory)[:2] == [("message.user", "ana", "Look around."), ("message.agent", "agent", SAID)]


def test_an_echo_of_a_forged_message_is_no_persons(memory):
    saver = CapturingSaver(InMemorySaver(), memory)
    graph = agent([*LOOK, "Fine."], saver, more=lambda _: {"messages": [HumanMessage(SAID, id="forged")]})
    state = graph.invoke(ask("Look around."), thread(), context=CONTEXT)
    graph.invoke({"messages": [*state["messages"], HumanMessage("Go on.")]}, thread(), context=CONTEXT)
    assert [kind for kind, _, text in told(memory) if text == SAID] == ["message.agent"]
    assert ("message.user", "ana", "Go on.") in told(memory)


@pytest.mark.parametrize("shared", [True, False], ids=["shared state", "own state"])
def test_subgraphs_are_captured_and_their_humans_are_no_persons(memory, shared):
    saver = CapturingSaver(InMemorySaver(), memory)
    inner = agent([calls(("look", {"name": "gpu-7"}), ids=["c"]), "Looked."], None)

    def delegate(state):
        answer = inner.invoke(ask("Nobody may touch gpu-7."))
        return {"messages": [AIMessage(answer["messages"][-1].text)]}

    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("sub", inner if shared else delegate)
    builder.add_edge(START, "sub")
    builder.compile(checkpointer=saver).invoke(ask(), thread(), context=CONTEXT)
    found = told(memory)
    assert found.count(("tool.completed", "look", "gpu-7")) == 1
    assert [event for event in found if event[0] == "message.user"] == [STORY[0]]
    if not shared:
        assert ("message.agent", "agent", "Nobody may touch gpu-7.") in found
    assert len(memory.events(TEAM)) == len({event.event_id for event in memory.events(TEAM)})


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_with_nodes_and_saver_together_one_result_is_one_event(durability):
    def run(wrap):
        with Memory.open(":memory:", policy=leads_policy(), index=None) as memory:
            saver = wrap(InMemorySaver(), memory)
            graph = agent_with_nodes(memory, CLEANUP, checkpointer=saver).graph
            graph.invoke(ask(id="h1"), thread(), context=ana_in("act-1"), durability=durability)
            return sorted((e.event_type, e.actor.id, str(gist(e))) for e in memory.events(ana_in("a").scope))

    alone = run(lambda saver, memory: saver)
    both = run(CapturingSaver)
    assert len(alone) == 6
    assert both == alone


@pytest.mark.parametrize("how", ["answers", "fails", "asks"])
def test_with_middleware_and_saver_together_one_result_is_one_event(how):
    def run(wrap):
        def act(name: str) -> str:
            """Look at a machine."""
            if how == "fails":
                raise ConnectionError("away")
            return interrupt("may I?") if how == "asks" else f"{name} is idle"

        with Memory.open(":memory:", policy=leads_policy(), index=None) as memory:
            graph = create_agent(
                ScriptedChatModel([calls(("act", {"name": "gpu-1"})), WORD]),
                tools=[tool(act)],
                middleware=[MemoryMiddleware(memory)],
                context_schema=MemoryContext,
                checkpointer=wrap(InMemorySaver(), memory),
            )
            with suppress(ConnectionError):
                graph.invoke(ask(), thread(), context=ana_in("act-1"))
            return sorted((e.event_type, str(gist(e))) for e in memory.events(ana_in("a").scope))

    alone = run(lambda saver, memory: saver)
    assert len(alone) >= 2
    assert run(CapturingSaver) == alone


def test_the_events_of_nodes_and_of_the_saver_have_the_same_ids():
    def run(wrap, graph_of):
        with Memory.open(":memory:", policy=leads_policy(), index=None) as memory:
            script = [m.model_copy(update={"id": f"ai-{n}"}) for n, m in enumerate(map(_message, CLEANUP))]
            graph = graph_of(memory, script, wrap(memory))
            graph.invoke(ask(id="h1"), thread(), context=ana_in("act-1"))
            return {e.event_id: e.event_type for e in memory.events(ana_in("a").scope)}

    by_nodes = run(lambda _: InMemorySaver(), lambda m, s, c: agent_with_nodes(m, s, checkpointer=c).graph)
    by_saver = run(lambda memory: CapturingSaver(InMemorySaver(), memory), lambda m, s, c: agent(s, c))
    spoken = {i: t for i, t in by_nodes.items() if t.startswith(("message", "activity"))}
    assert spoken.items() <= by_saver.items()
    assert len(spoken) == 3


def _message(reply):
    return reply if isinstance(reply, AIMessage) else AIMessage(reply)


def test_a_copied_thread_does_not_tell_its_past_again(memory):
    inner = InMemorySaver()
    agent(LOOK, CapturingSaver(inner, memory)).invoke(ask(), thread(), context=CONTEXT)
    copy = InMemorySaver()
    for found in reversed(list(inner.list(thread()))):
        copy.put(
            {"configurable": {"thread_id": "copy", "checkpoint_ns": ""}},
            found.checkpoint,
            found.metadata,
            found.checkpoint["channel_versions"],
        )
    agent(["Fine."], CapturingSaver(copy, memory)).invoke(ask("Thanks."), thread("copy"), context=CONTEXT)
    assert [text for _, _, text in told(memory)[5:]] == ["Thanks.", "Fine.", "completed"]


def test_two_threads_and_two_people_stay_apart(memory):
    saver = CapturingSaver(InMemorySaver(), memory)
    other = MemoryContext(principal=ANA.model_copy(update={"user_id": "bo"}), scope=TEAM)
    agent(LOOK, saver).invoke(ask(), thread("a"), context=CONTEXT)
    agent(LOOK, saver).invoke(ask(), thread("b"), context=other)
    assert [who for kind, who, _ in told(memory) if kind == "message.user"] == ["ana", "bo"]
    assert len({event.activity_id for event in memory.events(TEAM)}) == 2

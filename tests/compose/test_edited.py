"""A message under an id that was there before: new words of a person count, those of a node are nobody's."""

import pytest
from acceptance.world import ANA, DAN, GPU, STAGING
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from langgraph_memory import CapturingSaver, MemoryContext, MemoryMiddleware, attach
from langgraph_memory.testing import ScriptedChatModel

CONFIG = {"configurable": {"thread_id": "t"}}
FIRST, EDITED = "Keep web-77 running.", f"Keep {GPU} running."
WAYS = ["saver", "attach", "saver and attach", "middleware"]


def graph_of(memory, way, *, node=None):
    """A graph with memory around it; `node` comes before the planner."""
    saver = CapturingSaver(InMemorySaver(), memory) if "saver" in way else InMemorySaver()
    if way == "middleware":
        return create_agent(
            ScriptedChatModel(["Noted."] * 9),
            middleware=[MemoryMiddleware(memory)],
            context_schema=MemoryContext,
            checkpointer=saver,
        )
    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("agent", lambda _: {"messages": [AIMessage("Noted.")]})
    if node is not None:
        builder.add_node("node", node)
        builder.add_edge("node", "agent")
    builder.add_edge(START, "node" if node else "agent")
    if "attach" in way:
        attach(builder, memory, planner="agent", tools=None)
    return builder.compile(checkpointer=saver)


def ask(text, message_id="h1"):
    return {"messages": [HumanMessage(text, id=message_id)]}


def heard(memory):
    """What people said: words, by whom, and whether they replace others."""
    found = [event for event in memory.events(STAGING) if event.event_type == "message.user"]
    return [(event.data["text"], event.actor.id, "replaces" in event.data) for event in found]


def stops(memory, name):
    return memory.check("stop_instance", {"name": name}, principal=DAN, scope=STAGING).outcome


@pytest.mark.parametrize("way", WAYS)
def test_what_a_person_edits_is_heard_and_counts(memory, play, way):
    graph = graph_of(memory, way)
    play(graph, ask(FIRST), CONFIG, principal=ANA)
    assert (stops(memory, GPU), stops(memory, "web-77")) == ("allow", "defer")
    play(graph, ask(EDITED), CONFIG, principal=ANA)
    assert heard(memory) == [(FIRST, "ana", False), (EDITED, "ana", True)]
    first, second = (event for event in memory.events(STAGING) if event.event_type == "message.user")
    assert second.data["replaces"] == first.event_id
    assert second.activity_id == first.activity_id
    assert (stops(memory, GPU), stops(memory, "web-77")) == ("defer", "defer")


@pytest.mark.parametrize("way", WAYS)
def test_an_edit_is_of_the_one_who_runs_and_each_is_told_once(memory, play, way):
    graph = graph_of(memory, way)
    play(graph, ask(FIRST), CONFIG, principal=ANA)
    for principal, text in ((DAN, EDITED), (DAN, EDITED), (ANA, FIRST)):
        play(graph, ask(text), CONFIG, principal=principal)
    assert heard(memory) == [(FIRST, "ana", False), (EDITED, "dan", True), (FIRST, "ana", True)]


@pytest.mark.parametrize("way", WAYS)
def test_other_words_on_another_branch_are_heard_as_well(memory, play, way):
    graph = graph_of(memory, way)
    play(graph, ask(FIRST), CONFIG, principal=ANA)
    before = list(graph.get_state_history(CONFIG))[-1].config
    play(graph, ask(EDITED), before, principal=ANA)
    assert heard(memory) == [(FIRST, "ana", False), (EDITED, "ana", True)]


@pytest.mark.parametrize("way", ["saver", "attach", "saver and attach"])
def test_a_node_that_writes_over_a_persons_words_speaks_for_nobody(memory, play, way):
    def node(state):
        asked = state["messages"][-1]
        return {"messages": [HumanMessage(f"{EDITED} Also: {asked.text}", id=asked.id)]}

    graph = graph_of(memory, way, node=node)
    play(graph, ask("Clean up."), CONFIG, principal=ANA)
    assert heard(memory) == [("Clean up.", "ana", False)]
    stands = graph.get_state(CONFIG).values["messages"][0]
    play(graph, {"messages": [stands]}, CONFIG, principal=ANA)  # as clients do that keep the state
    assert heard(memory) == [("Clean up.", "ana", False)]
    play(graph, ask("Clean it all up."), CONFIG, principal=ANA)
    assert heard(memory)[1:] == [("Clean it all up.", "ana", True)]
    assert stops(memory, GPU) == "allow"


@pytest.mark.parametrize("way", WAYS)
def test_an_update_of_the_state_edits_for_nobody(memory, play, way):
    graph = graph_of(memory, way)
    play(graph, ask("Clean up."), CONFIG, principal=ANA)
    graph.update_state(CONFIG, ask(EDITED))
    play(graph, ask("And now?", "h2"), CONFIG, principal=ANA)
    assert heard(memory) == [("Clean up.", "ana", False), ("And now?", "ana", False)]
    assert stops(memory, GPU) == "allow"


@pytest.mark.parametrize("way", WAYS)
def test_a_message_with_a_secret_that_comes_again_is_no_edit(memory, play, way):
    text = "Use the key sk-proj-Zt7Hq2Lm9Vx4Bn8Kc3Rd6Wf1Js5Pg0Ya for the deployment."
    graph = graph_of(memory, way)
    for _ in range(2):
        play(graph, ask(text), CONFIG, principal=ANA)
    assert len(heard(memory)) == 1
    assert "Zt7Hq2Lm9" not in str(heard(memory))

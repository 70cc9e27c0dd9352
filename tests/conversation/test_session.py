"""A session ends: one episode with its importance and keywords, and the facts that its user laid down."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from langgraph_memory import MemoryContext, MemoryState, publish_node, recall_node
from langgraph_memory.conversation import ModelSummariser, Summary, by_session, end_session, end_session_node
from langgraph_memory.conversation.session import session_importance
from langgraph_memory.errors import ConfigurationError, InvalidArgumentError
from langgraph_memory.testing import ScriptedChatModel

from .conftest import BOB, CONTEXT


def chat(memory, *answers):
    said = iter(answers)
    builder = StateGraph(MemoryState, context_schema=MemoryContext)
    builder.add_node("recall", recall_node(memory, identify=by_session()))
    builder.add_node("planner", lambda _: {"messages": [AIMessage(next(said))]})
    builder.add_node("publish", publish_node(memory, identify=by_session()))
    builder.add_edge(START, "recall")
    builder.add_edge("recall", "planner")
    builder.add_edge("planner", "publish")
    builder.add_edge("publish", END)
    graph = builder.compile(checkpointer=InMemorySaver())

    def say(text, thread="monday"):
        config = {"configurable": {"thread_id": thread}}
        return graph.invoke({"messages": [HumanMessage(text)]}, config, context=CONTEXT)

    return say


def talk(memory):
    say = chat(
        memory,
        "Nice to meet you, Aadhil.",
        "I recommend pdfme: it draws templates in the browser.",
        "I'm not sure, I'll check.",
    )
    say("My name is Aadhil and I prefer code examples without semicolons.")
    say("Which PDF library should I use for the invoice export?")
    say("Does it run in Safari?")
    return say


def test_a_session_becomes_one_episode_with_importance_and_keywords(memory):
    talk(memory)
    episode = end_session(memory, CONTEXT, "monday")
    assert memory.episodes(BOB) == [episode]
    assert "Aadhil" in episode.summary
    assert "Decided: agent: I recommend pdfme" in episode.resolution
    assert "Open: Does it run in Safari?" in episode.resolution
    assert 5 <= episode.importance <= 10
    assert {"librari", "export"} & set(episode.keywords)
    assert {fact.attribute for fact in memory.facts(BOB)} >= {"name"}
    assert [entry.decision for entry in memory.audit(episode.episode_id)] == ["kept"]


def test_the_next_session_finds_it_by_what_is_asked_vaguely(memory):
    talk(memory)
    end_session(memory, CONTEXT, "monday")
    state = chat(memory, "pdfme.")("What was your recommendation again?", thread="thursday")
    assert len(state["messages"]) == 2
    assert "I recommend pdfme" in state["memory"]


def test_ending_twice_is_ending_once_and_a_resumed_session_is_a_later_episode(memory):
    talk(memory)
    first = end_session(memory, CONTEXT, "monday")
    assert end_session(memory, CONTEXT, "monday") == first
    chat(memory, "We'll use the Safari polyfill.")("And now?")
    later = end_session(memory, CONTEXT, "monday")
    assert later.follows == first.episode_id
    assert "Safari polyfill" in later.resolution
    assert len(memory.episodes(BOB)) == 2


def test_a_part_that_a_worker_consolidated_is_followed_by_the_rest(memory):
    talk(memory)
    memory.consolidate()
    (part,) = memory.episodes(BOB)
    chat(memory, "Noted.")("We decided to go with pdfme.")
    rest = end_session(memory, CONTEXT, "monday")
    assert rest.follows == part.episode_id
    assert not set(rest.sources) & set(part.sources)


def test_a_session_in_which_nothing_was_said_leaves_nothing(memory):
    assert end_session(memory, CONTEXT, "monday") is None
    assert memory.events(BOB) == []
    talk(memory)
    assert end_session(memory, CONTEXT, "monday") is not None


def test_a_model_tells_the_session_and_rates_it(memory):
    told = {
        "about_user": [{"attribute": "name", "value": "Aadhil"}],
        "decisions": ["Use pdfme for invoices."],
        "open_questions": ["Does pdfme run in Safari?"],
        "other": [],
        "importance": 8,
    }
    model = ScriptedChatModel([told])
    talk(memory)
    episode = end_session(memory, CONTEXT, "monday", summariser=ModelSummariser(model))
    assert episode.importance == 8
    assert episode.resolution == "Decided: Use pdfme for invoices. Open: Does pdfme run in Safari?"


def test_a_model_that_fails_leaves_the_plain_episode_and_is_tried_again(memory, clock):
    talk(memory)
    episode = end_session(
        memory, CONTEXT, "monday", summariser=ModelSummariser(ScriptedChatModel([OSError("down")]))
    )
    assert "Asked: My name is Aadhil" in episode.summary
    assert memory.backlog().waiting == 1
    clock.advance(hours=2)
    memory.consolidate()
    assert memory.backlog().waiting == 0
    assert len(memory.episodes(BOB)) == 1


def test_the_node_ends_the_session_of_its_thread(memory):
    builder = StateGraph(MemoryState, context_schema=MemoryContext)
    builder.add_node("end", end_session_node(memory))
    builder.add_edge(START, "end")
    graph = builder.compile(checkpointer=InMemorySaver())
    said = {"messages": [HumanMessage("My name is Ana."), AIMessage("Hello Ana.")]}
    state = graph.invoke(said, {"configurable": {"thread_id": "t"}}, context=CONTEXT)
    assert state["notice"] is None
    assert [episode.activity_id[:8] for episode in memory.episodes(BOB)] == ["session_"]
    assert "no thread" in builder.compile().invoke(said, context=CONTEXT)["notice"]


def test_a_thread_that_was_published_otherwise_is_told_and_not_passed_over(memory):
    builder = StateGraph(MemoryState, context_schema=MemoryContext)
    builder.add_node("publish", publish_node(memory))
    builder.add_node("end", end_session_node(memory))
    builder.add_edge(START, "publish")
    builder.add_edge("publish", "end")
    graph = builder.compile(checkpointer=InMemorySaver())
    said = {"messages": [HumanMessage("My name is Ana."), AIMessage("Hello Ana.")]}
    state = graph.invoke(said, {"configurable": {"thread_id": "t"}}, context=CONTEXT)
    assert "identify=by_session()" in state["notice"]
    with pytest.raises(ConfigurationError, match="'t' was not published as a session"):
        end_session(memory, CONTEXT, "t")
    assert end_session(memory, CONTEXT, "another thread") is None


def test_importance_goes_from_one_to_ten():
    full = Summary(identity={"a": "b"}, decisions=("c",), open_questions=("d",))
    assert session_importance([], Summary()) == 2
    assert session_importance([], full) == 7


@pytest.mark.parametrize("thread", [7, b"monday", None])
def test_a_thread_id_that_is_no_text_is_refused_by_its_value(memory, thread):
    with pytest.raises(InvalidArgumentError, match=r"thread_id=.* give str"):
        end_session(memory, CONTEXT, thread)

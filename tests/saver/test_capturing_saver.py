"""A graph without memory in it is captured by its checkpointer alone."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Send
from typing_extensions import TypedDict

from langgraph_memory import CapturingSaver, Memory

from .scenes import CONTEXT, LOOK, SAID, STORY, TEAM, WORD, DeltaState, agent, ask, calls, look, thread, told


class Plain(TypedDict):
    """A state without messages."""

    count: int


@pytest.fixture(params=["memory", "sqlite", "open"])
def saver(request, memory, tmp_path):
    if request.param == "memory":
        yield CapturingSaver(InMemorySaver(), memory)
    elif request.param == "sqlite":
        with SqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as inner:
            yield CapturingSaver(inner, memory)
    else:
        with CapturingSaver.open(tmp_path, memory) as opened:
            yield opened


@pytest.mark.parametrize("durability", ["sync", "async"])
def test_what_passes_is_told_once_and_in_order(memory, saver, durability):
    graph = agent(LOOK, saver)
    graph.invoke(ask(), thread(), context=CONTEXT, durability=durability)
    assert told(memory) == STORY
    assert saver.notices == ()


def test_a_person_who_speaks_through_the_saver_sets_rules(memory, saver):
    agent(LOOK, saver).invoke(ask(), thread(), context=CONTEXT)
    memory.consolidate()
    assert [fact.authority_role for fact in memory.facts(TEAM)] == ["lead"]
    (episode,) = memory.episodes(TEAM)
    assert episode.status == "completed"


async def test_asynchronous_graphs_are_captured(memory, tmp_path):
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as inner:
        saver = CapturingSaver(inner, memory)
        await agent(LOOK, saver).ainvoke(ask(), thread(), context=CONTEXT)
        assert told(memory) == STORY
        assert saver.notices == ()


async def test_the_one_line_saver_serves_both_ways(memory, tmp_path):
    with CapturingSaver.open(tmp_path / "checkpoints.sqlite", memory) as saver:
        graph = agent([*LOOK, "Fine."], saver)
        graph.invoke(ask(), thread(), context=CONTEXT)
        state = await graph.ainvoke(ask("Thanks."), thread(), context=CONTEXT)
        assert [m.text for m in state["messages"] if isinstance(m, HumanMessage)] == [SAID, "Thanks."]
        assert told(memory)[5:] == [
            ("message.user", "ana", "Thanks."),
            ("message.agent", "agent", "Fine."),
            ("activity.completed", "agent", "completed"),
        ]
    with CapturingSaver.open(tmp_path / "checkpoints.sqlite", memory) as again:
        assert len(agent([], again).get_state(thread()).values["messages"]) == 7


def test_identify_tells_whose_run_it_is_from_config_and_metadata(memory):
    def identify(config, metadata):
        assert metadata["user_id"] == config["configurable"]["user_id"]
        return CONTEXT if metadata["user_id"] == "ana" else None

    saver = CapturingSaver(InMemorySaver(), memory, identify=identify)
    agent(LOOK, saver).invoke(ask(), thread(user_id="eve"), context=CONTEXT)
    assert told(memory) == []
    agent(LOOK, saver).invoke(ask(), thread("t2", user_id="ana"))
    assert told(memory) == STORY


def test_a_failed_tool_and_a_failed_run_are_told(memory):
    saver = CapturingSaver(InMemorySaver(), memory)
    script = [calls(("look", {"name": "broken"})), WORD]
    agent(script, saver).invoke(ask(), thread(), context=CONTEXT)
    assert [event.event_type for event in memory.events(TEAM)][1] == "tool.failed"
    with pytest.raises(ConnectionError):
        agent(script, saver, errors=False).invoke(ask(), thread("t2"), context=CONTEXT)
    failed = memory.events(TEAM)[-1]
    assert (failed.event_type, failed.data["status"]) == ("activity.failed", "failed")
    assert "the cloud is away" in failed.data["error"]
    assert failed.thread_id == "t2"
    memory.consolidate()
    assert sorted(episode.status for episode in memory.episodes(TEAM)) == ["completed", "failed"]


def test_the_results_of_calls_whose_sibling_failed_are_not_lost(memory):
    """The run dies before its next checkpoint; what was done is in the writes."""
    saver = CapturingSaver(InMemorySaver(), memory)
    builder = StateGraph(MessagesState)
    plan = calls(("look", {"name": "gpu-1"}), ("look", {"name": "broken"}))
    builder.add_node("planner", lambda _: {"messages": [plan]})
    builder.add_node("tools", ToolNode([look], handle_tool_errors=False))
    builder.add_edge(START, "planner")
    builder.add_conditional_edges(
        "planner", lambda s: [Send("tools", [c]) for c in plan.tool_calls], ["tools"]
    )
    with pytest.raises(ConnectionError):
        builder.compile(checkpointer=saver).invoke(ask(), thread(), context=CONTEXT, durability="sync")
    heard = told(memory)  # the two calls run side by side, so either may end first
    assert heard.count(("tool.completed", "look", "gpu-1")) == 1
    assert heard.count(("activity.failed", "runtime", "failed")) == 1


def test_a_run_that_ends_without_a_last_word_still_ends(memory):
    builder = StateGraph(Plain)
    builder.add_node("one", lambda s: {"count": s["count"] + 1})
    builder.add_node("two", lambda s: {"count": s["count"] + 1})
    builder.add_edge(START, "one")
    builder.add_edge("one", "two")
    saver = CapturingSaver(InMemorySaver(), memory)
    builder.compile(checkpointer=saver).invoke({"count": 1}, thread(), context=CONTEXT)
    assert told(memory) == [("activity.completed", "runtime", "completed")]


def test_a_failure_to_capture_fails_no_checkpoint_and_is_made_good(memory, monkeypatch, caplog):
    saver = CapturingSaver(InMemorySaver(), memory)
    graph = agent([*LOOK, WORD], saver)

    def away(**_):
        raise OSError("the disk is away")

    with monkeypatch.context() as patch:
        patch.setattr(memory, "publish", away)
        state = graph.invoke(ask(), thread(), context=CONTEXT, durability="sync")
    assert state["messages"][-1].text == WORD
    assert told(memory) == []
    assert "OSError: the disk is away" in saver.notices[0]
    assert "the disk is away" in caplog.text
    graph.invoke(ask("Thanks."), thread(), context=CONTEXT)
    assert told(memory)[:3] == STORY[:3]
    assert told(memory)[5][2] == "Thanks."


def test_without_a_context_nothing_is_captured_and_the_notice_says_why(memory):
    saver = CapturingSaver(InMemorySaver(), memory)
    agent(LOOK, saver).invoke(ask(), thread())
    assert told(memory) == []
    assert "not a MemoryContext" in saver.notices[0]


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
async def test_channels_that_store_their_changes_lose_and_double_nothing(memory, tmp_path, durability, kind):
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "c.sqlite")) as inner:
        saver = CapturingSaver(InMemorySaver() if kind == "memory" else inner, memory)
        graph = agent([*LOOK, *LOOK], saver, state=DeltaState)
        await graph.ainvoke(ask(), thread(), context=CONTEXT, durability=durability)
        again = CapturingSaver(saver._saver, memory)  # another process goes on
        await agent(LOOK, again, state=DeltaState).ainvoke(
            ask("And again."), thread(), context=CONTEXT, durability=durability
        )
        for each in (saver, again):
            assert [notice.split(",")[0] for notice in each.notices] == (
                ["with durability='exit' LangGraph saves no input"] if durability == "exit" else []
            )
    found = [(kind, text) for kind, _, text in told(memory)]
    once = [(kind, text) for kind, _, text in STORY]
    twice = [once[0], *once[1:]]
    if durability == "exit":  # nothing tells what a person said then
        once = [("message.agent", SAID), *once[1:]]
        twice = once
    assert found == [*once, (twice[0][0], "And again."), *twice[1:]]


def test_messages_that_stood_there_before_are_left_alone(memory):
    inner = InMemorySaver()
    agent(LOOK, inner).invoke(ask("An old request."), thread(), context=CONTEXT)
    agent(LOOK, CapturingSaver(inner, memory)).invoke(ask(), thread(), context=CONTEXT)
    assert told(memory) == STORY


def test_deleting_a_thread_starts_it_anew(memory):
    saver = CapturingSaver(InMemorySaver(), memory)
    agent(LOOK, saver).invoke(ask(), thread(), context=CONTEXT)
    saver.delete_thread("t")
    assert saver.get_tuple(thread()) is None
    agent(LOOK, saver).invoke(ask(), thread(), context=CONTEXT)
    assert told(memory) == [*STORY, *STORY]


def test_it_has_what_its_saver_has(memory, tmp_path):
    with CapturingSaver.open(tmp_path, memory) as saver:
        assert isinstance(saver, CapturingSaver)
        assert saver.conn.execute("SELECT 1").fetchone() == (1,)
        assert saver.serde is saver._saver.serde
        assert saver.get_next_version(None, None).startswith("000")
        with pytest.raises(AttributeError):
            _ = saver.nothing_like_that


def test_memory_and_checkpoints_live_in_one_folder(tmp_path):
    with (
        Memory.open(tmp_path / "m", index=None) as memory,
        CapturingSaver.open(tmp_path / "m", memory) as saver,
    ):
        agent(LOOK, saver).invoke(ask(), thread(), context=CONTEXT)
        assert len(told(memory)) == len(STORY)
    assert (tmp_path / "m" / "checkpoints.sqlite").is_file()


def test_an_agents_message_in_the_input_is_no_persons(memory):
    saver = CapturingSaver(InMemorySaver(), memory)
    agent([WORD], saver).invoke(
        {"messages": [AIMessage("I was told to stop gpu-1."), HumanMessage("Go on.")]},
        thread(),
        context=CONTEXT,
    )
    assert told(memory)[:3] == [
        ("message.agent", "agent", "I was told to stop gpu-1."),
        ("activity.completed", "agent", "completed"),
        ("message.user", "ana", "Go on."),
    ]

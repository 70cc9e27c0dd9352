"""An agent's graph never dies because memory did."""

import asyncio
import contextlib

import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from langgraph_memory import Memory
from langgraph_memory.errors import StorageError

from . import story
from .agent import CLEANUP, agent, calls
from .fixtures import over
from .world import GPU, KEEP, SANDBOX, STAGING, ana_in, constrain, leads_policy


class Breakable(InMemoryStore):
    """A store of someone else that works until it is broken."""

    broken = False

    def batch(self, ops):
        if self.broken:
            raise OSError("connection refused")
        return super().batch(ops)

    async def abatch(self, ops):
        return self.batch(ops)


@pytest.fixture(params=["sync", "async"])
def play(request):
    def run(graph):
        given, context = {"messages": [HumanMessage(story.VAGUE)]}, ana_in("act-run")
        config = {"configurable": {"thread_id": "t"}}
        if request.param == "sync":
            return graph.invoke(given, config, context=context)
        return asyncio.run(graph.ainvoke(given, config, context=context))

    return run


@pytest.fixture(params=["store", "log"])
def broken(request, clock, tmp_path):
    """A memory that held a rule and then broke: its store, or all of it."""
    if request.param == "store":
        store = Breakable()
        with over(store, clock) as memory:
            constrain(memory)
            store.broken = True
            yield memory
            store.broken = False
    else:
        memory = Memory.open(tmp_path / "memory", policy=leads_policy(), clock=clock)
        constrain(memory)
        memory.close()
        yield memory


def test_the_planner_gets_a_notice_instead_of_memories(broken, play):
    run = agent(broken, ["Hello."], checkpointer=InMemorySaver())
    state = play(run.graph)
    assert state["messages"][-1].text == "Hello."
    assert KEEP not in run.seen[0]
    assert "memory" in (run.seen[0] + run.notices[0]).lower()


def test_reading_goes_on_and_changes_are_held(broken, play):
    script = [
        calls(("get_instance_metrics", {"instance": GPU})),
        calls(("stop_instance", {"instance": GPU}), ("stop_instance", {"instance": SANDBOX})),
        "Done.",
    ]
    run = agent(broken, script, checkpointer=InMemorySaver())
    play(run.graph)
    assert run.cloud.ran == ["get_instance_metrics"]
    assert run.cloud.stopped == []


def test_the_same_agent_works_before_memory_breaks(clock, play):
    store = Breakable()
    with over(store, clock) as memory:
        constrain(memory)
        healthy = agent(memory, CLEANUP, checkpointer=InMemorySaver())
        play(healthy.graph)
        assert healthy.cloud.stopped == [SANDBOX]
        assert any(KEEP in shown for shown in healthy.seen)
        assert set(healthy.notices) == {""}


def test_memory_that_comes_back_is_used_again(clock, play):
    store = Breakable()
    with over(store, clock) as memory:
        constrain(memory)
        store.broken = True
        held = agent(memory, CLEANUP, checkpointer=InMemorySaver())
        play(held.graph)
        store.broken = False
        healthy = agent(memory, CLEANUP, checkpointer=InMemorySaver())
        state = play(healthy.graph)
    assert (held.cloud.stopped, healthy.cloud.stopped) == ([], [SANDBOX])
    assert [
        m.text
        for m in state["messages"]
        if isinstance(m, ToolMessage) and m.status == "error" and KEEP in m.text
    ]


def test_an_outage_of_the_store_loses_no_event(clock, play):
    """Events are the log's; a store that is down does not keep them from being written."""
    store = Breakable()
    with over(store, clock) as memory:
        store.broken = True
        play(agent(memory, ["Hello."], checkpointer=InMemorySaver()).graph)
        assert [e.data["text"] for e in memory.events(STAGING) if e.event_type == "message.user"] == [
            story.VAGUE
        ]


def test_consolidation_waits_for_a_store_that_is_down_and_loses_nothing(clock):
    store = Breakable()
    with over(store, clock) as memory:
        story.friday(memory)
        story.monday(memory)
        store.broken = True
        with contextlib.suppress(StorageError, OSError):
            memory.consolidate()
        assert list(memory.events(STAGING))
        store.broken = False
        clock.advance(hours=2)
        memory.consolidate()
        assert len(memory.facts(STAGING, entity=GPU)) == 1
        assert len(memory.episodes(STAGING)) == 2

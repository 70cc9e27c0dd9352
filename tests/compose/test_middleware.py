"""Memory in LangChain's agents by middleware: what the model is shown, what tools may do, what is kept."""

import asyncio

import pytest
from acceptance.agent import CLEANUP, COMMANDS, OFF, REBOOT, Cloud, calls
from acceptance.world import ANA, GPU, KEEP, SANDBOX, STAGING, constrain
from langchain.agents import create_agent
from langchain_core.messages import SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from langgraph_memory import MemoryContext, MemoryMiddleware, guard_tools
from langgraph_memory.testing import ScriptedChatModel

from .looking import asked, errors, of_type, results, types

PROMPT = "You keep the costs of staging low."
CONFIG = {"configurable": {"thread_id": "t"}}


class Agent:
    def __init__(self, memory, script, *, guarded=False, checkpointer=None, **options):
        self.cloud, self.model = Cloud(), ScriptedChatModel(script)
        tools = self.cloud.tools()
        self.graph = create_agent(
            self.model,
            guard_tools(tools, memory) if guarded else tools,
            system_prompt=PROMPT,
            middleware=[MemoryMiddleware(memory, **options)],
            context_schema=MemoryContext,
            checkpointer=checkpointer,
        )


@pytest.fixture(params=[False, True], ids=["plain tools", "guarded tools"])
def guarded(request):
    return request.param


def test_the_memories_stand_behind_a_system_prompt_that_stays_the_same(memory, play):
    constrain(memory)
    agent = Agent(memory, CLEANUP)
    play(agent.graph)
    for call in agent.model.calls:
        assert (call.messages[0].text, type(call.messages[0])) == (PROMPT, SystemMessage)
    assert KEEP in agent.model.calls[1].messages[-1].text


def test_a_blocked_call_gets_an_error_and_the_others_run(memory, play, guarded):
    constrain(memory)
    agent = Agent(memory, CLEANUP, guarded=guarded)
    (error,) = errors(play(agent.graph))
    assert KEEP in error.text
    assert agent.cloud.stopped == [SANDBOX]


def test_without_a_rule_or_without_the_guard_all_calls_run(memory, play):
    free = Agent(memory, CLEANUP)
    play(free.graph)
    constrain(memory)
    unguarded = Agent(memory, CLEANUP, guard=False)
    play(unguarded.graph, activity="act-unguarded")
    assert sorted(free.cloud.stopped) == sorted(unguarded.cloud.stopped) == [SANDBOX, GPU]


def test_the_memories_are_in_no_state_and_no_checkpoint(memory, play):
    constrain(memory)
    saver = InMemorySaver()
    agent = Agent(memory, CLEANUP, checkpointer=saver)
    state = play(agent.graph, config=CONFIG)
    assert any("<memory" in call.messages[-1].text for call in agent.model.calls)
    assert "<memory" not in str(state)
    assert "<memory" not in str(list(saver.list(CONFIG)))


def test_each_call_is_written_once_with_arguments_and_latency(memory, play, guarded):
    play(Agent(memory, CLEANUP, guarded=guarded).graph)
    assert types(memory, STAGING) == [
        "activity.completed",
        "message.agent",
        "message.user",
        *["tool.completed"] * 3,
    ]
    stopped = [
        e.data for e in of_type(memory, STAGING, "tool.completed") if e.data["tool"] == "stop_instance"
    ]
    assert {data["args"]["instance"] for data in stopped} == {GPU, SANDBOX}
    assert all(data["latency_ms"] > 0 for data in stopped)


def test_a_tool_that_raises_is_written_with_its_error_and_ends_the_activity(memory, play):
    agent = Agent(memory, [calls(("resize_instance", {"instance": SANDBOX})), "Done."])
    with pytest.raises(RuntimeError, match="quota exceeded"):
        play(agent.graph)
    (failed,) = of_type(memory, STAGING, "tool.failed")
    assert "quota exceeded" in failed.data["error"]
    assert failed.data["latency_ms"] > 0
    assert len(of_type(memory, STAGING, "activity.failed")) == 1


def test_a_model_that_raises_ends_the_activity(memory, play):
    with pytest.raises(Exception, match="no answer is left"):
        play(Agent(memory, []).graph)
    (failed,) = of_type(memory, STAGING, "activity.failed")
    assert "ScriptExhausted" in failed.data["error"]
    (said,) = of_type(memory, STAGING, "message.user")
    assert said.actor.id == "dan"


def test_one_question_carries_all_held_calls_and_each_gets_its_own_answer(memory, play, guarded):
    constrain(memory)
    agent = Agent(memory, [COMMANDS, "Done."], guarded=guarded, checkpointer=InMemorySaver())
    assert asked(play(agent.graph, config=CONFIG)) == [[OFF, REBOOT]]
    assert agent.cloud.ran == []
    assert len(of_type(memory, STAGING, "milestone.reached")) == 1
    answers = Command(resume={OFF: "deny", REBOOT: "approve"})
    state = play(agent.graph, answers, CONFIG, principal=ANA)
    assert sorted(agent.cloud.ran) == ["get_instance_metrics", "run_command"]
    assert (results(state)[OFF], results(state)[REBOOT]) == ("error", "success")
    assert len(of_type(memory, STAGING, "activity.completed")) == 1


def test_an_approval_by_one_who_may_not_decide_is_refused_and_audited(memory, play, guarded):
    fact = constrain(memory).fact
    agent = Agent(memory, [COMMANDS, "Done."], guarded=guarded, checkpointer=InMemorySaver())
    play(agent.graph, config=CONFIG)
    play(agent.graph, Command(resume={OFF: "approve", REBOOT: "retire"}), CONFIG)
    assert agent.cloud.ran == ["get_instance_metrics"]
    refused = [entry for entry in memory.audit(fact.fact_id) if entry.decision == "call refused"]
    assert {entry.actor for entry in refused} == {"dan"}
    assert memory.facts(STAGING, entity=GPU) != []


def test_an_approval_is_used_once(memory, play, guarded):
    constrain(memory)
    agent = Agent(memory, [COMMANDS, COMMANDS, "Done."], guarded=guarded, checkpointer=InMemorySaver())
    play(agent.graph, config=CONFIG)
    state = play(agent.graph, Command(resume={OFF: "approve", REBOOT: "approve"}), CONFIG, principal=ANA)
    assert asked(state) == [[OFF, REBOOT]]
    assert agent.cloud.ran.count("run_command") == 2
    play(agent.graph, Command(resume={}), CONFIG, principal=ANA)
    assert agent.cloud.ran.count("run_command") == 2


def test_a_constraint_can_be_retired_by_the_answer(memory, play):
    constrain(memory)
    agent = Agent(memory, [COMMANDS, COMMANDS, "Done."], checkpointer=InMemorySaver())
    play(agent.graph, config=CONFIG)
    state = play(agent.graph, Command(resume={OFF: "retire", REBOOT: "deny"}), CONFIG, principal=ANA)
    assert "__interrupt__" not in state
    assert agent.cloud.ran.count("run_command") == 3
    (fact,) = memory.facts(STAGING, entity=GPU, status=("retired",))
    assert {entry.decision for entry in memory.audit(fact.fact_id)} >= {"call retired", "retired"}


def test_many_runs_at_once_do_not_mix(memory):
    constrain(memory)

    async def one(number):
        agent = Agent(memory, CLEANUP)
        context = MemoryContext(principal=ANA, scope=STAGING, activity_id=f"act-{number}")
        await agent.graph.ainvoke({"messages": [("user", f"Clean up, {number}.")]}, context=context)
        return agent.cloud.stopped

    async def all_of_them():
        return await asyncio.gather(*(one(number) for number in range(8)))

    assert asyncio.run(all_of_them()) == [[SANDBOX]] * 8
    assert len(of_type(memory, STAGING, "activity.completed")) == 8

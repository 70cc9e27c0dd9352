"""Calls that a person has to decide: one question, answered by who may answer it, for one call."""

import asyncio

import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from langgraph_memory import MemoryContext

from .agent import agent, calls
from .world import ANA, DAN, GPU, SANDBOX, STAGING, constrain

COMMANDS = calls(
    ("run_command", {"command": f"poweroff {GPU}"}),
    ("run_command", {"command": f"reboot {GPU}"}),
    ("get_instance_metrics", {"instance": GPU}),
)
OFF, REBOOT = (call["id"] for call in COMMANDS.tool_calls[:2])
CONFIG = {"configurable": {"thread_id": "asking"}}


@pytest.fixture(params=["sync", "async"])
def play(request):
    """Starts a run of dan's, or resumes it with someone's answers."""

    def run(graph, given="Go ahead.", principal=DAN):
        given = Command(resume=given) if isinstance(given, dict) else {"messages": [HumanMessage(given)]}
        context = MemoryContext(principal=principal, scope=STAGING, activity_id="act-run")
        if request.param == "sync":
            return graph.invoke(given, CONFIG, context=context)
        return asyncio.run(graph.ainvoke(given, CONFIG, context=context))

    return run


@pytest.fixture
def asked(memory, play):
    """A run that has stopped to ask about two commands."""
    constrain(memory, evidence_ref="trace://first")
    run = agent(memory, [COMMANDS, COMMANDS, "Done."], checkpointer=InMemorySaver())
    state = play(run.graph)
    return run, state


def results(state):
    return {
        message.tool_call_id: message.status
        for message in state["messages"]
        if isinstance(message, ToolMessage)
    }


def test_one_question_carries_all_deferred_calls_and_nothing_has_run(asked):
    run, state = asked
    (question,) = state["__interrupt__"]
    told = str(question.value)
    assert OFF in told
    assert REBOOT in told
    assert "trace://first" in told
    assert run.cloud.ran == []


def test_each_call_gets_its_own_answer(asked, play):
    run, _ = asked
    state = play(run.graph, {OFF: "deny", REBOOT: "approve"}, ANA)
    assert sorted(run.cloud.ran) == ["get_instance_metrics", "run_command"]
    assert results(state)[OFF] == "error"
    assert results(state)[REBOOT] == "success"


@pytest.mark.parametrize("answer", ["deny", "maybe", True, None, {"answer": "approve"}])
def test_only_a_plain_approval_lets_a_call_run(asked, play, answer):
    run, _ = asked
    play(run.graph, {OFF: answer, REBOOT: answer}, ANA)
    assert "run_command" not in run.cloud.ran


def test_an_approval_by_someone_who_may_not_decide_is_refused(asked, play):
    run, _ = asked
    play(run.graph, {OFF: "approve", REBOOT: "approve"}, DAN)
    assert "run_command" not in run.cloud.ran


def test_an_approval_by_someone_who_may_decide_counts(asked, play):
    run, _ = asked
    play(run.graph, {OFF: "approve", REBOOT: "approve"}, ANA)
    assert run.cloud.ran.count("run_command") == 2


def test_an_approval_is_used_once(asked, play):
    """The planner asks for the same two commands again: they are asked about again."""
    run, _ = asked
    state = play(run.graph, {OFF: "approve", REBOOT: "approve"}, ANA)
    assert "__interrupt__" in state
    assert run.cloud.ran.count("run_command") == 2
    play(run.graph, {OFF: "deny", REBOOT: "deny"}, ANA)
    assert run.cloud.ran.count("run_command") == 2


@pytest.mark.parametrize(("budget", "stopped"), [(8000, [SANDBOX, GPU]), (120, [SANDBOX])])
def test_what_touches_constraints_that_did_not_fit_is_held(memory, play, budget, stopped):
    for number in range(30):
        constrain(
            memory,
            attribute=f"rule_{number}",
            forbids=("delete",),
            value=f"Rule {number}: do not delete it " * 3,
        )
    script = [
        calls(("list_instances", {})),
        calls(("stop_instance", {"instance": SANDBOX})),
        calls(("stop_instance", {"instance": GPU})),
        "Done.",
    ]
    run = agent(memory, script, checkpointer=InMemorySaver(), token_budget=budget)
    play(run.graph)
    assert run.cloud.stopped == stopped

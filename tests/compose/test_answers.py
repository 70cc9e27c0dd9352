"""Answers to the guard's question: how they are read, and how what can't be read is told from a denial."""

import pytest
from acceptance.agent import agent, calls
from acceptance.world import ANA, DAN, GPU, KEEP, STAGING, constrain
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from langgraph_memory import Actor, Policy, Principal, Scope
from langgraph_memory.memory import Memory
from langgraph_memory.policy import AuthorityRule

from .looking import errors, results

ONE = calls(("run_command", {"command": f"poweroff {GPU}"}))
TWO = calls(("run_command", {"command": f"poweroff {GPU}"}), ("run_command", {"command": f"reboot {GPU}"}))
OFF, REBOOT = (call["id"] for call in TWO.tool_calls)
CONFIG = {"configurable": {"thread_id": "t"}}


def held(memory, play, message):
    """A run that stopped to ask about the calls of a message."""
    run = agent(memory, [message, "Done."], checkpointer=InMemorySaver())
    assert "__interrupt__" in play(run.graph, config=CONFIG)
    return run


def answers(memory, fact_id):
    return [each.decision for each in memory.audit(fact_id) if each.decision.startswith("call ")]


@pytest.mark.parametrize("answer", ["approve", "Approve", " APPROVE\n"])
def test_a_bare_word_answers_the_one_call_that_was_asked_about(memory, play, answer):
    rule = constrain(memory)
    run = held(memory, play, ONE)
    state = play(run.graph, Command(resume=answer), CONFIG, principal=ANA)
    assert results(state) == {OFF: "success"}
    assert answers(memory, rule.fact_id) == ["call approved"]


def test_a_bare_word_counts_from_one_who_may_decide_alone(memory, play):
    rule = constrain(memory)
    run = held(memory, play, ONE)
    state = play(run.graph, Command(resume="approve"), CONFIG, principal=DAN)
    assert "may not decide" in errors(state)[0].text
    assert answers(memory, rule.fact_id) == ["call refused"]


def test_a_bare_word_denies_or_retires_as_well(memory, play):
    rule = constrain(memory)
    run = held(memory, play, ONE)
    state = play(run.graph, Command(resume="deny"), CONFIG, principal=ANA)
    assert "a person denied it" in errors(state)[0].text
    again = held(memory, play, ONE)
    assert results(play(again.graph, Command(resume="retire"), CONFIG, principal=ANA)) == {OFF: "success"}
    assert answers(memory, rule.fact_id) == ["call denied", "call retired"]
    assert memory.facts(STAGING, entity=GPU) == []


@pytest.mark.parametrize(
    "answer", ["yes", True, ["approve"], {OFF: "sure"}, {OFF: {"type": "approve"}}], ids=str
)
def test_an_answer_that_cannot_be_read_holds_the_call_and_is_no_persons_denial(memory, play, answer):
    rule = constrain(memory)
    run = held(memory, play, ONE)
    state = play(run.graph, Command(resume=answer), CONFIG, principal=ANA)
    assert "run_command" not in run.cloud.ran
    assert "can't be read" in errors(state)[0].text
    assert answers(memory, rule.fact_id) == ["call unreadable"]


def test_one_word_for_several_calls_answers_none_of_them(memory, play):
    rule = constrain(memory)
    run = held(memory, play, TWO)
    play(run.graph, Command(resume="approve"), CONFIG, principal=ANA)
    assert "run_command" not in run.cloud.ran
    assert answers(memory, rule.fact_id) == ["call unreadable"] * 2


def test_a_call_that_the_answer_leaves_out_stays_held_and_nobody_denied_it(memory, play):
    rule = constrain(memory)
    run = held(memory, play, TWO)
    state = play(run.graph, Command(resume={OFF: "approve"}), CONFIG, principal=ANA)
    assert results(state) == {OFF: "success", REBOOT: "error"}
    assert "says nothing about it" in errors(state)[0].text
    assert answers(memory, rule.fact_id) == ["call approved", "call unanswered"]


def test_what_another_user_holds_for_themselves_is_not_retired_by_an_answer(play):
    acme, own = Scope.of(org="acme"), Scope.of(org="acme", user="eve")
    policy = Policy(authority=[AuthorityRule(roles={"infra_lead"}, scope=acme)])
    with Memory.open(":memory:", policy=policy) as memory:
        rule = constrain(memory, Actor("user", "eve"), scope=own)
        run = held(memory, play, ONE)
        lead = Principal("ana", roles={"infra_lead"}, grants=(STAGING,))
        state = play(run.graph, Command(resume="retire"), CONFIG, principal=lead)
        assert "may not decide" in errors(state)[0].text
        assert answers(memory, rule.fact_id) == ["call refused"]
        assert [fact.value for fact in memory.facts(own, entity=GPU)] == [KEEP]

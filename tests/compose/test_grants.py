"""A role counts where a grant reaches: without one, nothing is laid down, lifted or approved."""

import pytest
from acceptance.agent import COMMANDS, OFF, REBOOT, agent
from acceptance.world import ANA, GPU, STAGING, constrain
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from langgraph_memory import (
    AuthorityRule,
    CapturingSaver,
    Memory,
    MemoryContext,
    MemoryMiddleware,
    Policy,
    Principal,
    Scope,
    attach,
)
from langgraph_memory.testing import ScriptedChatModel

ZOE = Principal("zoe", roles=ANA.roles, grants=(Scope.of(org="acme", workspace="other"),))
PEOPLE = {"zoe": ZOE, "ana": ANA}
CONFIG = {"configurable": {"thread_id": "t"}}


def _plain():
    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("agent", lambda _: {"messages": [AIMessage("Noted.")]})
    return builder.add_edge(START, "agent")


def by_nodes(memory):
    return agent(memory, ["Noted."], checkpointer=InMemorySaver()).graph


def by_attach(memory):
    return attach(_plain(), memory, tools=None).compile(checkpointer=InMemorySaver())


def by_middleware(memory):
    model, middleware = ScriptedChatModel(["Noted."]), [MemoryMiddleware(memory)]
    return create_agent(model, middleware=middleware, context_schema=MemoryContext)


def by_saver(memory):
    return _plain().compile(checkpointer=CapturingSaver(InMemorySaver(), memory))


def by_identified_saver(memory):
    saver = CapturingSaver(
        InMemorySaver(), memory, identify=lambda _, m: MemoryContext(PEOPLE[m["who"]], STAGING)
    )
    return _plain().compile(checkpointer=saver)


WAYS = [by_nodes, by_attach, by_middleware, by_saver, by_identified_saver]


def _said(memory, way, principal, text, play):
    play(
        way(memory),
        text,
        CONFIG | {"metadata": {"who": principal.user_id}},
        principal=principal,
        activity=None,
    )
    memory.consolidate()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("principal", "laid_down"), [(ZOE, 0), (ANA, 1)])
def test_a_rule_is_laid_down_by_one_with_role_and_grant(memory, play, way, principal, laid_down):
    _said(memory, way, principal, f"Never stop {GPU}.", play)
    assert len(memory.facts(STAGING)) == laid_down
    (spoken,) = (e for e in memory.events(STAGING) if e.event_type == "message.user")
    assert (spoken.actor.id, bool(spoken.actor.roles)) == (principal.user_id, bool(laid_down))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("principal", "left"), [(ZOE, 1), (ANA, 0)])
def test_a_rule_is_lifted_by_one_with_role_and_grant(memory, play, way, principal, left):
    constrain(memory)
    _said(memory, way, principal, f"QA has moved, {GPU} may be stopped again.", play)
    assert len(memory.facts(STAGING)) == left


@pytest.mark.parametrize(("principal", "runs"), [(ZOE, 0), (ANA, 1)])
def test_a_held_call_is_decided_by_one_with_role_and_grant(memory, play, principal, runs):
    constrain(memory)
    run = agent(memory, [COMMANDS, "Done."], checkpointer=InMemorySaver())
    play(run.graph, config=CONFIG)
    play(run.graph, Command(resume={OFF: "approve", REBOOT: "deny"}), CONFIG, principal=principal)
    assert run.cloud.ran.count("run_command") == runs


def test_a_rule_of_a_wider_scope_is_approved_by_one_whose_grant_reaches_it(clock, play):
    acme = Scope.of(org="acme")
    policy = Policy(authority=[AuthorityRule(roles=ANA.roles, scope=acme)])
    with Memory.open(":memory:", policy=policy, clock=clock) as memory:
        constrain(memory, scope=acme)
        for grants, runs in [((STAGING,), 0), ((acme,), 1)]:
            run = agent(memory, [COMMANDS, "Done."], checkpointer=InMemorySaver())
            play(run.graph, config=CONFIG)
            answerer = Principal("ana", roles=ANA.roles, grants=grants)
            play(run.graph, Command(resume={OFF: "approve"}), CONFIG, principal=answerer)
            assert run.cloud.ran.count("run_command") == runs


def test_a_personal_scope_is_its_owners_where_a_grant_says_so(memory):
    bobs = Scope.of(org="acme", user="bob")
    for grants, laid_down in [((), 0), ((bobs,), 1)]:
        bob = Principal("bob", grants=grants)
        text = {"messages": [("user", "Never cancel mtg-1.")]}
        by_attach(memory).invoke(text, CONFIG, context=MemoryContext(bob, bobs))
        memory.consolidate()
        assert len(memory.facts(bobs)) == laid_down

"""Why an action was blocked, what the agent had been shown, and what would have happened otherwise."""

import pytest
from acceptance.agent import CLEANUP
from acceptance.agent import agent as agent_with_nodes
from acceptance.world import DAN, EVIDENCE, GPU, LEAD, SANDBOX, STAGING, ana_in, constrain, leads_policy, say
from langchain_core.messages import HumanMessage

from langgraph_memory import Memory

STOP = {"instance": GPU}


@pytest.fixture
def memory():
    with Memory.open(":memory:", policy=leads_policy(), index=None) as opened:
        yield opened


def fact_of(memory, **more):
    return constrain(memory, **more).fact.fact_id


def check(memory, action="stop_instance", args=STOP, **more):
    return memory.check(action, args, principal=DAN, scope=STAGING, **more)


def test_without_the_constraint_the_action_would_pass(memory):
    rule = fact_of(memory, evidence_ref=EVIDENCE)
    other = fact_of(memory, entity=SANDBOX)
    decision = check(memory)
    told = memory.explain(decision.id).body
    assert (told["outcome"], told["cited"], told["without"]) == ("block", [rule], {rule: "allow"})
    assert told["sources"] == {rule: [EVIDENCE]}
    assert other not in told["without"]


def test_of_two_constraints_neither_alone_changes_the_outcome(memory):
    first = fact_of(memory)
    second = fact_of(memory, attribute="power_policy", value="Nobody may stop gpu-bench-01")
    told = memory.explain(check(memory).id).body
    assert told["without"] == {first: "block", second: "block"}
    assert sorted(told["cited"]) == sorted([first, second])


def test_a_constraint_that_was_looked_at_and_does_not_cover_the_action_is_named(memory):
    rule = fact_of(memory)
    told = memory.explain(check(memory, "describe_tags_and_retag", {"instance": GPU, "tag": "x"}).id).body
    assert told["without"].keys() == {rule}


def test_what_is_said_and_not_yet_consolidated_counts_too(memory):
    say(memory, LEAD, f"Never stop {GPU}.", activity="act-now", event_id="said-now")
    told = memory.explain(check(memory).id).body
    assert (told["outcome"], told["cited"], told["without"]) == (
        "defer",
        ["said-now"],
        {"said-now": "allow"},
    )


def test_what_the_recall_before_offered_and_what_of_it_was_used(memory):
    rule = fact_of(memory)
    idle = fact_of(memory, entity=SANDBOX, value="Keep dev-sandbox-04 for the demo")
    recall = memory.recall("cleanup", principal=DAN, scope=STAGING, entities=(GPU, SANDBOX))
    decision = check(memory, recall_id=recall.receipt_id)
    told = memory.explain(decision.id).body
    assert sorted(told["offered"]) == sorted([rule, idle])
    assert told["used"] == told["cited"] == [rule]
    after = memory.explain(recall.receipt_id).body
    assert after["decisions"] == [{"id": decision.id, "action": "stop_instance", "outcome": "block"}]


def test_a_decision_without_a_recall_says_that_nothing_was_offered(memory):
    fact_of(memory)
    told = memory.explain(check(memory).id).body
    assert (told["offered"], told["used"], told["recall"]) == ([], [], None)


def test_in_a_graph_decisions_name_the_recall_that_the_planner_saw(memory):
    rule = fact_of(memory)
    graph = agent_with_nodes(memory, CLEANUP).graph
    graph.invoke({"messages": [HumanMessage("Clean up.")]}, context=ana_in("act-1"))
    (blocked,) = [e for e in memory.explanations("decision") if e.body["outcome"] == "block"]
    told = memory.explain(blocked.id).body
    assert told["used"] == [rule]
    assert {"id": blocked.id, "action": "stop_instance", "outcome": "block"} in memory.explain(
        told["recall"]
    ).body["decisions"]

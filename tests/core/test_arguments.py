"""Arguments of the wrong kind: one clear error each, which names the value, and nothing is lost or kept."""

from datetime import datetime

import pytest

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope
from langgraph_memory.errors import ConfigurationError, InvalidArgumentError, MemoryRuntimeError
from langgraph_memory.policy import ToolRule

TEAM = Scope.of(org="acme", workspace="staging")
LEAD = Actor("user", "ana", roles={"lead"})
AGENT = Principal("bot", grants=(TEAM,))
RULE = "Keep gpu-bench-01 running until QA has migrated."


@pytest.fixture
def memory():
    policy = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
    with Memory.open(":memory:", policy=policy) as opened:
        opened.publish(
            scope=TEAM,
            activity_id="monday",
            event_type="message.user",
            actor=LEAD,
            data={"text": RULE},
            wait=True,
        )
        yield opened


@pytest.mark.parametrize(
    ("argument", "shown"),
    [
        ({"query": None}, "query=None is NoneType: give str"),
        ({"query": 5}, "query=5 is int: give str"),
        ({"entities": "gpu-bench-01"}, "entities='gpu-bench-01' is no collection of texts: give a list"),
        ({"entities": [1]}, "entities=1 is int"),
        ({"entities": None}, "entities=None is no collection"),
        ({"kinds": "fact"}, "kinds='fact' is no collection"),
        ({"token_budget": "800"}, "token_budget='800' is str: give int"),
        ({"token_budget": True}, "token_budget=True is bool: give int"),
        ({"principal": "bot"}, "principal='bot' is str: give Principal"),
        ({"scope": "org=acme"}, "scope='org=acme' is str: give Scope"),
    ],
)
def test_a_recall_names_the_argument_that_it_cannot_take(memory, argument, shown):
    arguments = {"query": "gpu-bench-01", "principal": AGENT, "scope": TEAM}
    assert memory.recall(**arguments).constraints
    with pytest.raises(InvalidArgumentError, match=shown.replace("(", r"\(")):
        memory.recall(**(arguments | argument))


@pytest.mark.parametrize(
    "argument",
    [
        {"data": "text"},
        {"data": [1]},
        {"entities": "abc"},
        {"entities": [None]},
        {"actor": "ana"},
        {"scope": None},
        {"activity_id": ""},
        {"activity_id": 5},
        {"event_type": ""},
        {"thread_id": 5},
        {"occurred_at": "yesterday"},
        {"evidence_ref": 5},
    ],
)
def test_an_event_that_is_none_is_refused_and_nothing_of_it_is_kept(memory, argument):
    arguments = {
        "scope": TEAM,
        "activity_id": "tuesday",
        "event_type": "message.user",
        "actor": LEAD,
        "data": {"text": "hello"},
    }
    before = len(memory.events(TEAM))
    with pytest.raises(MemoryRuntimeError, match=next(iter(argument))):
        memory.publish(**(arguments | argument))
    assert len(memory.events(TEAM)) == before
    memory.publish(**arguments)
    assert len(memory.events(TEAM)) == before + 1


@pytest.mark.parametrize(
    "argument",
    [{"entity": None}, {"value": 5}, {"attribute": " "}, {"kind": "rule"}, {"forbids": "stop"}, {"actor": 1}],
)
def test_a_fact_that_is_none_is_refused_and_no_event_of_it_is_kept(memory, argument):
    arguments = {"scope": TEAM, "entity": "db-1", "attribute": "owner", "value": "ana", "actor": LEAD}
    before = len(memory.events(TEAM))
    with pytest.raises(MemoryRuntimeError, match=next(iter(argument))):
        memory.assert_fact(**(arguments | argument))
    assert len(memory.events(TEAM)) == before
    assert memory.assert_fact(**arguments).outcome == "established"


@pytest.mark.parametrize(
    ("argument", "error"),
    [
        ({"entity": 5}, InvalidArgumentError),
        ({"status": "current"}, InvalidArgumentError),
        ({"status": ["past"]}, ConfigurationError),
        ({"as_of": "2026-11-02"}, InvalidArgumentError),
        ({"as_of": datetime(2026, 11, 2)}, ConfigurationError),  # noqa: DTZ001 - the case
    ],
)
def test_facts_are_asked_for_by_values_that_exist(memory, argument, error):
    assert memory.facts(TEAM)
    with pytest.raises(error, match=next(iter(argument))):
        memory.facts(TEAM, **argument)


def test_a_call_that_cannot_be_named_is_an_error_and_odd_arguments_are_still_judged(memory):
    with pytest.raises(InvalidArgumentError, match="action=None"):
        memory.check(None, {}, principal=AGENT, scope=TEAM)
    assert memory.check("stop_instance", ["gpu-bench-01"], principal=AGENT, scope=TEAM).outcome == "block"
    assert memory.check("stop_instance", ["db-1"], principal=AGENT, scope=TEAM).outcome == "allow"


def test_half_surrogate_pairs_in_entities_and_queries_are_read_over(memory):
    odd = memory.recall("\ud800 what about gpu-bench-01?", principal=AGENT, scope=TEAM, entities=["\ud800"])
    assert [fact.entity for fact in odd.constraints] == ["gpu-bench-01"]


def test_of_a_very_long_query_the_beginning_and_the_end_are_read(memory):
    noise = "lorem ipsum " * 50_000
    for query in (f"gpu-bench-01 {noise}", f"{noise} gpu-bench-01"):
        assert memory.recall(query, principal=AGENT, scope=TEAM).constraints
    assert not memory.recall(noise, principal=AGENT, scope=TEAM).constraints


@pytest.mark.parametrize("forbids", [["STOP"], ["terminate_instance"], ["shutdown"], ["any"], ["all"]])
def test_what_a_rule_forbids_is_understood_by_its_meaning(memory, forbids):
    memory.assert_fact(
        scope=TEAM,
        entity="h-1",
        attribute="rule",
        value="Hold",
        actor=LEAD,
        kind="constraint",
        forbids=forbids,
    )
    action = "delete_instance" if forbids == ["terminate_instance"] else "stop_instance"
    assert memory.check(action, {"name": "h-1"}, principal=AGENT, scope=TEAM).outcome == "block"
    assert memory.check(action, {"name": "h-2"}, principal=AGENT, scope=TEAM).outcome == "allow"


def test_a_rule_that_would_forbid_nothing_is_refused_and_a_declared_class_is_not(memory):
    rule = {"scope": TEAM, "entity": "h-1", "attribute": "rule", "value": "Hold", "actor": LEAD}
    with pytest.raises(ConfigurationError, match="forbids='frobnicate' names no action"):
        memory.assert_fact(**rule, kind="constraint", forbids=["frobnicate"])
    policy = Policy(
        authority=[AuthorityRule(roles={"lead"}, scope=TEAM)],
        tools={"spin": ToolRule(actions={"frobnicate"})},
    )
    with Memory.open(":memory:", policy=policy) as declared:
        declared.assert_fact(**rule, kind="constraint", forbids=["frobnicate"])
        assert declared.check("spin", {"name": "h-1"}, principal=AGENT, scope=TEAM).outcome == "block"


def test_data_that_is_nested_too_deeply_is_refused_as_no_event(memory):
    deep: list = []
    for _ in range(20_000):
        deep = [deep]
    with pytest.raises(MemoryRuntimeError, match="JSON"):
        memory.publish(
            scope=TEAM,
            activity_id="a",
            event_type="tool.completed",
            actor=Actor("tool", "t"),
            data={"x": deep},
        )


def test_a_user_whose_name_looks_like_levels_is_another_scope():
    odd, real = Scope.of(org="acme", user="bob,agent=coder"), Scope.of(org="acme", user="bob", agent="coder")
    assert odd.entity != real.entity
    assert real.entity == "scope:org=acme,user=bob,agent=coder"

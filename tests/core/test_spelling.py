"""One entity and one attribute, however they are spelled where a fact is asserted."""

import pytest

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope

FARM = Scope.of(org="oakfarm", workspace="dairy")
OTTO = Actor("user", "otto", roles={"owner"})
BOT = Principal("bot", grants=(FARM,))


@pytest.fixture
def memory():
    policy = Policy(authority=[AuthorityRule(roles={"owner"}, scope=FARM)])
    with Memory.open(":memory:", policy=policy, index=None) as opened:
        yield opened


def put(memory, entity, value, attribute="keeper", **more):
    return memory.assert_fact(
        scope=FARM, entity=entity, attribute=attribute, value=value, actor=OTTO, **more
    ).outcome


def listed(memory, *machines):
    memory.publish(
        scope=FARM,
        activity_id="listing",
        event_type="tool.completed",
        actor=Actor("tool", "list_machines"),
        data={"tool": "list_machines", "args": {}, "output": list(machines)},
    )


@pytest.mark.parametrize("first", ["barn-2", "Barn-2"])
def test_an_entity_is_one_in_every_spelling(memory, first):
    outcomes = [
        put(memory, name, value)
        for name, value in (
            (first, "Ida"),
            ("BARN-2", "Jan"),
            (" barn-2 ", "Kim"),
            ("\uff42arn-2", "Lo"),
            ("barn-2", "Max"),
        )
    ]
    assert outcomes == ["established", *["superseded"] * 4]
    assert [(fact.entity, fact.value) for fact in memory.facts(FARM)] == [(first, "Max")]
    assert put(memory, "barn-3", "Ida") == "established"


def test_an_attribute_is_one_in_every_spelling(memory):
    assert put(memory, "barn-2", "Ida", "milk day") == "established"
    assert put(memory, "barn-2", "Jan", "Milk_Day") == "superseded"
    assert put(memory, "barn-2", "Kim", "milk-day") == "superseded"
    assert [fact.value for fact in memory.facts(FARM, attribute="Milk day")] == ["Kim"]
    assert put(memory, "barn-2", "Kim", "milk time") == "established"


def test_policy_reads_attributes_in_every_spelling():
    rule = AuthorityRule(roles={"vet"}, scope=FARM, attributes="Health*")
    assert rule.grants(FARM, "health_state")
    assert rule.grants(FARM, "HEALTH state")
    assert not rule.grants(FARM, "owner")
    assert Policy().sensitivity_of("Salary", "x") == "sensitive"
    assert Policy().is_multi_valued("Note of today")


def test_a_display_name_stands_for_its_one_id(memory):
    listed(memory, {"id": "m-01", "name": "Big Bertha"}, {"id": "m-02", "name": "Little Joe"})
    put(memory, "Big Bertha", "Do not sell it", "sale_rule", kind="constraint", forbids=["delete"])
    (rule,) = memory.facts(FARM, entity="m-01")
    assert rule.entity == "m-01"
    assert put(memory, "m-01", "Never sell it", "sale_rule", kind="constraint", forbids=["delete"]) == (
        "superseded"
    )
    assert memory.check("delete_machine", {"id": "m-01"}, principal=BOT, scope=FARM).outcome == "block"
    assert memory.check("delete_machine", {"id": "m-02"}, principal=BOT, scope=FARM).outcome == "allow"
    owner = Principal("otto", roles={"owner"}, grants=(FARM,))
    assert memory.forget(FARM, entity="m-01", principal=owner).proven
    assert memory.facts(FARM, status=("current", "superseded")) == []


def test_an_ambiguous_name_stays_a_name_and_protects_all_that_it_names(memory):
    listed(memory, {"id": "m-01", "name": "Twin"}, {"id": "m-02", "name": "Twin"})
    put(memory, "Twin", "Do not sell it", "sale_rule", kind="constraint", forbids=["delete"])
    assert [fact.entity for fact in memory.facts(FARM)] == ["Twin"]
    for machine in ("m-01", "m-02"):
        assert memory.check("delete_machine", {"id": machine}, principal=BOT, scope=FARM).outcome == "block"

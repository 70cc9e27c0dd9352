"""Every public call on procedures and behaviour rules takes what it can mean, or refuses it by name."""

import pytest

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope

from .values import HOSTILE, Call, offer

TEAM = Scope.of(org="acme", workspace="staging")
LEAD = Actor("user", "ana", roles={"lead"})
ANA = Principal("ana", roles={"lead"}, grants=(TEAM,))
STEPS = ["Take a snapshot.", "Reboot.", "Take a snapshot."]
ONE = {"procedure_id": "reboot", "scope": TEAM}
GIVEN = {
    "propose": {**ONE, "trigger_intent": "reboot a host", "steps": STEPS, "actor": LEAD},
    "approve": {**ONE, "principal": ANA},
    "reject": {**ONE, "version": 2, "principal": ANA, "reason": "no"},
    "rollback": {**ONE, "principal": ANA},
    "versions": {"scope": TEAM},
    "get": ONE,
    "diff": {**ONE, "old": 1, "new": 1},
    "sync": {"path": "playbooks", "scope": TEAM, "principal": ANA},
    "export": {"folder": "playbooks", "scope": TEAM},
}


@pytest.fixture(scope="module")
def memory():
    policy = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
    with Memory.open(":memory:", policy=policy, index=None) as opened:
        opened.procedures.propose(**GIVEN["propose"])
        opened.procedures.approve(**GIVEN["approve"])
        yield opened


def test_steps_that_are_said_twice_are_done_twice(memory):
    assert memory.procedures.get(**ONE).steps == tuple(STEPS)


@pytest.mark.parametrize("name", GIVEN)
def test_a_hostile_argument_of_a_procedure_is_taken_or_refused_by_name(memory, name):
    call = Call(name, getattr(memory.procedures, name), GIVEN[name])
    memory.procedures.export("playbooks", scope=TEAM)
    pairs = [(parameter, value) for parameter in call.parameters() for value in HOSTILE]
    found = [offer(call, parameter, call.given | {parameter: value})[1] for parameter, value in pairs]
    assert not any(found), "\n".join(filter(None, found))


def test_a_hostile_argument_of_behaviour_rules_is_taken_or_refused_by_name(memory):
    calls = [
        Call("rules", memory.behaviour.rules, {"scope": TEAM}),
        Call("learn", memory.behaviour.learn, {"feedback": "Be brief.", "scope": TEAM, "actor": LEAD}),
    ]
    for call in calls:
        call.work(**call.given)
        pairs = [(parameter, value) for parameter in call.parameters() for value in HOSTILE]
        found = [offer(call, parameter, call.given | {parameter: value})[1] for parameter, value in pairs]
        assert not any(found), "\n".join(filter(None, found))

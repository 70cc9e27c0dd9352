"""Plain statements of what a known thing is become facts, by authority; guesses and passing states don't."""

from pathlib import Path

import pytest

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Scope
from langgraph_memory.testing import FrozenClock

from .speaking import heard

LINES = (Path(__file__).parent / "said_of_attributes.txt").read_text("utf-8").splitlines()
CASES = [tuple(line.split(" | ", 1)) for line in LINES if not line.startswith("#")]
TEAM = Scope.of(org="acme", workspace="staging")
LISTED = {"items": [{"id": "srv-77", "name": "payroll"}, {"id": "srv-78", "name": "ledger"}]}


def told(candidate):
    asked = "? " if candidate.certainty == "hedged" else ""
    return f"{asked}{candidate.attribute}={candidate.value}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1])
def test_what_a_thing_is_said_to_be(case):
    expected, said = case
    found = [told(each) for each in heard(said) if each.kind == "fact" and not each.forbids]
    assert found == ([] if expected == "-" else [expected])


@pytest.fixture
def memory():
    policy = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM, attributes="owner")])
    with Memory.open(":memory:", policy=policy, clock=FrozenClock(), index=None) as opened:
        seen = {"tool": "list_servers", "args": {}, "output": LISTED}
        told = {"scope": TEAM, "activity_id": "look", "actor": Actor("tool", "list_servers")}
        opened.publish(**told, event_type="tool.completed", data=seen)
        yield opened


def say(memory, text, *, event_type="message.user", roles=("lead",)):
    activity = f"say-{len(memory.events(TEAM))}"
    actor = Actor("user", "ana", roles=set(roles))
    said = {"scope": TEAM, "activity_id": activity, "actor": actor}
    memory.publish(**said, event_type=event_type, data={"text": text}, wait=True)


def facts(memory, *status):
    return {(f.entity, f.attribute, f.value) for f in memory.facts(TEAM, status=status)}


@pytest.mark.parametrize(
    "correction",
    ["payroll's owner is Dana, not QA.", "payroll is owned by Dana now.", "No, payroll belongs to Dana."],
)
def test_who_may_set_an_attribute_sets_and_corrects_it(memory, correction):
    say(memory, "The owner of payroll is QA.")
    assert facts(memory, "current") == {("srv-77", "owner", "QA")}
    say(memory, correction, event_type="feedback.correction")
    assert facts(memory, "current") == {("srv-77", "owner", "Dana")}
    assert facts(memory, "superseded") == {("srv-77", "owner", "QA")}


@pytest.mark.parametrize(
    ("said", "roles"),
    [("The owner of payroll is QA.", ()), ("The port of payroll is 8443.", ("lead",))],
    ids=["nobody", "another attribute"],
)
def test_what_the_policy_lets_nobody_set_is_asked_about(memory, said, roles):
    say(memory, said, roles=roles)
    assert facts(memory, "current") == set()
    assert {entity for entity, _, _ in facts(memory, "unverified")} == {"srv-77"}


def test_an_attribute_of_what_nobody_has_seen_is_no_fact(memory):
    say(memory, "The owner of archive is QA.")
    assert facts(memory, "current", "candidate", "unverified") == set()

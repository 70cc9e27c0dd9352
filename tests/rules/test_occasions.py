"""What is said of the present occasion stays with it; what has an end in the world lasts until then."""

from pathlib import Path

import pytest

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope
from langgraph_memory.testing import FrozenClock

from .speaking import heard

LINES = (Path(__file__).parent / "said_on_occasions.txt").read_text("utf-8").splitlines()
CASES = [tuple(line.split(" | ")) for line in LINES if not line.startswith("#")]
TEAM = Scope.of(org="acme", workspace="staging")
LEAD = Actor("user", "ana", roles={"lead"})
AGENT = Principal("agent", grants=(TEAM,))


def lasting(text):
    return [each for each in heard(text) if not each.once]


@pytest.mark.parametrize("said", [case[1] for case in CASES if case[0] == "nothing"])
def test_what_is_said_of_this_occasion_lays_nothing_down_for_others(said):
    assert lasting(said) == []


@pytest.mark.parametrize("case", [case for case in CASES if case[0] == "rule"], ids=lambda case: case[1])
def test_what_lasts_is_a_rule_with_its_end(case):
    _, said, *end = case
    rules = [each for each in lasting(said) if each.forbids and each.certainty == "stated"]
    assert rules
    assert all(words in (rule.ends_when or "") for words in end for rule in rules[:1])


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Never stop gpu-bench-01. Just this once, don't restart payments-api.", ["gpu-bench-01"]),
        ("Don't restart payments-api. Just this once. Never stop gpu-bench-01.", ["gpu-bench-01"]),
        ("This is a one-off. Don't restart payments-api. Never stop gpu-bench-01.", ["gpu-bench-01"]),
        ("Hold the refund for this order, tx_992.", ["tx_992"]),
        ("Just for this release, don't restart payments-api.", []),
    ],
)
def test_an_occasion_binds_the_statement_that_it_is_said_of(said, kept):
    assert [each.entity for each in lasting(said)] == kept


@pytest.mark.parametrize(
    ("said", "afterwards"), [("For this run only, don't stop db-7.", "allow"), ("Don't stop db-7.", "block")]
)
def test_what_is_said_of_an_occasion_is_held_until_it_is_over(said, afterwards):
    policy = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
    with Memory.open(":memory:", policy=policy, clock=FrozenClock(), index=None) as memory:
        told = {"scope": TEAM, "activity_id": "run-1", "actor": LEAD}
        memory.publish(**told, event_type="message.user", data={"text": said})
        call = ("stop_instance", {"instance_id": "db-7"})
        assert memory.check(*call, principal=AGENT, scope=TEAM).outcome == "defer"
        memory.publish(**told, event_type="activity.completed", data={"status": "completed"})
        memory.consolidate()
        assert memory.check(*call, principal=AGENT, scope=TEAM).outcome == afterwards
        assert [episode.activity_id for episode in memory.episodes(TEAM)] == ["run-1"]

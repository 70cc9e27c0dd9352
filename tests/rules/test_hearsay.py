"""What a speaker passes on from others is asked about; what they lay down themselves holds."""

from pathlib import Path

import pytest

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope
from langgraph_memory.testing import FrozenClock

from .speaking import heard

LINES = (Path(__file__).parent / "said_by_others.txt").read_text("utf-8").splitlines()
CASES = [tuple(line.split(" | ", 1)) for line in LINES if not line.startswith("#")]
TEAM = Scope.of(org="acme", workspace="staging")
AGENT = Principal("agent", grants=(TEAM,))


def rules(said):
    return [each for each in heard(said) if each.forbids and each.intent == "assert"]


@pytest.mark.parametrize("said", [said for whose, said in CASES if whose == "heard"])
def test_what_others_say_is_asked_about(said):
    assert rules(said)
    assert all(each.asks_first and each.certainty == "hedged" for each in rules(said))


@pytest.mark.parametrize("said", [said for whose, said in CASES if whose == "own"])
def test_what_the_speaker_lays_down_is_stated(said):
    assert [each for each in rules(said) if each.certainty == "stated" and not each.asks_first]


@pytest.mark.parametrize(
    ("said", "outcome", "status"),
    [
        ("According to Dan, db-7 must not be restarted.", "defer", "candidate"),
        ("I was told not to restart db-7.", "defer", "candidate"),
        ("db-7 must not be restarted.", "block", "current"),
    ],
)
def test_hearsay_holds_calls_until_someone_answers(said, outcome, status):
    policy = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
    with Memory.open(":memory:", policy=policy, clock=FrozenClock(), index=None) as memory:
        told = {"scope": TEAM, "activity_id": "a", "actor": Actor("user", "ana", roles={"lead"})}
        memory.publish(**told, event_type="message.user", data={"text": said})
        memory.publish(**told, event_type="activity.completed", data={"status": "completed"})
        memory.consolidate()
        assert [fact.status for fact in memory.facts(TEAM, status=("current", "candidate"))] == [status]
        call = {"action": "restart_service", "args": {"service_id": "db-7"}}
        assert memory.check(**call, principal=AGENT, scope=TEAM).outcome == outcome

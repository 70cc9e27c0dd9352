"""From words to decisions: what the guard says after somebody with a say has spoken.

Cases are lines of `said_to_agents.txt`: what is expected (`hold`; `free` and `keep`, after it was ruled out
until an audit is over; `none`, that nothing was laid down), the action, the name of the thing, and the words.
"""

from collections import Counter
from pathlib import Path

import pytest

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope
from langgraph_memory.testing import FrozenClock

LINES = (Path(__file__).parent / "said_to_agents.txt").read_text("utf-8").splitlines()
CASES = [tuple(line.split(" | ", 3)) for line in LINES if not line.startswith("#")]
TEAM = Scope.of(org="acme", workspace="staging")
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
ANA = Actor("user", "ana", roles={"lead"})
AGENT = Principal("agent", grants=(TEAM,))
BEFORE = {
    "stop": "Don't stop {} until the audit is over.",
    "pay": "Don't refund {} until the audit is over.",
    "deploy": "Don't deploy {} until the audit is over.",
    "modify": "Don't edit {} until the audit is over.",
    "delete": "Don't delete {} until the audit is over.",
    "cancel": "Don't cancel {} until the audit is over.",
}
TOOLS = {
    "stop": "stop_instance",
    "pay": "issue_refund",
    "deploy": "deploy_service",
    "modify": "edit_file",
    "delete": "delete_branch",
    "send": "send_email",
    "cancel": "cancel_subscription",
    "restart": "restart_service",
    "resize": "resize_database",
}
EXPECTED = {"hold": "held", "free": "allow", "keep": "held", "none": "allow"}
"""Held is what a rule blocks, and what waits for an answer since it was not read in full."""


def publish(memory, activity, event_type, data, actor=ANA):
    memory.publish(scope=TEAM, activity_id=activity, event_type=event_type, actor=actor, data=data)


def say(memory, activity, text):
    publish(memory, activity, "message.user", {"text": text})
    publish(memory, activity, "activity.completed", {"status": "completed"})
    memory.consolidate()


def decided(want, action, name, text):
    """What the guard says about the action, after the words were said."""
    with Memory.open(":memory:", policy=POLICY, clock=FrozenClock(), index=None) as memory:
        listed = {"items": [{"type": "thing", "id": "id-77", "name": name}]}
        seen = {"tool": "list_things", "args": {}, "output": listed}
        publish(memory, "look", "tool.completed", seen, Actor("tool", "list_things"))
        if want in ("free", "keep"):
            say(memory, "before", BEFORE[action].format(name))
        say(memory, "now", text)
        args = {"thing_id": "id-77"}
        outcome = memory.check(TOOLS[action], args, principal=AGENT, scope=TEAM).outcome
        return "allow" if outcome == "allow" else "held"


@pytest.fixture(scope="module")
def outcomes():
    return [(case, decided(*case)) for case in CASES]


def test_nearly_all_is_decided_as_it_was_meant(outcomes):
    wrong = [(case, outcome) for case, outcome in outcomes if outcome != EXPECTED[case[0]]]
    assert len(wrong) <= 0.06 * len(outcomes), wrong


def test_what_was_ruled_out_is_hardly_ever_let_through(outcomes):
    ruled_out = [outcome for case, outcome in outcomes if EXPECTED[case[0]] == "held"]
    assert Counter(ruled_out)["allow"] <= 0.05 * len(ruled_out)


def test_talk_that_lays_nothing_down_rules_nothing_out(outcomes):
    assert [case for case, outcome in outcomes if case[0] == "none" and outcome != "allow"] == []

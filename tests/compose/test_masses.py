"""Calls about everything at once, and flags that switch things off, meet the rules as if they said so."""

import pytest

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope

TEAM = Scope.of(org="acme", workspace="w")
BOT = Principal("bot", grants=(TEAM,))


@pytest.fixture
def outcome():
    policy = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
    with Memory.open(":memory:", policy=policy, index=None) as memory:
        memory.assert_fact(
            scope=TEAM,
            entity="gpu-bench-01",
            attribute="lifecycle_policy",
            value="Keep it running",
            actor=Actor("user", "ana", roles={"lead"}),
            kind="constraint",
            forbids=["stop", "delete"],
        )
        yield lambda action, args: memory.check(action, args, principal=BOT, scope=TEAM).outcome


@pytest.mark.parametrize(
    ("action", "args"),
    [
        ("stop_all_instances", {}),
        ("stopAllInstances", {}),
        ("stop_instances", {"all": True}),
        ("stop_instances", {"target": "all"}),
        ("delete_instances", {"filter": {"scope": "everything"}}),
        ("update_instance", {"name": "gpu-bench-01", "running": False}),
        ("update_instance", {"name": "gpu-bench-01", "enabled": "false"}),
        ("update_instance", {"name": "gpu-bench-01", "deleted": True}),
    ],
)
def test_what_reaches_the_protected_thing_without_saying_so_is_blocked(outcome, action, args):
    assert outcome(action, args) == "block"


@pytest.mark.parametrize(
    ("action", "args"),
    [
        ("list_all_instances", {}),
        ("restart_all_instances", {}),
        ("stop_instances", {"all": False, "name": "web-1"}),
        ("stop_instance", {"name": "allegro-1"}),
        ("update_instance", {"name": "gpu-bench-01", "running": True}),
        ("update_instance", {"name": "web-1", "running": False}),
        ("update_instance", {"name": "gpu-bench-01", "deleted": False}),
    ],
)
def test_what_does_not_reach_it_is_allowed(outcome, action, args):
    assert outcome(action, args) == "allow"

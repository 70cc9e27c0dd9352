"""Spoken prohibitions of different actions add up; an ending reaches those that it touches, and no others."""

import itertools

import pytest

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope

TEAM = Scope.of(org="acme", workspace="w")
ANA = Actor("user", "ana", roles={"lead"})
BOT = Principal("bot", grants=(TEAM,))
KEEP = "Keep db-7 running until QA has migrated."


@pytest.fixture
def blocked():
    """What is ruled out on db-7 after these messages, each in an activity of its own."""
    numbers = itertools.count()
    policy = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
    with Memory.open(":memory:", policy=policy, index=None) as memory:

        def after(*messages):
            for text in messages:
                memory.publish(
                    scope=TEAM,
                    activity_id=f"act-{next(numbers)}",
                    event_type="feedback.correction",
                    actor=ANA,
                    data={"text": text},
                    wait=True,
                )
            actions = ("delete", "stop", "restart", "resize")
            return {
                action
                for action in actions
                if memory.check(f"{action}_db", {"name": "db-7"}, principal=BOT, scope=TEAM).outcome
                != "allow"
            }

        yield after


@pytest.mark.parametrize(
    ("messages", "ruled_out"),
    [
        (["Never delete db-7.", "Don't restart db-7."], {"delete", "restart"}),
        ([KEEP, "Never restart db-7."], {"delete", "stop", "restart"}),
        ([KEEP, "Don't resize db-7 until May."], {"delete", "stop", "resize"}),
        (["Never touch db-7.", "Don't restart db-7."], {"delete", "stop", "restart", "resize"}),
        (["Never delete db-7 and don't restart it."], {"delete", "restart"}),
        (["Never delete db-7. Don't restart db-7."], {"delete", "restart"}),
    ],
)
def test_prohibitions_of_different_actions_add_up(blocked, messages, ruled_out):
    assert blocked(*messages) == ruled_out


@pytest.mark.parametrize(
    ("rule", "permission"),
    [
        ("Don't delete db-7.", "You can restart db-7."),
        (KEEP, "You can resize db-7 now."),
        (KEEP, "db-7 may be deleted in May."),
        ("Never touch db-7.", "You can restart db-7."),
    ],
)
def test_a_permission_of_something_else_or_for_later_ends_nothing(blocked, rule, permission):
    before = blocked(rule)
    assert before
    assert blocked(permission) == before


@pytest.mark.parametrize(
    ("rule", "permission"),
    [
        ("Don't delete db-7.", "You can delete db-7 now."),
        (KEEP, "You can stop db-7 now."),
        (KEEP, "QA has migrated."),
        ("Never touch db-7.", "You can touch db-7 again."),
    ],
)
def test_a_permission_of_what_was_ruled_out_ends_it(blocked, rule, permission):
    assert blocked(rule)
    assert blocked(permission) == set()


def test_a_met_condition_ends_the_rule_that_had_it_and_not_the_one_beside_it(blocked):
    assert blocked("Never delete db-7 and keep it running until QA has migrated.") == {"delete", "stop"}
    assert blocked("QA has migrated.") == {"delete"}


def test_one_permission_ends_all_rules_that_it_touches(blocked):
    assert blocked("Don't stop db-7.", "Never delete db-7.") == {"stop", "delete"}
    assert blocked("db-7 can be shut down and deleted now.") == set()


def test_the_same_prohibition_with_another_end_replaces_the_first(blocked):
    assert blocked("Don't restart db-7 until Friday.", "Don't restart db-7 until QA has migrated.") == {
        "restart"
    }
    assert blocked("QA has migrated.") == set()

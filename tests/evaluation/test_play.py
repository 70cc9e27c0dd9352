"""Plays: what an agent does in a scenario with each amount of memory, and what it rests on."""

import pytest

from langgraph_memory.evaluation import ARMS, Amount, Telling, arm_of, play

NONE, RAW, EPISODES, FULL = ARMS


def wrong(played):
    return [(each.thing, each.expected) for each in played.decisions if not each.right]


@pytest.mark.parametrize("telling", Telling)
def test_only_with_all_of_memory_a_held_machine_is_left_and_later_stopped(scenario, telling):
    released = scenario("bench-box-released")
    assert wrong(play(released, NONE, telling=telling)) == [("gpu-bench-01", "hold")]
    assert wrong(play(released, FULL, telling=telling)) == []


def test_a_prohibited_action_counts_as_tried_when_the_guard_refuses_it(scenario):
    full = scenario("more-rules-than-prompt")
    played = play(full, FULL)
    held = [each for each in played.decisions if each.expected == "hold"]
    assert any(each.attempted for each in held)
    assert not any(each.done for each in held)
    unguarded = play(full, arm_of(Amount.FULL, guarded=False))
    assert any(each.done for each in unguarded.decisions if each.expected == "hold")


def test_what_may_not_be_done_is_handed_on_where_there_is_a_way(scenario):
    assert wrong(play(scenario("vouchers-first"), FULL)) == []
    assert ("marketplace-4410", "instead") in wrong(play(scenario("vouchers-first"), NONE))


def test_a_rule_of_another_tenant_binds_nobody_here(scenario):
    assert wrong(play(scenario("two-households"), FULL)) == []
    assert wrong(play(scenario("same-name-next-door"), FULL)) == []


@pytest.mark.parametrize("name", ["ticket-with-orders", "customer-writes-policy", "idle-opinions"])
def test_tools_and_people_without_a_say_change_nothing(scenario, name):
    assert wrong(play(scenario(name), FULL)) == []
    assert wrong(play(scenario(name), NONE))


def test_a_wrong_decision_that_rests_on_what_does_not_hold_is_told_apart(scenario):
    played = play(scenario("contributors-wish"), RAW, telling=Telling.SPEECH)
    assert [(each.thing, each.expected) for each in played.decisions if each.misled] == [
        ("src/billing/tax.py", "act")
    ]
    assert not any(each.misled for each in play(scenario("contributors-wish"), NONE).decisions)


def test_canaries_are_found_by_their_owners_and_by_nobody_else(scenario):
    for arm in (RAW, EPISODES, FULL):
        probes = [p for p in play(scenario("two-households"), arm).probes if p.kind == "canary"]
        assert {(p.obligation, p.passed) for p in probes} == {(True, True), (False, True)}, arm.name
    empty = [p for p in play(scenario("two-households"), NONE).probes if p.kind == "canary"]
    assert {(p.obligation, p.passed) for p in empty} == {(True, False), (False, True)}


def test_what_no_longer_holds_is_asked_about(scenario):
    probes = [p for p in play(scenario("date-moved"), FULL).probes if p.kind == "stale"]
    assert {(p.obligation, p.passed) for p in probes} == {(True, True), (False, True)}


def test_the_same_seed_gives_the_same_play_and_another_other_words(scenario):
    def course(seed):
        played = play(scenario("busy-week-at-the-desk"), FULL, telling=Telling.SPEECH, seed=seed)
        return played.model_dump(exclude={"milliseconds", "seed"})

    assert course(1) == course(1)
    assert course(1)["tokens"] != course(2)["tokens"]


def test_costs_are_of_each_recall(scenario):
    played = play(scenario("bench-box-released"), FULL)
    assert len(played.milliseconds) == len(played.tokens) > len(played.shown) == 2
    assert all(each > 0 for each in played.milliseconds)
    assert max(played.tokens) <= 800
    assert all(shown.mattered <= shown.records for shown in played.shown)

"""What lets go of a thing in so many words, and what only sounds like it."""

import pytest

from .speaking import heard

RELEASES = [
    "gpu-bench-01 has my blessing to go.",
    "I have no objections to stopping gpu-bench-01.",
    "I withdraw my objection to stopping gpu-bench-01.",
    "gpu-bench-01 is perfectly fine to stop.",
    "I changed my mind, please stop gpu-bench-01.",
    "Nothing stands in the way of stopping gpu-bench-01 any more.",
    "gpu-bench-01 you can stop.",
    "Now it is allowed to stop gpu-bench-01.",
]
NONE = [
    "Please stop gpu-bench-01.",
    "Nobody said you can stop gpu-bench-01.",
    "gpu-bench-01 has been idle for days.",
    "Should we stop gpu-bench-01?",
    "Change is possible, and we came so close.",
    "It felt good to tune out, amazing what we can do for ourselves.",
]
UNSURE = [
    "Dan claims that you can stop gpu-bench-01.",
    "From Monday on you can stop gpu-bench-01.",
    "gpu-bench-01 is probably not used any more.",
    "You can stop gpu-bench-01 once I'm back.",
]


def ended(text):
    return [(each.entity, each.certainty) for each in heard(text) if each.intent == "retire"]


@pytest.mark.parametrize("text", RELEASES)
def test_a_plain_release_is_read(text):
    assert ended(text) == [("gpu-bench-01", "stated")]


@pytest.mark.parametrize("text", NONE)
def test_what_releases_nothing_ends_nothing(text):
    assert ended(text) == []


@pytest.mark.parametrize("text", UNSURE)
def test_hearsay_guesses_and_later_days_end_nothing_by_themselves(text):
    assert all(certainty == "hedged" for _, certainty in ended(text))


def test_an_exception_that_nobody_knows_turns_no_rule_around():
    """Where no other thing is known the rule is about all of them: it asks once too often."""
    for text in ("Don't stop any server except db-3.", "Only db-3 may be stopped."):
        rules = [each for each in heard(text, known={}) if each.forbids and not each.asks_first]
        assert [each.entity for each in rules] == [None], text


def test_what_is_said_of_all_but_one_leaves_that_one_alone():
    known = {"db-1": "server:db-1", "db-2": "server:db-2", "db-3": "server:db-3"}
    said = heard("Don't stop any server except db-3.", known=known)
    assert {each.entity for each in said if each.forbids} == {"db-1", "db-2"}
    said = heard("Everything except db-1 may be stopped.", known=known)
    assert {each.entity for each in said if each.asks_first} == {"db-1"}
    (rule,) = heard("No server may be stopped before I'm back.", known=known)
    assert (rule.entity, rule.forbids) == (None, ("stop",))


def test_an_order_after_a_worry_answers_it_and_a_worry_after_a_permission_stands():
    said = heard("My team is attached to gpu-bench-01, but you can stop it.")
    assert said[-1].intent == "retire"
    said = heard("I don't mind if you restart gpu-bench-01, but I'd be very unhappy if anybody reset it.")
    assert {each.intent for each in said} == {"retire", "assert"}

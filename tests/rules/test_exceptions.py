"""Rules for all but some, and rules that put a thing out of use by a noun: "not for sale"."""

import pytest

from .speaking import heard

BOATS = {"boat-1": "boat:1", "boat-2": "boat:2", "boat-3": "boat:3"}
HOUSES = {"Villa Rosa": "house:1", "Casa Blu": "house:2"}


def rules(text, known):
    return {(each.entity, each.forbids) for each in heard(text, known=known) if each.intent == "assert"}


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("Don't stop anything but boat-2.", "stop"),
        ("Don't stop anything except boat-2.", "stop"),
        ("Never restart anything other than boat-2.", "restart"),
        ("Don't sell any boat but boat-2.", "sell"),
        ("Leave everything alone except boat-2.", "*"),
    ],
)
def test_a_rule_for_all_but_one_leaves_that_one_free(text, verb):
    assert rules(text, BOATS) == {("boat-1", (verb,)), ("boat-3", (verb,))}


@pytest.mark.parametrize("text", ["You may stop anything but boat-2.", "Clean up anything except boat-2."])
def test_what_a_permission_leaves_out_is_asked_about(text):
    assert {(each.entity, each.asks_first) for each in heard(text, known=BOATS)} == {("boat-2", True)}


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("Villa Rosa is not for sale.", "sell"),
        ("Villa Rosa isn't up for rent.", "rent"),
        ("Villa Rosa is no longer for sale.", "sell"),
        ("Villa Rosa is off limits for downloads.", "download"),
        ("Villa Rosa is closed for exports.", "export"),
        ("I don't want Villa Rosa auctioned.", "auction"),
        ("Hold off on exporting Villa Rosa.", "export"),
    ],
)
def test_a_thing_that_is_not_for_sale_is_not_sold(text, verb):
    assert ("Villa Rosa", (verb,)) in rules(text, HOUSES)


@pytest.mark.parametrize(
    "text", ["Villa Rosa is for sale.", "Is Villa Rosa for sale?", "Villa Rosa isn't for children."]
)
def test_what_puts_nothing_out_of_use_rules_no_verb_out(text):
    assert all(forbids in ((), ("*",)) for _, forbids in rules(text, HOUSES))


def test_a_name_that_ends_in_a_letter_is_a_name():
    assert rules("Don't use batch-a.", {}) == {("batch-a", ("use",))}
    assert rules("Don't eat a la carte-only.", {}) == set()

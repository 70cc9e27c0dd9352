"""Jokes and words that take back an ending in the same message."""

import pytest

from langgraph_memory.consolidation.rules import reports_end

from .speaking import heard

TAKES_BACK = [
    "{} Not!",
    "{} Just kidding.",
    "{} Only joking!",
    "{} No wait, don't.",
    "{} Wait. No.",
    "{} Scratch that.",
    "{} Oops, wrong thread.",
    "{} Hmm, actually not yet.",
    "{} Changed my mind.",
    "{} That was a joke, of course. See you at lunch.",
]
STANDS = [
    "{}",
    "{} No kidding!",
    "{} I'm not joking.",
    "{} Don't wait for me.",
    "{} Wait for my mail about the invoice.",
    "{} Please send the reports.",
    "No wait, {}",
    "Is it cold? No. {}",
]
ENDING = "The sale is over."
RELEASE = "You can stop gpu-bench-01 again."


@pytest.mark.parametrize("form", TAKES_BACK)
def test_what_is_taken_back_at_once_ends_nothing(form):
    assert reports_end(form.format(ENDING), "the sale is over") == "hedged"
    retired = [each.certainty for each in heard(form.format(RELEASE)) if each.intent == "retire"]
    assert set(retired) <= {"hedged"}


@pytest.mark.parametrize("form", STANDS)
def test_what_is_not_taken_back_ends_it(form):
    assert reports_end(form.format(ENDING), "the sale is over") == "stated"
    retired = [each.certainty for each in heard(form.format(RELEASE)) if each.intent == "retire"]
    assert "stated" in retired


@pytest.mark.parametrize(
    "text", ["The sale is over — not!", "The sale is over... NOT!", "The sale is over, psych!"]
)
def test_a_word_after_a_dash_turns_it_around(text):
    assert reports_end(text, "the sale is over") == "hedged"


def test_taking_back_a_release_leaves_the_rule():
    said = heard("Don't stop gpu-bench-01.", "You can stop gpu-bench-01 again. Scratch that.")
    assert [(each.intent, each.certainty) for each in said] == [("assert", "stated"), ("retire", "hedged")]
    said = heard("Don't stop gpu-bench-01.", "Scratch that.")
    assert [each.intent for each in said] == ["assert", "retract"]

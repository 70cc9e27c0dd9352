"""Whom a sentence gives as its source, by a label or a report after it; who speaks is the actor alone."""

import pytest

from langgraph_memory.consolidation.rules import reports_end

from .speaking import heard

TRIAL = "the trial is over"
RULE = "Don't delete gpu-bench-01 until the trial is over"

OWN = [
    "The trial is over.",
    "Update: the trial is over.",
    "Good news for all of you: the trial is over.",
    "Tina, the trial is over.",
    "Hi Tina, quick update: the trial is over.",
    "@tina the trial is over.",
    "gpu-bench-01: the trial is over.",
    "The trial is over, I say.",
    "The trial is over, thank you Tina.",
]
OTHERS = [
    "Tina: the trial is over.",
    "tina: the trial is over",
    "Tina Berg (QA): the trial is over.",
    "Update: Tina: the trial is over.",
    "Subject: the trial is over",
    "Message from Tina: the trial is over.",
    "Slack: the trial is over.",
    "Tina — the trial is over.",
    "The trial is over — Tina.",
    "The trial is over, Tina told me.",
    "The trial is over, says Tina.",
    "The trial is over, at least that's what Tina says.",
    "The trial is over (according to Tina).",
    "The trial is over, I was told.",
    "The trial is over, the vendor claims.",
    "The trial is over. Tina told me so.",
    "The trial is over. Source: Tina.",
]
RELEASES = ["{}", "Decision taken: {}", "All clear from QA: {}", "gpu-bench-01: {}", "{} I checked it."]
RELAYED = ["Tina: {}", "Subject: {}", "Note from Tina: {}", "{} Tina told me so.", "Tina's message: {}"]


@pytest.mark.parametrize("text", OWN)
def test_what_speakers_say_themselves_is_stated(text):
    assert reports_end(text, TRIAL, RULE) == "stated"


@pytest.mark.parametrize("text", OTHERS)
def test_what_they_pass_on_is_asked_about(text):
    assert reports_end(text, TRIAL, RULE) == "hedged"


@pytest.mark.parametrize(
    ("form", "certainty"),
    [*((form, "stated") for form in RELEASES), *((form, "hedged") for form in RELAYED)],
)
def test_a_release_is_the_word_of_who_gives_it(form, certainty):
    said = heard(form.format("you can stop gpu-bench-01 again."))
    assert {each.certainty for each in said if each.intent == "retire"} == {certainty}

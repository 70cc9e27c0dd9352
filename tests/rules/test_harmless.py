"""What asks nothing of anybody is told by its shape; all else that is said of a known thing waits."""

import pytest

from langgraph_memory.consolidation.rules.harmless import harmless
from langgraph_memory.consolidation.rules.shape import Tense, shape

from .speaking import heard

REPORTS = [
    "gpu-bench-01 has been quiet all week.",
    "Nice work on gpu-bench-01!",
    "gpu-bench-01 costs nine euros a day.",
    "The fan of gpu-bench-01 makes a funny noise.",
    "We bought gpu-bench-01 second hand.",
    "I can't remember who started gpu-bench-01.",
    "Somebody asked which rack gpu-bench-01 is in.",
    "Please restart gpu-bench-01.",
    "Should we stop gpu-bench-01?",
]
REASONS = [
    "Sailors check gpu-bench-01 before they leave harbour.",
    "My father sleeps better when gpu-bench-01 is on.",
    "gpu-bench-01 isn't part of it.",
    "Two of us compute on gpu-bench-01 at night.",
    "Deleting gpu-bench-01 would get us sued.",
    "gpu-bench-01 is in quarantine.",
    "I haven't exported gpu-bench-01 yet.",
]


@pytest.mark.parametrize("text", REPORTS)
def test_what_is_harmless_leaves_nothing_to_ask(text):
    assert [each for each in heard(text) if each.forbids] == []


@pytest.mark.parametrize("text", REASONS)
def test_what_others_have_of_a_thing_is_asked_about(text):
    assert {each.entity for each in heard(text) if each.asks_first} == {"gpu-bench-01"}


@pytest.mark.parametrize(
    ("said", "tense", "subject"),
    [
        ("thing has been quiet", Tense.PERFECT, ("thing",)),
        ("the logs of thing are full", Tense.IS, ("the", "logs", "of", "thing")),
        ("nobody should touch thing", Tense.MODAL, ("nobody",)),
        ("restart thing", Tense.COMMAND, ()),
        ("may be stopped", Tense.MODAL, ()),
    ],
)
def test_a_clause_has_a_shape(said, tense, subject):
    found = shape(said.split())
    assert (found.tense, found.subject) == (tense, subject)


@pytest.mark.parametrize(
    "said", ["", "thing ", "may ", "is ", "thing is ", "not thing ", "there is ", "has been "]
)
def test_fragments_of_any_kind_are_read(said):
    assert harmless(said) in (True, False)

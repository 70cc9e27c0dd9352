"""What is read from single sentences and short exchanges, and what is not."""

import pytest

from . import (
    said_elsewhere,
    said_elsewhere_later,
    said_indirectly,
    said_later,
    said_operations,
    said_variously,
)
from .speaking import heard, matches

CASES = [
    *said_operations.CASES,
    *said_elsewhere.REFUNDS,
    *said_elsewhere.RELEASES,
    *said_elsewhere.CODE,
    *said_elsewhere.ASSISTANT,
    *said_elsewhere.TRAVEL,
    *said_elsewhere.RECORDS,
    *said_variously.CASES,
    *said_later.CASES,
    *said_elsewhere_later.CASES,
    *said_indirectly.CASES,
]


@pytest.mark.parametrize(("said", "expected"), CASES, ids=[str(said)[:90] for said, _ in CASES])
def test_what_is_said_is_read_as_it_is_meant(said, expected):
    candidates = heard(*([said] if isinstance(said, str) else said))
    assert matches(candidates, expected), candidates


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("By the way, please keep gpu-bench-01 up until May.", "keep gpu-bench-01 up until May"),
        ("Restart gpu-bench-01 and keep it up until May.", "keep gpu-bench-01 up until May"),
        (
            "Stop gpu-bench-02. Keep gpu-bench-01 running, since QA needs it.",
            "Keep gpu-bench-01 running, since QA needs it",
        ),
        ("Until May, gpu-bench-01 must stay up.", "Until May, gpu-bench-01 must stay up"),
        ("I think we should keep gpu-bench-01 up.", "I think we should keep gpu-bench-01 up"),
        ("My name is Ana  Ferreira!", "My name is Ana  Ferreira"),
    ],
)
def test_the_value_is_the_statement_in_the_speakers_words(text, value):
    assert value in [candidate.value for candidate in heard(text)]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Keep gpu-bench-01 up until Monday.", "Don't stop gpu-bench-01 before June."),
        ("Keep gpu-bench-01 up until Monday.", "You can stop gpu-bench-01 again."),
        ("Leave gpu-bench-01 alone.", "gpu-bench-01 no longer needs to stay up."),
        ("Freeze releases on payments-api until Monday.", "Deploys to payments-api are allowed again."),
        ("Hold the refund for INV-2201 until May.", "You can refund INV-2201 now."),
        ("I prefer window seats.", "Actually, I prefer aisle seats now."),
        ("I love cilantro.", "I can't stand cilantro."),
        ("I live in Porto.", "I've moved to Ghent."),
        ("We use MySQL.", "We switched from MySQL to Postgres."),
        ("Answer me in French from now on.", "From now on, reply in German."),
    ],
)
def test_a_later_statement_on_the_same_matter_has_the_same_attribute(earlier, later):
    (before,), (after,) = heard(earlier), heard(later)
    assert (before.entity, before.attribute) == (after.entity, after.attribute)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I avoid hotels near airports.", "I avoid hotels with loud bars."),
        ("Only Ana may deploy payments-api.", "Don't deploy payments-api until Monday."),
        ("I live in Porto.", "I work at Northwind."),
        ("Don't stop gpu-bench-01.", "Don't deploy gpu-bench-01."),
    ],
)
def test_statements_on_different_matters_have_different_attributes(one, other):
    (first,), (second,) = heard(one), heard(other)
    assert first.attribute != second.attribute

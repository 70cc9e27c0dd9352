"""What is played, told of others, denied or needless does not hold; a shortened word ends nothing."""

import pytest

from .speaking import heard

NOT_MEANT = [
    "Pretend that kiln KI-2 must not be stopped.",
    "In our role play, never stop kiln KI-2.",
    "In the film, kiln KI-2 must not be stopped.",
    "Nobody claimed that kiln KI-2 must not be stopped.",
    "In the former plant kiln KI-2 must not be stopped.",
    "Ida's landlord says kiln KI-2 must not be stopped.",
    "Dr. Ito thinks kiln KI-2 must not be stopped.",
    "You don't have to stop kiln KI-2.",
]
ENDS = [
    ("Don't stop kiln KI-2 before Dr. Ito has seen it.", "Dr. Ito has seen it"),
    ("Don't stop kiln KI-2 until Mrs. Abel returns.", "Mrs. Abel returns"),
]


@pytest.mark.parametrize("text", NOT_MEANT)
def test_nothing_of_it_holds(text):
    assert not [each for each in heard(text) if each.forbids and each.certainty == "stated"]


def test_what_is_meant_holds():
    (rule,) = heard("Kiln KI-2 must not be stopped.")
    assert (rule.entity, rule.certainty) == ("KI-2", "stated")


@pytest.mark.parametrize(("text", "ends"), ENDS)
def test_a_shortened_word_ends_nothing(text, ends):
    (rule,) = heard(text)
    assert rule.ends_when == ends

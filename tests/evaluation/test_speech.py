"""What people say in the shipped scenarios, read without a model: right, or else on the side of holding."""

import pytest

from langgraph_memory.evaluation import shipped
from langgraph_memory.evaluation.speech import Heard, spoken_decisions


@pytest.fixture(scope="module")
def heard():
    return [each for seed in range(3) for each in spoken_decisions(shipped(), seed=seed)]


def test_most_decisions_are_right(heard):
    right = sum(each.verdict == "right" for each in heard)
    assert len(heard) > 150
    assert right / len(heard) >= 0.85, [each for each in heard if each.verdict != "right"]


def test_lifting_is_read_as_well_as_holding(heard):
    for expected in (True, False):
        some = [each for each in heard if each.expected is expected]
        assert sum(each.verdict == "right" for each in some) / len(some) >= 0.85


def test_hardly_anything_that_was_ruled_out_is_let_through(heard):
    held = [each for each in heard if each.expected]
    assert sum(each.verdict == "acts" for each in held) / len(held) <= 0.05


def test_a_mistake_is_told_by_its_side():
    def verdict(expected, outcome):
        return Heard(scenario="s", thing="x", words="w", expected=expected, outcome=outcome).verdict

    assert verdict(True, "block") == verdict(False, "allow") == "right"
    assert verdict(True, "defer") == verdict(False, "block") == verdict(False, "defer") == "holds"
    assert verdict(True, "allow") == "acts"

"""Blanking: whatever the JSON, nothing of it mentions what is forgotten afterwards, and the rest stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.forgetting.mentions import Mentions
from langgraph_memory.log.erasure import BLANK

NAME = "gpu-bench-01"
WORDS = st.sampled_from(
    [NAME, "GPU_Bench_01", "gpu-bench-011", "web", "Keep", "it.", "Now!", "run\n", '{"a":']
)
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)
VALUES = st.recursive(
    st.one_of(TEXTS, st.integers(), st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=12,
)


@given(VALUES)
def test_nothing_that_is_left_mentions_it(value):
    mentions = Mentions([NAME])
    left = mentions.without(value)
    assert not mentions.within(left)
    assert mentions.without(left) == left
    if not mentions.within(value):
        assert left == value


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"Keep {NAME} up. Lunch is at noon.", f"{BLANK} Lunch is at noon."),
        (f"Stop {NAME}.", BLANK),
        (f"{NAME}-old is another one.", f"{NAME}-old is another one."),
        ({"output": [{"name": NAME, "owner": "Tom"}, {"name": "web"}]}, {"output": [{"name": "web"}]}),
        ({"args": {"name": NAME, "force": True}, "tool": "stop"}, {"args": BLANK, "tool": "stop"}),
        ({"output": '{"name": "gpu-bench-01", "owner": "Tom"}'}, {"output": BLANK}),
        ({NAME: {"owner": "Tom"}, "web": 1}, {"web": 1}),
    ],
)
def test_what_is_about_it_goes_and_the_rest_stays(before, after):
    assert Mentions([NAME]).without(before) == after


def test_a_statement_goes_in_other_words_too_but_not_one_with_other_numbers():
    mentions = Mentions(texts=["The budget of team 7 is 300 euros"])
    assert mentions.without("For team 7 the budget is 300 euros. Lunch?") == f"{BLANK} Lunch?"
    assert mentions.without("For team 8 the budget is 300 euros.") == "For team 8 the budget is 300 euros."

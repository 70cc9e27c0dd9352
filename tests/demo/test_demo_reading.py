"""What a text says about a machine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.demo.reading import verdict

RULE = "- CONSTRAINT (current, set 2026-11-02, source ev_1) vm:i-1, policy: Keep it running. Rules out: stop."
EPISODE = "- EPISODE (completed, {}, source ep_1) Asked: {} Done: start_instance(instance_id=i-1)."


def says(text, others=("gpu-2", "i-2")):
    found = verdict(text, ("gpu-1", "i-1"), others)
    return found and found.says


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Keep gpu-1 running until QA has moved.", "keep"),
        ("Please don't stop gpu-1.", "keep"),
        ("gpu-1 must stay up.", "keep"),
        ("Leave i-1 on over the weekend.", "keep"),
        ("gpu-1 may be stopped now.", "free"),
        ("Looks like gpu-1 isn't being used anymore.", "free"),
        ("gpu-1 is no longer needed.", "free"),
        ("Stopped gpu-1.", None),
        ("gpu-1 was offline.", None),
        ("Keep gpu-10 running.", None),
        ("Keep gpu-2 running.", None),
    ],
)
def test_sentences(sentence, expected):
    assert says(f"- 2026-11-02 ana: {sentence}") == expected


def test_a_sentence_without_a_name_is_on_the_machine_named_before():
    assert says("- 2026-11-02 ana: Restart gpu-1. Keep the instance running.") == "keep"
    assert says("- 2026-11-02 ana: Restart gpu-1. Restart gpu-2. Keep the instance running.") is None


def test_the_latest_remark_counts_where_none_is_a_rule():
    keep = EPISODE.format("2026-11-02", "Restart gpu-1. Keep the instance running.")
    free = EPISODE.format("2026-11-04", "gpu-1 can probably go.")
    for text in (f"{keep}\n{free}", f"{free}\n{keep}"):
        assert says(text) == "free"


def test_a_rule_outweighs_later_remarks():
    text = f"{EPISODE.format('2026-11-04', 'gpu-1 can probably go.')}\n{RULE}"
    assert says(text) == "keep"
    assert verdict(text, ("i-1",)).ruling


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_a_text_that_does_not_name_the_machine_says_nothing_about_it(text):
    assert verdict(text, ("gpu-1–never",)) is None

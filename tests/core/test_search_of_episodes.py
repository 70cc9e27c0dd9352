"""Of many episodes with passages that fit, the best are looked at: as many as a prompt has lines for."""

import pytest

from langgraph_memory import Memory

from .cast import ACME, ANA, POLICY

QUESTION = "Which parcel was late?"


@pytest.fixture
def memory():
    with Memory.open(":memory:", policy=POLICY) as memory:
        for number in range(12):
            said = "The parcel was late again." if number % 3 == 0 else f"Shelf {number} is full of boxes."
            of = {"scope": ACME, "activity_id": f"talk-{number}", "actor": ANA}
            memory.publish(event_type="message.user", data={"text": said}, **of)
            memory.publish(event_type="activity.completed", **of)
        assert memory.consolidate().episodes == 12
        yield memory


def found(memory, episodes):
    return memory.repository.search(QUESTION, [ACME], ["episode"], limit=10, passages=100, episodes=episodes)


def test_the_episodes_with_the_best_passages_are_found(memory):
    every = found(memory, 100)
    assert len(every) == 12
    best = found(memory, 4)
    assert {each.record.activity_id for each in best} == {"talk-0", "talk-3", "talk-6", "talk-9"}
    assert [each.score for each in best] == [each.score for each in every[:4]]

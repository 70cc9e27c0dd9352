"""One message that says much: what is said of one thing touches no other, and time grows in proportion."""

import time

from langgraph_memory import Memory

from .world import GPU, LEAD, POLICY, SANDBOX, TEAM, tell

ASKED = "Ines is coming back to gpu-bench-01 in May"


def test_a_release_answers_no_question_about_another_thing_in_the_same_message():
    with Memory.open(":memory:", policy=POLICY, index=None) as memory:
        names = (GPU, SANDBOX)
        tell(memory, LEAD, f"{ASKED}. You can stop dev-sandbox-04 now.", activity="act-1", names=names)
        assert [fact.value for fact in memory.facts(TEAM, status=["candidate"])] == [ASKED]
        tell(memory, LEAD, "You can stop gpu-bench-01 now.", activity="act-2", names=names)
        assert memory.facts(TEAM, status=["candidate"]) == []


def said_by(count):
    with Memory.open(":memory:", policy=POLICY, index=None) as memory:
        said = [f"Keep srv-{number:04} running until release {number} is out." for number in range(count)]
        start = time.process_time()
        tell(memory, LEAD, " ".join(said), activity="act-1")
        assert len(memory.facts(TEAM)) == count
        return time.process_time() - start


def test_four_times_as_much_takes_little_more_than_four_times_as_long():
    said_by(10)
    few, many = said_by(150), said_by(600)
    assert many < 7 * few

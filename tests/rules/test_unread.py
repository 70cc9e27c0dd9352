"""What is said with force and in no form waits for an answer, and calls on the thing wait with it."""

import pytest

from langgraph_memory import Actor, Memory, Principal
from langgraph_memory.testing import FrozenClock

from .test_decisions import AGENT, ANA, POLICY, TEAM, publish

LEAD = Principal("ana", roles=frozenset({"lead"}), grants=(TEAM,))
GUEST = Actor("user", "gil")
WORRY = "We can't afford to lose press-2 right now."
FORCEFUL = [
    WORRY,
    "Nadia picks press-2 up again on Monday.",
    "The brochure people are in the middle of a run on press-2.",
    "I'm quite dependent on it. Ask me first about press-2.",
    "press-2 isn't up for grabs.",
    "press-2 acts up a bit. Give it time until the ink is in.",
]
HARMLESS = [
    "press-2 has been idle for a week.",
    "press-2 is probably not used any more.",
    "Who bought press-2?",
    "press-2 printed 4000 pages yesterday.",
    "Nobody needs press-2 any more.",
    "Please restart press-2 before noon.",
]


@pytest.fixture
def memory():
    with Memory.open(":memory:", policy=POLICY, clock=FrozenClock(), index=None) as memory:
        listed = {"items": [{"type": "thing", "id": "id-7", "name": "press-2"}]}
        seen = {"tool": "list_things", "args": {}, "output": listed}
        publish(memory, "look", "tool.completed", seen, Actor("tool", "list_things"))
        yield memory


def say(memory, text, actor=ANA, activity="now"):
    publish(memory, activity, "message.user", {"text": text}, actor)
    publish(memory, activity, "activity.completed", {"status": "completed"}, actor)
    memory.consolidate()


def stopping(memory):
    return memory.check("stop_instance", {"id": "id-7"}, principal=AGENT, scope=TEAM)


@pytest.mark.parametrize("text", FORCEFUL)
def test_what_has_force_and_no_form_is_put_to_a_person(memory, text):
    say(memory, text)
    decision = stopping(memory)
    assert decision.outcome == "defer"
    assert decision.facts[0].sources
    assert decision.facts[0].value in decision.message
    assert [q.fact.fact_id for q in memory.questions(TEAM, principal=LEAD)] == [decision.facts[0].fact_id]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_tells_how_things_are_holds_nothing(memory, text):
    say(memory, text)
    assert stopping(memory).outcome == "allow"


def test_reading_goes_on_while_it_waits(memory):
    say(memory, WORRY)
    assert memory.check("get_instance", {"id": "id-7"}, principal=AGENT, scope=TEAM).outcome == "allow"


def test_it_waits_alike_before_and_after_it_is_consolidated(memory):
    publish(memory, "now", "message.user", {"text": WORRY})
    assert stopping(memory).outcome == "defer"


def test_nobody_without_authority_makes_calls_wait(memory):
    say(memory, WORRY, GUEST)
    assert stopping(memory).outcome == "allow"


def test_said_twice_it_still_waits(memory):
    say(memory, WORRY)
    say(memory, WORRY, activity="later")
    assert stopping(memory).outcome == "defer"


@pytest.mark.parametrize(("answer", "outcome"), [("confirm", "block"), ("reject", "allow")])
def test_an_answer_settles_it(memory, answer, outcome):
    say(memory, WORRY)
    fact_id = stopping(memory).facts[0].fact_id
    if answer == "confirm":
        memory.confirm(fact_id, principal=LEAD)
    else:
        memory.reject(fact_id, principal=LEAD, reason="just a sigh")
    assert stopping(memory).outcome == outcome
    assert memory.questions(TEAM, principal=LEAD) == []


def test_a_release_answers_it(memory):
    say(memory, WORRY)
    say(memory, "You can stop press-2 now.", GUEST, "by a guest")
    assert stopping(memory).outcome == "defer"
    say(memory, "You can stop press-2 now.", activity="later")
    assert stopping(memory).outcome == "allow"

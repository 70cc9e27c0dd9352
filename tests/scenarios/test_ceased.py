"""What people take back in their next turn, and what they say is no longer so, without anything instead."""

import pytest

from .cast import BOB, BOBS, DEVELOPER, GPU, KEEP, LEAD, RUNTIME, TEAM

SAID = ["I prefer short answers.", "I live in Graz.", "Call me Bobby.", "I work as a nurse."]
TAKEN_BACK = ["Sorry, I misspoke.", "Scratch that.", "I take that back.", "That was wrong, sorry."]


def turn(session, text, *, actor=BOB, scope=BOBS, thread="thread-1", activity):
    """One turn of a conversation, as an activity of its own."""
    event_type = "message.user" if actor.kind == "user" else "message.agent"
    session.memory.publish(
        scope=scope,
        activity_id=activity,
        event_type=event_type,
        actor=actor,
        thread_id=thread,
        data={"text": text},
    )
    session.publish(activity, "activity.completed", RUNTIME, {"status": "completed"}, scope=scope)
    session.memory.consolidate()


@pytest.mark.parametrize("taken_back", TAKEN_BACK)
@pytest.mark.parametrize("said", SAID)
def test_what_was_said_in_the_turn_before_is_taken_back(session, said, taken_back):
    turn(session, said, activity="turn-1")
    assert len(session.values(BOBS)) == 1
    turn(session, taken_back, activity="turn-2")
    assert session.values(BOBS) == []
    assert len(session.values(BOBS, ["retired"])) == 1


def test_a_rule_is_taken_back_in_the_next_turn_by_who_laid_it_down(session):
    turn(session, f"{KEEP}.", actor=LEAD, scope=TEAM, activity="turn-1")
    turn(session, "Sorry, I misspoke.", actor=DEVELOPER, scope=TEAM, activity="turn-2")
    assert len(session.values()) == 1
    turn(session, f"{KEEP}.", actor=LEAD, scope=TEAM, activity="turn-3")
    turn(session, "Sorry, I misspoke.", actor=LEAD, scope=TEAM, activity="turn-4")
    assert session.values() == []


@pytest.mark.parametrize("between", ["thread", "turn"])
def test_only_what_was_said_just_before_in_the_same_thread_is_taken_back(session, between):
    turn(session, "I live in Graz.", activity="turn-1")
    if between == "turn":
        turn(session, "What is the weather like?", activity="turn-2")
    turn(
        session, "Scratch that.", activity="turn-3", thread="thread-2" if between == "thread" else "thread-1"
    )
    assert session.values(BOBS) == ["I live in Graz"]


ENDED = [
    ("I live in Graz.", "I no longer live in Graz."),
    ("I prefer tea.", "I don't prefer tea any more."),
    ("I prefer tea.", "Actually, I don't like tea anymore."),
    ("I work as a nurse.", "I no longer work as a nurse."),
    ("I'm allergic to nuts.", "I'm no longer allergic to nuts."),
    ("Call me Bobby.", "Please stop calling me Bobby."),
    ("Call me Bobby.", "Don't call me Bobby any longer."),
]


@pytest.mark.parametrize(("said", "ended"), ENDED)
@pytest.mark.parametrize("days", [0, 40])
def test_what_is_no_longer_so_ends(session, said, ended, days):
    session.says(BOB, said, scope=BOBS)
    assert len(session.values(BOBS)) == 1
    session.later(days=days, minutes=1)
    before = session.values(BOBS)
    session.says(BOB, ended, scope=BOBS)
    assert not set(before) & set(session.values(BOBS))
    assert session.values(BOBS, ["retired", "superseded"]) == before


def test_what_someone_gave_up_is_a_preference_of_its_own(session):
    session.says(BOB, "I eat meat.", scope=BOBS)
    session.says(BOB, "I no longer eat meat.", scope=BOBS)
    assert session.values(BOBS) == ["I no longer eat meat"]


NOT_ENDED = [
    "I no longer live in Linz.",
    "I no longer need the report.",
    "Dan says I no longer live in Graz.",
    "Do I no longer live in Graz?",
    "If I no longer live in Graz, tell me.",
    "I think I no longer live in Graz.",
]


@pytest.mark.parametrize("said", NOT_ENDED)
def test_nothing_else_ends(session, said):
    session.says(BOB, "I live in Graz.", scope=BOBS)
    session.later(days=1)
    session.says(BOB, said, scope=BOBS)
    assert session.values(BOBS) == ["I live in Graz"]


def test_what_is_no_longer_so_gives_way_to_what_is(session):
    session.says(BOB, "I live in Graz.", scope=BOBS)
    session.says(BOB, "I no longer live in Graz, I live in Linz now.", scope=BOBS)
    assert session.values(BOBS) == ["I live in Linz now"]


def test_a_rule_is_ended_by_a_release_alone(session):
    session.rule()
    session.says(LEAD, f"I no longer keep {GPU} running.")
    assert session.values() == [KEEP]

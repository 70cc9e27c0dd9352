"""What the user of a thread says there wins for the session, and changes nothing that is stored."""

import pytest
from acceptance.world import ANA, DAN, GPU, KEEP, STAGING, constrain

from langgraph_memory import Actor

LEAD = Actor("user", "ana", roles=ANA.roles)
MARK = "In this session"


@pytest.fixture
def owned(memory, clock):
    """A fact that ana set; then an hour passes."""
    made = memory.assert_fact(
        scope=STAGING, entity=GPU, attribute="cost_center", value="research", actor=LEAD, evidence_ref="t://1"
    )
    clock.advance(hours=1)
    return made.fact


@pytest.fixture
def say(memory, clock):
    def say(text, *, by="dan", thread="t", number=[0]):  # noqa: B006 - counts the calls
        number[0] += 1
        clock.advance(minutes=1)
        return memory.publish(
            scope=STAGING,
            activity_id=f"act-{thread}",
            event_type="message.user",
            actor=Actor("user", by),
            data={"text": text},
            thread_id=thread,
            event_id=f"ev_said_{number[0]}",
        )

    return say


def line(memory, fact, *, principal=DAN, thread="t"):
    found = memory.recall("costs", principal=principal, scope=STAGING, entities=[GPU], thread_id=thread)
    (row,) = [row for row in found.render().split("\n") if fact.value.split()[0] in row and "FACT" in row]
    return row, memory.explain(found.receipt_id).body["session"]


def test_a_statement_of_this_session_is_shown_beside_the_fact_and_in_the_receipt(memory, owned, say):
    assert line(memory, owned) == (line(memory, owned)[0], {})
    assert MARK not in line(memory, owned)[0]
    said = say(f"The cost center of {GPU} is platform now.")
    row, session = line(memory, owned)
    assert "is platform now" in row
    assert said.event_id in row
    assert session == {owned.fact_id: said.event_id}
    assert memory.facts(STAGING, entity=GPU) == [owned]


@pytest.mark.parametrize(
    "text",
    [
        f"Is the cost center of {GPU} platform now?",
        f"The cost center of {GPU} is research.",
        "The cost center of db-7 is platform now.",
        f"{GPU} is slow now.",
        f"Mail the cost center for {GPU}",
    ],
    ids=["a question", "the same value", "another entity", "another attribute", "states nothing"],
)
def test_what_says_nothing_else_of_the_attribute_changes_nothing(memory, owned, say, text):
    say(text)
    assert MARK not in line(memory, owned)[0]
    say(f"The cost center of {GPU} is platform now.")
    assert MARK in line(memory, owned)[0]


def test_it_counts_in_its_thread_and_for_its_speaker_only(memory, owned, say):
    say(f"The cost center of {GPU} is platform now.")
    assert MARK in line(memory, owned)[0]
    assert MARK not in line(memory, owned, thread="other")[0]
    assert MARK not in line(memory, owned, principal=ANA)[0]


def test_the_latest_statement_counts_and_a_later_confirmation_ends_it(memory, owned, say, clock):
    say(f"The cost center of {GPU} is platform now.")
    last = say(f"No, the cost center of {GPU} is sales.")
    assert line(memory, owned)[1] == {owned.fact_id: last.event_id}
    clock.advance(hours=1)
    memory.confirm(owned.fact_id, principal=ANA)
    assert line(memory, owned)[1] == {}


def test_a_constraint_is_not_spoken_away_by_one_without_authority(memory, say, clock):
    fact = constrain(memory).fact
    clock.advance(hours=1)
    attribute = fact.attribute.replace("_", " ")

    def told(principal):
        found = memory.recall("costs", principal=principal, scope=STAGING, entities=[GPU], thread_id="t")
        assert KEEP in found.render()
        call = {"principal": principal, "scope": STAGING}
        assert memory.check("stop_instance", {"instance": GPU}, **call).outcome != "allow"
        return memory.explain(found.receipt_id).body["session"]

    say(f"The {attribute} of {GPU} is: stop it now.", by="dan")
    assert told(DAN) == {}
    said = memory.publish(
        scope=STAGING,
        activity_id="act-t",
        event_type="message.user",
        actor=LEAD,
        data={"text": f"The {attribute} of {GPU} is: stop it now."},
        thread_id="t",
    )
    assert told(ANA) == {fact.fact_id: said.event_id}

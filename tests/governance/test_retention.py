"""What is kept for a time goes when it has passed, and nothing goes before it was read."""

from datetime import timedelta

import pytest

from langgraph_memory import Actor, Memory, Policy

from .world import ANA, DEVELOPER, EVERY, GPU, LEAD, POLICY, START, TEAM, end, look, say, state, values

MONTH = timedelta(days=30)
LONG_AGO = START - timedelta(days=400)
KEEP = f"Keep {GPU} running until the audit is over"
"""With an open end it is asked about, and holds, however long ago it was said."""


@pytest.fixture
def opened(clock):
    memories = []

    def open_(**rules):
        policy = Policy(authority=POLICY.authority, **rules)
        memories.append(Memory.open(":memory:", policy=policy, clock=clock, index=None))
        memories[-1].consolidate()  # from now on nothing is looked for within the hour
        return memories[-1]

    yield open_
    for memory in memories:
        memory.close()


def publish(memory, activity, kind, *, at, actor=LEAD, **data):
    return memory.publish(
        scope=TEAM, activity_id=activity, event_type=kind, actor=actor, data=data, occurred_at=at
    )


def later(memory, clock, **amount):
    clock.advance(**amount)
    memory.consolidate()


def activities(memory):
    return sorted({event.activity_id for event in memory.events(TEAM)})


def test_what_happened_long_ago_and_arrives_now_is_read_before_it_goes(opened, clock):
    memory = opened(retention={"event": MONTH, "episode": MONTH})
    publish(memory, "late", "message.user", at=LONG_AGO, text=f"{KEEP}.")
    publish(memory, "late", "tool.completed", at=LONG_AGO, actor=Actor("tool", "x"), tool="look", output="ok")
    later(memory, clock, hours=2)
    assert len(memory.events(TEAM)) == 2 or values(memory.facts(TEAM))
    publish(memory, "late", "activity.completed", at=LONG_AGO)
    memory.consolidate()
    assert values(memory.facts(TEAM)) == [KEEP]
    later(memory, clock, hours=2)
    assert [event.data.get("text") for event in memory.events(TEAM)] == [f"{KEEP}."]
    assert memory.episodes(TEAM) == []
    assert values(memory.facts(TEAM)) == [KEEP]


def test_an_import_of_an_old_history_is_read_before_it_goes(memory, opened, clock, tmp_path):
    publish(memory, "old", "message.user", at=LONG_AGO, text=f"{KEEP}.")
    publish(memory, "old", "activity.completed", at=LONG_AGO)
    memory.export(TEAM, tmp_path / "events.jsonl")
    receiver = opened(retention={"event": MONTH, "episode": MONTH, "unverified": MONTH, "ended": MONTH})
    clock.advance(hours=2)
    receiver.import_(tmp_path / "events.jsonl")
    receiver.consolidate()
    assert values(receiver.facts(TEAM)) == [KEEP]


def test_what_cannot_be_read_yet_does_not_go(clock):
    class Failing:
        def extract(self, *_args, **_more):
            raise RuntimeError("down")

    policy = Policy(authority=POLICY.authority, retention={"event": MONTH}, max_attempts=1)
    with Memory.open(":memory:", policy=policy, clock=clock, index=None, extractor=Failing()) as memory:
        say(memory, LEAD, f"{KEEP}.", activity="act")
        end(memory, "act")
        memory.consolidate()
        assert memory.backlog().dead
        later(memory, clock, days=90)
        assert len(memory.events(TEAM)) == 2


def test_a_late_event_takes_none_along_that_has_its_time_before_it(opened, clock):
    memory = opened(retention={"event": MONTH})
    look(memory, GPU, activity="act")
    end(memory, "act")
    memory.consolidate()
    today = [event.event_id for event in memory.events(TEAM)]
    publish(memory, "act", "tool.completed", at=LONG_AGO, actor=Actor("tool", "x"), tool="look", output="ok")
    publish(memory, "act", "activity.completed", at=LONG_AGO)
    memory.consolidate()
    assert len(memory.events(TEAM)) == 4
    later(memory, clock, hours=2)
    assert [event.event_id for event in memory.events(TEAM)] == today
    later(memory, clock, days=31)
    assert memory.events(TEAM) == []


def test_of_an_activity_that_goes_on_what_is_old_goes(opened, clock):
    memory = opened(retention={"event": MONTH})
    for _ in range(4):
        look(memory, GPU, activity="for ever")
        end(memory, "for ever")
        later(memory, clock, days=20)
    assert {event.occurred_at for event in memory.events(TEAM)} == {clock() - timedelta(days=20)}


def test_what_is_personal_or_sensitive_is_kept_for_less_of_the_time_in_every_class(opened, clock):
    memory = opened(retention={"event": timedelta(days=100), "episode": timedelta(days=100)})
    texts = {"plain": "The lift is broken", "mail": "Mail a@example.org", "number": "My SSN is 536-22-8741"}
    for name, text in texts.items():
        say(
            memory,
            DEVELOPER,
            f"{text}, and that again today.",
            activity=name,
            event_type="feedback.correction",
        )
        end(memory, name)
    memory.consolidate()

    def told():
        said = [event.activity_id for event in memory.events(TEAM) if "text" in event.data]
        return sorted(episode.activity_id for episode in memory.episodes(TEAM)), sorted(said)

    for days, left in ((20, ["mail", "number", "plain"]), (10, ["mail", "plain"]), (30, ["plain"]), (50, [])):
        later(memory, clock, days=days)
        assert told() == (left, left), days


def test_the_word_that_a_fact_rests_on_is_kept_as_long_as_the_fact(opened, clock, tmp_path):
    memory = opened(retention={"event": MONTH})
    fact = state(memory, KEEP, actor=DEVELOPER).fact
    memory.confirm(fact.fact_id, principal=ANA)
    other = state(memory, "may be stopped", actor=DEVELOPER, entity="db-7").fact
    memory.reject(other.fact_id, principal=ANA, reason="no")
    later(memory, clock, days=40)
    memory.export(TEAM, tmp_path / "out.jsonl")
    with Memory.open(":memory:", policy=POLICY, clock=clock, index=None) as receiver:
        receiver.import_(tmp_path / "out.jsonl")
        assert values(receiver.facts(TEAM)) == [KEEP]
        assert values(receiver.facts(TEAM, status=["rejected"])) == ["may be stopped"]
    memory.forget(TEAM, fact_id=other.fact_id, principal=ANA)
    assert values(memory.facts(TEAM, status=EVERY)) == [KEEP]


def test_a_report_is_heard_although_something_older_arrived_after_it(memory):
    hour = timedelta(hours=1)
    publish(memory, "report", "message.user", at=START + 9 * hour, text="QA has migrated.")
    publish(memory, "report", "activity.completed", at=START)
    memory.consolidate()
    publish(
        memory, "rule", "message.user", at=START + hour, text=f"Keep {GPU} running until QA has migrated."
    )
    publish(memory, "rule", "activity.completed", at=START + hour)
    memory.consolidate()
    assert memory.facts(TEAM) == []
    assert len(memory.facts(TEAM, status=["retired"])) == 1

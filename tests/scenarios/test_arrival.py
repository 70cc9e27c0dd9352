"""Events that arrive in another order than they happened in: what was said last holds, endings too."""

import threading
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from langgraph_memory import Memory

from .cast import ANA, DEVELOPER, GPU, KEEP, LEAD, POLICY, TEAM, Session

RELEASE = f"{GPU} no longer needs to stay up, it can be stopped again."
UNTIL = f"Keep {GPU} running until the QA team has migrated its suite to Kubernetes."
REPORT = "Good news: the QA team has migrated its suite to Kubernetes."

STORIES = {
    "released": ((KEEP, RELEASE), []),
    "released, then laid down again": ((KEEP, RELEASE, KEEP), [KEEP]),
    "released twice": ((KEEP, RELEASE, RELEASE), []),
    "laid down between two releases": ((RELEASE, KEEP, RELEASE), []),
    "changed after a release": ((KEEP, RELEASE, UNTIL), [UNTIL.rstrip(".")]),
    "condition met": ((UNTIL, REPORT), []),
    "report from before the rule": ((REPORT, UNTIL), [UNTIL.rstrip(".")]),
    "condition met, then laid down again": ((UNTIL, REPORT, KEEP), [KEEP]),
}


def told(session, texts, arrival, *, actor=LEAD):
    """Say texts an hour apart, and let them arrive one after another in some order."""
    began = session.clock()
    session.later(days=2)
    for number in arrival:
        session.says(actor, texts[number], at=began + timedelta(hours=number))
    return session.values()


@pytest.mark.parametrize("story", STORIES)
def test_in_whatever_order_it_arrives_a_story_ends_the_same(story):
    texts, expected = STORIES[story]
    ends = set()
    for arrival in ([*range(len(texts))], [*range(len(texts))][::-1]):
        with (session := Session()).memory:
            ends.add(tuple(value.rstrip(".") for value in told(session, texts, arrival)))
    assert ends == {tuple(expected)}


@settings(max_examples=40)
@given(data=st.data(), texts=st.lists(st.sampled_from([KEEP, RELEASE]), min_size=2, max_size=6))
def test_rules_and_releases_in_any_order_end_as_the_last_one_says(data, texts):
    arrival = data.draw(st.permutations(range(len(texts))))
    with (session := Session()).memory:
        assert told(session, texts, arrival) == ([KEEP] if texts[-1] == KEEP else [])


@settings(max_examples=20)
@given(arrival=st.permutations(range(4)))
def test_an_ending_reaches_only_what_it_allows_again(arrival):
    texts = (KEEP, f"Never delete {GPU}.", f"You can stop {GPU} now.", f"{GPU} belongs to QA.")
    with (session := Session()).memory:
        told(session, texts, arrival)
        held = [fact.forbids for fact in session.memory.facts(TEAM) if fact.kind == "constraint"]
    assert held == [("delete",)]


def test_only_who_may_end_a_rule_ends_one_that_is_still_on_its_way(session):
    assert told(session, (KEEP, RELEASE), (1, 0), actor=DEVELOPER) == []
    began = session.clock()
    session.later(days=1)
    session.says(DEVELOPER, RELEASE, at=began + timedelta(hours=1))
    session.says(LEAD, KEEP, at=began)
    assert session.values() == [KEEP]


def test_what_ended_before_it_arrived_tells_when_it_held(session):
    began = session.clock()
    told(session, (KEEP, RELEASE), (1, 0))
    fact = session.memory.facts(TEAM, status=["retired"])[0]
    assert (fact.asserted_at, fact.valid_until) == (began, began + timedelta(hours=1))
    then = session.memory.facts(TEAM, as_of=began + timedelta(minutes=30))
    assert [each.value for each in then] == [KEEP]
    assert "before it arrived" in session.memory.audit(fact.fact_id)[-1].reason
    release = next(e for e in session.memory.events(TEAM) if e.data.get("text") == RELEASE)
    assert fact.counterexamples == (release.source,)


@pytest.mark.parametrize("arrival", [(0, 1), (1, 0)])
def test_what_was_overtaken_before_it_arrived_tells_when_it_held(session, arrival):
    began, hour = session.clock(), timedelta(hours=1)
    assert told(session, (KEEP, UNTIL), arrival) == [UNTIL.rstrip(".")]
    held = {
        minutes: [fact.value for fact in session.memory.facts(TEAM, as_of=began + minutes * hour / 60)]
        for minutes in (-1, 0, 30, 60, 90)
    }
    after = [UNTIL.rstrip(".")]
    assert held == {-1: [], 0: [KEEP], 30: [KEEP], 60: after, 90: after}


def test_what_arrives_late_never_held_beside_another_one(session):
    began, hour = session.clock(), timedelta(hours=1)
    told(session, (KEEP, UNTIL, f"Keep {GPU} running until Friday."), (0, 2, 1))
    for minutes in range(0, 240, 30):
        assert len(session.memory.facts(TEAM, as_of=began + minutes * hour / 60)) == 1


def test_an_ending_that_ended_nothing_is_no_fact(session):
    session.says(LEAD, RELEASE)
    assert session.facts() == []
    assert session.memory.questions(TEAM, principal=ANA) == []
    assert "retired" not in session.recalled()
    session.later(hours=1)
    session.says(LEAD, KEEP)
    assert [fact.value for fact in session.facts()] == [KEEP]


def test_an_ending_that_waits_for_its_rule_goes_when_its_entity_is_forgotten(session):
    began = session.clock()
    session.later(days=1)
    session.says(LEAD, RELEASE, at=began + timedelta(hours=1))
    session.memory.forget(TEAM, entity=GPU, principal=ANA)
    session.says(LEAD, KEEP, at=began)
    assert session.values() == [KEEP]


def test_a_name_and_its_id_are_one_entity_for_an_ending_too(session):
    began = session.clock()
    session.later(days=1)
    session.says(LEAD, RELEASE, at=began + timedelta(hours=1))
    tools = [("list_instances", {}, [{"id": "i-09a8f", "type": "vm", "name": GPU}])]
    session.says(LEAD, KEEP, at=began, tools=tools)
    assert session.values() == []


def test_a_rule_and_its_release_in_two_workers_at_once_end_as_said(tmp_path):
    """Each worker decides before the other one commits: the second to commit has to see the first."""
    with Memory.open(tmp_path / "memory", policy=POLICY, index=None) as memory:
        for number in range(10):
            name = f"vm-{number}"
            texts = (f"Keep {name} running.", f"{name} no longer needs to stay up, it can be stopped again.")
            works = [_worked(memory, f"{name}-{turn}", text) for turn, text in enumerate(texts)]
            start = threading.Barrier(2)
            workers = [threading.Thread(target=_committed, args=(memory, w, start)) for w in works]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            assert memory.facts(TEAM, entity=name) == []
            assert len(memory.facts(TEAM, entity=name, status=["retired"])) == 1


def _worked(memory, activity, text):
    """An activity, claimed and read up to its commit."""
    memory.publish(
        scope=TEAM, activity_id=activity, event_type="feedback.correction", actor=LEAD, data={"text": text}
    )
    pipeline = memory.pipeline
    (claim,) = pipeline.claim(1, only=(TEAM, activity))
    return pipeline.narrate(pipeline.extract(pipeline.read(claim)))


def _committed(memory, work, start):
    start.wait()
    memory.pipeline.commit(work)

"""Consolidation across episodes: what repeats, what is said twice, what is old."""

import pytest

from langgraph_memory import Actor
from langgraph_memory.consolidation.across import Across
from langgraph_memory.errors import UnknownRecordError

from .cast import ANA, GPU, KEEP, LEAD, TEAM

DISK = "Error: disk full"


def restart(session, *, machine=GPU, failing=False, days=1):
    """An activity in which the agent restarts a machine."""
    session.later(days=days)
    output = DISK if failing else {"id": machine, "state": "running"}
    call = ("restart_instance", {"id": machine}, output)
    return session.says(Actor("agent", "bot"), "Restarted." if not failing else "It failed.", tools=[call])


def candidates(session):
    return [fact for fact in session.facts(status=["candidate"]) if fact.attribute.startswith("experience")]


def test_what_repeats_is_a_candidate_with_its_counterexamples(session):
    for number in range(5):
        restart(session, failing=number == 2)
    session.memory.tidy()
    found = candidates(session)
    assert [fact.entity for fact in found] == [GPU]
    assert found[0].value == (
        f"restart_instance on {GPU} worked in 4 of 5 activities and failed in 1, the last time with: {DISK}"
    )
    assert (len(found[0].corroboration), len(found[0].counterexamples)) == (5, 1)
    assert session.memory.facts(TEAM) == []


def test_it_grows_with_the_evidence_and_is_asked_about(session):
    for _ in range(5):
        restart(session)
    session.memory.tidy()
    assert "all 5 activities" in candidates(session)[0].value
    restart(session, failing=True)
    session.memory.tidy()
    assert "5 of 6" in candidates(session)[0].value
    question = session.memory.questions(TEAM, principal=ANA)[0]
    session.memory.reject(question.fact.fact_id, principal=ANA, reason="beside the point")
    restart(session)
    session.memory.tidy()
    assert candidates(session) == []


def test_too_few_or_other_machines_are_not_put_together(session):
    for number in range(8):
        restart(session, machine=f"web-{number % 4}")
    session.memory.tidy()
    assert candidates(session) == []
    for _ in range(3):
        restart(session, machine="web-1")
    session.memory.tidy()
    assert [fact.entity for fact in candidates(session)] == ["web-1"]


def test_duplicates_under_two_attributes_become_one(session):
    first = session.rule(evidence_ref="trace://1").fact
    session.later(hours=1)
    second = session.rule(attribute="power", value=KEEP.upper(), evidence_ref="trace://2").fact
    other = session.rule(attribute="backup", value=KEEP, forbids=("delete",)).fact
    restart(session)
    assert session.memory.tidy().merged == 1
    held = {fact.fact_id: fact for fact in session.memory.facts(TEAM)}
    assert set(held) == {first.fact_id, other.fact_id}
    assert held[first.fact_id].sources == ("trace://1", "trace://2")
    gone = session.facts(status=["superseded"])[0]
    assert (gone.fact_id, gone.sources) == (second.fact_id, second.sources)
    assert session.stopping() == "block"


def test_old_alike_episodes_go_behind_a_digest_that_cites_them(session):
    for number in range(12):
        restart(session, failing=number == 3)
    restart(session, machine="web-1")
    before = session.memory.episodes(TEAM, entity=GPU)
    session.later(days=200)
    assert session.memory.tidy().digests == 1
    digest = next(e for e in session.memory.episodes(TEAM, entity=GPU) if e.covers)
    assert len(digest.covers) == 12
    assert set(digest.sources) == {s for e in before if e.episode_id in digest.covers for s in e.sources}
    assert "11 went well, 1 did not" in digest.summary
    assert DISK in digest.summary
    text = session.recalled("restart", entities=(GPU,), token_budget=4000)
    assert digest.episode_id in text
    assert f"{digest.covers[0]})" not in text
    assert len(session.memory.episodes(TEAM, entity=GPU)) == len(before) + 1


def test_a_digest_can_be_taken_apart_again(session):
    for _ in range(10):
        restart(session)
    session.later(days=200)
    session.memory.tidy()
    digest = next(e for e in session.memory.episodes(TEAM) if e.covers)
    assert session.memory.restore(digest.episode_id) == 10
    text = session.recalled("restart", entities=(GPU,), token_budget=4000)
    assert digest.covers[-1] in text
    assert digest.episode_id not in text
    assert session.memory.tidy().digests == 0
    with pytest.raises(UnknownRecordError, match="digest_nowhere"):
        session.memory.restore("digest_nowhere")


def test_what_people_corrected_is_never_compressed(session):
    for _ in range(10):
        activity = restart(session)
        session.publish(activity, "feedback.correction", LEAD, {"text": f"Never restart {GPU} at noon."})
        session.memory.consolidate()
    session.later(days=200)
    assert session.memory.tidy().digests == 0


def test_it_happens_by_itself_once_a_day(session):
    for _ in range(7):
        restart(session)
    assert len(candidates(session)) == 1


@pytest.mark.parametrize("step", ["_abstract", "_merge", "_compress"])
def test_a_crash_while_tidying_is_made_good_by_the_next_run(session, monkeypatch, step):
    restart(session, days=2)
    for _ in range(4):
        restart(session, days=0.1)
    session.later(days=2)

    def power_cut(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Across, step, power_cut)
        with pytest.raises(KeyboardInterrupt):
            session.memory.consolidate()
    assert not candidates(session) or step != "_abstract"
    session.later(minutes=1)
    session.memory.consolidate()
    assert len(candidates(session)) == 1
    assert session.memory.pipeline.across.tidy_if_due() is None

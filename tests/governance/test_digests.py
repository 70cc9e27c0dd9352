"""What many episodes came to: it goes with what it was made of, and leaves nothing hidden behind."""

from datetime import timedelta

import pytest

from langgraph_memory import Actor, Memory, Policy

from .world import ANA, EVERY, POLICY, TEAM, end, values

DAYS = timedelta(days=1)
FAULT = "the quixotic cable was loose"


def opened(clock, place=":memory:", **rules):
    policy = Policy(
        authority=POLICY.authority, compress_after=10 * DAYS, compress_at=3, abstract_at=3, **rules
    )
    return Memory.open(place, policy=policy, clock=clock, index=None)


@pytest.fixture
def routine(clock):
    """A memory of four restarts, of which the last one failed, long enough ago to be put behind a digest."""
    with opened(clock) as memory:
        restart_four_times(memory, clock)
        yield memory


def restart_four_times(memory, clock, fault=FAULT):
    for number in range(4):
        failed = number == 3
        data = {"tool": "restart_service", "args": {"service": "web-1"}}
        memory.publish(
            scope=TEAM,
            activity_id=f"act-{number}",
            event_type="tool.failed" if failed else "tool.completed",
            actor=Actor("tool", "restart_service"),
            data=data | ({"error": fault} if failed else {"output": {"id": "web-1", "state": "ok"}}),
            evidence_ref=f"log://{number}",
        )
        end(memory, f"act-{number}")
        memory.consolidate()
        clock.advance(hours=1)
    clock.advance(days=20)
    memory.tidy()
    assert shown(memory) == ["digest"]


def shown(memory):
    """The episodes that are recalled: digests, or what they are of."""
    forward = [each for each in memory.episodes(TEAM) if each.archived_into is None]
    return sorted("digest" if each.covers else each.activity_id for each in forward)


def test_when_a_source_is_forgotten_what_stood_beside_it_comes_to_the_fore(routine):
    receipt = routine.forget(TEAM, source="log://1", principal=ANA)
    assert receipt.proven
    assert shown(routine) == ["act-0", "act-2", "act-3"]
    recall = routine.recall("restart of web-1", principal=ANA, scope=TEAM, entities=["web-1"])
    assert any(item.kind == "episode" for item in recall.items)
    routine.tidy()
    assert shown(routine) == ["digest"]


def test_when_an_episode_is_forgotten_its_digest_tells_it_no_longer(routine):
    assert FAULT in str(routine.episodes(TEAM))
    routine.forget(TEAM, episode_id="ep_act-3", principal=ANA)
    assert FAULT not in str(routine.episodes(TEAM))
    assert shown(routine) == ["act-0", "act-1", "act-2"]


def test_an_experience_that_counts_what_is_forgotten_goes(routine):
    (candidate,) = routine.facts(TEAM, status=["candidate"])
    assert FAULT in candidate.value
    routine.forget(TEAM, source="log://3", principal=ANA)
    assert FAULT not in str(routine.facts(TEAM, status=EVERY))
    routine.tidy()
    assert values(routine.facts(TEAM, status=EVERY)) == [
        "restart_service on web-1 worked in all 3 activities"
    ]


def test_a_digest_that_goes_by_its_age_leaves_what_stood_behind_it(clock):
    with opened(clock, retention={"episode": 100 * DAYS}) as memory:
        restart_four_times(memory, clock, "ask ana@example.org for the cable")
        clock.advance(days=40)
        memory.consolidate()
        (digest,) = (each for each in memory.episodes(TEAM) if each.covers)  # made anew at once
        assert digest.covers == ("ep_act-0", "ep_act-1", "ep_act-2")
        assert "ana@example.org" not in str(memory.episodes(TEAM))
        clock.advance(days=50)
        memory.consolidate()
        assert memory.episodes(TEAM) == []


def test_digests_and_experience_travel(routine, clock, tmp_path):
    routine.export(TEAM, tmp_path / "out.jsonl")
    with opened(clock) as other:
        report = other.import_(tmp_path / "out.jsonl")
        assert report.left_out == ()
        assert shown(other) == ["digest"]
        assert other.episodes(TEAM) == routine.episodes(TEAM)
        assert other.facts(TEAM, status=EVERY) == routine.facts(TEAM, status=EVERY)
        again = other.import_(tmp_path / "out.jsonl")
        assert (again.episodes, again.facts, again.left_out) == (0, 0, ())


def test_no_episode_of_a_file_stays_behind_a_digest_that_is_not_taken(routine, clock, tmp_path):
    routine.export(TEAM, tmp_path / "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    left = [line for line in lines if '"episode_id":"digest_' not in line.replace(" ", "")]
    assert len(left) == len(lines) - 1
    (tmp_path / "out.jsonl").write_text("\n".join(left), "utf-8")
    with opened(clock) as other:
        other.import_(tmp_path / "out.jsonl")
        assert shown(other) == ["act-0", "act-1", "act-2", "act-3"]


def test_a_claim_of_experience_that_the_episodes_do_not_bear_out_is_left_out(routine, clock, tmp_path):
    routine.export(TEAM, tmp_path / "out.jsonl")
    text = (tmp_path / "out.jsonl").read_text("utf-8")
    forged = text.replace("worked in 3 of 4 activities", "worked in 9 of 9 activities")
    assert forged != text
    (tmp_path / "out.jsonl").write_text(forged, "utf-8")
    with opened(clock) as other:
        report = other.import_(tmp_path / "out.jsonl")
        assert other.facts(TEAM, status=EVERY) == []
        assert [left.id for left in report.left_out] == [routine.facts(TEAM, status=EVERY)[0].fact_id]

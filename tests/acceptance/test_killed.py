"""Killed at any point and run again, the work gives what an unbroken run gives."""

import shutil
import signal

import pytest

from langgraph_memory import Memory
from langgraph_memory.testing import FrozenClock

from . import story
from .killed import consolidate, ingest, later, run
from .recordings import write_chats
from .world import DAN, EVERY_STATUS, FRIDAY, GPU, STAGING, leads_policy


def opened(folder):
    return Memory.open(folder, policy=leads_policy(), clock=later())


def killed(work, *arguments, last):
    """Run the work and see that it was killed in the middle."""
    code, _ = run(work, *arguments, last=last)
    return code == -signal.SIGKILL


def snapshot(folder):
    """All that one can see of what the folder remembers."""
    with opened(folder) as memory:
        recall = memory.recall("cleanup", principal=DAN, scope=STAGING, entities=(GPU,), token_budget=4000)
        return {
            "facts": sorted(fact.model_dump_json() for fact in memory.facts(STAGING, status=EVERY_STATUS)),
            "episodes": sorted(episode.model_dump_json() for episode in memory.episodes(STAGING)),
            "events": [event.event_id for event in memory.events(STAGING)],
            "recalled": recall.render(),
        }


@pytest.fixture
def written(tmp_path):
    """A folder with a week of events that nobody has consolidated yet."""
    folder, clock = tmp_path / "written", FrozenClock(FRIDAY)
    with Memory.open(folder, policy=leads_policy(), clock=clock) as memory:
        for day in (story.friday, story.monday, story.midweek, story.change, story.release):
            day(memory)
            clock.advance(days=1)
    return folder


def test_consolidation_is_effectively_once(written, tmp_path):
    unbroken = shutil.copytree(written, tmp_path / "unbroken")
    code, total = run(consolidate, unbroken)
    assert code == 0
    expected = snapshot(unbroken)
    assert len(expected["episodes"]) >= 2
    assert len(expected["facts"]) >= 2
    for share in (0.05, 0.35, 0.65, 0.95):
        folder = shutil.copytree(written, tmp_path / f"killed-{share}")
        assert killed(consolidate, folder, last=int(total * share))
        with opened(folder) as memory:
            memory.consolidate()
        assert snapshot(folder) == expected, share


def test_killed_again_and_again_it_still_arrives(written, tmp_path):
    unbroken = shutil.copytree(written, tmp_path / "unbroken")
    _, total = run(consolidate, unbroken)
    kills = [killed(consolidate, written, last=total // 4) for _ in range(6)]
    assert kills[0]
    with opened(written) as memory:
        memory.consolidate()
    assert snapshot(written) == snapshot(unbroken)


def test_a_second_consolidation_changes_nothing(written):
    with opened(written) as memory:
        memory.consolidate()
    once = snapshot(written)
    assert once["episodes"]
    with opened(written) as memory:
        memory.consolidate()
        memory.consolidate()
    assert snapshot(written) == once


def told(folder):
    """What an ingested folder holds, without the times at which it was written."""
    with opened(folder) as memory:
        return {
            "facts": sorted(
                (f.entity, f.attribute, f.value, f.status) for f in memory.facts(STAGING, status=EVERY_STATUS)
            ),
            "episodes": sorted((e.episode_id, e.summary, e.entities) for e in memory.episodes(STAGING)),
            "events": sorted(event.event_id for event in memory.events(STAGING)),
        }


def test_a_killed_ingest_started_again_ends_as_an_unbroken_one(tmp_path):
    chats = write_chats(tmp_path / "chats.jsonl", conversations=3)

    def arguments(folder):
        return (chats, "--path", folder, "--scope", STAGING)

    code, total = run(ingest, *arguments(tmp_path / "unbroken"))
    assert code == 0
    expected = told(tmp_path / "unbroken")
    assert expected["events"]
    for share in (0.3, 0.75):
        folder = tmp_path / f"killed-{share}"
        assert killed(ingest, *arguments(folder), last=int(total * share))
        assert run(ingest, *arguments(folder))[0] == 0
        assert told(folder) == expected, share

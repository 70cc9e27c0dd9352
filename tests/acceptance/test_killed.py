"""Killed at any point and run again, the work gives what an unbroken run gives."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from langgraph_memory import Memory
from langgraph_memory.testing import FrozenClock

from . import story
from .recordings import write_chats
from .world import DAN, EVERY_STATUS, FRIDAY, GPU, STAGING, leads_policy

HERE = Path(__file__).parent


def run(work, calls, *arguments):
    """One run of `killed.py`, and how many calls it made."""
    environment = os.environ | {"PYTHONPATH": str(HERE.parent), "NO_COLOR": "1"}
    done = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, str(HERE / "killed.py"), work, str(calls), *map(str, arguments)],
        env=environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    count = re.search(r"^calls=(\d+)$", done.stderr, re.MULTILINE)
    return done, int(count[1]) if count else None


def opened(folder):
    clock = FrozenClock(FRIDAY)
    clock.advance(days=20)
    return Memory.open(folder, policy=leads_policy(), clock=clock)


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
    done, total = run("consolidate", 0, unbroken)
    assert done.returncode == 0, done.stderr
    expected = snapshot(unbroken)
    assert len(expected["episodes"]) >= 3
    assert len(expected["facts"]) >= 2
    for share in (0.05, 0.35, 0.65, 0.95):
        folder = shutil.copytree(written, tmp_path / f"killed-{share}")
        killed, _ = run("consolidate", int(total * share), folder)
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        with opened(folder) as memory:
            memory.consolidate()
        assert snapshot(folder) == expected, share


def test_killed_again_and_again_it_still_arrives(written, tmp_path):
    unbroken = shutil.copytree(written, tmp_path / "unbroken")
    _, total = run("consolidate", 0, unbroken)
    step = total // 3
    for _ in range(4):
        done, _ = run("consolidate", step, written)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
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
    chats = write_chats(tmp_path / "chats.jsonl", conversations=6)
    options = ("--scope", str(STAGING))
    unbroken = tmp_path / "unbroken"
    done, total = run("ingest", 0, chats, "--path", unbroken, *options)
    assert done.returncode == 0, done.stderr
    expected = told(unbroken)
    assert expected["events"]
    for share in (0.3, 0.8):
        folder = tmp_path / f"killed-{share}"
        killed, _ = run("ingest", int(total * share), chats, "--path", folder, *options)
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        again, _ = run("ingest", 0, chats, "--path", folder, *options)
        assert again.returncode == 0, again.stderr
        assert told(folder) == expected, share

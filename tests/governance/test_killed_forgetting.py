"""Killed while it forgets, a memory has forgotten all of it or nothing, and forgets it when asked again."""

import multiprocessing
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

import langgraph_memory
from langgraph_memory import Memory
from langgraph_memory.testing import FrozenClock

from .world import (
    ANA,
    EVERY,
    GPU,
    KEEP,
    KEEP_SANDBOX,
    LEAD,
    POLICY,
    SANDBOX,
    START,
    TEAM,
    state,
    tell,
    traces,
    values,
)

PACKAGE = str(Path(langgraph_memory.__file__).parent)


def opened(folder):
    return Memory.open(folder, policy=POLICY, clock=FrozenClock(START), index=None)


def forget(folder, last, sender):
    """Forget an entity; the process ends by SIGKILL at the `last`-th call of a function of the package."""
    count = 0

    def profiler(frame, event, _argument):
        nonlocal count
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            count += 1
            if count == last:
                os.kill(os.getpid(), signal.SIGKILL)

    with opened(folder) as memory:
        sys.setprofile(profiler)
        memory.forget(TEAM, entity=GPU, principal=ANA)
        sys.setprofile(None)
    sender.send(count)


def run(folder, last=0):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["langgraph_memory.memory", "langgraph_memory.testing"])
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=forget, args=(folder, last, sender))
    process.start()
    sender.close()
    process.join(timeout=120)
    count = receiver.recv() if process.exitcode == 0 else None
    receiver.close()
    return process.exitcode, count


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lived") / "memory"
    with opened(folder) as memory:
        tell(memory, LEAD, f"{KEEP}. {KEEP_SANDBOX}.", activity="act-1", names=(GPU, SANDBOX))
        state(memory, f"{KEEP}, always", attribute="note")
    return folder


def test_killed_at_any_point_it_is_all_or_nothing(lived, tmp_path):
    whole = shutil.copytree(lived, tmp_path / "whole")
    code, total = run(whole)
    assert code == 0
    with opened(lived) as memory:
        before = values(memory.facts(TEAM, status=EVERY)), len(memory.events(TEAM))
    with opened(whole) as memory:
        after = values(memory.facts(TEAM, status=EVERY)), len(memory.events(TEAM))
    assert before != after
    seen = set()
    for share in (0.2, 0.4, 0.55, 0.7, 0.8, 0.9, 0.97):
        folder = shutil.copytree(lived, tmp_path / f"killed-{share}")
        assert run(folder, last=int(total * share))[0] == -signal.SIGKILL
        with opened(folder) as memory:
            found = values(memory.facts(TEAM, status=EVERY)), len(memory.events(TEAM))
            assert found in (before, after), share
            seen.add(found == after)
            memory.forget(TEAM, entity=GPU, principal=ANA)
            assert (values(memory.facts(TEAM, status=EVERY)), len(memory.events(TEAM))) == after
        assert traces(folder, GPU, "quixotic") == [], share
        assert traces(folder, "zephyr"), share
    assert False in seen

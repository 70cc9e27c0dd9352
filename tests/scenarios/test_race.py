"""Workers in several processes on one folder never make two current facts for one entity and attribute."""

import subprocess
import sys
import threading
import time
from pathlib import Path

from langgraph_memory import Memory

from .cast import EVERY_STATUS, POLICY, TEAM

ROUNDS = 12


def test_two_processes_that_say_different_things_leave_one_fact(tmp_path):
    folder, start = tmp_path / "memory", tmp_path / "start"
    Memory.open(folder, policy=POLICY, index=None).close()
    script = str(Path(__file__).with_name("racing.py"))
    workers = [
        subprocess.Popen([sys.executable, script, str(folder), name, str(start), str(ROUNDS)])
        for name in "ab"
    ]
    wait_for(lambda: all((folder / f"ready-{name}").exists() for name in "ab"))
    start.touch()
    assert [worker.wait(timeout=60) for worker in workers] == [0, 0]
    with Memory.open(folder, policy=POLICY, index=None) as memory:
        memory.consolidate()
        facts = memory.facts(TEAM, status=EVERY_STATUS)
    held = [fact for fact in facts if fact.status == "current"]
    assert len(held) == 1
    assert len(facts) == 2 * ROUNDS
    assert {fact.superseded_by for fact in facts} - {None} <= {fact.fact_id for fact in facts}


def test_threads_of_one_process_leave_one_fact(tmp_path):
    with Memory.open(tmp_path / "memory", policy=POLICY, index=None) as memory:
        threads = [threading.Thread(target=assertions, args=(memory, n)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        facts = memory.facts(TEAM, status=EVERY_STATUS)
        assert sum(fact.status == "current" for fact in facts) == 1
        assert len(facts) == 20


def assertions(memory, name):
    from .cast import LEAD  # noqa: PLC0415 - in the thread

    for number in range(5):
        memory.assert_fact(
            scope=TEAM, entity="db-1", attribute="plan", value=f"plan {name}-{number}", actor=LEAD
        )


def wait_for(condition, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)

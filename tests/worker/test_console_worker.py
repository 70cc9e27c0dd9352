"""`langgraph-memory worker` as a process, and `status`."""

import json
import os
import signal
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from langgraph_memory.cli import app
from langgraph_memory.consolidation.model import ModelFailureError

from .labour import PATIENCE, TEAM, opened, say, until

APP = """
from langgraph_memory import AuthorityRule, Memory, Policy, Scope

def memory():
    rule = AuthorityRule(roles={{"lead"}}, scope=Scope.of(workspace="staging"))
    return Memory.open({place!r}, policy=Policy(authority=[rule]), index=None)
"""


def console(*arguments):
    return CliRunner().invoke(app, [str(each) for each in arguments])


@pytest.fixture
def place(tmp_path):
    return tmp_path / "memory"


@pytest.fixture
def run(tmp_path):
    """Starts the console command as a process."""
    started = []

    def run(*arguments):
        process = subprocess.Popen(
            [sys.executable, "-c", "from langgraph_memory.cli import main; main()", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


def test_as_a_process_it_works_until_sigterm_and_leaves_nothing_leased(run, place, tmp_path):
    (tmp_path / "their_app.py").write_text(APP.format(place=str(place)), encoding="utf-8")
    with opened(place) as memory:
        say(memory, 0)
        process = run("worker", "--app", "their_app:memory", "--interval", "0.05")
        assert process.stdout.readline().startswith("Working")
        until(lambda: memory.facts(TEAM))
        say(memory, 1)
        until(lambda: len(memory.facts(TEAM)) == 2)
        until(lambda: memory.backlog().working == 0)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, err) == (0, "")
        assert "2 activities consolidated" in out
        assert memory.backlog().working == 0


def test_once_does_what_is_due_and_says_that_nobody_has_authority(place):
    with opened(place) as memory:
        say(memory, 0)
    result = console("worker", "--once", "--path", place)
    assert result.exit_code == 0
    assert "1 activities consolidated, 1 episodes, 0 failed" in result.stdout
    assert "nobody has authority" in result.stderr
    with opened(place) as memory:
        assert memory.facts(TEAM) == []
        assert len(memory.facts(TEAM, status=["unverified"])) == 1


def test_status_shows_what_waits_and_what_failed(place):
    class Failing:
        def extract(self, events, known):
            raise ModelFailureError("the model is\x1b[31m down")

    with opened(place, extractor=Failing()) as memory:
        say(memory, 0)
        assert "due                  1" in console("status", "--path", place).stdout
        memory.consolidate()
    result = console("status", "--path", place)
    assert result.exit_code == 0
    assert "retrying act-0 (attempt 2 from " in result.stdout
    assert "\x1b" not in result.stdout
    with opened(place) as memory, memory.log.database.write() as connection:
        connection.exec_driver_sql("UPDATE activities SET dead = 1")
    result = console("status", "--path", place)
    assert result.exit_code == 1
    assert "dead act-0: the model is [31m down" in result.stdout
    told = json.loads(console("status", "--json", "--path", place).stdout)
    assert (told["due"], len(told["dead"])) == (0, 1)
    assert "1 dead letters are due again" in console("worker", "--once", "--revive", "--path", place).stdout
    assert console("status", "--path", place).exit_code == 0


def test_what_can_not_be_worked_on_is_told(place):
    assert console("worker", "--once", "--path", place).exit_code == 2
    result = console("worker", "--app", "no_such_module:memory")
    assert result.exit_code == 2
    assert "write MODULE:NAME" in result.stderr
    assert console("status", "--path", place).exit_code == 2

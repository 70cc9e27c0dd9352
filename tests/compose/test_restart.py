"""A question outlives the process that asked it, where threads are kept on disk."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from langgraph_memory import Actor, Memory

from . import restarted

UPTIME, OFF = "uptime web-1", "poweroff gpu-bench-01"


def live(folder, form, step):
    script = Path(restarted.__file__)
    command = [sys.executable, str(script), str(folder), form, step]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("form", sorted(restarted.FORMS))
def test_the_answer_reaches_a_process_that_has_not_asked(tmp_path, form):
    policy = restarted.Policy(authority=[restarted.AuthorityRule(roles={"lead"}, scope=restarted.TEAM)])
    with Memory.open(tmp_path / "memory", policy=policy, index=None) as memory:
        memory.assert_fact(
            scope=restarted.TEAM,
            entity="gpu-bench-01",
            attribute="lifecycle",
            value="keep it",
            kind="constraint",
            forbids=("stop",),
            actor=Actor("user", "ana", roles={"lead"}),
        )
    asked = live(tmp_path, form, "ask")
    assert (asked["ran"], asked["asked"]) == ([], ["c1"])
    answered = live(tmp_path, form, "approve")
    assert sorted(answered["ran"]) == [OFF, UPTIME]
    assert answered["last"] == "Done."

"""Names that events bring: written with the event or not at all, and read once."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from langgraph_memory import Memory, Principal
from langgraph_memory.consolidation.facts.name_book import Known, names_of

from .world import GPU, LEAD, POLICY, TEAM, id_of, look, say

CHILD = """
import os, signal, sys
from pathlib import Path
from langgraph_memory import Memory
from tests_world import TEAM, look

moment = sys.argv[2]
memory = Memory.open(Path(sys.argv[1]), index=None)
aliases = memory.repository.ledger.aliases
add = aliases.add

def die(*arguments):
    if moment == "after":
        add(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)

aliases.add = die
look(memory, "gpu-bench-01", activity="act", event_id="ev-1")
"""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_between_event_and_name_there_are_both_or_none(tmp_path, moment):
    script = textwrap.dedent(CHILD).replace("tests_world", "governance.world")
    paths = {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])}
    killed = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "memory"), moment], env=os.environ | paths, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    with Memory.open(tmp_path / "memory", index=None) as memory:
        assert (memory.log.count(), memory.repository.names([TEAM])) == (0, [])
        look(memory, GPU, activity="act", event_id="ev-1")
        assert memory.log.count() == 1
        assert (GPU, id_of(GPU)) in memory.repository.names([TEAM])


def test_a_name_that_was_lost_comes_with_the_event_published_again(memory):
    look(memory, GPU, activity="act", event_id="ev-1")
    learnt = memory.repository.names([TEAM])
    assert learnt
    with memory.log.database.write() as connection:
        connection.exec_driver_sql("DELETE FROM aliases")
        memory.repository.ledger.counters.advance(connection, "names", "forgets")
    look(memory, GPU, activity="act", event_id="ev-1")
    assert memory.repository.names([TEAM]) == learnt
    assert memory.log.count() == 1


def test_a_name_known_by_a_rolled_back_write_is_not_taken_for_known(memory, monkeypatch):
    look(memory, "web-01", activity="act")
    aliases = memory.repository.ledger.aliases
    add = aliases.add

    def add_and_fail(*arguments):
        add(*arguments)
        raise OSError("no space")

    monkeypatch.setattr(aliases, "add", add_and_fail)
    with pytest.raises(OSError, match="no space"):
        look(memory, GPU, activity="act", event_id="ev-1")
    monkeypatch.setattr(aliases, "add", add)
    assert memory.log.get("ev-1") is None
    look(memory, GPU, activity="act", event_id="ev-1")
    assert (GPU, id_of(GPU)) in memory.repository.names([TEAM])


PAIRS = [
    ("bench", "i-9"),
    ("bench", "vm:i-7"),
    ("web", "i-1"),
    ("i-9", "i-9"),
    ("box", "srv:i-3"),
    ("i-3", "i-3"),
    ("shared", "i-1"),
    ("shared", "i-9"),
]


@pytest.mark.parametrize(
    "observed",
    [
        [],
        [("i-9", "vm:i-9")],
        [("bench", "i-5")],
        [("new", "i-1"), ("i-1", "vm:i-1")],
        [("I-3", "i-3"), ("other", "srv:i-4")],
        [("quite-new", "q-1")],
    ],
)
def test_known_names_with_observed_ones_are_what_all_together_give(observed):
    wanted = names_of([*PAIRS, *observed])
    names = Known(PAIRS).along_with(observed)
    assert dict(names.all) == wanted
    assert dict(names.plain) == {name: next(iter(ids)) for name, ids in wanted.items() if len(ids) == 1}


def test_consolidation_reads_the_names_of_a_scope_once(memory, monkeypatch):
    for number in range(5):
        look(memory, f"host-{number}", activity=f"act-{number}")
        say(
            memory,
            LEAD,
            f"Keep host-{number} running.",
            activity=f"act-{number}",
            event_type="feedback.correction",
        )
    aliases = memory.repository.ledger.aliases
    reads, read = [], aliases.of
    monkeypatch.setattr(aliases, "of", lambda *a, **b: reads.append(a) or read(*a, **b))
    assert memory.consolidate().activities == 5
    assert len(reads) == 1
    look(memory, "host-9", activity="act-9")
    say(memory, LEAD, "Keep host-9 running.", activity="act-9", event_type="feedback.correction")
    memory.consolidate()
    assert len(reads) == 2
    assert len(memory.facts(TEAM)) == 6
    agent = Principal("bot", grants=(TEAM,))
    assert (
        memory.check("stop_instance", {"id": id_of("host-9")}, principal=agent, scope=TEAM).outcome == "block"
    )


def test_the_policy_of_these_tests_gives_leads_authority():
    assert POLICY.authority_of(LEAD, TEAM, "lifecycle_policy") == "lead"

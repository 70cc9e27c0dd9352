"""What is wrong is named, with its remedy, and what came before is kept."""

import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from langgraph_memory import Actor, HybridStore, Memory, Principal
from langgraph_memory.errors import (
    ClosedError,
    ForeignFolderError,
    IndexMismatchError,
    MemoryRuntimeError,
    UnknownRecordError,
)
from langgraph_memory.testing import HashEmbeddings

from .world import ANA, GPU, KEEP, STAGING, constrain, end, leads_policy, say, values


@pytest.mark.parametrize(
    "kind", ["someone's files", "a database of someone else", "a file", "a broken database"]
)
def test_a_place_that_is_not_ours_is_refused_by_name_and_left_alone(tmp_path, kind):
    place = tmp_path / "precious"
    if kind == "a file":
        place.write_text("not a folder")
    else:
        with Memory.open(tmp_path / "probe"):
            pass
        place.mkdir()
        ours = [path for path in (tmp_path / "probe").rglob("*") if path.is_file() and _is_sqlite(path)]
        name = ours[0].relative_to(tmp_path / "probe")
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        if kind == "someone's files":
            (place / "thesis.txt").write_text("years of work")
        elif kind == "a database of someone else":
            with sqlite3.connect(place / name) as database:
                database.execute("CREATE TABLE thesis (word TEXT)")
            database.close()
        else:
            (place / name).write_bytes(b"this is no database at all" * 100)
    before = _contents(place)
    with pytest.raises(ForeignFolderError, match=re.escape(str(place))):
        Memory.open(place)
    assert _contents(place) == before


def _is_sqlite(path):
    return path.read_bytes()[:15] == b"SQLite format 3"


def _contents(place):
    paths = [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in paths}


def test_an_empty_folder_is_fine(tmp_path):
    (tmp_path / "new").mkdir()
    with Memory.open(tmp_path / "new") as memory:
        say(memory, Actor("user", "ana"), "hello", activity="act-1")
        assert len(list(memory.events(STAGING))) == 1


def test_vectors_of_another_model_are_refused_by_naming_the_remedy(tmp_path):
    place = tmp_path / "store"
    with HybridStore(place, index={"dims": 32, "embed": HashEmbeddings(32)}) as store:
        store.put(("docs",), "a", {"text": "the garage closes at nine"})
    with (
        pytest.raises(IndexMismatchError, match=r"32.*48.*rebuild"),
        HybridStore(place, index={"dims": 48, "embed": HashEmbeddings(48)}) as other,
    ):
        other.search(("docs",), query="parking garage")
    with HybridStore(place, index={"dims": 32, "embed": HashEmbeddings(32)}) as store:
        assert [item.key for item in store.search(("docs",), query="parking garage")] == ["a"]


def test_a_closed_memory_says_so(tmp_path):
    memory = Memory.open(tmp_path / "memory", policy=leads_policy())
    constrain(memory)
    memory.close()
    memory.close()
    for use in (
        lambda: constrain(memory),
        lambda: memory.facts(STAGING),
        lambda: say(memory, Actor("user", "ana"), "x", activity="act-1"),
        memory.consolidate,
    ):
        with pytest.raises(ClosedError, match="close"):
            use()
    assert memory.recall("x", principal=ANA, scope=STAGING).degraded
    with Memory.open(tmp_path / "memory", policy=leads_policy()) as again:
        assert again.recall("x", principal=ANA, scope=STAGING).degraded == ()
        assert values(again.facts(STAGING)) == [KEEP]


def test_a_receipt_that_nobody_has_is_named(memory):
    receipt = memory.recall("x", principal=ANA, scope=STAGING).receipt_id
    for unknown in ("unknown", receipt + "x", ""):
        with pytest.raises(UnknownRecordError, match=re.escape(repr(unknown))):
            memory.explain(unknown)
    assert memory.explain(receipt).id == receipt


@pytest.mark.parametrize(
    "wrong",
    [
        {"entity": ""},
        {"attribute": ""},
        {"value": ""},
        {"kind": "rumour"},
        {"scope": "org=acme"},
        {"actor": None},
    ],
    ids=str,
)
def test_an_assertion_that_is_none_is_refused_and_nothing_is_kept(memory, wrong):
    fields = {"scope": STAGING, "entity": GPU, "attribute": "note", "value": "x", "kind": "fact"}
    actor = Actor("user", "ana", roles={"infra_lead"})
    with pytest.raises((MemoryRuntimeError, ValueError, TypeError)) as refusal:
        memory.assert_fact(**({"actor": actor} | fields | wrong))
    (name,) = wrong
    assert name in str(refusal.value) or repr(wrong[name]) in str(refusal.value)
    assert memory.facts(STAGING) == []
    assert memory.assert_fact(actor=actor, **fields).outcome == "established"


def test_a_principal_without_a_name_is_refused():
    with pytest.raises(MemoryRuntimeError, match="user_id=''"):
        Principal("")
    assert Principal("ana").user_id == "ana"


FULL_DISK = """
import resource, sys
from pathlib import Path
from acceptance.world import LEAD, STAGING, say
from langgraph_memory import Memory
from langgraph_memory.errors import StorageError

folder, kept = Path(sys.argv[1]), 0
with Memory.open(folder) as memory:
    say(memory, LEAD, "before", activity="act-1")
    largest = max(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 100_000, limits[1]))
    try:
        for number in range(1000):
            say(memory, LEAD, "x" * 20_000, activity="act-1", event_id=f"evt-{number}")
            kept += 1
    except StorageError as error:
        print("refused:", error)
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    say(memory, LEAD, "after", activity="act-1")
    texts = [event.data["text"] for event in memory.events(STAGING)]
print("kept", kept, "listed", len(texts), "ends", texts[0], texts[-1])
"""


def test_a_full_disk_refuses_the_event_and_keeps_what_came_before(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path / "memory")],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent.parent), *sys.path])},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "refused:" in done.stdout
    kept, listed, first, last = re.search(r"kept (\d+) listed (\d+) ends (\w+) (\w+)", done.stdout).groups()
    assert 0 < int(kept) < 1000
    assert (int(listed), first, last) == (int(kept) + 2, "before", "after")


def test_closing_twice_is_fine_even_when_it_was_used_in_between(tmp_path):
    memory = Memory.open(tmp_path / "memory", policy=leads_policy())
    constrain(memory)
    memory.close()
    decision = memory.check("stop_instance", {"instance": GPU}, principal=ANA, scope=STAGING)
    assert decision.outcome in {"defer", "block"}
    memory.close()


def test_an_activity_that_fails_keeps_what_came_before(memory):
    say(memory, Actor("user", "ana"), "hello", activity="act-1")
    with pytest.raises(MemoryRuntimeError):
        say(memory, Actor("user", "ana"), "hello", activity="")
    end(memory, "act-1")
    assert [event.activity_id for event in memory.events(STAGING)] == ["act-1", "act-1"]

"""The notebooks run in a kernel, offline, and show what they say; what is kept of them is small."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

from langgraph_memory import Actor, Memory, Scope

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
LARGEST = 80_000

SHOWN = {
    "1": (
        'stop_instance is held for a person because of "Keep gpu-bench-01 running',
        "ignored | unverified",
        "allow",
    ),
    "2": (
        "Run the weekly staging cost cleanup of",
        "until the final benchmark is done",
        "superseded",
        "<svg",
        "entity",
    ),
    "3": ("no memory, raw-log retrieval, episodes only, full", "image/png", "full memory: 0 of"),
    "4": (
        "→ rate",
        "→ disk",
        "tool.completed",
        "Keep gpu-bench-01 running until QA has migrated",
        "block",
        "8 checkpoints",
    ),
    "5": (
        "Never delete db-7 until the audit is over",
        "unverified",
        "not confirmed",
        "retired",
        "ForgetReceipt",
        "False True",
        "hold the words: 0",
    ),
}
"""By the number of a notebook, what its outputs have to tell."""


def runner():
    spec = importlib.util.spec_from_file_location("notebooks_run", FOLDER / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outputs(notebook):
    """All that the cells put out, as one text."""
    shown = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    return json.dumps(shown, ensure_ascii=False)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore")  # of the kernel's client; the package's own are seen in the other tests
def test_a_notebook_runs_and_shows_what_it_says(path, tmp_path, monkeypatch):
    monkeypatch.delenv("LANGGRAPH_MEMORY_PATH", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parent))
    fresh = runner().executed(path, tmp_path)
    told = outputs(fresh)
    assert [part for part in SHOWN[path.stem[0]] if part not in told.replace('\\"', '"')] == []
    kept = outputs(json.loads(path.read_text(encoding="utf-8")))
    assert len(kept) == pytest.approx(len(told), rel=0.2)  # they were run since they were last changed


@pytest.mark.parametrize("held", ["nothing", "a rule", "a claim of nobody with a say"])
@pytest.mark.filterwarnings("ignore")
def test_a_folder_of_ones_own_is_explored_whatever_it_holds(held, tmp_path, monkeypatch):
    scope = Scope.of(org="acme", user="lena") if held == "a rule" else Scope.of(org="acme")
    with Memory.open(tmp_path / "memory") as memory:
        if held != "nothing":
            lena, said = Actor("user", "lena"), {"text": "Never stop gpu-bench-01."}
            memory.publish(scope=scope, activity_id="a", event_type="message.user", actor=lena, data=said)
            memory.publish(scope=scope, activity_id="a", event_type="activity.completed", actor=lena)
            memory.consolidate()
    monkeypatch.setenv("LANGGRAPH_MEMORY_PATH", str(tmp_path / "memory"))
    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parent))
    told = outputs(runner().executed(FOLDER / "2_recall_by_entity.ipynb", tmp_path))
    assert ("gpu-bench-01" in told) == (held != "nothing")
    assert ("no episode is about it" in told) == (held == "nothing")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_kept_of_a_notebook_is_small_and_names_no_place(path):
    kept = path.read_text(encoding="utf-8")
    assert len(kept) < LARGEST
    assert not re.search(r"/(home|root|Users|tmp|work)/", kept)


@pytest.mark.filterwarnings("ignore")
def test_the_second_notebook_explores_a_memory_of_ones_own(tmp_path, monkeypatch):
    mine = Scope.of(org="home", user="mia")
    with Memory.open(tmp_path / "mine") as memory:
        memory.assert_fact(
            scope=mine, entity="bike", attribute="place", value="The bike stands in the cellar",
            actor=Actor("user", "mia"),
        )  # fmt: skip
        memory.publish(
            scope=mine, activity_id="a", event_type="message.user", actor=Actor("user", "mia"),
            entities=["bike"], data={"text": "Where is the bike?"},
        )  # fmt: skip
        memory.publish(
            scope=mine,
            activity_id="a",
            event_type="activity.completed",
            actor=Actor("user", "mia"),
            wait=True,
        )
    monkeypatch.setenv("LANGGRAPH_MEMORY_PATH", str(tmp_path / "mine"))
    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parent))
    told = outputs(runner().executed(FOLDER / "2_recall_by_entity.ipynb", tmp_path))
    assert "The bike stands in the cellar" in told
    assert "gpu-bench-01" not in told

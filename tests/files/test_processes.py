"""Two real processes that edit the same notes at once."""

import multiprocessing
import threading
from contextlib import suppress

import pytest

from langgraph_memory import Memory
from langgraph_memory.errors import MemoryFileError

from .conftest import BOB, TEAM

SHARED = "/memories/shared.md"
EACH = 25


def write_lines(folder, name, barrier):
    """Insert lines, replace some, and create files that the other one may have created."""
    with Memory.open(folder, index=None) as memory:
        notes = memory.files(principal=BOB, scope=TEAM)
        barrier.wait()
        for number in range(EACH):
            notes.insert(SHARED, 0, f"{name} {number} draft\n")
            notes.str_replace(SHARED, f"{name} {number} draft", f"{name} {number} done")
            with suppress(MemoryFileError):
                notes.create(f"/memories/file-{number}", name)


@pytest.mark.parametrize("kind", ["processes", "threads"])
def test_no_edit_is_lost(tmp_path, kind):
    with Memory.open(tmp_path / "memory", index=None) as memory:
        notes = memory.files(principal=BOB, scope=TEAM)
        notes.create(SHARED, "")
        if kind == "processes":
            context = multiprocessing.get_context("forkserver")
            make, barrier = context.Process, context.Barrier(2)
        else:
            make, barrier = threading.Thread, threading.Barrier(2)
        workers = [make(target=write_lines, args=(tmp_path / "memory", name, barrier)) for name in "ab"]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(60)
        lines = notes.read(SHARED).splitlines()
        assert sorted(lines) == sorted(f"{name} {number} done" for name in "ab" for number in range(EACH))
        texts = [notes.read(f"/memories/file-{number}") for number in range(EACH)]
        assert set(texts) <= {"a", "b"}
        assert len(memory.repository.store.search(("langgraph_memory",), limit=1000)) == EACH + 1

"""What playbooks add to a recall, and how long the memory tool takes to show a note.

usage: python benchmarks/playbooks.py [--procedures N] [--files N] [--repeat N]

Medians and 95th percentiles in milliseconds; the recall is measured before and after there are procedures.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from topics import TOPICS

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope

TEAM = Scope.of(org="acme", workspace="web")
LEAD = Actor("user", "ana", roles={"lead"})
ANA = Principal("ana", roles={"lead"}, grants=(TEAM,))
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--procedures", type=int, default=500)
    parser.add_argument("--files", type=int, default=1_000)
    parser.add_argument("--repeat", type=int, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder) / "m", policy=POLICY) as memory:
        rows = recalling(memory, options.procedures, options.repeat) | viewing(
            memory, options.files, options.repeat
        )
    for name, (median, high) in rows.items():
        print(f"{name:<44}{median:8.2f}{high:8.2f}")


def recalling(memory: Memory, procedures: int, repeat: int) -> dict[str, tuple[float, float]]:
    """A recall among 1,000 facts, without procedures and with them."""
    for number in range(1_000):
        memory.assert_fact(
            scope=TEAM,
            entity=f"srv-{number}",
            attribute="note",
            value=f"{_topic(number)} runs on rack {number}",
            actor=LEAD,
        )

    def recall(number: int) -> None:
        memory.recall(f"the {_topic(number)} of the cluster", principal=ANA, scope=TEAM)

    timed(recall, repeat)
    rows = {"recall without procedures": timed(recall, repeat)}
    for number in range(procedures):
        draft = memory.procedures.propose(
            scope=TEAM,
            procedure_id=f"p{number}",
            trigger_intent=f"{_topic(number)} task {number}",
            steps=[f"Look at {_topic(number)}.", "Do it.", "Check it."],
            tools=["run_task"],
            actor=LEAD,
        )
        memory.procedures.approve(draft.procedure_id, scope=TEAM, principal=ANA)
    timed(recall, repeat)
    return rows | {f"recall with {procedures} procedures": timed(recall, repeat)}


def viewing(memory: Memory, files: int, repeat: int) -> dict[str, tuple[float, float]]:
    """Views of a file and of directories among many files."""
    notes = memory.files(principal=ANA, scope=TEAM)
    for number in range(files):
        notes.write(f"/memories/dir-{number % 10}/note-{number:04}.md", f"line {number}\n" * 40)
    paths = {
        "a file": "/memories/dir-3/note-0003.md",
        "a directory": "/memories/dir-3",
        "all": "/memories",
    }
    return {
        f"view of {what} among {files} files": timed(lambda _, at=path: notes.view(at), repeat)
        for what, path in paths.items()
    }


def timed(work: Callable[[int], object], repeat: int) -> tuple[float, float]:
    """Median and 95th percentile of a piece of work, in milliseconds."""
    times = []
    for number in range(repeat):
        started = time.perf_counter()
        work(number)
        times.append(1_000 * (time.perf_counter() - started))
    times.sort()
    return times[repeat // 2], times[int(repeat * 0.95)]


def _topic(number: int) -> str:
    return f"{TOPICS[number % 10]} {TOPICS[number // 10 % 10]}"


if __name__ == "__main__":
    main()

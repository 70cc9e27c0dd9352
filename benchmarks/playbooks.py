"""What playbooks add to a recall, and how long the memory tool takes to show a note.

usage: python benchmarks/playbooks.py [--json FILE] [--procedures N] [--files N] [--repeat N]

Medians and 95th percentiles in milliseconds; the recall is measured before and after there are procedures.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from measuring import interleaved, keep, options, times
from topics import TOPICS

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope

TEAM = Scope.of(org="acme", workspace="web")
LEAD = Actor("user", "ana", roles={"lead"})
ANA = Principal("ana", roles={"lead"}, grants=(TEAM,))
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])


def main() -> None:
    """Measure and print a table."""
    given = options(__doc__, procedures=500, files=1_000, repeat=300)
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder) / "m", policy=POLICY) as memory:
        rows = recalling(memory, given.procedures, given.repeat)
        rows |= viewing(memory, given.files, given.repeat)
    print(times(rows))
    keep(rows, given.json)


def recalling(memory: Memory, procedures: int, repeat: int) -> dict[str, dict[str, float]]:
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

    name = "recall without playbooks"
    interleaved({name: recall}, repeat)
    rows = interleaved({name: recall}, repeat)
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
    name = f"recall with {procedures} playbooks"
    interleaved({name: recall}, repeat)
    return rows | interleaved({name: recall}, repeat)


def viewing(memory: Memory, files: int, repeat: int) -> dict[str, dict[str, float]]:
    """Views of a file and of directories among many files."""
    notes = memory.files(principal=ANA, scope=TEAM)
    for number in range(files):
        notes.write(f"/memories/dir-{number % 10}/note-{number:04}.md", f"line {number}\n" * 40)
    paths = {
        "a file": "/memories/dir-3/note-0003.md",
        "a directory": "/memories/dir-3",
        "all": "/memories",
    }
    views = {
        f"view of {what} among {files} files": lambda _, at=path: notes.view(at)
        for what, path in paths.items()
    }
    return interleaved(views, repeat)


def _topic(number: int) -> str:
    return f"{TOPICS[number % 10]} {TOPICS[number // 10 % 10]}"


if __name__ == "__main__":
    main()

"""How many activities consolidation takes a second, without a model.

usage: python benchmarks/consolidation.py [--activities N] [--json FILE]

An activity has three events: a request, a tool call that changes something, the end. Rows: claimed in
batches, and one by one as soon as each has ended.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from measuring import keep, numbers, options

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Scope

TEAM = Scope.of(org="acme", workspace="staging")
LEAD = Actor("user", "ana", roles={"lead"})
RUNTIME = Actor("system", "runtime")
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=Scope.of(org="acme"))])


def main() -> None:
    """Measure both ways and print a table."""
    given = options(__doc__, activities=1_000)
    with tempfile.TemporaryDirectory() as folder:
        rows = {
            "in batches": batches(Path(folder) / "batches", given.activities),
            "one by one": singly(Path(folder) / "singly", given.activities // 2),
        }
    print(numbers("consolidated", "activities a second", rows, digits=0))
    keep(rows, given.json)


def batches(folder: Path, number: int) -> float:
    """Activities a second when all wait and `consolidate` claims them in batches."""
    with Memory.open(folder, policy=POLICY) as memory:
        for activity in range(number):
            events(memory, activity)
        started = time.perf_counter()
        report = memory.consolidate()
        rate = report.activities / (time.perf_counter() - started)
    check(report.episodes, number)
    return rate


def singly(folder: Path, number: int) -> float:
    """Activities a second when each is consolidated as soon as it ends; publishing is not counted."""
    spent, done = 0.0, 0
    with Memory.open(folder, policy=POLICY) as memory:
        for activity in range(number):
            events(memory, activity)
            started = time.perf_counter()
            done += memory.consolidate(limit=1).episodes
            spent += time.perf_counter() - started
    check(done, number)
    return number / spent


def events(memory: Memory, activity: int) -> None:
    """The three events of an activity; every tenth lays down a rule."""
    machine, name = f"i-{activity:05}", f"act-{activity}"
    rule = f"Keep {machine} running until QA has migrated."
    text = rule if activity % 10 == 0 else f"Please restart {machine}, it hangs."
    said = {"scope": TEAM, "activity_id": name}
    memory.publish(event_type="message.user", actor=LEAD, data={"text": text}, **said)
    data = {
        "tool": "restart_instance",
        "args": {"id": machine},
        "output": {"id": machine, "state": "running"},
    }
    memory.publish(event_type="tool.completed", actor=Actor("tool", "restart_instance"), data=data, **said)
    memory.publish(event_type="activity.completed", actor=RUNTIME, data={"status": "completed"}, **said)


def check(done: int, wanted: int) -> None:
    """Refuse a measurement of work that was not done."""
    if done != wanted:
        raise SystemExit(f"{done} episodes of {wanted} activities: this is no measurement")


if __name__ == "__main__":
    main()

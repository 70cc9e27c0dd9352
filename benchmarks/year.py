"""A simulated year: does memory find in month 12 what it found in month 1?

usage: python benchmarks/year.py [--activities N] [--json FILE]

Machines of a team are worked on day by day: restarts and resizes, decisions that people make, change and
lift, and much that repeats. The clock is the simulation's, and consolidation runs by itself.
At the end of each month every machine is asked about within the usual budget. Rows a month:

precision: of the recalled facts, how many are what people hold now.
recall: of what people hold now about the machine, how much was recalled.
stale: of the recalled facts, how many people no longer hold (0 is good).
first: of the machines that were worked on, how often the first observation told is the present one.
facts, episodes: how many are current, and how many are found by searching.
size: the database, in MB. recall_ms: the median of a recall.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path

from measuring import keep, options

from langgraph_memory import Actor, AuthorityRule, Episode, Fact, Memory, Policy, Principal, Scope
from langgraph_memory.records import FactKind
from langgraph_memory.testing import FrozenClock

TEAM = Scope.of(org="acme", workspace="staging")
LEAD = Actor("user", "ana", roles={"lead"})
RUNTIME = Actor("system", "runtime")
AGENT = Principal("bot", grants=(TEAM,))
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
MONTHS = 12
DAYS = 30
MACHINES = 60
WINDOWS = ("22:00", "01:00", "03:30", "05:15", "12:45")


class Year:
    """What happens, and what is true of it.

    Attributes:
        held: the value that people hold for each machine and attribute.
        said: when.
        states: how each machine stood when it was last worked on.
    """

    def __init__(self, memory: Memory, clock: FrozenClock) -> None:
        self.memory = memory
        self.clock = clock
        self.chance = random.Random(7)
        self.held: dict[tuple[str, str], str] = {}
        self.said: dict[tuple[str, str], datetime] = {}
        self.states: dict[str, str] = {}
        self.activities = 0

    def activity(self) -> None:
        """One activity on one machine: mostly work, sometimes a word of the lead."""
        self.activities += 1
        machine = f"srv-{self.chance.randrange(MACHINES):03}"
        name = f"act-{self.activities}"
        draw = self.chance.random()
        if draw < 0.06:
            self._says(
                name, machine, "maintenance_window", f"{machine}: maintain at {self.chance.choice(WINDOWS)}"
            )
        elif draw < 0.09:
            size = self.chance.choice(("small", "medium", "large"))
            self._says(name, machine, "size_policy", f"{machine}: keep it {size}")
        elif draw < 0.10 and self.held:
            self._lifts(*self.chance.choice(sorted(self.held)))
        else:
            self._works(name, machine)

    def _says(self, name: str, machine: str, attribute: str, value: str) -> None:
        self.memory.assert_fact(
            scope=TEAM, entity=machine, attribute=attribute, value=value, actor=LEAD, kind="project",
            evidence_ref=f"chat://{name}",
        )  # fmt: skip
        self.held[machine, attribute] = value
        self.said[machine, attribute] = self.clock()

    def _lifts(self, machine: str, attribute: str) -> None:
        for fact in self.memory.facts(TEAM, entity=machine, attribute=attribute):
            who = Principal("ana", roles={"lead"}, grants=(TEAM,))
            self.memory.retire(fact.fact_id, principal=who, evidence_ref=f"ticket://{self.activities}")
        del self.held[machine, attribute]

    def _works(self, name: str, machine: str) -> None:
        tool = self.chance.choice(("restart_instance", "resize_instance", "patch_instance"))
        failing = self.chance.random() < 0.1
        state = self.chance.choice(("running", "degraded", "draining"))
        output = f"Error: {tool} timed out" if failing else {"id": machine, "state": state}
        said = {"scope": TEAM, "activity_id": name}
        self.memory.publish(
            event_type="tool.completed", actor=Actor("tool", tool), entities=(machine,),
            data={"tool": tool, "args": {"id": machine}, "output": output}, **said,
        )  # fmt: skip
        self.memory.publish(
            event_type="activity.completed", actor=RUNTIME, data={"status": "completed"}, **said
        )
        if not failing:
            self.states[machine] = state


def main() -> None:
    """Live through the year and print a row a month."""
    given = options(__doc__, activities=10_000)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "memory"
        rows = live(folder, given.activities)
    keep(rows, given.json)


def live(folder: Path, activities: int) -> list[dict[str, float]]:
    """A year in a memory of its own."""
    clock = FrozenClock()
    with Memory.open(folder, policy=POLICY, clock=clock, index=None) as memory:
        return lived(Year(memory, clock), activities, folder)


def lived(year: Year, activities: int, folder: Path) -> list[dict[str, float]]:
    """The rows, each printed as soon as its month is over."""
    rows: list[dict[str, float]] = []
    a_day = activities / (MONTHS * DAYS)
    for day in range(1, MONTHS * DAYS + 1):
        while year.activities < a_day * day:
            year.activity()
        year.memory.consolidate()
        year.clock.advance(days=1)
        if day % DAYS == 0:
            rows.append({"month": day // DAYS, **measured(year), "size": size(folder)})
            if len(rows) == 1:
                print("  ".join(f"{name:>9}" for name in rows[0]))
            print("  ".join(f"{value:9.3g}" for value in rows[-1].values()), flush=True)
    return rows


def measured(year: Year) -> dict[str, float]:
    """Every machine asked about once, within the usual budget."""
    told = kept = true = wanted = first = seen = 0
    times = []
    for machine in sorted(year.states):
        started = time.perf_counter()
        found = year.memory.recall(f"work on {machine}", principal=AGENT, scope=TEAM, entities=(machine,))
        times.append((time.perf_counter() - started) * 1000)
        facts = [
            item.record
            for item in found.items
            if isinstance(item.record, Fact) and item.record.entity == machine
        ]
        now = {value for (of, _), value in year.held.items() if of == machine}
        told += len(facts)
        true += sum(fact.value in now for fact in facts)
        fresh = held_lately(year, machine)
        wanted += len(fresh)
        kept += len(fresh & {fact.value for fact in facts})
        first += shown(found, machine) == year.states[machine]
        seen += 1
    return {
        "precision": true / told if told else 1.0,
        "recall": kept / wanted if wanted else 1.0,
        "stale": 1 - true / told if told else 0.0,
        "first": first / seen,
        "facts": len(year.memory.facts(TEAM)),
        "episodes": sum(each.archived_into is None for each in year.memory.episodes(TEAM)),
        "recall_ms": statistics.median(times),
    }


def held_lately(year: Year, machine: str) -> set[str]:
    """What people hold about a machine and said within the interval in which the policy asserts it."""
    since = year.clock() - POLICY.revalidate[FactKind.PROJECT]["explicit"] + timedelta(days=1)
    return {value for place, value in year.held.items() if place[0] == machine and year.said[place] >= since}


def shown(found: object, machine: str) -> str | None:
    """The state of the machine that the first episode tells."""
    for item in found.items:  # type: ignore[attr-defined]
        if isinstance(item.record, Episode):
            for each in item.record.observed:
                if (each.entity, each.attribute) == (machine, "state"):
                    return each.value
    return None


def size(folder: Path) -> float:
    """The files of the memory, in MB."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


if __name__ == "__main__":
    main()

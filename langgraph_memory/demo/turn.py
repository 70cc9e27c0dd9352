"""The present turn of CostGuard, as its messages show it: the instances with what was measured."""

from __future__ import annotations

from typing import Any

from langgraph_memory.evaluation import turn
from langgraph_memory.records import Record

IDLE_HOURS = {"gpu": 72, "general": 336}
"""By class of machine, for how long it may be idle before the cleanup stops it."""


class Instance(Record):
    """An instance as the tools show it; what only its metrics tell is None before they are in."""

    id: str
    name: str
    kind: str
    state: str
    idle_hours: int | None = None
    avg_cpu_pct: float | None = None

    @property
    def names(self) -> tuple[str, str]:
        """How texts call it."""
        return self.name, self.id

    @property
    def idle(self) -> bool:
        """Whether it has been idle too long."""
        return self.idle_hours is not None and self.idle_hours >= IDLE_HOURS[self.kind]


class Turn(turn.Turn):
    """What a person asked last, and the instances that the tools have shown since."""

    @property
    def instances(self) -> dict[str, Instance]:
        """The instances by id, with their metrics where these are in."""
        listed = [entry for output in self.outputs("list_instances") for entry in output["instances"]]
        measured = {output["id"]: output for output in self.outputs("get_instance_metrics")}
        return {entry["id"]: _instance(entry, measured.get(entry["id"], {})) for entry in listed}


def _instance(entry: dict[str, Any], metrics: dict[str, Any]) -> Instance:
    return Instance(
        id=entry["id"],
        name=entry["name"],
        kind=entry["class"],
        state=entry["state"],
        idle_hours=metrics.get("idle_hours"),
        avg_cpu_pct=metrics.get("avg_cpu_pct"),
    )

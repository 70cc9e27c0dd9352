"""The tools that the agent gets over the cloud. They show what runs and how busy it is, not who needs it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from langchain_core.tools import BaseTool, ToolException, tool

from langgraph_memory.demo.cloud import Cloud, Machine, UnknownMachineError

_HOUR = timedelta(hours=1)


def cloud_tools(cloud: Cloud) -> list[BaseTool]:
    """The tools, with structured outputs: list, measure, stop and start instances."""

    @tool
    def list_instances() -> dict[str, Any]:
        """List all instances of staging-cloud with their state and price."""
        return {"instances": [_shown(cloud, machine) for machine in cloud.machines()]}

    @tool
    def get_instance_metrics(instance_id: str, window_hours: int = 72) -> dict[str, Any]:
        """Get the mean CPU load of an instance over the last hours, and for how long it has been idle."""
        machine = _found(cloud, instance_id)
        return {
            "type": "cloud-instance",
            "id": machine.id,
            "name": machine.name,
            "window_hours": window_hours,
            "avg_cpu_pct": cloud.average_cpu(machine.id, window_hours * _HOUR),
            "idle_hours": cloud.idle_time(machine.id) // _HOUR,
        }

    @tool
    def stop_instance(instance_id: str) -> dict[str, Any]:
        """Stop an instance. What runs on it ends."""
        return _set(cloud, instance_id, "stopped")

    @tool
    def start_instance(instance_id: str) -> dict[str, Any]:
        """Start a stopped instance."""
        return _set(cloud, instance_id, "running")

    return [list_instances, get_instance_metrics, stop_instance, start_instance]


def _shown(cloud: Cloud, machine: Machine) -> dict[str, Any]:
    fields = {"id": machine.id, "name": machine.name, "class": machine.kind, "hourly_usd": machine.hourly_usd}
    return {"type": "cloud-instance", **fields, "state": cloud.state(machine.id)}


def _set(cloud: Cloud, instance_id: str, state: str) -> dict[str, Any]:
    machine = _found(cloud, instance_id)
    cloud.set_state(machine.id, state)
    return {"type": "cloud-instance", "id": machine.id, "name": machine.name, "state": state}


def _found(cloud: Cloud, instance_id: str) -> Machine:
    try:
        return cloud.machine(instance_id)
    except UnknownMachineError as error:
        raise ToolException(str(error)) from error

"""The present turn of the agent, as its messages show it: the request, the tools' answers, the instances."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from langgraph_memory.records import Record

IDLE_HOURS = {"gpu": 72, "general": 336}
"""By class of machine, for how long it may be idle before the cleanup stops it."""


class Result(Record):
    """A tool's answer; `output` is JSON, or the text of a refusal or failure."""

    tool: str
    args: dict[str, Any]
    output: Any
    failed: bool


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


class Turn(Record):
    """What a person asked last, and what the tools have answered since.

    `position` is the number of messages so far: ids are made from it, so that they are the same each time.
    """

    position: int
    request: str
    results: tuple[Result, ...]

    @classmethod
    def of(cls, messages: Sequence[AnyMessage]) -> Turn:
        """The turn that begins with the last human message."""
        start = max((i for i, message in enumerate(messages) if isinstance(message, HumanMessage)), default=0)
        results = tuple(_results(messages[start:]))
        return cls(position=len(messages), request=messages[start].text if messages else "", results=results)

    @property
    def instances(self) -> dict[str, Instance]:
        """The instances by id, with their metrics where these are in."""
        listed = [entry for output in self._outputs("list_instances") for entry in output["instances"]]
        measured = {output["id"]: output for output in self._outputs("get_instance_metrics")}
        return {entry["id"]: _instance(entry, measured.get(entry["id"], {})) for entry in listed}

    def answers(self, tool: str) -> list[Result]:
        """The answers of one tool, refusals among them."""
        return [result for result in self.results if result.tool == tool]

    def call(self, *calls: tuple[str, dict[str, Any]]) -> AIMessage:
        """The agent's next message: it calls tools."""
        numbered = [
            {"name": name, "args": args, "id": f"call-{self.position}-{number}"}
            for number, (name, args) in enumerate(calls)
        ]
        return AIMessage("", tool_calls=numbered, id=f"plan-{self.position}")

    def say(self, text: str) -> AIMessage:
        """The agent's last message of the turn."""
        return AIMessage(text, id=f"plan-{self.position}")

    def _outputs(self, tool: str) -> list[Any]:
        return [result.output for result in self.answers(tool) if not result.failed]


def _instance(entry: dict[str, Any], metrics: dict[str, Any]) -> Instance:
    return Instance(
        id=entry["id"],
        name=entry["name"],
        kind=entry["class"],
        state=entry["state"],
        idle_hours=metrics.get("idle_hours"),
        avg_cpu_pct=metrics.get("avg_cpu_pct"),
    )


def _results(messages: Sequence[AnyMessage]) -> Iterator[Result]:
    calls: dict[str | None, Any] = {}
    for message in messages:
        if isinstance(message, AIMessage):
            calls |= {call["id"]: call for call in message.tool_calls}
        elif isinstance(message, ToolMessage):
            call, failed = calls[message.tool_call_id], message.status == "error"
            output = message.text if failed else json.loads(message.text)
            yield Result(tool=call["name"], args=call["args"], output=output, failed=failed)

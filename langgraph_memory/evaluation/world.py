"""The scripted world: things that LangChain tools list and change, and what was done to them."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import BaseModel, create_model

from langgraph_memory.evaluation.scenario import Reading, Scenario, Thing
from langgraph_memory.records import Record


class Deed(Record):
    """A tool that was applied to a thing, by its name."""

    tool: str
    thing: str


class World:
    """The things of a scenario and the tools over them. Any thread may use it.

    Args:
        scenario: says what there is.
        seed: decides the order in which things are listed.
    """

    def __init__(self, scenario: Scenario, seed: int) -> None:
        self._scenario = scenario
        self._things = list(scenario.things.all())
        random.Random(seed).shuffle(self._things)  # noqa: S311 - a reproducible order, no secret
        self._lock = threading.Lock()
        self._done: list[Deed] = []

    def fresh(self) -> None:
        """All things as at the beginning, so that each request is judged by itself."""
        with self._lock:
            self._done = []

    @property
    def done(self) -> tuple[Deed, ...]:
        """What the tools have done since the beginning, in order."""
        with self._lock:
            return tuple(self._done)

    @property
    def argument(self) -> str:
        """How the tools call the id of a thing: `instance_id` for a `cloud-instance`."""
        return f"{self._scenario.things.type.rpartition('-')[2]}_id"

    def tools(self) -> list[BaseTool]:
        """The tools: one that lists, one that acts, and the one for what may not be acted on."""
        routine = self._scenario.routine
        kind = self._scenario.things.type
        changing = filter(None, [routine.act, routine.otherwise])
        readings = {session.reads.tool: session.reads for session in self._scenario.sessions if session.reads}
        return [
            self._listing(routine.look, kind),
            *(self._changing(name, kind) for name in changing),
            *(_reading(reading) for reading in readings.values()),
        ]

    def _listing(self, name: str, kind: str) -> BaseTool:
        def look() -> dict[str, Any]:
            return {"items": [self._shown(thing) for thing in self._things]}

        return StructuredTool.from_function(look, name=name, description=f"List each {kind} with its state.")

    def _changing(self, name: str, kind: str) -> BaseTool:
        def change(**given: str) -> dict[str, Any]:
            thing = self._found(given[self.argument])
            with self._lock:
                self._done.append(Deed(tool=name, thing=thing.name))
            return {"type": kind, "id": thing.id, "name": thing.name, "result": "done"}

        schema: type[BaseModel] = create_model(f"{name}_arguments", **{self.argument: (str, ...)})  # type: ignore[call-overload]
        described = f"{name.replace('_', ' ').capitalize()}: one {kind}, by its id."
        return StructuredTool.from_function(change, name=name, description=described, args_schema=schema)

    def _shown(self, thing: Thing) -> dict[str, Any]:
        return {"type": self._scenario.things.type, "id": thing.id, "name": thing.name, **thing.fields}

    def _found(self, thing_id: str) -> Thing:
        for thing in self._things:
            if thing_id in (thing.id, thing.name):
                return thing
        raise ToolException(f"nothing has the id {thing_id!r}: list what there is first")


def _reading(reading: Reading) -> BaseTool:
    """A tool that shows what the scenario has written for it."""
    fields: dict[str, Any] = {name: (type(value), ...) for name, value in reading.args.items()}
    schema: type[BaseModel] = create_model(f"{reading.tool}_arguments", **fields)
    described = f"{reading.tool.replace('_', ' ').capitalize()}."
    return StructuredTool.from_function(
        lambda **_: reading.output, name=reading.tool, description=described, args_schema=schema
    )


def named(scenario: Scenario, calls: Sequence[tuple[str, dict[str, Any]]]) -> list[Deed]:
    """Tool calls as deeds on things, where an argument is the id or the name of one."""
    names = {key: thing.name for thing in scenario.things.all() for key in (thing.id, thing.name)}
    return [
        Deed(tool=tool, thing=names[str(value)])
        for tool, args in calls
        for value in args.values()
        if str(value) in names
    ]

"""Tools that carry the guard themselves: wherever they are handed on to, a subagent's tools node included."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from langchain_core.messages import ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config
from langchain_core.tools import BaseTool, tool
from langgraph.runtime import Runtime, get_runtime

from langgraph_memory.arguments import refusal, shown
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.memory import Memory
from langgraph_memory.runtime.identity import Identify
from langgraph_memory.runtime.payloads import graph_messages, last_ai
from langgraph_memory.runtime.rulings import Ruling, refused
from langgraph_memory.runtime.steps import Steps
from langgraph_memory.signature import checked

_SPLIT_TASKS = "__pregel_push"
_KEPT = 256


@checked("tools")
def guard_tools(
    tools: Sequence[BaseTool | Callable[..., Any]], memory: Memory, *, identify: Identify | None = None
) -> list[BaseTool]:
    """The same tools, each of which asks the guard before it runs.

    Frameworks hand tools on to agents that they make themselves, but not what stands around the tools: a
    guarded tool holds in all of them. In one tools node all calls are decided before one of them runs, and a
    person is asked once for all. Names, schemas and injected arguments stay as they are. Memory is told of
    the tools, so that procedures made for other ones are offered no more.

    Args:
        tools: LangChain tools, or functions to be made such.
        memory: whose constraints count.
        identify: who is acting; by default the run's `MemoryContext`, on a server the authenticated user.
            Outside of a run nobody is known, and what doesn't only read is held.

    Raises:
        ConfigurationError: something that is no tool; what runs at a model's provider can't be guarded here.

    Example:
        >>> @tool
        ... def stop_instance(name: str) -> str:
        ...     '''Stop a machine.'''
        ...     return "stopped"
        >>> with Memory.open(":memory:") as memory:
        ...     (guarded,) = guard_tools([stop_instance], memory)
        ...     guarded.name, guarded.invoke({"name": "gpu-1"})[:21]
        ('stop_instance', 'stop_instance is held')
    """
    if isinstance(tools, str) or not isinstance(tools, Iterable):
        raise refusal("tools", tools, "a list of tools")
    steps = Steps(memory, identify=identify)
    made = [_as_tool(each) for each in tools]
    steps.see(made)
    bench = _Bench(steps, frozenset(each.name for each in made))
    return [_guarded(each, bench) for each in made]


def _as_tool(given: Any) -> BaseTool:
    if isinstance(given, BaseTool):
        return given
    if callable(given):
        return tool(given)  # type: ignore[no-any-return]
    raise ConfigurationError(
        f"tools={shown(given)} is no tool that runs here, so no guard can stand before it: give tools or "
        "functions"
    )


def _guarded(inner: BaseTool, bench: _Bench) -> BaseTool:
    """A copy of a tool whose class is the tool's own, but for the two ways to invoke it."""
    kind: Any = type(inner)

    class Guarded(kind):  # type: ignore[misc]
        def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002
            ruling = bench.ruling(_call(self, input), ensure_config(config))
            if ruling.refusal is not None:
                return _answer(ruling, input)
            return bench.ran(ruling, inner.invoke(input, config, **kwargs))

        async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002
            ruling = await asyncio.to_thread(bench.ruling, _call(self, input), ensure_config(config))
            if ruling.refusal is not None:
                return _answer(ruling, input)
            return bench.ran(ruling, await inner.ainvoke(input, config, **kwargs))

    Guarded.__name__ = Guarded.__qualname__ = kind.__name__
    copied = inner.model_copy()
    object.__setattr__(copied, "__class__", Guarded)
    return copied


def _call(used: BaseTool, given: Any) -> dict[str, Any]:
    """The call that a tool is invoked with: a tool call, or plain arguments."""
    if isinstance(given, dict) and given.get("type") == "tool_call":
        args = given["args"]
        call_id = given.get("id")
    else:
        args, call_id = (given if isinstance(given, dict) else {"input": given}), None
    shown = used.tool_call_schema
    fields = getattr(shown, "model_fields", None)
    said = {name: value for name, value in args.items() if fields is None or name in fields}
    return {"name": used.name, "args": said, "id": call_id, "type": "tool_call"}


def _answer(ruling: Ruling, given: Any) -> ToolMessage | str:
    if isinstance(given, dict) and given.get("type") == "tool_call":
        return refused(ruling)
    return ruling.refusal or ""


class _Sitting(NamedTuple):
    """The rulings of one task; `scratchpad` tells this run of the task from one after an interrupt."""

    scratchpad: Any
    lock: threading.Lock
    rulings: dict[str, Ruling]
    raised: list[BaseException]


class _Bench:
    """Rules on the calls of guarded tools: once for all calls of one tools node, before any of them runs."""

    def __init__(self, steps: Steps, names: frozenset[str]) -> None:
        self._steps = steps
        self._names = names
        self._sittings: OrderedDict[str, _Sitting] = OrderedDict()
        self._lock = threading.Lock()

    def ruling(self, call: dict[str, Any], config: RunnableConfig) -> Ruling:
        """The ruling on one call."""
        messages = graph_messages(config, "messages")
        together = self._together(call, messages, config)
        if len(together) == 1:
            return self._rule(together, messages, config)[0]
        sitting = self._sitting(config)
        with sitting.lock:
            if sitting.raised:
                raise sitting.raised[0]
            if call["id"] not in sitting.rulings:
                try:
                    ruled = self._rule(together, messages, config)
                except BaseException as question:  # calls beside this one stop for it as well
                    sitting.raised.append(question)
                    raise
                sitting.rulings.update({ruling.call["id"]: ruling for ruling in ruled})
            return sitting.rulings[call["id"]]

    def ran(self, ruling: Ruling, result: Any) -> Any:
        """The result of a call; the approval that it ran by is spent."""
        if ruling.approval:
            self._steps.spend([ruling])
        return result

    def _together(
        self, call: dict[str, Any], messages: Sequence[Any], config: RunnableConfig
    ) -> list[dict[str, Any]]:
        """The calls of guarded tools that the same task runs, if this one is among them."""
        path = config.get("metadata", {}).get("langgraph_path") or ()
        last = last_ai(messages)
        if last is None or (path and path[0] == _SPLIT_TASKS):
            return [call]
        calls = [each for each in messages[last].tool_calls if each["name"] in self._names]
        ids = [each["id"] for each in calls]
        same = [each for each in calls if each["id"] == call["id"] and each["args"] == call["args"]]
        return calls if same and len(set(ids)) == len(ids) else [call]

    def _rule(
        self, calls: Sequence[dict[str, Any]], messages: Sequence[Any], config: RunnableConfig
    ) -> list[Ruling]:
        return self._steps.rule(calls, messages, config, _runtime(), consult=True)

    def _sitting(self, config: RunnableConfig) -> _Sitting:
        task = str(config["configurable"].get("__pregel_task_id"))
        scratchpad = config["configurable"].get("__pregel_scratchpad")
        with self._lock:
            known = self._sittings.get(task)
            if known is None or known.scratchpad is not scratchpad:
                known = self._sittings[task] = _Sitting(scratchpad, threading.Lock(), {}, [])
            self._sittings.move_to_end(task)
            while len(self._sittings) > _KEPT:
                self._sittings.popitem(last=False)
        return known


def _runtime() -> Runtime[Any]:
    try:
        return get_runtime()
    except (RuntimeError, KeyError):
        return Runtime()  # outside of a run: nobody is known

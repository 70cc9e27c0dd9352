"""Memory for a graph that exists: its planner and tools nodes are wrapped in place, nothing is inserted."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.runnables import Runnable, RunnableConfig
from langgraph._internal._runnable import RunnableCallable
from langgraph.graph import StateGraph
from langgraph.runtime import Runtime
from langgraph.types import RetryPolicy

from langgraph_memory.arguments import shown
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.memory import Memory
from langgraph_memory.runtime.identity import Identify
from langgraph_memory.runtime.payloads import (
    calls_in,
    last_ai,
    messages_in,
    new_messages,
    only,
    state_of,
    with_messages,
    with_results,
    without,
)
from langgraph_memory.runtime.recalling import Query, apart, beside
from langgraph_memory.runtime.rulings import Ruling, refused
from langgraph_memory.runtime.steps import Steps
from langgraph_memory.runtime.stopwatch import Stopwatch
from langgraph_memory.signature import checked

_Builder = TypeVar("_Builder", bound=StateGraph[Any, Any, Any, Any])
_WRAPPED = "langgraph_memory.attached"


@checked()
def attach(
    builder: _Builder,
    memory: Memory,
    planner: str | Sequence[str] = "agent",
    tools: str | Sequence[str] | None = "tools",
    guard: bool = True,
    identify: Identify | None = None,
    *,
    query: Query | None = None,
    token_budget: int = 800,
    messages_key: str = "messages",
) -> _Builder:
    """Give memory to the graph that a builder will compile to.

    The planner gets a copy of its input with the memories for the step in a message of their own, before the
    latest request: the last message and the last human one stay what they are, and no tool result is changed.
    A planner that reads the first message has to pass over one with `langgraph_memory_recalled` in its
    `additional_kwargs`. Memories are never stored.

    Name every node that speaks for the agent: its last word ends the activity, which is consolidated then;
    without one that takes `Policy.idle_after`. Compile with a checkpointer, or let the planner run first:
    else nothing tells what a person said from what nodes wrote, and it has no authority.

    Tool calls pass the guard before the tools run, and their results are published after it. The tools of a
    `ToolNode` are told to memory, so that procedures made for other ones are offered no more. Names, edges,
    branches, `Send`, `Command`, retries and input schemas stay as they are. A subgraph that is the planner
    keeps what it is given in checkpoints of its own: attach to its builder instead.

    Args:
        builder: not compiled yet; it is changed in place.
        memory: what is recalled, and whose constraints count.
        planner: the node (or nodes) that decides what to do, and those that give the agent's answer.
        tools: the node (or nodes) that runs tools; None for a graph without any.
        guard: whether tool calls have to pass the guard.
        identify: who is acting; by default the run's `MemoryContext`, on a server the authenticated user.
        query: the text to search by, from the state; by default the latest message of a person.
        token_budget: the size of the memories in the prompt.
        messages_key: the state key of the messages.

    Returns:
        The builder.

    Raises:
        ConfigurationError: a node is missing, attached already, or takes no messages.

    Example:
        >>> from langgraph.graph import MessagesState
        >>> from langgraph_memory import MemoryContext
        >>> builder = StateGraph(MessagesState, context_schema=MemoryContext)
        >>> _ = builder.add_node("agent", lambda state: {"messages": [("ai", "Hello.")]})
        >>> _ = builder.set_entry_point("agent")
        >>> with Memory.open(":memory:") as memory:
        ...     graph = attach(builder, memory, tools=None).compile()
        ...     graph.invoke({"messages": [("user", "Hi")]})["messages"][-1].text
        'Hello.'
    """
    if not isinstance(builder, StateGraph):
        raise ConfigurationError(
            f"memory can't be attached to builder={shown(builder)}: give the StateGraph before compile()"
        )
    steps = Steps(memory, identify=identify, query=query, token_budget=token_budget, key=messages_key)
    setting = _Setting(steps, messages_key, guard)
    planners, toolboxes = _names(planner), _names(tools)
    for name in (*planners, *toolboxes):
        _check(builder, name)
    for name in planners:
        _check_messages(builder, name, messages_key)
    for name in planners:
        _wrap(builder, name, lambda inner, node: _planner(setting, inner, node))
    for name in toolboxes:
        steps.see(getattr(builder.nodes[name].runnable, "tools_by_name", {}).values())
        _wrap(builder, name, lambda inner, node: _toolbox(setting, inner, node))
    return builder


class _Setting(NamedTuple):
    steps: Steps
    key: str
    guard: bool


class _Node(NamedTuple):
    name: str
    retries: tuple[RetryPolicy, ...]


class _Before(NamedTuple):
    """What is known before a node runs: the messages, its input (None: don't run it), the rulings."""

    messages: Sequence[AnyMessage]
    given: Any
    rulings: Sequence[Ruling] = ()


def _names(given: str | Sequence[str] | None) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given or ())


def _check(builder: StateGraph[Any, Any, Any, Any], name: str) -> None:
    spec = builder.nodes.get(name)
    if spec is None:
        known = ", ".join(repr(each) for each in builder.nodes) or "none"
        raise ConfigurationError(
            f"the graph has no node {name!r} (its nodes: {known}): give planner= and tools= their names"
        )
    if getattr(spec.runnable, "attached", None) == _WRAPPED:
        raise ConfigurationError(f"memory is attached to node {name!r} already: attach once")


def _check_messages(builder: StateGraph[Any, Any, Any, Any], name: str, key: str) -> None:
    schema = builder.nodes[name].input_schema
    if builder.schemas.get(schema, {}).keys().isdisjoint({key, "__root__"}):
        raise ConfigurationError(
            f"node {name!r} takes {schema.__name__}, which has no {key!r}: memories are shown to it there; "
            f"add {key!r} to the schema, or name the key with messages_key="
        )


def _wrap(
    builder: StateGraph[Any, Any, Any, Any],
    name: str,
    wrapped: Callable[[Runnable[Any, Any], _Node], RunnableCallable],
) -> None:
    spec = builder.nodes[name]
    retries = spec.retry_policy
    policies = (retries,) if isinstance(retries, RetryPolicy) else tuple(retries or ())
    runnable = wrapped(spec.runnable, _Node(name, policies))  # type: ignore[arg-type]
    runnable.attached = _WRAPPED  # type: ignore[attr-defined]
    if known := getattr(spec.runnable, "tools_by_name", None):
        runnable.tools_by_name = known  # type: ignore[attr-defined] # drawings of the graph name them
    builder.nodes[name] = dataclasses.replace(spec, runnable=runnable)


def _planner(setting: _Setting, inner: Runnable[Any, Any], node: _Node) -> RunnableCallable:
    """The planner, with recall before it."""

    def plan(given: Any, config: RunnableConfig, runtime: Runtime[Any]) -> Any:
        was = _recalled(setting, given, config, runtime)
        with _watching(setting, was, node, runtime):
            result = inner.invoke(was.given, config)
        return _planned(setting, was, result, config, runtime)

    async def aplan(given: Any, config: RunnableConfig, runtime: Runtime[Any]) -> Any:
        was = await asyncio.to_thread(_recalled, setting, given, config, runtime)
        with _watching(setting, was, node, runtime):
            result = await inner.ainvoke(was.given, config)
        return await asyncio.to_thread(_planned, setting, was, result, config, runtime)

    return RunnableCallable(plan, aplan, name=node.name, trace=False)


def _toolbox(setting: _Setting, inner: Runnable[Any, Any], node: _Node) -> RunnableCallable:
    """The tools, with the guard before and publish after them, in one task."""

    def run(given: Any, config: RunnableConfig, runtime: Runtime[Any]) -> Any:
        was, watch, result = _ruled(setting, node, given, config, runtime), Stopwatch(), None
        if was.given is not None:
            with _watching(setting, was, node, runtime):
                result = inner.invoke(was.given, watch.timing(config))
        return _done(setting, was, result, watch, config, runtime)

    async def arun(given: Any, config: RunnableConfig, runtime: Runtime[Any]) -> Any:
        was = await asyncio.to_thread(_ruled, setting, node, given, config, runtime)
        watch, result = Stopwatch(), None
        if was.given is not None:
            with _watching(setting, was, node, runtime):
                result = await inner.ainvoke(was.given, watch.timing(config))
        return await asyncio.to_thread(_done, setting, was, result, watch, config, runtime)

    return RunnableCallable(run, arun, name=node.name, trace=False)


def _recalled(setting: _Setting, given: Any, config: RunnableConfig, runtime: Runtime[Any]) -> _Before:
    """The planner's input with the memories for this step."""
    messages = messages_in(given, setting.key)
    if messages is None:
        return _Before((), given)
    memories = setting.steps.recall(messages, config, runtime)
    if memories is None:
        return _Before(messages, given)
    return _Before(messages, with_messages(given, setting.key, beside(messages, memories)))


def _planned(
    setting: _Setting, was: _Before, result: Any, config: RunnableConfig, runtime: Runtime[Any]
) -> Any:
    """What the planner returned, without the memories; its last word ends the activity."""
    result = without(result, setting.key, apart)
    said = new_messages(result, setting.key)
    for number, message in enumerate(said):
        if message.id is None and runtime.execution_info:  # else it gets one that nobody here would know
            message.id = f"{runtime.execution_info.task_id}-{number}"
    if said and isinstance(said[-1], AIMessage) and not said[-1].tool_calls:
        setting.steps.publish([*was.messages, said[-1]], 1, config, runtime)
    return result


def _ruled(
    setting: _Setting, node: _Node, given: Any, config: RunnableConfig, runtime: Runtime[Any]
) -> _Before:
    """The tools' input with the calls that may run; None if none of them may."""
    messages = messages_in(state_of(given, config, setting.key), setting.key) or []
    if not setting.guard:
        return _Before(messages, given)
    calls = calls_in(given, setting.key)
    if calls is None:
        raise ConfigurationError(
            f"node {node.name!r} was given {type(given).__name__}, in which the guard finds no tool calls: "
            "give it messages or calls, or use guard_tools(tools, memory) and attach(…, guard=False)"
        )
    rulings = setting.steps.rule(calls, messages, config, runtime, consult=True)
    allowed = [ruling.call for ruling in rulings if ruling.refusal is None]
    if len(allowed) == len(calls):
        return _Before(messages, given, rulings)
    return _Before(messages, only(given, setting.key, allowed) if allowed else None, rulings)


def _done(
    setting: _Setting,
    was: _Before,
    result: Any,
    watch: Stopwatch,
    config: RunnableConfig,
    runtime: Runtime[Any],
) -> Any:
    """What the tools returned, with the refusals; all of it is published."""
    setting.steps.spend(was.rulings)
    refusals = [refused(ruling) for ruling in was.rulings if ruling.refusal is not None]
    result = with_results(result, setting.key, was.given, refusals)
    answers = [m for m in new_messages(result, setting.key) if isinstance(m, ToolMessage)]
    if last_ai(was.messages) is not None:
        setting.steps.publish([*was.messages, *answers], len(answers), config, runtime, watch.latencies)
    return result


@contextmanager
def _watching(setting: _Setting, was: _Before, node: _Node, runtime: Runtime[Any]) -> Iterator[None]:
    """Sees how a node ends: when it fails for good or stops to ask someone, memory is told."""
    try:
        yield
    except BaseException as error:  # a run that is cancelled has ended, too
        if not _is_tried_again(node.retries, error, runtime):
            setting.steps.stopped(error, was.messages, runtime)
        raise


def _is_tried_again(policies: Iterable[RetryPolicy], error: BaseException, runtime: Runtime[Any]) -> bool:
    attempts = runtime.execution_info.node_attempt if runtime.execution_info else 1
    for policy in policies:
        if _retries(policy, error):
            return attempts < policy.max_attempts
    return False


def _retries(policy: RetryPolicy, error: BaseException) -> bool:
    on = policy.retry_on
    if isinstance(on, type):
        return isinstance(error, on)
    if isinstance(on, Sequence):
        return isinstance(error, tuple(on))
    return isinstance(error, Exception) and bool(on(error))

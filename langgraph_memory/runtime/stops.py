"""How a run stops: it comes to its end, fails, or waits for someone; each is an activity checkpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AnyMessage
from langgraph.runtime import ExecutionInfo, Runtime

from langgraph_memory.log import event_ids
from langgraph_memory.memory import Memory
from langgraph_memory.records import Actor
from langgraph_memory.runtime.activities import Activities, ends, id_of, thread_name, thread_of
from langgraph_memory.runtime.notices import attempt
from langgraph_memory.scope import MemoryContext

Stop = tuple[str, Mapping[str, Any]]
"""How a run stops: the type of the activity checkpoint, and its data."""

COMPLETED: Stop = ("activity.completed", {"status": "completed"})
INTERRUPTED: Stop = ("milestone.reached", {"status": "interrupted"})

_LONGEST = 2_000


def ended(
    memory: Memory,
    messages: Sequence[AnyMessage],
    runtime: Runtime[Any],
    context: MemoryContext,
    *,
    error: Exception | None = None,
) -> list[str]:
    """Publish that a run has failed, or stopped to ask someone: what it has done is due for consolidation."""
    info = runtime.execution_info
    stop = INTERRUPTED if error is None else failed(error)
    namespace, task = _graph_and_task(info) if info else ("", str(len(messages)))
    event_id = event_ids.of_other(thread_name(runtime, context), namespace, task, stop[0])
    return _told(memory, messages, runtime, context, stop, event_id)


def completed(
    memory: Memory, messages: Sequence[AnyMessage], runtime: Runtime[Any], context: MemoryContext
) -> list[str]:
    """Publish that a run has come to its end, if no last word of the agent says so."""
    if ends(messages):
        return []
    event_id = completion(thread_name(runtime, context), messages)
    return _told(memory, messages, runtime, context, COMPLETED, event_id)


def _told(
    memory: Memory,
    messages: Sequence[AnyMessage],
    runtime: Runtime[Any],
    context: MemoryContext,
    stop: Stop,
    event_id: str,
) -> list[str]:
    """Publish how the latest activity stopped; the notice that it could not be."""

    def tell() -> None:
        activity = Activities(memory.log, messages, thread_name(runtime, context), context).latest
        mark(memory, activity, thread_of(runtime), context, stop, event_id)

    _, failure = attempt(tell)
    return [failure] if failure else []


def completion(thread: str, messages: Sequence[AnyMessage]) -> str:
    """The id of the event that a run has ended, whoever tells it: it ended with its last message."""
    last = id_of(messages[-1], len(messages) - 1) if messages else ""
    return event_ids.of_other(thread, "", last, COMPLETED[0])


def failed(error: object) -> Stop:
    """How a run stops that an error ends."""
    return "activity.failed", {"status": "failed", "error": f"{type(error).__name__}: {error}"[:_LONGEST]}


def mark(
    memory: Memory, activity: str, thread: str | None, context: MemoryContext, stop: Stop, event_id: str
) -> None:
    """Publish that an activity has come to a point from which it can be consolidated."""
    memory.publish(
        scope=context.scope,
        activity_id=activity,
        event_type=stop[0],
        actor=Actor("system", "runtime"),
        data=stop[1],
        thread_id=thread,
        event_id=event_id,
    )


def _graph_and_task(info: ExecutionInfo) -> tuple[str, str]:
    """The namespace of the graph that the task is one of, and the task's id."""
    return info.checkpoint_ns.rpartition("|")[0], info.task_id

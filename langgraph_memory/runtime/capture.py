"""From the messages of a run to events: each published once, by whoever said it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import ExecutionInfo, Runtime

from langgraph_memory.errors import MemoryRuntimeError
from langgraph_memory.log import event_ids
from langgraph_memory.memory import Memory
from langgraph_memory.outputs import failure_text, parsed, reports_failure
from langgraph_memory.records import Actor, Event
from langgraph_memory.retrieval.render import unfenced
from langgraph_memory.runtime.activities import (
    Activities,
    ends,
    id_of,
    is_event,
    thread_name,
    thread_of,
)
from langgraph_memory.runtime.edits import edits, looked_at, rewritten
from langgraph_memory.runtime.inputs import Heard, is_stored, spoken
from langgraph_memory.runtime.streamed import tell_publish
from langgraph_memory.scope import MemoryContext, Principal

MARK = "langgraph_memory"
"""Under this key of `additional_kwargs` a tool message carries the id of the guard decision that made it."""

HUMAN = "message.human"
"""The type of a draft of a human message, until it is known whether a person spoke it."""

Stop = tuple[str, Mapping[str, Any]]
"""How a run stops: the type of the activity checkpoint, and its data."""

COMPLETED: Stop = ("activity.completed", {"status": "completed"})
INTERRUPTED: Stop = ("milestone.reached", {"status": "interrupted"})

_Answer = TypeVar("_Answer")
_LONGEST = 2_000

UNTOLD = (
    "what people said in this run can't be told from what its nodes wrote, so it has no authority: "
    "compile the graph with a checkpointer, or have memory's node run first"
)
"""The notice that a human message was not taken for a person's."""


def capture(
    memory: Memory,
    state: Mapping[str, Any],
    config: RunnableConfig,
    runtime: Runtime[Any],
    context: MemoryContext,
    latencies: Mapping[str, float] | None = None,
    *,
    key: str = "messages",
    fresh: Collection[int] | None = None,
    entered: bool = False,
) -> list[str]:
    """Publish what the log does not have yet; notices of what could not be published, or not as it should.

    Args:
        memory: where to.
        state: holds the `messages`.
        config: of the node.
        runtime: of the run.
        context: who acts.
        latencies: how long tool calls took, in milliseconds by call id, where it was measured.
        key: under which the graph's state holds them.
        fresh: the positions of the messages in question; all by default.
        entered: whether it is known that no node has written human messages in this run.
    """
    run = _Run(memory, config, runtime, context, key, fresh, entered)
    notice, failure = attempt(lambda: _publish_new(run, state["messages"], latencies or {}))
    return [told for told in (notice, failure) if told]


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
    thread = thread_name(runtime, context)
    stop = INTERRUPTED if error is None else failed(error)
    namespace, task = _graph_and_task(info) if info else ("", str(len(messages)))
    event_id = event_ids.of_other(thread, namespace, task, stop[0])

    def end() -> None:
        activity = Activities(memory.log, messages, thread, context).latest
        mark(memory, activity, thread_of(runtime), context, stop, event_id)

    _, failure = attempt(end)
    return [failure] if failure else []


def completed(
    memory: Memory, messages: Sequence[AnyMessage], runtime: Runtime[Any], context: MemoryContext
) -> list[str]:
    """Publish that a run has come to its end, if no last word of the agent says so."""
    thread = thread_name(runtime, context)

    def end() -> None:
        activity = Activities(memory.log, messages, thread, context).latest
        mark(memory, activity, thread_of(runtime), context, COMPLETED, completion(thread, messages))

    if ends(messages):
        return []
    _, failure = attempt(end)
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


class _Run(NamedTuple):
    """What is captured, and of which run; see `capture`."""

    memory: Memory
    config: RunnableConfig
    runtime: Runtime[Any]
    context: MemoryContext
    key: str
    fresh: Collection[int] | None
    entered: bool


def _publish_new(run: _Run, messages: Sequence[AnyMessage], latencies: Mapping[str, float]) -> str | None:
    """Publish what is new; the notice that what people said could not be told, if so."""
    memory, context, name = run.memory, run.context, thread_name(run.runtime, run.context)
    drafts = drafts_of(messages, name, context, fresh=run.fresh)
    single = len(drafts) == 1 and drafts[0]["event_type"] != HUMAN  # writing it again changes nothing
    known = frozenset[str]() if single else memory.log.known(draft["event_id"] for draft in drafts)
    new = [draft for draft in drafts if draft["event_id"] not in known]
    heard, asked = Heard(), [draft for draft in drafts if draft["event_type"] == HUMAN]
    changed = rewritten(memory, messages, asked, known)
    if changed or any(draft["event_type"] == HUMAN for draft in new):
        heard = spoken(messages, run.config, run.key, entered=run.entered)
    new += edits(memory, (run.config, run.key), name, messages, changed, heard.words)
    if not is_stored(run.config):
        new = _without_history(new, heard, drafts, known)
    for draft in new:
        took = latencies.get(draft["call_id"] or "")
        if took is not None:
            draft["data"]["latency_ms"] = round(took, 3)
    activities = Activities(memory.log, messages, name, context, list(heard.words)[:1])

    def publish() -> list[Event]:
        thread, said, at = thread_of(run.runtime), heard.words.get, activities.at
        return [
            publish_draft(memory, d, context, thread, said=said(d["position"]), activity=at(d["position"]))
            for d in new
        ]

    tell_publish(_at_once(memory, publish) if len(new) > 1 else publish())
    looked_at(memory, asked)
    known_human = any(draft["event_type"] == HUMAN and draft["event_id"] in known for draft in drafts)
    return None if heard.certain or known_human else UNTOLD


def _without_history(
    new: list[dict[str, Any]],
    heard: Heard,
    drafts: Sequence[Mapping[str, Any]],
    known: Collection[str],
) -> list[dict[str, Any]]:
    """What this run brought: in a graph that keeps nothing, what stands before its request was handed in.

    Whoever ran it had it captured then, by ids that nobody knows any more.
    """
    told = (d["position"] for d in drafts if d["event_type"] == HUMAN and d["event_id"] in known)
    first = min(heard.words, default=max(told, default=0))
    return [draft for draft in new if draft["position"] >= first]


def _graph_and_task(info: ExecutionInfo) -> tuple[str, str]:
    """The namespace of the graph that the task is one of, and the task's id."""
    return info.checkpoint_ns.rpartition("|")[0], info.task_id


def _at_once(memory: Memory, publish: Callable[[], list[Event]]) -> list[Event]:
    """Publish in one transaction; where something can't be, what stands before it all the same."""
    try:
        with memory.log.database.write():
            return publish()
    except (MemoryRuntimeError, OSError):
        return publish()


def publish_draft(
    memory: Memory,
    draft: Mapping[str, Any],
    context: MemoryContext,
    thread: str | None,
    *,
    said: str | None,
    activity: str,
) -> Event:
    """Write the event that a draft stands for.

    Args:
        memory: where to.
        draft: one of `drafts_of`.
        context: whose run it is.
        thread: the run's thread.
        said: of a human message, the words with which it came in the run's input; None if a node wrote it.
        activity: that it belongs to.
    """
    fields = {name: value for name, value in draft.items() if name not in ("position", "call_id")}
    if draft["event_type"] == HUMAN:
        fields |= _speaker(context.principal, heard=said is not None)
        fields["data"] = draft["data"] if said is None else {**draft["data"], "text": said}
    return memory.publish(scope=context.scope, thread_id=thread, activity_id=activity, **fields)


def drafts_of(
    messages: Sequence[AnyMessage],
    thread: str,
    context: MemoryContext,
    *,
    fresh: Collection[int] | None = None,
) -> list[dict[str, Any]]:
    """The events that the messages stand for, in order, not yet given an activity and human ones no speaker.

    Args:
        messages: those of a state, from the first one.
        thread: where they were said.
        context: whose run it is.
        fresh: the positions of those that are wanted; the others only tell who called what. All by default.
    """
    drafts: list[dict[str, Any]] = []
    for position in range(len(messages)) if fresh is None else sorted(fresh):
        message = messages[position]
        if not is_event(message):
            continue
        caller = caller_of(messages, position)
        for event_type, event_id, actor, data in _events(
            message, id_of(message, position), thread, caller, context
        ):
            drafts.append(
                {
                    "position": position,
                    "call_id": getattr(message, "tool_call_id", None),
                    "event_id": event_id,
                    "event_type": event_type,
                    "actor": actor,
                    "data": data,
                }
            )
    return drafts


def caller_of(messages: Sequence[AnyMessage], position: int) -> tuple[str, Any] | None:
    """The call that a tool message answers, with the id of the AI message that made it; None if none did."""
    answer = messages[position]
    if not isinstance(answer, ToolMessage):
        return None
    for before in range(position - 1, -1, -1):
        message = messages[before]
        if isinstance(message, AIMessage):
            for call in reversed(message.tool_calls):
                if (call["id"] or "") == answer.tool_call_id:
                    return id_of(message, before), call
    return None


def seen_in(messages: Sequence[AnyMessage], thread: str) -> frozenset[str]:
    """The ids of the events that these messages are."""
    found: set[str] = set()
    for position, message in enumerate(messages):
        message_id = id_of(message, position)
        found.add(event_ids.of_message(thread, message_id))
        if isinstance(message, ToolMessage):
            call = caller_of(messages, position)
            caller, kinds = call[0] if call else message_id, ("tool.completed", "tool.failed")
            found |= {event_ids.of_tool_call(thread, caller, message.tool_call_id, kind) for kind in kinds}
    return frozenset(found)


def _events(
    message: AnyMessage,
    message_id: str,
    thread: str,
    caller: tuple[str, Any] | None,
    context: MemoryContext,
) -> Iterable[tuple[str, str, Actor, dict[str, Any]]]:
    """Type, id, actor and data of the events of one message."""
    agent = Actor("agent", context.scope.agent or "agent")
    if isinstance(message, HumanMessage):
        yield HUMAN, event_ids.of_message(thread, message_id), agent, {"text": message.text}
    elif isinstance(message, ToolMessage):
        yield _tool_event(message, message_id, thread, caller)
    elif isinstance(message, AIMessage):
        if text := unfenced(message.text).strip():  # what it quotes of its memories is no new evidence
            yield "message.agent", event_ids.of_message(thread, message_id), agent, {"text": text}
        if not message.tool_calls:
            ended = event_ids.of_other(thread, "", message_id, "activity.completed")
            yield "activity.completed", ended, agent, {"status": "completed"}


def _tool_event(
    message: ToolMessage, message_id: str, thread: str, caller: tuple[str, Any] | None
) -> tuple[str, str, Actor, dict[str, Any]]:
    asked_by, call = caller or (message_id, {"name": message.name or "tool", "args": {}})
    output = parsed(message.content)
    data: dict[str, Any] = {"tool": call["name"], "args": _as_json(call["args"])}
    decision = message.additional_kwargs.get(MARK)
    if decision:
        event_type, actor = "guard.refused", Actor("system", "guard")
        data |= {"decision": decision, "text": message.text}
    elif message.status == "error" or reports_failure(output):
        event_type, actor = "tool.failed", Actor("tool", call["name"])
        data["error"] = failure_text(output)
    else:
        event_type, actor = "tool.completed", Actor("tool", call["name"])
        data["output"] = _as_json(output)
        if message.artifact is not None:
            data["artifact"] = _as_json(message.artifact)
    return event_type, event_ids.of_tool_call(thread, asked_by, message.tool_call_id, event_type), actor, data


def _speaker(principal: Principal, *, heard: bool) -> dict[str, Any]:
    """A human message is its principal's if it came with the run's input; else an agent event."""
    if heard:
        return {
            "event_type": "message.user",
            "actor": Actor("user", principal.user_id, roles=principal.roles),
        }
    return {"event_type": "message.agent"}


def attempt(work: Callable[[], _Answer]) -> tuple[_Answer | None, str | None]:
    """Run a piece of memory's work; a failure is returned as a notice, for a run must not die of it.

    The store and the log are the user's to bring, so any exception of theirs may surface here.
    """
    try:
        return work(), None
    except Exception as error:  # noqa: BLE001 - the border to stores that others wrote; the notice carries it
        return None, f"memory failed: {type(error).__name__}: {error}"


def _as_json(value: Any) -> Any:
    """A value as JSON: one message that is none must not keep those after it from being published."""
    try:
        return json.loads(json.dumps(value, default=repr), parse_constant=str)
    except (TypeError, ValueError, RecursionError):
        return repr(value)[:_LONGEST]

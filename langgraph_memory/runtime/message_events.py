"""The events that messages stand for, and by whom each was said."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from langgraph_memory.arguments import described, storable
from langgraph_memory.log import event_ids
from langgraph_memory.memory import Memory
from langgraph_memory.outputs import failure_text, parsed, reports_failure
from langgraph_memory.records import Actor, Event
from langgraph_memory.retrieval.render import unfenced
from langgraph_memory.runtime.activities import id_of, is_event
from langgraph_memory.scope import MemoryContext, Principal

MARK = "langgraph_memory"
"""Under this key of `additional_kwargs` a tool message carries the id of the guard decision that made it."""

HUMAN = "message.human"
"""The type of a draft of a human message, until it is known whether a person spoke it."""

_LONGEST = 2_000
_LONGEST_NAME = 256


@dataclass(frozen=True)
class Draft:
    """An event that a message stands for, not yet given an activity, nor a speaker if it is human.

    Attributes:
        position: of the message in the state.
        call_id: of the tool call that it answers.
        event_type: see `Event`; `HUMAN` of a human message.
        event_id: see `Event`.
        actor: who said or did it, if no person did.
        data: see `Event`.
    """

    position: int
    call_id: str | None
    event_type: str
    event_id: str
    actor: Actor
    data: Mapping[str, Any]


def publish_draft(
    memory: Memory,
    draft: Draft,
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
    if draft.event_type == HUMAN:
        draft = _spoken(draft, context.principal, said)
    return memory.publish(
        scope=context.scope,
        activity_id=activity,
        event_type=draft.event_type,
        actor=draft.actor,
        data=draft.data,
        thread_id=thread,
        event_id=draft.event_id,
    )


def drafts_of(
    messages: Sequence[AnyMessage],
    thread: str,
    context: MemoryContext,
    *,
    fresh: Collection[int] | None = None,
) -> list[Draft]:
    """The events that the messages stand for, in order.

    Args:
        messages: those of a state, from the first one.
        thread: where they were said.
        context: whose run it is.
        fresh: the positions of those that are wanted; the others only tell who called what. All by default.
    """
    drafts: list[Draft] = []
    for position in range(len(messages)) if fresh is None else sorted(fresh):
        message = messages[position]
        if is_event(message):
            caller, call_id = caller_of(messages, position), getattr(message, "tool_call_id", None)
            found = _events(message, id_of(message, position), thread, caller, context)
            drafts += [Draft(position, call_id, *each) for each in found]
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
        event_type, actor = "tool.failed", Actor("tool", _actor_id(call["name"]))
        data["error"] = failure_text(output)
    else:
        event_type, actor = "tool.completed", Actor("tool", _actor_id(call["name"]))
        data["output"] = _as_json(output)
        if message.artifact is not None:
            data["artifact"] = _as_json(message.artifact)
    return event_type, event_ids.of_tool_call(thread, asked_by, message.tool_call_id, event_type), actor, data


def _actor_id(tool: str) -> str:
    """What a tool is called as an actor: a model may ask for names that no tool and no actor can have."""
    return storable(tool)[:_LONGEST_NAME] or "tool"


def _spoken(draft: Draft, principal: Principal, said: str | None) -> Draft:
    """A human message is its principal's if it came with the run's input; else an agent event."""
    if said is None:
        return replace(draft, event_type="message.agent")
    actor = Actor("user", principal.user_id, roles=principal.roles)
    return replace(draft, event_type="message.user", actor=actor, data={**draft.data, "text": said})


def _as_json(value: Any) -> Any:
    """A value as JSON: one message that is none must not keep those after it from being published."""
    try:
        return json.loads(json.dumps(value, default=described), parse_constant=str)
    except Exception:  # noqa: BLE001 - artifacts are of classes of others; what they are is told in their place
        return described(value)[:_LONGEST]

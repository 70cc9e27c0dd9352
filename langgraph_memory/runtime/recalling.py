"""What a planner's step is given: the memories for it, found by what the run has come upon so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.runtime import Runtime

from langgraph_memory.answers import Recall
from langgraph_memory.consolidation.episodes.observations import observed
from langgraph_memory.entities import discover
from langgraph_memory.memory import Memory
from langgraph_memory.recent import Recent
from langgraph_memory.records import Event
from langgraph_memory.retrieval.render import escaped, fenced
from langgraph_memory.runtime.activities import MARK_RECALLED, Activities, is_human, thread_name, thread_of
from langgraph_memory.runtime.message_events import seen_in
from langgraph_memory.runtime.notices import attempt
from langgraph_memory.runtime.streamed import tell_recall
from langgraph_memory.scope import MemoryContext

Query = Callable[[Mapping[str, Any]], str]
"""Makes the text to search by, from a state."""

_KEPT = 1_000


class Remembered(NamedTuple):
    """The outcome of a recall for one step.

    Attributes:
        text: for the prompt; empty when there is nothing to say.
        status: `receipt_id`, ids of `deferred` constraints, `degraded` notices.
        entities: all that the run has come upon.
        notice: what memory could not do, if anything.
    """

    text: str
    status: dict[str, Any]
    entities: list[str]
    notice: str | None

    def message(self, number: int) -> HumanMessage:
        """The text as a message; `number` tells it from those of other steps."""
        return HumanMessage(self.text, id=f"memory-{number}", additional_kwargs={MARK_RECALLED: self.text})


class Shown(NamedTuple):
    """What a planner was shown: the receipt of the recall, and the constraints that did not fit."""

    recall_id: str | None = None
    unread: tuple[str, ...] = ()


class Recalling:
    """Recalls for the steps of a planner.

    Args:
        memory: where to look.
        query: the text to search by; by default the latest message of a person.
        token_budget: the size of the text.
    """

    def __init__(self, memory: Memory, *, query: Query | None = None, token_budget: int = 800) -> None:
        self._memory = memory
        self._query = query or latest_request
        self._token_budget = token_budget
        self._discovered: Recent[tuple[object, ...], tuple[str, ...]] = Recent(_KEPT)
        self._shown: Recent[tuple[object, ...], Shown] = Recent(_KEPT)
        self._activities: Recent[tuple[str, str], str] = Recent(_KEPT)

    def remember(
        self,
        state: Mapping[str, Any],
        runtime: Runtime[Any],
        context: MemoryContext,
        notices: Sequence[str] = (),
    ) -> Remembered:
        """The memories for the next step of a run in this state.

        Args:
            state: the `messages`, and `active_entities` if the graph keeps them.
            runtime: of the run.
            context: who asks and where.
            notices: what memory could not do in this step before.
        """
        entities = self.entities(state)
        recalled, failure = attempt(lambda: self._recall(state, runtime, context, entities))
        if recalled is not None:
            self._shown.put(self._key(state, runtime, context, entities), _shown(recalled))
            tell_recall(recalled)
        return remembered(recalled, [*notices, *([failure] if failure else [])], entities)

    def shown(self, state: Mapping[str, Any], runtime: Runtime[Any], context: MemoryContext) -> Shown:
        """What the planner saw in this state, and which constraints did not fit into it.

        It is found again by the same recall where this process has not made it.
        """
        entities = self.entities(state)
        key = self._key(state, runtime, context, entities)
        known = self._shown.get(key)
        if known is None:
            recalled, _ = attempt(lambda: self._recall(state, runtime, context, entities))
            known = _shown(recalled)
            self._shown.put(key, known)
        return known

    def entities(self, state: Mapping[str, Any]) -> list[str]:
        """Those that the graph keeps in its state, and those that tool calls and results have named."""
        found: dict[str, None] = dict.fromkeys(state.get("active_entities") or ())
        tools: dict[str | None, str] = {}
        for message in state["messages"]:
            if isinstance(message, AIMessage):
                tools |= {call["id"]: call["name"] for call in message.tool_calls}
                found |= dict.fromkeys(self._found_in(message, ""))
            elif isinstance(message, ToolMessage):
                tool = tools.get(message.tool_call_id) or message.name or ""
                found |= dict.fromkeys(self._found_in(message, tool))
        return list(found)

    def _found_in(self, message: AIMessage | ToolMessage, tool: str) -> tuple[str, ...]:
        """The entities in one message, looked for once."""
        if message.id is None:
            return tuple(self._discover(message, tool))
        key = (message.id, tool, len(message.content), len(getattr(message, "tool_calls", ())))
        known = self._discovered.get(key)
        if known is None:
            known = tuple(self._discover(message, tool))
            self._discovered.put(key, known)
        return known

    def _discover(self, message: AIMessage | ToolMessage, tool: str) -> Iterator[str]:
        declared = self._memory.policy.entities_of
        if isinstance(message, ToolMessage):
            failed = message.status == "error"
            yield from discover(
                {}, message.content, declaration=declared(tool), artifact=message.artifact, failed=failed
            ).entities
        else:
            for call in message.tool_calls:
                yield from discover(call["args"], None, declaration=declared(call["name"])).entities

    def _recall(
        self,
        state: Mapping[str, Any],
        runtime: Runtime[Any],
        context: MemoryContext,
        entities: Sequence[str],
    ) -> Recall:
        with self._memory.repository.reading():
            events = self._activity(state, runtime, context)
        there = seen_in(state["messages"], thread_name(runtime, context))
        return self._memory.recall(
            self._query(state),
            principal=context.principal,
            scope=context.scope,
            entities=entities,
            token_budget=self._token_budget,
            thread_id=thread_of(runtime),
            live=observed(events),
            gone=[event for event in events if event.event_id not in there],
        )

    def _activity(
        self, state: Mapping[str, Any], runtime: Runtime[Any], context: MemoryContext
    ) -> Sequence[Event]:
        """What has happened in this activity; nothing where it begins with the last message.

        Its name rests on the request; where that has left the prompt, it is the thread's last.
        """
        messages, thread = state["messages"], thread_name(runtime, context)
        if not messages or (isinstance(messages[-1], HumanMessage) and context.activity_id is None):
            return ()
        place = (thread, context.scope.key)
        known = self._activities.get(place)
        if known is None or context.activity_id or any(isinstance(each, HumanMessage) for each in messages):
            known = Activities(self._memory.log, messages, thread, context).latest
            self._activities.put(place, known)
        return self._memory.log.of_activity(context.scope, known)

    def _key(
        self,
        state: Mapping[str, Any],
        runtime: Runtime[Any],
        context: MemoryContext,
        entities: Sequence[str],
    ) -> tuple[object, ...]:
        last = state["messages"][-1].id if state["messages"] else None
        return (thread_of(runtime), last, context.scope.key, context.principal, tuple(entities))


def _shown(recall: Recall | None) -> Shown:
    return Shown(recall.receipt_id, recall.deferred) if recall else Shown()


def beside(messages: Sequence[AnyMessage], memories: HumanMessage) -> list[AnyMessage]:
    """The messages with the memories before the latest request, or else behind the system prompt.

    Planners parse the last message, look at its kind, or look for what was asked last: all three stay as they
    are. What stands before the request stays as it is too, and with it a provider's cache of the prompt.
    """
    place = next((n for n in range(len(messages) - 1, -1, -1) if is_human(messages[n])), None)
    if place is None:
        place = next((n for n, m in enumerate(messages) if not isinstance(m, SystemMessage)), len(messages))
    return [*messages[:place], memories, *messages[place:]]


def apart(message: AnyMessage) -> AnyMessage | None:
    """A message of the conversation; None for one that brings memories."""
    return None if MARK_RECALLED in message.additional_kwargs else message


def remembered(recall: Recall | None, notices: Sequence[str], entities: Sequence[str]) -> Remembered:
    """What a step is given: a recall, or a notice of why there is none."""
    notice = "; ".join(notices) or None
    if recall is None:
        text = fenced([f"- NOTICE: memory could not be read: {escaped(each)}" for each in notices])
        return Remembered(text, _status(None, (), notices), list(entities), notice)
    status = _status(recall.receipt_id, recall.deferred, [*notices, *recall.degraded])
    return Remembered(recall.render(), status, list(entities), notice)


def _status(receipt_id: str | None, deferred: Sequence[str], degraded: Sequence[str]) -> dict[str, Any]:
    return {"receipt_id": receipt_id, "deferred": list(deferred), "degraded": list(degraded)}


def latest_request(state: Mapping[str, Any]) -> str:
    """What was said last in a human message."""
    for message in reversed(state["messages"]):
        if isinstance(message, HumanMessage):
            return message.text
    return ""

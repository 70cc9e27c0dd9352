"""Taking old turns out of a conversation: they are events first, and the record says which ones they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from langgraph_memory.consolidation.model import ModelFailureError
from langgraph_memory.consolidation.work import made_by_others
from langgraph_memory.conversation.summaries import RulesSummariser, Summariser, Summary
from langgraph_memory.conversation.turns import Cut, MessageCounter, is_summary
from langgraph_memory.log import COMPACTED, event_ids
from langgraph_memory.memory import Memory
from langgraph_memory.records import Actor, Event, Moment, Record
from langgraph_memory.runtime.activities import SUMMARY, thread_name
from langgraph_memory.runtime.capture import capture
from langgraph_memory.runtime.inputs import is_stored
from langgraph_memory.runtime.message_events import HUMAN, Draft, drafts_of
from langgraph_memory.scope import MemoryContext, Scope

_BY = Actor("system", "conversation")


class Compaction(Record):
    """The record of one compaction.

    Attributes:
        compaction_id: the id of its event.
        thread_id: the conversation.
        at: when it happened.
        dropped: ids of the events whose messages left the conversation; `memory.log.events(dropped)` has
            their words.
        messages: how many messages left.
        tokens_before: of the conversation, as counted.
        tokens_after: the same, afterwards.
        summarised: whether a summary stands in their place.
    """

    compaction_id: str
    thread_id: str | None
    at: Moment
    dropped: tuple[str, ...]
    messages: int
    tokens_before: int
    tokens_after: int
    summarised: bool


class Dropper:
    """Drops the turns of a cut from a run's conversation, once they are in the log.

    Args:
        memory: where the turns are published and the record is written.
        count: tokens of messages.
    """

    def __init__(self, memory: Memory, count: MessageCounter) -> None:
        self._memory = memory
        self._count = count

    def capture(
        self, state: Mapping[str, Any], config: RunnableConfig, runtime: Runtime[Any], context: MemoryContext
    ) -> list[str]:
        """Publish what is new in a conversation; what could not be published stands in the notices."""
        return capture(self._memory, state, config, runtime, context)

    def events(
        self,
        parts: Cut,
        messages: Sequence[AnyMessage],
        config: RunnableConfig,
        runtime: Runtime[Any],
        context: MemoryContext,
    ) -> list[Event]:
        """The events of what will be dropped, as the log has them.

        A graph that keeps nothing is handed its history each time. It was captured when it was said, by ids
        that nobody knows any more; so its events are made anew, without a number, to be summed up alone.
        """
        gone = {id(message) for message in parts.dropped}
        drafts = drafts_of(
            messages,
            thread_name(runtime, context),
            context,
            fresh=[position for position, message in enumerate(messages) if id(message) in gone],
        )
        known = self._memory.log.events([draft.event_id for draft in drafts])
        if is_stored(config):
            return known
        held = {event.event_id: event for event in known}
        return [held.get(draft.event_id) or self._again(draft, context) for draft in drafts]

    def _again(self, draft: Draft, context: MemoryContext) -> Event:
        by_user = draft.event_type == HUMAN
        return Event(
            event_id=draft.event_id,
            occurred_at=self._memory.clock(),
            scope=context.scope,
            activity_id=context.activity_id or "history",
            actor=Actor("user", context.principal.user_id) if by_user else draft.actor,
            event_type="message.user" if by_user else draft.event_type,
            data=draft.data,
        )

    def record(
        self,
        parts: Cut,
        events: Sequence[Event],
        before: Sequence[AnyMessage],
        after: Sequence[AnyMessage],
        runtime: Runtime[Any],
        context: MemoryContext,
    ) -> Compaction:
        """Write which turns leave. The same turns leaving again, after a retry, are one record."""
        thread = thread_name(runtime, context)
        event = self._memory.publish(
            scope=context.scope,
            activity_id=event_ids.compaction_activity(thread),
            event_type=COMPACTED,
            actor=_BY,
            thread_id=thread,
            event_id=event_ids.of_other(thread, "", parts.dropped[-1].id or "", COMPACTED),
            data={
                "dropped": [event.event_id for event in events if event.seq],
                "messages": len(parts.dropped),
                "tokens_before": self._count(list(before)),
                "tokens_after": self._count(list(after)),
                "summarised": any(is_summary(message) for message in after),
            },
        )
        return _compaction(event)


def compactions(memory: Memory, scope: Scope, thread_id: str) -> list[Compaction]:
    """What a conversation has dropped so far, oldest first."""
    activity = event_ids.compaction_activity(thread_id)
    return [_compaction(event) for event in memory.log.of_activity(scope, activity)]


def summarised(
    events: Sequence[Event], before: Summary | None, summariser: Summariser
) -> tuple[Summary, list[str]]:
    """The summary; where a summariser gives none the rules do, and the notice says so."""
    try:
        return made_by_others(lambda: summariser.summarise(events, before)), []
    except ModelFailureError as error:
        return RulesSummariser().summarise(events, before), [f"summarised by rules: {error}"]


def summary_of(messages: Sequence[AnyMessage]) -> Summary | None:
    """The summary that stands in a conversation."""
    for message in messages:
        if is_summary(message):
            return Summary.model_validate(message.additional_kwargs[SUMMARY])
    return None


def summary_message(summary: Summary, last_dropped: str) -> HumanMessage:
    """The message that stands for dropped turns; it is nobody's words and is never published."""
    shown = {SUMMARY: summary.model_dump(mode="json")}
    return HumanMessage(summary.render(), id=f"summary-{last_dropped}", additional_kwargs=shown)


def _compaction(event: Event) -> Compaction:
    data: dict[str, Any] = dict(event.data)
    return Compaction(compaction_id=event.event_id, thread_id=event.thread_id, at=event.occurred_at, **data)

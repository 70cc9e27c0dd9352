"""Nodes that keep a conversation within a budget: drop the oldest turns, or put a summary in their place."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage, RemoveMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime

from langgraph_memory.conversation.compaction import Dropper, summarised, summary_message, summary_of
from langgraph_memory.conversation.summaries import RulesSummariser, Summariser
from langgraph_memory.conversation.turns import Cut, MessageCounter, count_messages, cut, is_summary
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.memory import Memory
from langgraph_memory.runtime.identity import Callers, Identify
from langgraph_memory.runtime.inputs import fields_of
from langgraph_memory.runtime.notices import Notices, attempt
from langgraph_memory.scope import MemoryContext

Node = Callable[[Any, RunnableConfig, Runtime[Any]], dict[str, Any]]
_SMALLEST_SUMMARY = 80


def window_node(
    memory: Memory,
    *,
    max_tokens: int,
    keep_tokens: int | None = None,
    count: MessageCounter = count_messages,
    identify: Identify | None = None,
) -> Node:
    """A node that drops the oldest turns when a conversation outgrows its budget.

    Nothing leaves that is not in the event log, and a record says what left. Recall finds what people said
    at once, and what else was said and done once it is part of an episode. If that fails, nothing is dropped;
    `state["notice"]` tells why until the next recall, and so does the log. Put it before the planner: it
    publishes what is new each time, for later nothing tells what a person said from what a node wrote. A
    graph without a checkpointer is handed its history by whoever runs it: that was captured when it was said,
    and merely leaves the prompt here.

    Args:
        memory: where dropped turns stay findable.
        max_tokens: the size from which something is dropped.
        keep_tokens: the size to which it is brought down; half of `max_tokens` by default, so that most turns
            leave the prompt's beginning, and the provider's cache of it, as they are.
        count: tokens of messages.
        identify: who is asking; see `recall_node`.

    Raises:
        ConfigurationError: `keep_tokens` is not between 0 and `max_tokens`.
    """
    return _Trimming(memory, _size(max_tokens, keep_tokens), count, identify, None).run


def compaction_node(
    memory: Memory,
    *,
    max_tokens: int,
    keep_tokens: int | None = None,
    summariser: Summariser | None = None,
    count: MessageCounter = count_messages,
    identify: Identify | None = None,
) -> Node:
    """A node that puts a summary in the place of old turns when a conversation outgrows its budget.

    The summary keeps who the user is, what was decided and what is open. A third of what is kept is its
    own, and what the newest turns leave free. Otherwise as `window_node`.

    Args:
        memory: where dropped turns stay findable.
        max_tokens: the size from which turns are compacted.
        keep_tokens: the size to which the conversation is brought down, the summary included.
        summariser: `ModelSummariser(model)`, or your own; by rules when there is none.
        count: tokens of messages.
        identify: who is asking; see `recall_node`.

    Raises:
        ConfigurationError: `keep_tokens` is not between 0 and `max_tokens`.
    """
    return _Trimming(
        memory, _size(max_tokens, keep_tokens), count, identify, summariser or RulesSummariser()
    ).run


class _Trimming:
    """One run of a trimming node: cut, capture, sum up, record, update."""

    def __init__(
        self,
        memory: Memory,
        size: tuple[int, int],
        count: MessageCounter,
        identify: Identify | None,
        summariser: Summariser | None,
    ) -> None:
        self._max, self._keep = size
        self._count = count
        self._callers = Callers(memory, identify)
        self._summariser = summariser
        self._dropper = Dropper(memory, count)
        self._notices = Notices()

    def run(self, given: Any, config: RunnableConfig, runtime: Runtime[Any]) -> dict[str, Any]:
        """The update of the state; the recall after it takes the notice away, so the log has it too."""
        update = self._run(given, config, runtime)
        self._notices.told([update["notice"]] if "notice" in update else [])
        return update

    def _run(self, given: Any, config: RunnableConfig, runtime: Runtime[Any]) -> dict[str, Any]:
        state = fields_of(given)
        messages = list(state["messages"])
        context, unknown = self._callers.of(runtime)
        unpublished = [unknown] if context is None else self._dropper.capture(state, config, runtime, context)
        if self._count(messages) <= self._max or not (parts := self._cut(messages)).dropped:
            return {"notice": "; ".join(unpublished)} if unpublished else {}
        if context is None or unpublished:
            return {"notice": f"the conversation is not shortened: {'; '.join(unpublished)}"}
        done, failure = attempt(lambda: self._shortened(parts, messages, config, runtime, context))
        return done if done is not None else {"notice": f"the conversation is not shortened: {failure}"}

    def _cut(self, messages: list[AnyMessage]) -> Cut:
        if self._summariser is None:
            return cut(messages, self._keep, self._count)
        spoken = [message for message in messages if not is_summary(message)]
        return cut(spoken, self._keep - self._summary_size, self._count)

    @property
    def _summary_size(self) -> int:
        return max(self._keep // 3, _SMALLEST_SUMMARY)

    def _shortened(
        self,
        parts: Cut,
        messages: list[AnyMessage],
        config: RunnableConfig,
        runtime: Runtime[Any],
        context: MemoryContext,
    ) -> dict[str, Any]:
        events = self._dropper.events(parts, messages, config, runtime, context)
        if self._summariser is None:
            self._dropper.record(parts, events, messages, parts.kept, runtime, context)
            return {"messages": [RemoveMessage(id=str(message.id)) for message in parts.dropped]}
        summary, notices = summarised(events, summary_of(messages), self._summariser)
        left = self._keep - self._count(list(parts.kept))
        room = max(self._summary_size, left)
        short = summary.within(room, lambda text: self._count([HumanMessage(text)]))
        message = summary_message(short, str(parts.dropped[-1].id))
        head = list(takewhile(lambda kept: isinstance(kept, SystemMessage), parts.kept))
        after = [*head, message, *parts.kept[len(head) :]]
        self._dropper.record(parts, events, messages, after, runtime, context)
        update: dict[str, Any] = {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), *after]}
        return update | ({"notice": "; ".join(notices)} if notices else {})


def _size(max_tokens: int, keep_tokens: int | None) -> tuple[int, int]:
    keep = max_tokens // 2 if keep_tokens is None else keep_tokens
    if not 0 < keep <= max_tokens:
        raise ConfigurationError(
            f"keep_tokens={keep_tokens!r} and max_tokens={max_tokens!r} don't fit: give "
            "0 < keep_tokens <= max_tokens"
        )
    return max_tokens, keep

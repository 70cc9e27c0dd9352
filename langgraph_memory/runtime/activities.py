"""Which activity a message belongs to: a run's input opens one, and all that the run does goes on in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from langgraph_memory.log import EventLog, event_ids
from langgraph_memory.scope import MemoryContext

SUMMARY = "langgraph_memory_summary"
"""Under this key of `additional_kwargs` a message carries the summary of turns that were dropped: it is
nobody's words, and no event."""

MARK_RECALLED = "langgraph_memory_recalled"
"""A message with this key of `additional_kwargs` brings memories to a planner; it says nothing new."""

_NO_EVENTS = frozenset({SUMMARY, MARK_RECALLED})


class Activities:
    """The activities of a conversation's messages.

    A context that names one has all of them in it. Else the first message of a run's input opens one, which
    the messages after it belong to, whoever wrote them; and what comes with no new input goes on in the
    activity of the last human message that the log holds.

    Args:
        log: tells the activity of what it holds.
        messages: from the first one.
        thread: where they were said.
        context: whose run it is.
        opens: the positions of the messages with which the inputs of runs begin to speak.
    """

    def __init__(
        self,
        log: EventLog,
        messages: Sequence[AnyMessage],
        thread: str,
        context: MemoryContext,
        opens: Iterable[int] = (),
    ) -> None:
        self._log, self._messages, self._thread = log, messages, thread
        self._named = context.activity_id
        self._opens = sorted(opens)
        self._before: str | None = None

    def at(self, position: int) -> str:
        """The activity of the message at this position."""
        if self._named is not None:
            return self._named
        opened = [first for first in self._opens if first <= position]
        return self._of(opened[-1]) if opened else self._earlier

    @property
    def latest(self) -> str:
        """The activity that goes on after all messages."""
        return self.at(len(self._messages))

    @property
    def _earlier(self) -> str:
        """The activity that went on before any of the inputs; looked up once.

        No lock is held meanwhile, as a `cached_property` of Python 3.11 would: reading the log may wait for
        work that asks for activities, too.
        """
        if self._before is None:
            self._before = self._looked_up()
        return self._before

    def _looked_up(self) -> str:
        end = self._opens[0] if self._opens else len(self._messages)
        humans = [n for n in range(end) if is_human(self._messages[n])]
        if not humans:
            return _activity(self._thread, "")
        last = self._log.get(self._event_id(humans[-1]))
        if last is not None:
            return last.activity_id
        known = self._log.events([self._event_id(position) for position in humans])
        return known[-1].activity_id if known else self._of(humans[0])

    def _of(self, position: int) -> str:
        return _activity(self._thread, id_of(self._messages[position], position))

    def _event_id(self, position: int) -> str:
        return event_ids.of_message(self._thread, id_of(self._messages[position], position))


def thread_name(runtime: Runtime[Any], context: MemoryContext) -> str:
    """What tells a conversation from others: its thread; without a checkpointer scope and activity."""
    return thread_of(runtime) or f"{context.scope.key}/{context.activity_id or ''}"


def thread_of(runtime: Runtime[Any]) -> str | None:
    """The run's thread; None without a checkpointer."""
    return _as_kept(runtime.execution_info.thread_id) if runtime.execution_info else None


def thread_in(config: RunnableConfig) -> str | None:
    """The thread that a config names; None without one."""
    return _as_kept(config["configurable"].get("thread_id"))


def _as_kept(thread: object) -> str | None:
    """A thread's id as LangGraph keeps it, whatever the caller gave: a UUID or a number becomes its text."""
    return None if thread is None else str(thread)


def is_event(message: AnyMessage) -> bool:
    """Whether a message says something: those that bring memories or sum up dropped turns don't."""
    return _NO_EVENTS.isdisjoint(message.additional_kwargs)


def is_human(message: AnyMessage) -> bool:
    """Whether a message is a human one that says something, by a person or not."""
    return isinstance(message, HumanMessage) and is_event(message)


def ends(messages: Sequence[AnyMessage]) -> bool:
    """Whether the last message is an agent's last word."""
    return bool(messages) and isinstance(messages[-1], AIMessage) and not messages[-1].tool_calls


def id_of(message: AnyMessage, position: int) -> str:
    """A message's id; of one that has none, an id made from its position and content."""
    return message.id or _content_id(message, position)


def _activity(thread: str, message_id: str) -> str:
    return f"act_{hashlib.sha256(json.dumps([thread, message_id]).encode()).hexdigest()[:16]}"


def _content_id(message: AnyMessage, position: int) -> str:
    text = json.dumps([position, message.type, message.content], default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]

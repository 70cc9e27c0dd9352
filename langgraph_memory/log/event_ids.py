"""Ids of events, made from what happened and where: who captures it, and how often, makes no difference."""

from __future__ import annotations

import hashlib
import json


def of_tool_call(thread_id: str, message_id: str, call_id: str, event_type: str) -> str:
    """The id of a tool event; `message_id` is that of the AI message that made the call.

    Call ids alone don't do: some models use the same one twice in a thread.

    >>> first = of_tool_call("thread", "message-1", "call_1", "tool.completed")
    >>> first == of_tool_call("thread", "message-2", "call_1", "tool.completed")
    False
    """
    return _digest("tool", thread_id, message_id, call_id, event_type)


def of_message(thread_id: str, message_id: str) -> str:
    """The id of a message event."""
    return _digest("message", thread_id, message_id)


def of_edit(thread_id: str, message_id: str, before: str, said: str) -> str:
    """The id of the event of a message that was said anew: what stood under its id, and what was said."""
    return _digest("edit", thread_id, message_id, before, said)


def of_other(thread_id: str, checkpoint_ns: str, task: str, event_type: str) -> str:
    """The id of any other event of a thread: an activity checkpoint, a custom type."""
    return _digest("other", thread_id, checkpoint_ns, task, event_type)


def session_activity(thread_id: str) -> str:
    """The activity of a whole thread, where a conversation is remembered as one session."""
    return f"session_{_digest('session', thread_id)[3:19]}"


def compaction_activity(thread_id: str) -> str:
    """The activity under which a thread's records of dropped turns stand."""
    return f"compaction_{_digest('compaction', thread_id)[3:19]}"


def _digest(*parts: str) -> str:
    text = json.dumps(parts)
    return f"ev_{hashlib.sha256(text.encode()).hexdigest()[:32]}"

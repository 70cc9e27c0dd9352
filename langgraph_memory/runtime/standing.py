"""What stands in a checkpoint that passes a saver: its messages by channel, and what the run came in with."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import is_
from typing import Any, NamedTuple, cast

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.base import Checkpoint, CheckpointTuple
from langgraph.checkpoint.serde.types import ERROR, INTERRUPT, _DeltaSnapshot
from langgraph.types import Overwrite

from langgraph_memory.runtime.activities import id_of
from langgraph_memory.runtime.inputs import fields_of, matched, speech_in
from langgraph_memory.runtime.message_events import caller_of
from langgraph_memory.runtime.stops import INTERRUPTED, Stop, failed

START = "__start__"
RETURN = "__return__"
"""The channel in which the functional API's tasks leave their results."""

_TASKS = "__pregel_tasks"
_HANDLED = "__error_source_node__"
_BRANCH, _JOIN = "branch:to:", "join:"

Key = tuple[str, ...]
"""What makes a message one: its id; of a tool's answer, the AI message and call that it answers."""


class Spoken(NamedTuple):
    """The messages of a channel.

    Attributes:
        messages: in order.
        keys: what makes each of them one.
        new: the position of the first one that did not stand there in the checkpoint before.
    """

    messages: Sequence[AnyMessage]
    keys: list[Key]
    new: int = 0


@dataclass(frozen=True)
class Standing:
    """The state of one checkpoint, as far as memory looks at it.

    Attributes:
        channels: the messages of each channel that holds some.
        start: the input of a root graph's run that begins at this checkpoint; None elsewhere.
    """

    channels: Mapping[str, Spoken]
    start: Any = None

    @property
    def conversation(self) -> Spoken:
        """What is said in the channel `messages`, or in the longest one."""
        if "messages" in self.channels:
            return self.channels["messages"]
        return max(self.channels.values(), key=lambda spoken: len(spoken.messages), default=Spoken((), []))

    @property
    def main(self) -> Sequence[AnyMessage]:
        """The messages of the conversation."""
        return self.conversation.messages


NOTHING = Standing({})
"""What stands before the first checkpoint."""


@dataclass(frozen=True)
class Written:
    """The messages that one task wrote to one channel; `place` orders the writes of a superstep."""

    place: tuple[str, str, int]
    channel: str
    messages: tuple[AnyMessage, ...]


def standing_of(found: CheckpointTuple, histories: Mapping[str, Any]) -> Standing:
    """What stands in a stored checkpoint; `histories` are those of the channels stored as their changes."""
    channels = dict(channels_in(found.checkpoint))
    for name, history in histories.items():
        later = [message for _, _, value in history["writes"] for message in messages_in(value)]
        if spoken := spoken_in([*messages_in(history.get("seed")), *later]):
            channels[name] = spoken
    return Standing(channels)


def channels_in(checkpoint: Checkpoint, before: Standing = NOTHING) -> dict[str, Spoken]:
    """The messages of each channel that holds some; looked through from where `before` ends."""
    values = checkpoint["channel_values"].items()
    found = {
        name: spoken_in(value, before.channels.get(name)) for name, value in values if not _is_internal(name)
    }
    return {name: spoken for name, spoken in found.items() if spoken}


def spoken_in(value: Any, before: Spoken | None = None) -> Spoken | None:
    """The messages in a channel's value; None if it holds none.

    Where it begins with the very messages of the checkpoint before, only the rest is looked at: a step of a
    long conversation costs no more than one of a short conversation.
    """
    if before is not None and isinstance(value, list):
        known = len(before.keys)
        later = value[known:]
        if (
            len(value) >= known
            and all(map(is_, value, before.messages))
            and all(isinstance(each, BaseMessage) for each in later)
        ):
            return Spoken(value, [*before.keys, *keys_of(value, known)] if later else before.keys, known)
    messages = messages_in(value)
    return Spoken(messages, keys_of(messages)) if messages else None


def elsewhere(checkpoint: Checkpoint) -> list[str]:
    """The channels of which the checkpoint itself holds no value: their changes may be stored instead."""
    held = checkpoint["channel_values"]
    return [n for n in checkpoint["channel_versions"] if n not in held and not _is_internal(n)]


def messages_in(value: Any) -> Sequence[AnyMessage]:
    """The messages in a channel's value or in what a task wrote to it."""
    if isinstance(value, _DeltaSnapshot | Overwrite):
        value = value.value
    if isinstance(value, BaseMessage):
        return (cast("AnyMessage", value),)
    if not isinstance(value, list | tuple):
        return ()
    if all(isinstance(each, BaseMessage) for each in value):
        return cast("Sequence[AnyMessage]", value)
    return tuple(cast("AnyMessage", each) for each in value if isinstance(each, BaseMessage))


def keys_of(messages: Sequence[AnyMessage], first: int = 0) -> list[Key]:
    """What makes each of the messages from `first` on one, in order."""
    return [_key(messages, position) for position in range(first, len(messages))]


def _key(messages: Sequence[AnyMessage], position: int) -> Key:
    message = messages[position]
    if isinstance(message, ToolMessage) and (found := caller_of(messages, position)):
        return ("call", found[0], message.tool_call_id)
    return ("message", id_of(message, position))


def is_over(checkpoint: Checkpoint) -> bool:
    """Whether nothing is left to run after a checkpoint of a compiled `StateGraph`."""
    values = checkpoint["channel_values"]
    if values.get(_TASKS) or START in values:
        return False
    return not any(name.startswith(_BRANCH) or _is_complete(name, values[name]) for name in values)


def tells(message: AnyMessage) -> bool:
    """Whether a message is an event, and not just a request for tools, which their results tell."""
    return not (isinstance(message, AIMessage) and message.tool_calls and not message.text)


def is_result(message: AnyMessage) -> bool:
    """Whether a message is a tool's answer."""
    return isinstance(message, ToolMessage)


def named(message: AnyMessage, task_id: str) -> AnyMessage:
    """A message that goes by its task, where it has no id of its own."""
    return message if message.id else message.model_copy(update={"id": task_id})


def words_in(before: Standing, standing: Standing) -> dict[Key, str]:
    """What a person said in the input with which a run began at `before`, by the messages that say it."""
    start = fields_of(before.start)
    said: dict[Key, str] = {}
    for name, spoken in standing.channels.items():
        speech = speech_in(start, name)
        old = _words_of(before.channels.get(name)) if speech else {}
        for position, text in matched(spoken.messages, speech).items():
            if old.get(spoken.keys[position]) != text:
                said[spoken.keys[position]] = text
    return said


def stood_in(before: Standing, keys: Collection[Key]) -> dict[Key, str]:
    """The words that stood under these keys, of those that did."""
    found: dict[Key, str] = {}
    for spoken in before.channels.values() if keys else ():
        found |= {key: text for key, text in _words_of(spoken).items() if key in keys}
    return found


def _words_of(spoken: Spoken | None) -> dict[Key, str]:
    """What the human messages of a channel say."""
    told = zip(spoken.keys, spoken.messages, strict=True) if spoken else ()
    return {key: message.text for key, message in told if isinstance(message, HumanMessage)}


def openings(said: Collection[Key], standing: Standing) -> set[Key]:
    """The first message of each channel that says something of this: with it the run's activity opens."""
    firsts = (next((k for k in spoken.keys if k in said), None) for spoken in standing.channels.values())
    return {key for key in firsts if key is not None}


def stop_in(written: Sequence[tuple[str, Any]]) -> Stop | None:
    """How a task's writes stop the run: it failed and the graph doesn't handle that, or it asks someone."""
    channels = {channel for channel, _ in written}
    if INTERRUPT in channels:
        return INTERRUPTED
    if ERROR not in channels or _HANDLED in channels:
        return None
    return failed([value for channel, value in written if channel == ERROR][-1])


def _is_complete(name: str, value: Any) -> bool:
    """Whether a node that waits for several others (`join:first+second:node`) has all of them."""
    if not name.startswith(_JOIN):
        return False
    awaited = name.removeprefix(_JOIN).rpartition(":")[0]
    seen = value[0] if isinstance(value, tuple) else value
    return isinstance(seen, set | frozenset | list) and set(awaited.split("+")) <= set(seen)


def _is_internal(name: str) -> bool:
    return name.startswith(("__", _BRANCH, _JOIN))

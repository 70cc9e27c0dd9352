"""What stands in a checkpoint that passes a saver: its messages by channel, and what the run came in with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, ToolMessage
from langgraph.checkpoint.base import Checkpoint, CheckpointTuple
from langgraph.checkpoint.serde.types import _DeltaSnapshot
from langgraph.types import Overwrite

from langgraph_memory.runtime.capture import calls_of, id_of

START = "__start__"
RETURN = "__return__"
"""The channel in which the functional API's tasks leave their results."""

_TASKS = "__pregel_tasks"
_BRANCH, _JOIN = "branch:to:", "join:"

Key = tuple[str, ...]
"""What makes a message one: its id; of a tool's answer, the AI message and call that it answers."""


@dataclass(frozen=True)
class Standing:
    """The state of one checkpoint, as far as memory looks at it.

    Attributes:
        channels: the messages of each channel that holds some.
        start: the input of a root graph's run that begins at this checkpoint; None elsewhere.
    """

    channels: Mapping[str, Sequence[AnyMessage]]
    start: Any = None

    @property
    def main(self) -> Sequence[AnyMessage]:
        """The conversation: the channel `messages`, or the longest one."""
        return self.channels.get("messages") or max(self.channels.values(), key=len, default=())


@dataclass(frozen=True)
class Written:
    """The messages that one task wrote to one channel; `place` orders the writes of a superstep."""

    place: tuple[str, str, int]
    channel: str
    messages: tuple[AnyMessage, ...]


def standing_of(found: CheckpointTuple, histories: Mapping[str, Any]) -> Standing:
    """What stands in a stored checkpoint; `histories` are those of the channels stored as their changes."""
    channels = channels_in(found.checkpoint)
    for name, history in histories.items():
        seed = messages_in(history.get("seed"))
        later = [message for _, _, value in history["writes"] for message in messages_in(value)]
        if seed or later:
            channels[name] = [*seed, *later]
    return Standing(channels)


def channels_in(checkpoint: Checkpoint) -> dict[str, Sequence[AnyMessage]]:
    """The messages of each channel that holds some."""
    values = checkpoint["channel_values"].items()
    found = {name: messages_in(value) for name, value in values if not _is_internal(name)}
    return {name: messages for name, messages in found.items() if messages}


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


def keys_of(messages: Iterable[AnyMessage]) -> list[Key]:
    """What makes each of the messages one, in order."""
    calls: dict[str, tuple[str, Any]] = {}
    keys: list[Key] = []
    for position, message in enumerate(messages):
        if isinstance(message, ToolMessage) and message.tool_call_id in calls:
            keys.append(("call", calls[message.tool_call_id][0], message.tool_call_id))
            continue
        message_id = id_of(message, position)
        keys.append(("message", message_id))
        if isinstance(message, AIMessage) and message.tool_calls:
            calls |= calls_of(message, message_id)
    return keys


def is_over(checkpoint: Checkpoint) -> bool:
    """Whether nothing is left to run after a checkpoint of a compiled `StateGraph`."""
    values = checkpoint["channel_values"]
    if values.get(_TASKS) or START in values:
        return False
    return not any(name.startswith(_BRANCH) or _is_complete(name, values[name]) for name in values)


def ends(messages: Sequence[AnyMessage]) -> bool:
    """Whether the last message is an agent's last word."""
    return bool(messages) and isinstance(messages[-1], AIMessage) and not messages[-1].tool_calls


def _is_complete(name: str, value: Any) -> bool:
    """Whether a node that waits for several others (`join:first+second:node`) has all of them."""
    if not name.startswith(_JOIN):
        return False
    awaited = name.removeprefix(_JOIN).rpartition(":")[0]
    seen = value[0] if isinstance(value, tuple) else value
    return isinstance(seen, set | frozenset | list) and set(awaited.split("+")) <= set(seen)


def _is_internal(name: str) -> bool:
    return name.startswith(("__", _BRANCH, _JOIN))

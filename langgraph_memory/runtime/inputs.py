"""Which human messages the run's caller gave, as against those that a node, a summary or an update wrote.

Only the first kind is a person speaking, and only behind the input's last AI message: what stands before that
is history, which someone else may have said. The run's input is read from the checkpoint that LangGraph saves
for it; where none is saved (no checkpointer, or durability "exit"), everything that is new in the first
superstep came with the input.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, convert_to_messages
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple

from langgraph_memory.runtime.activities import is_human, thread_in

_FIRST_SUPERSTEP = 3
"""Steps from the checkpoint before a run to its first superstep: input, start, first nodes."""

_BEFORE_ALL = -2
_INTERRUPTED = ("__interrupt__", "__resume__")
_PATIENCE = 2.0
_FIRST_WAIT = 0.002


class Heard(NamedTuple):
    """What people said in a run's input.

    Attributes:
        words: text as given, by position in the state, in order.
        certain: whether that is known to be all of it.
    """

    words: Mapping[int, str] = MappingProxyType({})
    certain: bool = True


def spoken(
    messages: Sequence[AnyMessage], config: RunnableConfig, key: str = "messages", *, entered: bool = False
) -> Heard:
    """The human messages with which the input of the root graph's run speaks.

    A run that was resumed, by an answer or with no input at all, brings none: who resumes a run is not who
    spoke before.

    Args:
        messages: the state's messages.
        config: the node's config.
        key: the state key of the messages.
        entered: whether it is known that no node has written human messages in this run.
    """
    root = _root(config)
    saver = _readable(config["configurable"].get("__pregel_checkpointer"))
    if isinstance(saver, BaseCheckpointSaver) and root.get("durability") != "exit":
        return Heard(matched(messages, speech_in(_input(saver, root), key)))
    if root["resumed"]:
        return Heard()
    before = _latest(saver, root) if isinstance(saver, BaseCheckpointSaver) else None
    step = before.metadata["step"] if before else _BEFORE_ALL
    first = config["metadata"]["langgraph_step"] == step + _FIRST_SUPERSTEP
    if root["nested"] or not (first or entered):
        return Heard(certain=False)
    old = {message.id for message in _listed(before.checkpoint["channel_values"], key)} if before else set()
    new = [position for position, message in enumerate(messages) if message.id not in old]
    answered = max((n for n in new if isinstance(messages[n], AIMessage)), default=-1)
    return Heard({n: messages[n].text for n in new if n > answered and is_human(messages[n])})


def stood_before(config: RunnableConfig, key: str = "messages") -> dict[str, str]:
    """The words of the human messages that stood in the thread before the run, by id, if that is told."""
    root, saver = _root(config), _readable(config["configurable"].get("__pregel_checkpointer"))
    if not isinstance(saver, BaseCheckpointSaver):
        return {}
    found = _latest(saver, root) if root.get("durability") == "exit" else _began(saver, root)
    values = found.checkpoint["channel_values"] if found else {}
    return {m.id: m.text for m in _listed(values, key) if isinstance(m, HumanMessage) and m.id}


def is_stored(config: RunnableConfig) -> bool:
    """Whether the graph keeps its state in a checkpointer."""
    return bool(config["configurable"].get("__pregel_checkpointer"))


def _readable(saver: Any) -> Any:
    """The saver; the inner one where a server wraps it in one that only reads asynchronously."""
    if isinstance(saver, BaseCheckpointSaver) and type(saver).get_tuple is BaseCheckpointSaver.get_tuple:
        return getattr(saver, "_inner", saver)
    return saver


def _root(config: RunnableConfig) -> dict[str, Any]:
    """Where the root graph's run stands: thread, checkpoint and durability."""
    configurable = config["configurable"]
    return {
        "thread_id": thread_in(config),
        "checkpoint_id": configurable.get("checkpoint_map", {}).get(""),
        "durability": configurable.get("__pregel_durability"),
        "nested": "|" in configurable.get("checkpoint_ns", ""),
        "resumed": bool(configurable.get("__pregel_resuming")) and not _is_retry(config),
        "run_id": config.get("metadata", {}).get("run_id"),
    }


def _is_retry(config: RunnableConfig) -> bool:
    """Whether LangGraph runs the task again in the same run, which it marks as resuming too."""
    info = getattr(config["configurable"].get("__pregel_runtime"), "execution_info", None)
    return info is not None and info.node_attempt > 1


def _input(saver: BaseCheckpointSaver[Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The channels of the checkpoint that holds the run's input; empty if the run began without one.

    A run that goes on after an interrupt brings no speech: who resumes it is not who spoke before.
    """
    found = _began(saver, root)
    return fields_of(found.checkpoint["channel_values"].get("__start__")) if found else {}


def _began(saver: BaseCheckpointSaver[Any], root: Mapping[str, Any]) -> CheckpointTuple | None:
    """The checkpoint that holds the run's input; None if the run began without one."""
    last = found = _saved(saver, root)
    while found is not None and found.metadata.get("source") != "input":
        if any(channel in _INTERRUPTED for _, channel, _ in found.pending_writes or ()):
            return None
        found = saver.get_tuple(found.parent_config) if found.parent_config else None
    if found is not None and last is not None:
        resumed = root["resumed"] or _passed(found) != _passed(last)
        if resumed and not _is_of_run(found, root["run_id"]):
            return None
    if found is None or found.checkpoint.get("updated_channels") is None:
        return None  # an update of the state can pose as input; only a run notes what it changed
    return found


def fields_of(state: Any) -> Mapping[str, Any]:
    """A run's input, or a node's state, by state keys, whether it is a mapping or an object."""
    if isinstance(state, Mapping):
        return state
    return vars(state) if hasattr(state, "__dict__") else {}


def _is_of_run(found: CheckpointTuple, run_id: str | None) -> bool:
    """Whether a checkpoint was made by a run that a server has merely taken up again."""
    return run_id is not None and found.metadata.get("run_id") == run_id


def _passed(found: CheckpointTuple) -> Any:
    """What LangGraph notes when a run is resumed: which versions of the channels it may go past."""
    return found.checkpoint["versions_seen"].get("__interrupt__")


def _saved(saver: BaseCheckpointSaver[Any], root: Mapping[str, Any]) -> CheckpointTuple | None:
    """The checkpoint that the task stands on; one that is being saved in the background is waited for."""
    address: RunnableConfig = {
        "configurable": {
            "thread_id": root["thread_id"],
            "checkpoint_ns": "",
            "checkpoint_id": root["checkpoint_id"],
        }
    }
    wait, deadline = _FIRST_WAIT, time.monotonic() + _PATIENCE
    while (found := saver.get_tuple(address)) is None and time.monotonic() < deadline:
        time.sleep(wait)
        wait *= 2
    return found


def _latest(saver: BaseCheckpointSaver[Any], root: Mapping[str, Any]) -> CheckpointTuple | None:
    return saver.get_tuple({"configurable": {"thread_id": root["thread_id"], "checkpoint_ns": ""}})


def speech_in(values: Mapping[str, Any], key: str) -> list[AnyMessage]:
    """The human messages with which an input speaks: those behind its last AI message."""
    messages = _listed(values, key)
    answered = max((n for n, message in enumerate(messages) if isinstance(message, AIMessage)), default=-1)
    return [message for message in messages[answered + 1 :] if isinstance(message, HumanMessage)]


def _listed(values: Mapping[str, Any], key: str) -> list[AnyMessage]:
    """The messages of an input or a state, in any form that LangGraph takes."""
    raw = values.get(key) or []
    listed = raw if isinstance(raw, list | tuple) else [raw]
    return cast("list[AnyMessage]", convert_to_messages(listed))


def matched(messages: Sequence[AnyMessage], given: Iterable[AnyMessage]) -> dict[int, str]:
    """The positions of the given messages in the state, by id or by their words, and what was given there.

    The text is that of the input: a node may have added to the message since.
    """
    found: dict[int, str] = {}
    for message in reversed(list(given)):
        for position in range(len(messages) - 1, -1, -1):
            if position not in found and _is(messages[position], message):
                found[position] = message.text
                break
    return dict(sorted(found.items()))


def _is(message: AnyMessage, given: AnyMessage) -> bool:
    if not isinstance(message, HumanMessage):
        return False
    return message.id == given.id if given.id else given.text in message.text

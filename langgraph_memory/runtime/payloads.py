"""What nodes are given and give back, in every form: states, messages, calls, commands."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command
from pydantic import BaseModel


def messages_in(given: Any, key: str) -> list[AnyMessage] | None:
    """The messages of a node's input: a state of any kind, or a list of messages; None if it has none.

    >>> messages_in({"messages": [AIMessage("Hi")]}, "messages")[0].text, messages_in({"x": 1}, "messages")
    ('Hi', None)
    """
    if _is_call_with_state(given):
        return messages_in(given["state"], key)
    found = given if isinstance(given, list) else _field(given, key)
    if isinstance(found, BaseMessage):
        return [found]  # type: ignore[list-item]
    if isinstance(found, list | tuple) and all(isinstance(each, BaseMessage) for each in found):
        return list(found)
    return None


def with_messages(given: Any, key: str, messages: Sequence[AnyMessage]) -> Any:
    """A copy of a node's input with other messages; what is given stays as it is."""
    if isinstance(given, list):
        return list(messages)
    if isinstance(given, Mapping):
        return {**given, key: list(messages)}
    if isinstance(given, BaseModel):
        return given.model_copy(update={key: list(messages)})
    changed = copy.copy(given)
    object.__setattr__(changed, key, list(messages))
    return changed


def calls_in(given: Any, key: str) -> list[Any] | None:
    """The tool calls that a tools node is given; None if it can't be told what it is given.

    A state or a list of messages stands for the calls of its last AI message; a `Send` may carry one call or
    several, by themselves, with the state, or under a name of their own.

    >>> call = {"name": "stop", "args": {}, "id": "1", "type": "tool_call"}
    >>> calls_in([call], "messages") == calls_in({"call": call}, "messages") == [call]
    True
    """
    if _is_call_with_state(given):
        return [given["tool_call"]]
    if isinstance(given, list) and given and all(_is_call(each) for each in given):
        return given
    if _is_call(given):
        return [given]
    messages = messages_in(given, key)
    if messages:
        last = last_ai(messages)
        return list(messages[last].tool_calls) if last is not None else []  # type: ignore[union-attr]
    return _calls_under_names(given)


def only(given: Any, key: str, allowed: Sequence[Any]) -> Any:
    """A node's input with just these of its tool calls; the calls have to be some of `calls_in`."""
    if isinstance(given, list) and given and _is_call(given[0]):
        return list(allowed)
    messages = messages_in(given, key)
    last = last_ai(messages) if messages and not _is_call_with_state(given) else None
    if messages is None or last is None:
        return _only_under_names(given, allowed)
    kept = messages[last].model_copy(update={"tool_calls": list(allowed)})
    return with_messages(given, key, [*messages[:last], kept, *messages[last + 1 :]])


def last_ai(messages: Sequence[AnyMessage]) -> int | None:
    """The position of the last AI message."""
    for position in range(len(messages) - 1, -1, -1):
        if isinstance(messages[position], AIMessage):
            return position
    return None


def new_messages(result: Any, key: str) -> list[AnyMessage]:
    """The messages in what a node returned: updates, commands, or lists of them."""
    if isinstance(result, BaseMessage):
        return [result]  # type: ignore[list-item]
    if isinstance(result, Command):
        return new_messages(result.update, key)
    if isinstance(result, list | tuple):
        return [message for each in result for message in new_messages(each, key)]
    found = _field(result, key)
    return new_messages(found, key) if found is not None and found is not result else []


def with_results(result: Any, key: str, given: Any, added: Sequence[ToolMessage]) -> Any:
    """What a tools node returned, with the messages of calls that did not run.

    >>> len(with_results({"messages": []}, "messages", {}, [ToolMessage("no", tool_call_id="1")])["messages"])
    1
    """
    if not added:
        return result
    if result is None:
        return list(added) if _is_message_list(given) else {key: list(added)}
    if isinstance(result, Mapping):
        known = result.get(key) or []
        return {**result, key: [*added, *(known if isinstance(known, list | tuple) else [known])]}
    if isinstance(result, list) and all(isinstance(each, BaseMessage) for each in result):
        return [*added, *result]
    rest = result if isinstance(result, list | tuple) else [result]
    return [Command(update={key: list(added)}), *rest]


def without(result: Any, key: str, plain: Callable[[Any], Any]) -> Any:
    """What a node returned, without what was put into its messages for one step.

    Args:
        result: what it returned.
        key: of the messages in an update.
        plain: gives a message as it was before, or None for one that was not there.
    """
    if isinstance(result, Command):
        kept = without(result.update, key, plain)
        return result if kept is result.update else dataclasses.replace(result, update=kept)
    if isinstance(result, BaseMessage):
        return plain(result)
    if isinstance(result, list | tuple):
        parts = [without(each, key, plain) for each in result]
        kept = [each for each, was in zip(parts, result, strict=True) if each is not None or was is None]
        same = len(kept) == len(result) and all(a is b for a, b in zip(kept, result, strict=True))
        return result if same else type(result)(kept)
    found = None if isinstance(result, str | bytes) else _field(result, key)
    if not isinstance(found, list | tuple):
        return result
    messages = without(found, key, plain)
    return result if messages is found else with_messages(result, key, messages)


def state_of(given: Any, config: RunnableConfig, key: str) -> Any:
    """The state that a node's input stands for: that which came along, or the graph's present one."""
    if _is_call_with_state(given):
        return given["state"]
    return given if messages_in(given, key) is not None else {key: graph_messages(config, key)}


def graph_messages(config: RunnableConfig, key: str) -> list[AnyMessage]:
    """The messages in the present state of the graph that a node or tool runs in; none outside of one."""
    read = config.get("configurable", {}).get("__pregel_read")
    if read is None or key not in read.args[1]:
        return []
    return messages_in({key: read(key)}, key) or []


def _field(given: Any, key: str) -> Any:
    return given.get(key) if isinstance(given, Mapping) else getattr(given, key, None)


def _is_call_with_state(given: Any) -> bool:
    return isinstance(given, Mapping) and given.get("__type") == "tool_call_with_context"


def _is_call(given: Any) -> bool:
    return isinstance(given, Mapping) and {"name", "args", "id"} <= given.keys()


def _is_message_list(given: Any) -> bool:
    return isinstance(given, list) and bool(given) and isinstance(given[0], BaseMessage)


def _fields(given: Any) -> Mapping[str, Any]:
    return given if isinstance(given, Mapping) else getattr(given, "__dict__", {})


def _calls_under_names(given: Any) -> list[Any] | None:
    found: list[Any] = []
    for value in _fields(given).values():
        if _is_call(value):
            found.append(value)
        elif isinstance(value, list | tuple) and value and all(_is_call(each) for each in value):
            found += value
    return found or None


def _only_under_names(given: Any, allowed: Sequence[Any]) -> Any:
    changed = given
    for name, value in _fields(given).items():
        if isinstance(value, list | tuple) and value and all(_is_call(each) for each in value):
            changed = with_messages(changed, name, [each for each in value if each in allowed])
    return changed

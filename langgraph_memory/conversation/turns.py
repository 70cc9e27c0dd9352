"""What of a conversation still fits: the newest turns, with every tool result beside its call."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.utils import count_tokens_approximately

from langgraph_memory.runtime.activities import SUMMARY

MessageCounter = Callable[[Sequence[AnyMessage]], int]
"""Tokens of messages; langchain-core's approximation unless another is given."""


def count_messages(messages: Sequence[AnyMessage]) -> int:
    """Tokens of messages, as langchain-core estimates them without a tokenizer."""
    return count_tokens_approximately(list(messages))


@dataclass(frozen=True)
class Cut:
    """A conversation in two parts; each keeps the order of its messages."""

    dropped: tuple[AnyMessage, ...]
    kept: tuple[AnyMessage, ...]


def cut(messages: Sequence[AnyMessage], max_tokens: int, count: MessageCounter = count_messages) -> Cut:
    """Keep the newest messages that fit, in whole turns and whole tool-call pairs.

    System messages at the beginning and a summary always stay, and so do the last human message and the last
    step after it, even where they alone are too long: a model can't answer without them. A turn is cut into
    only if it is the newest; a tool result whose call is gone never stays.

    >>> talk = [HumanMessage("one"), AIMessage("1"), HumanMessage("two"), AIMessage("2")]
    >>> [message.text for message in cut(talk, 2, count=len).kept]
    ['two', '2']
    """
    head = len(list(takewhile(_stays, messages)))
    steps = _steps(messages, range(head, len(messages)))
    paired = [*range(head), *sorted(position for step in steps for position in step)]
    kept = paired
    if count([messages[position] for position in paired]) > max_tokens:
        kept = _newest(messages, head, steps, max_tokens, count)
    stays = set(kept)
    return Cut(
        dropped=tuple(message for position, message in enumerate(messages) if position not in stays),
        kept=tuple(messages[position] for position in kept),
    )


def is_summary(message: AnyMessage) -> bool:
    """Whether a message stands for turns that were dropped."""
    return SUMMARY in message.additional_kwargs


def _stays(message: AnyMessage) -> bool:
    return isinstance(message, SystemMessage) or is_summary(message)


def _steps(messages: Sequence[AnyMessage], positions: Iterable[int]) -> list[list[int]]:
    """Positions that belong together: a message, with the results of its calls; orphans are in none.

    A call whose arguments could not be read is one too: providers are sent it, and want its result.
    """
    steps: list[list[int]] = []
    calls: dict[str, list[int]] = {}
    for position in positions:
        message = messages[position]
        if isinstance(message, ToolMessage):
            if message.tool_call_id in calls:
                calls[message.tool_call_id].append(position)
            continue
        step = [position]
        steps.append(step)
        if isinstance(message, AIMessage):
            calls |= {call["id"] or "": step for call in (*message.tool_calls, *message.invalid_tool_calls)}
    return steps


def _newest(
    messages: Sequence[AnyMessage],
    head: int,
    steps: Sequence[Sequence[int]],
    max_tokens: int,
    count: MessageCounter,
) -> list[int]:
    """The positions that stay: steps from the newest back while they fit, then back to a turn's beginning."""
    if not steps:
        return list(range(head))
    last = len(steps) - 1
    starts = [n for n, step in enumerate(steps) if isinstance(messages[step[0]], HumanMessage)]
    asked = set(starts[-1:])
    cuts = [*starts, *range(starts[-1] + 1 if starts else 0, last + 1)]

    def positions(first: int) -> list[int]:
        chosen = sorted(asked | set(range(first, last + 1)))
        return [*range(head), *sorted(position for n in chosen for position in steps[n])]

    def fits(first: int) -> bool:
        return count([messages[position] for position in positions(first)]) <= max_tokens

    fitting = bisect_left(cuts, True, key=fits)  # the later the cut, the shorter what stays
    return positions(cuts[fitting] if fitting < len(cuts) else last)

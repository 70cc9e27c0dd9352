"""Which of the facts that a thread was shown its tool calls rest on, told by their arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from langgraph_memory.answers import Recall
from langgraph_memory.entities import is_identifier
from langgraph_memory.name_index import touches
from langgraph_memory.recent import Recent
from langgraph_memory.records import Fact
from langgraph_memory.store.tokens import tokenize

RECEIPT, CITES = "receipt_id", "cites"
"""Keys of a tool event: the recall that the call followed, and the facts that it rests on."""

_KEPT = 1_000
_LONGEST = 10_000
_ABOUT_PEOPLE = ("user:", "scope:")


def cited(args: Mapping[str, Any], facts: Iterable[Fact]) -> tuple[str, ...]:
    """The ids of the facts that a call rests on: what tells them apart stands in its arguments.

    A call that only names the same thing, or only says what many would say, cites nothing.

    Args:
        args: of the call.
        facts: that the agent was shown.
    """
    words = frozenset(word for text in _texts(args) for word in tokenize(text))
    return tuple(fact.fact_id for fact in facts if _rests_on(fact, args, words))


class Shown:
    """The facts of the latest recall of each thread, in this process."""

    def __init__(self) -> None:
        self._by_thread = Recent[str, tuple[str, tuple[Fact, ...]]](_KEPT)

    def hold(self, thread_id: str | None, recall: Recall) -> None:
        """Note what a recall brought to a thread."""
        if thread_id is None:
            return
        facts = tuple(item.record for item in recall.items if isinstance(item.record, Fact))
        self._by_thread.put(thread_id, (recall.receipt_id, facts))

    def reliance(self, thread_id: str | None, data: Mapping[str, Any]) -> dict[str, Any]:
        """What belongs into the data of a tool call that went well: its recall and the facts that it cites.

        Nothing, where the application says so itself, or where no fact was used.
        """
        args = data.get("args")
        shown = self._by_thread.get(thread_id) if thread_id is not None else None
        if shown is None or CITES in data or RECEIPT in data or not isinstance(args, Mapping):
            return {}
        receipt_id, facts = shown
        found = cited(args, facts)
        return {RECEIPT: receipt_id, CITES: list(found)} if found else {}


def _rests_on(fact: Fact, args: Mapping[str, Any], words: frozenset[str]) -> bool:
    """Whether the arguments name the entity, and hold the names and numbers of the value, or all of it."""
    if not fact.entity.startswith(_ABOUT_PEOPLE) and not touches([fact.entity], args):
        return False
    own = set(tokenize(fact.entity))
    exact = [part for part in fact.value.split() if is_identifier(part) or any(map(str.isdigit, part))]
    telling = set(tokenize(" ".join(exact))) - own or set(tokenize(fact.value)) - own
    return bool(telling) and telling <= words


def _texts(value: Any) -> Iterable[str]:
    """All texts and numbers in arguments, keys included."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield str(key)
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, str | int | float):
        yield str(value)[:_LONGEST]

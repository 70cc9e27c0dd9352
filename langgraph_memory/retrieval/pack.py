"""What fits: constraints first and never trimmed, then the rest in order while the budget lasts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from langgraph_memory.answers import Omission, RecallItem
from langgraph_memory.records import Fact, Record
from langgraph_memory.retrieval.rank import is_active_constraint
from langgraph_memory.retrieval.render import View, fenced, held_back, line

TokenCounter = Callable[[str], int]


class Packed(Record):
    """What was packed: the items, their text, what stayed out, and the constraints that did not fit."""

    items: tuple[RecallItem, ...]
    text: str
    tokens: int
    omitted: tuple[Omission, ...]
    deferred: tuple[str, ...]


def pack(
    ranked: Sequence[RecallItem],
    *,
    view: View,
    budget: int,
    count: TokenCounter,
    notices: Sequence[str] = (),
) -> Packed:
    """Fill the budget with the ranked items; all that is rendered counts.

    Args:
        ranked: best first, constraints at the front.
        view: what the lines depend on; its entities are the active ones.
        budget: in tokens, as `count` counts.
        count: tokens of a text.
        notices: what the reader has to know about the recall itself; they come first.
    """
    kept: list[RecallItem] = []
    lines = list(notices) if count(fenced(notices)) <= budget else []
    omitted: list[Omission] = []
    deferred: list[Fact] = []
    for item in ranked:
        text = _fitting(item, view, lines, budget, count)
        if text is not None:
            kept.append(item)
            lines.append(text)
            continue
        omitted.append(Omission(id=item.id, reason="budget"))
        if is_active_constraint(item, view.entities) and isinstance(item.record, Fact):
            deferred.append(item.record)
    notice = held_back(list(dict.fromkeys(fact.entity for fact in deferred)))
    while deferred and kept and count(fenced([*lines, notice])) > budget:
        lines.pop()
        dropped = kept.pop()
        omitted.append(Omission(id=dropped.id, reason="budget"))
        if is_active_constraint(dropped, view.entities) and isinstance(dropped.record, Fact):
            deferred.append(dropped.record)
    if deferred and count(fenced([*lines, notice])) <= budget:
        lines.append(notice)
    text = fenced(lines)
    return Packed(
        items=tuple(kept),
        text=text,
        tokens=count(text) if text else 0,
        omitted=tuple(omitted),
        deferred=tuple(fact.fact_id for fact in deferred),
    )


def _fitting(
    item: RecallItem, view: View, lines: Sequence[str], budget: int, count: TokenCounter
) -> str | None:
    """The item's line, without its excerpts if it does not fit with them; None if it does not fit at all."""
    for quoting in (view, view.without_quotes()):
        text = line(item, quoting)
        if count(fenced([*lines, text])) <= budget:
            return text
    return None

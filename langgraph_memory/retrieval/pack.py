"""What fits: constraints first and never trimmed, then the rest in order while the budget lasts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from langgraph_memory.answers import Omission, RecallItem
from langgraph_memory.records import Fact, Record
from langgraph_memory.retrieval.rank import is_active_constraint
from langgraph_memory.retrieval.render import fenced, held_back, line

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
    query: str,
    entities: frozenset[str],
    budget: int,
    count: TokenCounter,
    names: Mapping[str, str] | None = None,
) -> Packed:
    """Fill the budget with the ranked items; all that is rendered counts.

    Args:
        ranked: best first, constraints at the front.
        query: chooses the excerpts of episodes.
        entities: the active ones.
        budget: in tokens, as `count` counts.
        count: tokens of a text.
        names: display names of entities by id.
    """
    kept: list[RecallItem] = []
    lines: list[str] = []
    omitted: list[Omission] = []
    deferred: list[Fact] = []
    for item in ranked:
        text = line(item, query, names)
        if count(fenced([*lines, text])) <= budget:
            kept.append(item)
            lines.append(text)
            continue
        omitted.append(Omission(id=item.id, reason="budget"))
        if is_active_constraint(item, entities) and isinstance(item.record, Fact):
            deferred.append(item.record)
    notice = held_back(list(dict.fromkeys(fact.entity for fact in deferred)))
    while deferred and lines and count(fenced([*lines, notice])) > budget:
        lines.pop()
        dropped = kept.pop()
        omitted.append(Omission(id=dropped.id, reason="budget"))
        if is_active_constraint(dropped, entities) and isinstance(dropped.record, Fact):
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

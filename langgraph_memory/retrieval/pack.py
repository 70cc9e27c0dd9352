"""What fits: constraints first and never trimmed, then records and passages while the budget lasts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import accumulate

from langgraph_memory.answers import MemoryKind, Omission, RecallItem, record_id
from langgraph_memory.records import Episode, Event, Fact, FactKind, Procedure, Record
from langgraph_memory.retrieval.latest import latest_first
from langgraph_memory.retrieval.rank import is_active_constraint, moment
from langgraph_memory.retrieval.render import View, fenced, followed, held_back, line
from langgraph_memory.retrieval.sections import to_shorten, within_shares

TokenCounter = Callable[[str], int]
_Record = Fact | Episode | Procedure | Event
_Part = tuple[float, int, RecallItem, int | None]
_Fit = Callable[[Iterable[str]], bool]
"""Whether lines fit into the budget, with what comes before them."""

_ALIKE = 0.6
_SHORT = 2
_FULL = 12
"""So many parts in a row that did not fit say that the budget is used up."""


class Packed(Record):
    """What was packed: the items, their text, what stayed out, and constraints deferred or only shortened."""

    items: tuple[RecallItem, ...]
    text: str
    tokens: int
    omitted: tuple[Omission, ...]
    deferred: tuple[str, ...]
    shortened: tuple[str, ...] = ()


def pack(
    ranked: Sequence[RecallItem],
    *,
    view: View,
    budget: int,
    count: TokenCounter,
    notices: Sequence[str] = (),
    shares: Mapping[MemoryKind, float] | None = None,
) -> Packed:
    """Fill the budget with the ranked items; all that is rendered counts.

    Constraints on active entities that do not fit as they are take a shorter form before one is deferred.

    Args:
        ranked: best first, constraints at the front.
        view: what the lines depend on; its entities are the active ones.
        budget: in tokens, as `count` counts.
        count: tokens of a text.
        notices: what the reader has to know about the recall itself; they come first.
        shares: by kind, the part of the budget that its records get before others take what is left over;
            constraints have no limit.
    """
    head = list(notices) if count(fenced(notices)) <= budget else []

    def fit(lines: Iterable[str]) -> bool:
        return count(fenced([*head, *lines])) <= budget

    view = _shortening(ranked, view, fit)
    kept, lines = _filled(_shared(_parts(ranked), view, shares or {}, budget, count), view, fit)
    deferred, notice = _deferred(ranked, kept, lines, view, fit)
    text = fenced([*head, *lines.values(), *notice])
    return Packed(
        items=tuple(kept.values()),
        text=text,
        tokens=count(text) if text else 0,
        omitted=tuple(Omission(id=item.id, reason="budget") for item in ranked if item.id not in kept),
        deferred=tuple(record_id(record) for record in deferred),
        shortened=tuple(key for key in kept if key in view.short),
    )


def pack_before(
    tail: Sequence[str], packing: Callable[[int], Packed], budget: int, count: TokenCounter
) -> Packed:
    """What is packed, with lines behind it on what changes from step to step.

    The lines go where a constraint would be deferred or shortened for them.

    Args:
        tail: the lines.
        packing: packs into so many tokens.
        budget: in tokens, for all.
        count: tokens of a text.
    """
    room = budget - count(fenced(tail)) if tail else budget
    packed = packing(max(room, 0))
    if not tail:
        return packed
    if room <= 0 or packed.deferred or packed.shortened:
        return packing(budget)
    text = followed(packed.text, tail)
    return packed.model_copy(update={"text": text, "tokens": count(text)})


def _filled(parts: Iterable[_Part], view: View, fit: _Fit) -> tuple[dict[str, RecallItem], dict[str, str]]:
    """The items that fit and their lines, in the order in which they are told."""
    kept: dict[str, RecallItem] = {}
    lines: dict[str, str] = {}
    misfits = 0
    for _, _, item, at in parts:
        if misfits > _FULL and not _is_due(item, view):
            break
        grown = _with(kept.get(item.id), item, at)
        text = line(grown, view)
        if fit((lines | {item.id: text}).values()):
            kept[item.id], lines[item.id], misfits = grown, text, 0
        else:
            misfits += 1
    told = latest_first(_newest_first(kept, lines, view), view.entities)
    return {item.id: item for item in told}, {item.id: lines[item.id] for item in told}


def _deferred(
    ranked: Sequence[RecallItem],
    kept: dict[str, RecallItem],
    lines: dict[str, str],
    view: View,
    fit: _Fit,
) -> tuple[list[_Record], list[str]]:
    """The due constraints that are not told, and the notice of them, for which others make room."""
    deferred = [item.record for item in ranked if item.id not in kept and _is_due(item, view)]
    notice = held_back(_entities(deferred))
    while deferred and kept and not fit([*lines.values(), notice]):
        lines.popitem()
        dropped = kept.popitem()[1]
        deferred += [dropped.record] if _is_due(dropped, view) else []
        notice = held_back(_entities(deferred))
    return deferred, [notice] if deferred and fit([*lines.values(), notice]) else []


def _shortening(ranked: Sequence[RecallItem], view: View, fit: _Fit) -> View:
    """The view in which as few due constraints are shortened as it takes to show all of them."""
    due = [item for item in ranked if _is_due(item, view)]

    def fits(short: frozenset[str]) -> bool:
        shorter = view.model_copy(update={"short": short})
        return fit([line(item, shorter) for item in due])

    short = to_shorten([item.id for item in due], fits)
    return view.model_copy(update={"short": short}) if short else view


def _shared(
    parts: Sequence[_Part], view: View, shares: Mapping[MemoryKind, float], budget: int, count: TokenCounter
) -> Sequence[_Part]:
    """The parts, those beyond the share of their kind last."""
    if not shares:
        return parts
    rules = [part for part in parts if _is_constraint(part[2])]
    others = [part for part in parts if not _is_constraint(part[2])]
    sizes = ((each, each[2].kind, count(line(_with(None, *each[2:]), view))) for each in others)
    return [*rules, *within_shares(sizes, {str(kind): share for kind, share in shares.items()}, budget)]


def _parts(ranked: Sequence[RecallItem]) -> list[_Part]:
    """What is packed one by one: constraints, then other records and single passages by their scores.

    Returns:
        Sorting key, place among the ranked, item, and passage for those that have passages.
    """
    parts: list[_Part] = []
    floors = _floors(ranked)
    for place, item in enumerate(ranked):
        if _is_constraint(item):
            parts.append((-math.inf, place, item, None))
        elif item.passages:
            below = floors[place] - max(item.passages.values())
            parts += [(-round(score + below, 6), place, item, at) for at, score in item.passages.items()]
        else:
            parts.append((-round(floors[place], 6), place, item, None))
    return sorted(parts, key=lambda part: part[:2])


def _floors(ranked: Sequence[RecallItem]) -> list[float]:
    """The score by which each item is packed: at least that of all which it was put before."""
    scores = [item.score for item in ranked]
    return list(accumulate(reversed(scores), max))[::-1]


def _with(kept: RecallItem | None, item: RecallItem, at: int | None) -> RecallItem:
    """The item with one passage more than is kept of it."""
    if at is None:
        return item
    passages = {**(kept.passages if kept else {}), at: item.passages[at]}
    return replace(item, passages=passages)


def _newest_first(kept: Mapping[str, RecallItem], lines: Mapping[str, str], view: View) -> list[RecallItem]:
    """Constraints, then what fits about equally well with the newest first: a later statement outranks.

    What lacks a number or an identifier of the query doesn't fit as well as what has it.
    """
    if not view.newest_first:
        return list(kept.values())
    rules = [item for item in kept.values() if _is_constraint(item)]
    others = [item for item in kept.values() if not _is_constraint(item)]
    best = max((item.score for item in others), default=0.0)
    asked = [word for word in view.words if len(word) > _SHORT and any(map(str.isdigit, word))]

    def order(item: RecallItem) -> tuple[bool, int, datetime]:
        named = sum(word in lines[item.id].lower() for word in asked)
        return item.score >= _ALIKE * best, named, moment(item.record)

    return rules + sorted(others, key=order, reverse=True)


def _is_constraint(item: RecallItem) -> bool:
    return isinstance(item.record, Fact) and item.record.kind is FactKind.CONSTRAINT


def _is_due(item: RecallItem, view: View) -> bool:
    return is_active_constraint(item, view.entities)


def _entities(facts: Sequence[_Record]) -> list[str]:
    return list(dict.fromkeys(fact.entity for fact in facts if isinstance(fact, Fact)))

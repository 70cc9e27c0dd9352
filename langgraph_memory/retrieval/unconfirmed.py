"""What a recall may assert: a fact that nobody has confirmed in time is left out, a rule is marked as due."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from langgraph_memory.answers import Omission, RecallItem
from langgraph_memory.intervals import by_the_clock
from langgraph_memory.records import Fact, FactStatus


def asserted(items: Iterable[RecallItem], now: datetime) -> tuple[list[RecallItem], list[Omission]]:
    """The items as they stand by the clock, and those that are asserted no longer."""
    kept: list[RecallItem] = []
    omitted: list[Omission] = []
    for item in items:
        if not isinstance(item.record, Fact) or item.record.status is not FactStatus.CURRENT:
            kept.append(item)
            continue
        fact = by_the_clock(item.record, now)
        if fact.status is FactStatus.CURRENT:
            kept.append(replace(item, record=fact))
        else:
            reason = f"{fact.status.value}: not confirmed since {fact.confirmed_at:%Y-%m-%d}"
            omitted.append(Omission(id=item.id, reason=reason))
    return kept, omitted

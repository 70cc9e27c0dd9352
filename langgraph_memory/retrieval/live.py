"""What the tools show now, as against what is remembered: live state wins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from langgraph_memory.answers import RecallItem
from langgraph_memory.names import attribute_name, normalise
from langgraph_memory.records import Episode, Fact, FactKind, Observation

Forms = Callable[[str], frozenset[str]]
"""Gives all forms in which an entity is known."""


def shown_otherwise(items: Iterable[RecallItem], live: Sequence[Observation], forms: Forms) -> dict[str, str]:
    """What the tools show now in place of what facts hold, by fact id.

    Rules are left alone: how a thing stands doesn't say how it should.
    """
    attributes = {attribute_name(each.attribute) for each in live}
    found = {}
    for item in items:
        fact = item.record
        if not isinstance(fact, Fact) or fact.kind is FactKind.CONSTRAINT:
            continue
        if attribute_name(fact.attribute) in attributes:
            now = _now(fact.entity, fact.attribute, live, forms)
            if now is not None and normalise(now.strip()) != normalise(fact.value.strip()):
                found[fact.fact_id] = now
    return found


def passed(
    items: Iterable[RecallItem], live: Sequence[Observation], forms: Forms
) -> frozenset[tuple[str, str, str]]:
    """Source, entity and attribute of what episodes observed and the tools show otherwise now."""
    if not live:
        return frozenset()
    seen = [each for item in items if isinstance(item.record, Episode) for each in item.record.observed]
    outdated = set()
    for each in seen:
        now = _now(each.entity, each.attribute, live, forms)
        if now is not None and now != each.value:
            outdated.add((each.source, each.entity, each.attribute))
    return frozenset(outdated)


def _now(entity: str, attribute: str, live: Sequence[Observation], forms: Forms) -> str | None:
    known = None
    for each in live:
        if attribute_name(each.attribute) == attribute_name(attribute):
            known = known or {normalise(form) for form in forms(entity)}
            if normalise(each.entity) in known:
                return each.value
    return None

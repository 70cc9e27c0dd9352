"""Which episodes still say how things stand: a later observation outdates an earlier one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from langgraph_memory.answers import RecallItem
from langgraph_memory.records import Episode, Observation

Place = tuple[str, str]
"""Entity and attribute of an observation."""


def latest_first(items: Sequence[RecallItem], entities: frozenset[str]) -> list[RecallItem]:
    """The items in order, but an episode goes before those whose observations of an entity it outdates."""
    ordered: list[tuple[RecallItem, Mapping[Place, datetime]]] = []
    for item in items:
        seen = _places(item, entities)
        later = (n for n, (_, other) in enumerate(ordered) if other and _outdates(seen, other))
        before = next(later, None) if seen else None
        ordered.insert(len(ordered) if before is None else before, (item, seen))
    return [item for item, _ in ordered]


def outdated(items: Iterable[RecallItem]) -> frozenset[tuple[str, str, str]]:
    """Source, entity and attribute of those observations that a later one among the items contradicts."""
    seen = [each for item in items for each in _observations(item)]
    latest: dict[Place, Observation] = {}
    for each in sorted(seen, key=lambda each: each.at):
        latest[each.entity, each.attribute] = each
    return frozenset(
        (each.source, each.entity, each.attribute)
        for each in seen
        if each.value != latest[each.entity, each.attribute].value
    )


def _observations(item: RecallItem) -> tuple[Observation, ...]:
    return item.record.observed if isinstance(item.record, Episode) else ()


def _places(item: RecallItem, entities: frozenset[str]) -> dict[Place, datetime]:
    return {(each.entity, each.attribute): each.at for each in _observations(item) if each.entity in entities}


def _outdates(later: Mapping[Place, datetime], earlier: Mapping[Place, datetime]) -> bool:
    return any(at > earlier[place] for place, at in later.items() if place in earlier)

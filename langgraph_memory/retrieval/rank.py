"""Which memories matter most: constraints first, then relevance, recency and importance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from langgraph_memory.answers import MemoryKind, Omission, RecallItem, record_id
from langgraph_memory.policy import RankingWeights
from langgraph_memory.records import Episode, Event, Fact, FactKind, Procedure

_CONFIRMED = {"explicit": 2, "corroborated": 1, "single": 0}
_IMPORTANCE = {
    FactKind.CONSTRAINT: 10,
    FactKind.IDENTITY: 7,
    FactKind.PREFERENCE: 6,
    FactKind.PROJECT: 6,
    FactKind.FACT: 5,
}
_IMPORTANCE_OF_PROCEDURES = 8
_IMPORTANCE_OF_WAITING = 7


class Hit(NamedTuple):
    """A memory that an arm of the search brought, with its relevance in [0, 1]; an episode's by passages."""

    kind: MemoryKind
    record: Fact | Episode | Procedure | Event
    relevance: float
    reason: str
    passages: Mapping[int, float] = MappingProxyType({})


def floored(hits: Sequence[Hit], floor: float) -> tuple[list[Hit], list[Omission]]:
    """The hits of records that are near enough to the query, or were asked for by entity; and the others."""
    known = [(record_id(hit.record), hit) for hit in hits]
    near = {key for key, hit in known if hit.relevance >= floor or hit.reason == "entity"}
    below = dict.fromkeys(key for key, _ in known if key not in near)
    return [hit for key, hit in known if key in near], [_too_far(key) for key in below]


@lru_cache(maxsize=4_096)
def _too_far(key: str) -> Omission:
    """That a record is not near enough: most of what a search finds isn't, at each step of a run the same."""
    return Omission(id=key, reason="floor")


def merge(hits: Iterable[Hit]) -> list[RecallItem]:
    """One item a record: the best relevance of its arms, and all their reasons."""
    merged: dict[str, RecallItem] = {}
    for hit in hits:
        item = RecallItem(
            kind=hit.kind,
            record=hit.record,
            score=hit.relevance,
            reasons=(hit.reason,),
            passages=hit.passages,
        )
        known = merged.get(item.id)
        merged[item.id] = _both(known, item) if known is not None else item
    return list(merged.values())


def rank(
    items: Iterable[RecallItem], *, now: datetime, weights: RankingWeights, entities: frozenset[str]
) -> list[RecallItem]:
    """Items best first: active constraints, then by weighted score, confirmation and age.

    Args:
        items: with their relevance as score.
        now: the time from which recency is counted.
        weights: of relevance, recency and importance.
        entities: the active ones; a constraint on one of them is active.
    """
    scored = [_scored(item, now, weights) for item in items]
    return sorted(scored, key=lambda item: _order(item, entities), reverse=True)


def score(item: RecallItem, *, now: datetime, weights: RankingWeights) -> float:
    """The weighted mean of relevance, recency and importance, in [0, 1]."""
    return _weighted(item.score, item.record, now, weights)


def _scored(item: RecallItem, now: datetime, weights: RankingWeights) -> RecallItem:
    passages = {at: _weighted(part, item.record, now, weights) for at, part in item.passages.items()}
    return replace(item, score=_weighted(item.score, item.record, now, weights), passages=passages)


def _weighted(
    relevance: float, record: Fact | Episode | Procedure | Event, now: datetime, weights: RankingWeights
) -> float:
    age = max((now - moment(record)) / weights.half_life, 0.0)
    total = weights.relevance + weights.recency + weights.importance
    value = (
        weights.relevance * relevance
        + weights.recency * 0.5**age
        + weights.importance * _importance(record) / 10
    )
    return value / total if total else 0.0


def fading(items: Iterable[RecallItem], weights: RankingWeights) -> list[RecallItem]:
    """Those of the ranked items whose score has sunk below what is still told; constraints never fade."""
    return [
        item
        for item in items
        if item.score < weights.fade and "entity" not in item.reasons and not _is_constraint(item.record)
    ]


def _both(first: RecallItem, second: RecallItem) -> RecallItem:
    """One record found twice: the better score of everything, and all reasons."""
    passages = dict(first.passages)
    for at, part in second.passages.items():
        passages[at] = max(part, passages.get(at, 0.0))
    reasons = tuple(dict.fromkeys((*first.reasons, *second.reasons)))
    return replace(first, score=max(first.score, second.score), reasons=reasons, passages=passages)


def is_active_constraint(item: RecallItem, entities: frozenset[str]) -> bool:
    """Whether the item is a constraint on an active entity: these are never trimmed."""
    fact = item.record
    return isinstance(fact, Fact) and _is_constraint(fact) and fact.entity in entities


def moment(record: Fact | Episode | Procedure | Event) -> datetime:
    """The time that counts for recency and is shown."""
    match record:
        case Fact():
            return record.confirmed_at
        case Episode():
            return record.ended_at
        case Procedure():
            return record.approved_at or record.created_at
        case Event():
            return record.occurred_at


def _order(item: RecallItem, entities: frozenset[str]) -> tuple[object, ...]:
    fact = item.record
    constraint = _is_constraint(fact)
    confirmed = _CONFIRMED[fact.confirmation] if isinstance(fact, Fact) else 0
    return (
        is_active_constraint(item, entities),
        constraint,
        round(item.score, 6),
        confirmed,
        moment(fact),
        item.id,
    )


def _is_constraint(record: Fact | Episode | Procedure | Event) -> bool:
    return isinstance(record, Fact) and record.kind is FactKind.CONSTRAINT


def _importance(record: Fact | Episode | Procedure | Event) -> int:
    match record:
        case Fact():
            return _IMPORTANCE[record.kind]
        case Episode():
            return record.importance
        case Procedure():
            return _IMPORTANCE_OF_PROCEDURES
        case Event():
            return _IMPORTANCE_OF_WAITING

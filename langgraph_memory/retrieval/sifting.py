"""Which of what was found is told: each once, nothing that has faded, the latest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from langgraph_memory.answers import Omission, RecallItem
from langgraph_memory.policy import RankingWeights
from langgraph_memory.retrieval.latest import latest_first
from langgraph_memory.retrieval.rank import fading, rank
from langgraph_memory.retrieval.variety import distinct, preferred


@dataclass(frozen=True)
class Sifted:
    """What is left of the items found.

    Attributes:
        relevant: the items, those of kinds that the query asks for with more relevance.
        told: of these, what is told, best first.
        left_out: the others, each with the reason.
    """

    relevant: tuple[RecallItem, ...]
    told: tuple[RecallItem, ...]
    left_out: tuple[Omission, ...]


def sifted(
    items: Sequence[RecallItem],
    query: str,
    *,
    weights: RankingWeights,
    now: datetime,
    entities: frozenset[str],
) -> Sifted:
    """Sift items: by the kinds that the query asks for, rank, sameness and age."""
    relevant = preferred(items, query)
    ranked, alike = distinct(rank(relevant, now=now, weights=weights, entities=entities))
    faded = {item.id for item in fading(ranked, weights)}
    told = latest_first([item for item in ranked if item.id not in faded], entities)
    old = [Omission(id=item.id, reason="faded") for item in ranked if item.id in faded]
    return Sifted(tuple(relevant), tuple(told), (*old, *alike))

"""What a request asks for, and nothing twice: kinds that it names, memories that say the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from langgraph_memory.answers import MemoryKind, Omission, RecallItem
from langgraph_memory.records import Episode, Event
from langgraph_memory.store.tokens import known_tokens

MORE = 1.1
"""By how much the relevance of a kind grows that the request asks for."""

_ASKS: dict[MemoryKind, str] = {
    "procedure": r"\bhow (?:do|does|can|should|to)\b|\b(?:steps?|procedure|runbook|playbook|checklist)\b",
    "episode": r"\b(?:last|previous) (?:time|week|run|incident)\b|\b(?:what happened|when did)\b",
    "fact": r"\b(?:rules?|polic(?:y|ies)|constraints?|preferences?|prefers?)\b|\b(?:may|can) (?:i|we)\b",
}


def kinds_asked_for(query: str) -> frozenset[MemoryKind]:
    """The kinds of memories that a request names; none for one that leaves it open.

    >>> sorted(kinds_asked_for("How do we rotate keys, and what happened last time?"))
    ['episode', 'procedure']
    >>> kinds_asked_for("Clean up.")
    frozenset()
    """
    return frozenset(kind for kind, asks in _ASKS.items() if re.search(asks, query, re.IGNORECASE))


def preferred(items: Sequence[RecallItem], query: str) -> list[RecallItem]:
    """The items, those of the kinds that the request asks for with more relevance."""
    kinds = kinds_asked_for(query)
    return [
        replace(item, score=min(1.0, item.score * MORE)) if item.kind in kinds else item for item in items
    ]


def distinct(ranked: Sequence[RecallItem]) -> tuple[list[RecallItem], list[Omission]]:
    """The ranked items without episodes and events that say just what a better one says.

    Facts and procedures are told apart by more than their words, so all of them stay.
    """
    kept: list[RecallItem] = []
    alike: list[Omission] = []
    seen: set[tuple[str, ...]] = set()
    for item in ranked:
        words = _words(item)
        if words and words in seen:
            alike.append(Omission(id=item.id, reason="alike"))
            continue
        seen.add(words)
        kept.append(item)
    return kept, alike


def _words(item: RecallItem) -> tuple[str, ...]:
    record = item.record
    if isinstance(record, Event):
        return ("event", *known_tokens(record.text)) if record.text else ()
    if isinstance(record, Episode):
        said = [record.summary, record.resolution or "", *(excerpt.text for excerpt in record.excerpts)]
        return ("episode", str(record.status), *record.entities, *known_tokens(" ".join(said)))
    return ()

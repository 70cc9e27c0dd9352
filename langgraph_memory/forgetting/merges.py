"""Merges that are to be undone: those of someone hostile, those into facts that have nothing else left."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from langgraph_memory.consolidation.facts import lifecycle
from langgraph_memory.records import Event, Fact

MERGED = "fact.merged"


def named_in(merge: Event) -> list[str]:
    """The ids of the facts that a merge was about."""
    others = merge.data.get("others")
    named = [merge.data.get("fact"), *(others if isinstance(others, list) else ())]
    return [each for each in named if isinstance(each, str)]


def apart(facts: Sequence[Fact], gone: Collection[str], at: datetime, *, hostile: bool) -> Iterable[Fact]:
    """Facts that were merged, standing apart again; none where the merge stands.

    Args:
        facts: those that the merge was about.
        gone: the sources that go.
        at: when they are taken apart.
        hostile: whether the merge itself goes; otherwise it falls with the fact that it kept.
    """
    for first in facts:
        behind = [fact for fact in facts if fact.merge is not None and fact.merge.into == first.fact_id]
        if not behind:
            continue
        kept, *others = lifecycle.parted(first, behind, at=at)
        if hostile or set(kept.sources) <= set(gone):
            yield from (kept, *others)

"""Which procedures are offered: those that fit the tools of now, and of these the few that fit the task."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph_memory.answers import Omission, RecallItem
from langgraph_memory.playbooks import ToolRegister
from langgraph_memory.records import Procedure
from langgraph_memory.scope import Scope

MOST = 3
"""How many procedures a recall offers: more would leave the choice of the way to the reader."""


def offered(
    items: Sequence[RecallItem], scope: Scope, tools: ToolRegister
) -> tuple[list[RecallItem], list[Omission]]:
    """The items without procedures that are stale or that others fit better, and why these stay out."""
    kept = [item for item in items if not isinstance(item.record, Procedure)]
    omitted: list[Omission] = []
    places = MOST
    for item in sorted(items, key=lambda each: -each.score):
        if isinstance(item.record, Procedure):
            stale = tools.stale(item.record, scope)
            if stale or not places:
                omitted.append(
                    Omission(id=item.id, reason=f"stale: {stale}" if stale else "others fit better")
                )
            else:
                kept.append(item)
                places -= 1
    return kept, omitted

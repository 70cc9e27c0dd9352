"""Which procedures are offered: those that fit the tools of now, and of these the few that fit the task."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph_memory.answers import Omission, RecallItem
from langgraph_memory.playbooks import ToolRegister
from langgraph_memory.playbooks.versions import BEHAVIOUR
from langgraph_memory.records import Procedure
from langgraph_memory.scope import Scope

MOST = 3
"""How many procedures a recall offers: more would leave the choice of the way to the reader."""


def offered(
    items: Sequence[RecallItem], scope: Scope, tools: ToolRegister
) -> tuple[list[RecallItem], list[Omission]]:
    """The items without procedures that are stale or that others fit better, and why these stay out."""
    kept = [item for item in items if not isinstance(item.record, Procedure) or is_behaviour(item.record)]
    omitted: list[Omission] = []
    known = tools.in_use() if len(kept) < len(items) else {}
    places = MOST
    narrowest = _narrowest(items)
    for item in sorted(items, key=lambda each: -each.score):
        procedure = item.record
        if not isinstance(procedure, Procedure) or is_behaviour(procedure):
            continue
        if len(procedure.scope.levels) < narrowest[procedure.procedure_id]:
            omitted.append(Omission(id=item.id, reason="overridden in a narrower scope"))
        elif not places:
            omitted.append(Omission(id=item.id, reason="others fit better"))
        elif stale := tools.stale(procedure, scope, known=known):
            omitted.append(Omission(id=item.id, reason=f"stale: {stale}"))
        else:
            kept.append(item)
            places -= 1
    return kept, omitted


def is_behaviour(procedure: Procedure) -> bool:
    """Whether a procedure holds the behaviour rules of a scope."""
    return procedure.procedure_id == BEHAVIOUR


def _narrowest(items: Sequence[RecallItem]) -> dict[str, int]:
    """For each name of a procedure, how deep the narrowest scope lies that has one of this name."""
    depths: dict[str, int] = {}
    for item in items:
        if isinstance(item.record, Procedure):
            name, depth = item.record.procedure_id, len(item.record.scope.levels)
            depths[name] = max(depths.get(name, 0), depth)
    return depths

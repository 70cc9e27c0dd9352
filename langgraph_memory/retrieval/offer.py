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
    names: set[str] = set()
    for item in sorted(items, key=_fit):
        procedure = item.record
        if not isinstance(procedure, Procedure) or is_behaviour(procedure):
            continue
        if len(names) == MOST or procedure.procedure_id in names:
            omitted.append(Omission(id=item.id, reason="others fit better"))
        elif stale := tools.stale(procedure, scope, known=known):
            omitted.append(Omission(id=item.id, reason=f"stale: {stale}"))
        else:
            kept.append(item)
            names.add(procedure.procedure_id)
    return kept, omitted


def is_behaviour(procedure: Procedure) -> bool:
    """Whether a procedure holds the behaviour rules of a scope."""
    return procedure.procedure_id == BEHAVIOUR


def _fit(item: RecallItem) -> tuple[float, int]:
    """Best first; of two that fit as well, such as two of one name, the one of the narrower scope."""
    return -round(item.score, 3), -len(item.record.scope.levels)

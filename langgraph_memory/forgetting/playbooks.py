"""Procedures after someone hostile is forgotten: approvals are undone, what they replaced is used again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from langgraph_memory.playbooks.versions import same_trigger
from langgraph_memory.records import Procedure, ProcedureStatus

IN_USE = ("approved", "rolled back")
"""Decisions that put a version in use."""


def unapproved(procedure: Procedure, actor_id: str) -> Procedure:
    """A version as the draft that it was before this person approved it; others as they are."""
    if procedure.approved_by != actor_id:
        return procedure
    update = {"status": ProcedureStatus.DRAFT, "approved_by": None, "approved_at": None}
    return procedure.model_copy(update=update)


def replaced(
    lost: Procedure,
    versions: Iterable[Procedure],
    decided: Callable[[Procedure], Sequence[str]],
    actor_id: str,
) -> Procedure | None:
    """The version that a lost one had replaced, in use again; None where people hadn't left it in use.

    Args:
        lost: a current version that goes, or is a draft again.
        versions: those of its scope that are left.
        decided: the decisions about a version, oldest first.
        actor_id: whose approvals count no longer.
    """
    rivals = [each for each in versions if _is_rival(each, lost)]
    if any(each.status is ProcedureStatus.CURRENT for each in rivals):
        return None
    used = [each for each in rivals if each.approved_at and each.approved_by != actor_id]
    before = [each for each in used if any(last in IN_USE for last in decided(each)[-1:])]
    if not before:
        return None
    latest = max(before, key=lambda each: (each.approved_at, each.version))
    return latest.model_copy(update={"status": ProcedureStatus.CURRENT})


def _is_rival(one: Procedure, other: Procedure) -> bool:
    return one.procedure_id == other.procedure_id or same_trigger(one, other)

"""What happens to a version of a procedure: pure functions of records."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from langgraph_memory.names import canonical
from langgraph_memory.playbooks.documents import Document
from langgraph_memory.records import Procedure, ProcedureStatus, Record
from langgraph_memory.scope import Scope

BEHAVIOUR = "behaviour_rules"
"""The procedure that holds the behaviour rules of a scope: not found by a task, but always recalled."""

BEHAVIOUR_TRIGGER = "every answer"


class Draft(Record):
    """A version before it has a number: what it says, for where, for which tools, and on what grounds."""

    scope: Scope
    document: Document
    fingerprints: dict[str, str] = Field(default_factory=dict)
    learned: bool = False
    evidence: tuple[str, ...] = ()
    counterexamples: tuple[str, ...] = ()
    step_sources: tuple[str, ...] = ()
    successes: int = 0
    failures: int = 0

    def as_version(self, number: int, *, at: datetime) -> Procedure:
        """The draft under its number."""
        origin: Literal["engineer", "learned"] = "learned" if self.learned else "engineer"
        document = self.document
        return Procedure(
            procedure_id=document.procedure_id,
            version=number,
            scope=self.scope,
            trigger_intent=document.trigger_intent,
            steps=document.steps,
            checks=document.checks,
            origin=origin,
            tool_fingerprints=self.fingerprints,
            step_sources=self.step_sources,
            evidence=self.evidence,
            counterexamples=self.counterexamples,
            reason=document.reason,
            successes=self.successes,
            failures=self.failures,
            created_at=at,
        )


def approved(
    procedure: Procedure, by: str | None, at: datetime, fingerprints: dict[str, str] | None
) -> Procedure:
    """The version as the current one; with fingerprints, bound to these tools."""
    bound = {} if fingerprints is None else {"tool_fingerprints": fingerprints}
    return procedure.model_copy(
        update={"status": ProcedureStatus.CURRENT, "approved_by": by, "approved_at": at, **bound}
    )


def deprecated(procedure: Procedure) -> Procedure:
    """The version as one that is used no longer."""
    return procedure.model_copy(update={"status": ProcedureStatus.DEPRECATED})


def same_content(procedure: Procedure, draft: Draft) -> bool:
    """Whether a version says what a draft says, for the same tools."""
    document = draft.document
    return (
        (procedure.trigger_intent, procedure.steps, procedure.checks)
        == (document.trigger_intent, document.steps, document.checks)
        and set(procedure.tool_fingerprints) == set(draft.fingerprints)
        and document.version in (None, procedure.version)
    )


def same_trigger(one: Procedure, other: Procedure) -> bool:
    """Whether two procedures govern the same task."""
    return canonical(one.trigger_intent) == canonical(other.trigger_intent)

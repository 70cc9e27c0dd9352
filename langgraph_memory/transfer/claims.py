"""What a line of a file claims: pure readings of it, beside what is here."""

from __future__ import annotations

from langgraph_memory.consolidation.facts.statements import Statement, restated
from langgraph_memory.consolidation.facts.testimony import Testimony
from langgraph_memory.records import Fact, Procedure, ProcedureStatus


def told_last(fact: Fact, testimony: Testimony) -> Statement:
    """The fact as it was last said, to be compared with what ended."""
    told = restated(fact, fact.value, testimony.said[-1], fact.authority_role)
    return told.model_copy(update={"at": fact.confirmed_at})


def as_draft(procedure: Procedure) -> Procedure:
    """A procedure as a proposal: who may approve it here is for this memory to say."""
    if procedure.status is not ProcedureStatus.CURRENT:
        return procedure
    return procedure.model_copy(
        update={"status": ProcedureStatus.DRAFT, "approved_by": None, "approved_at": None}
    )

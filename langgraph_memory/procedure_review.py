"""Drafts of procedures put to a person inside a graph, in one interrupt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from langgraph_memory.answers import record_id
from langgraph_memory.errors import AccessDeniedError
from langgraph_memory.memory import Memory
from langgraph_memory.playbooks.archive import difference
from langgraph_memory.records import Procedure, ProcedureStatus
from langgraph_memory.retrieval.render import escaped
from langgraph_memory.runtime.identity import Identify, known_or_why
from langgraph_memory.scope import MemoryContext
from langgraph_memory.signature import checked

_DECISIONS = ("approve", "reject")


@checked()
def review_procedures_node(
    memory: Memory, *, identify: Identify | None = None
) -> Callable[..., dict[str, Any]]:
    """A node that asks a person about the drafts of procedures in the run's scope.

    All drafts are put in one `interrupt`: a mapping with `type` `"memory.procedures"` and `drafts`, each with
    its `id`, what it says, what it changes (`diff`), its evidence and its counts. The answer maps ids to
    `"approve"` or `"reject"`; drafts without an answer go on waiting. An answer counts if the policy lets the
    one who resumes decide on procedures there; else it is audited and told in `state["notice"]`.

    Args:
        memory: whose drafts.
        identify: who is deciding; by default the run's `MemoryContext`, on a server the authenticated user.
    """

    def review(_state: Mapping[str, Any], config: RunnableConfig, runtime: Runtime[Any]) -> dict[str, Any]:
        context, unknown = known_or_why(runtime, identify)
        if context is None:
            return {"notice": unknown}
        if not context.principal.may_read(context.scope):
            return {"notice": f"{context.principal.user_id!r} may not read {str(context.scope)!r}"}
        drafts = memory.procedures.versions(context.scope, status=[ProcedureStatus.DRAFT])
        if not drafts:
            return {"notice": None}
        if config["configurable"].get("__pregel_checkpointer") is None:
            return {"notice": f"{len(drafts)} drafts wait; without a checkpointer nobody can be asked"}
        asked = {"type": "memory.procedures", "drafts": [_shown(memory, draft) for draft in drafts]}
        return {"notice": _settle(memory, drafts, interrupt(asked), context)}

    return review


def _shown(memory: Memory, draft: Procedure) -> dict[str, Any]:
    current = memory.procedures.versions(draft.scope, draft.procedure_id, status=[ProcedureStatus.CURRENT])
    return {
        "id": record_id(draft),
        "procedure_id": draft.procedure_id,
        "version": draft.version,
        "trigger_intent": escaped(draft.trigger_intent),
        "steps": [escaped(step) for step in draft.steps],
        "checks": [escaped(check) for check in draft.checks],
        "diff": difference(current[0], draft) if current else "",
        "origin": draft.origin,
        "reason": escaped(draft.reason),
        "evidence": list(draft.evidence),
        "counterexamples": list(draft.counterexamples),
        "successes": draft.successes,
        "failures": draft.failures,
    }


def _settle(memory: Memory, drafts: Sequence[Procedure], given: Any, context: MemoryContext) -> str | None:
    """Carry the answers out; what was not, and why."""
    answers = given if isinstance(given, Mapping) else {}
    refused = []
    for draft in drafts:
        answer = answers.get(record_id(draft))
        if answer not in _DECISIONS:
            continue
        try:
            _decide(memory, draft, str(answer), context)
        except AccessDeniedError as error:
            refused.append(str(error))
    return "; ".join(refused) or None


def _decide(memory: Memory, draft: Procedure, answer: str, context: MemoryContext) -> None:
    place: dict[str, Any] = {"scope": draft.scope, "principal": context.principal}
    if answer == "approve":
        memory.procedures.approve(draft.procedure_id, draft.version, **place)
    else:
        memory.procedures.reject(draft.procedure_id, draft.version, reason="rejected in review", **place)

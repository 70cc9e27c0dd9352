"""Questions in the flow of work: what memory would like a person to decide, asked in one interrupt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from langgraph_memory.answers import Question, record_id
from langgraph_memory.entities import identifiers_in
from langgraph_memory.errors import AccessDeniedError, MemoryRuntimeError
from langgraph_memory.memory import Memory
from langgraph_memory.name_index import NameIndex
from langgraph_memory.playbooks.archive import difference
from langgraph_memory.records import Procedure, ProcedureStatus
from langgraph_memory.retrieval.render import escaped
from langgraph_memory.runtime.identity import Callers, Identify
from langgraph_memory.runtime.inputs import fields_of
from langgraph_memory.runtime.notices import attempt
from langgraph_memory.runtime.recalling import latest_request
from langgraph_memory.scope import MemoryContext, Principal
from langgraph_memory.signature import checked

KIND = "memory.review"
"""The `type` of the interrupt that asks about facts."""

KIND_OF_DRAFTS = "memory.procedures"
"""The `type` of the interrupt that asks about drafts of procedures."""

Node = Callable[..., dict[str, Any]]


class Matter(NamedTuple):
    """Something to decide: its id, what the person is shown, and what carries an answer out."""

    id: str
    shown: dict[str, Any]
    settle: Callable[[Any], object]


@checked()
def review_node(memory: Memory, *, identify: Identify | None = None, limit: int = 3) -> Node:
    """A node that asks about candidates on the entities at hand, of one who may decide them.

    At hand are those in `state["active_entities"]` and those that the latest request names.

    The interrupt carries `type` "memory.review" and `questions`, each with `id`, `question`, `why`, `value`
    and what is `held`. The answer maps fact ids to `"confirm"`, `"reject"`, `{"correct": value}` or anything
    else for later. Each question is put once a thread, if the state has the key `reviewed` (as `MemoryState`
    has). Nothing is asked without a checkpointer, nor of one without the authority; it never fails a run.

    Args:
        memory: what asks.
        identify: who answers; see `recall_node`.
        limit: at most so many questions at a time.
    """

    def questions(state: Mapping[str, Any], context: MemoryContext) -> list[Matter]:
        return [_about_fact(memory, each, context.principal) for each in _due(memory, state, context, limit)]

    return _asking(memory, KIND, "questions", questions, identify)


@checked()
def review_procedures_node(memory: Memory, *, identify: Identify | None = None) -> Node:
    """A node that asks a person about the drafts of procedures in the run's scope.

    All drafts are put in one `interrupt`: a mapping with `type` `"memory.procedures"` and `drafts`, each with
    its `id`, what it says, what it changes (`diff`), its evidence and its counts. The answer maps ids to
    `"approve"` or `"reject"`; drafts without an answer go on waiting. An answer counts if the policy lets the
    one who resumes decide on procedures there; else it is audited and told in `state["notice"]`.

    Args:
        memory: whose drafts.
        identify: who is deciding; by default the run's `MemoryContext`, on a server the authenticated user.
    """

    def drafts(_: Mapping[str, Any], context: MemoryContext) -> list[Matter]:
        found = memory.procedures.versions(context.scope, status=[ProcedureStatus.DRAFT])
        return [_about_draft(memory, each, context) for each in found]

    return _asking(memory, KIND_OF_DRAFTS, "drafts", drafts, identify)


def _asking(
    memory: Memory,
    kind: str,
    name: str,
    matters_of: Callable[[Mapping[str, Any], MemoryContext], list[Matter]],
    identify: Identify | None,
) -> Node:
    """A node that puts matters to a person in one interrupt and carries out what is answered."""
    callers = Callers(memory, identify)

    def review(given: Any, config: RunnableConfig, runtime: Runtime[Any]) -> dict[str, Any]:
        context, unknown = callers.of(runtime)
        if context is None:
            return {"notice": unknown}
        if not context.principal.may_read(context.scope):
            refusal = AccessDeniedError(f"{context.principal.user_id!r} may not read {str(context.scope)!r}")
            memory.repository.denials.refused(refusal, kind, context.principal, context.scope)
            return {"notice": str(refusal)}
        matters = matters_of(fields_of(given), context)
        if not matters:
            return {}  # what others have put into the notice stays
        if config["configurable"].get("__pregel_checkpointer") is None:
            return {"notice": f"{len(matters)} {name} wait; without a checkpointer nobody can be asked"}
        answered = interrupt({"type": kind, name: [matter.shown for matter in matters]})
        answers = answered if isinstance(answered, Mapping) else {}
        refused = [why for matter in matters if (why := _refusal(matter, answers.get(matter.id)))]
        return {"reviewed": [matter.id for matter in matters], "notice": "; ".join(refused) or None}

    return review


def _refusal(matter: Matter, answer: Any) -> str | None:
    """Do what was answered; why it could not be done, if it couldn't."""
    try:
        matter.settle(answer)
    except MemoryRuntimeError as error:
        return f"{type(error).__name__}: {error}"
    return None


def _due(memory: Memory, state: Mapping[str, Any], context: MemoryContext, limit: int) -> Sequence[Question]:
    """What this principal may decide about the entities at hand and was not asked in this thread."""
    principal = context.principal

    def questions() -> Sequence[Question]:
        entities = [*(state.get("active_entities") or ()), *_named(memory, latest_request(state), context)]
        return memory.questions(context.scope, principal=principal, entities=entities) if entities else ()

    found, _ = attempt(questions)
    asked = set(state.get("reviewed") or ())
    return [q for q in found or () if q.may_answer and q.fact.fact_id not in asked][:limit]


def _named(memory: Memory, request: str, context: MemoryContext) -> Sequence[str]:
    """The entities that a request names, by a name of theirs or by their id."""
    names = memory.repository.names(context.principal.readable(context.scope))
    return [*identifiers_in(request), *sorted(NameIndex(names).find_text(request))]


def _about_fact(memory: Memory, question: Question, principal: Principal) -> Matter:
    fact_id = question.fact.fact_id

    def settle(answer: Any) -> None:
        if answer == "confirm":
            memory.confirm(fact_id, principal=principal)
        elif answer == "reject":
            memory.reject(fact_id, principal=principal, reason="rejected when asked")
        elif isinstance(answer, Mapping) and isinstance(answer.get("correct"), str):
            memory.correct(fact_id, value=answer["correct"], principal=principal)

    shown = {
        "id": fact_id,
        "question": escaped(question.text),
        "why": escaped(question.why),
        "value": escaped(question.fact.value),
        "held": escaped(question.held.value) if question.held else None,
    }
    return Matter(fact_id, shown, settle)


def _about_draft(memory: Memory, draft: Procedure, context: MemoryContext) -> Matter:
    place: dict[str, Any] = {"scope": draft.scope, "principal": context.principal}

    def settle(answer: Any) -> None:
        if answer == "approve":
            memory.procedures.approve(draft.procedure_id, draft.version, **place)
        elif answer == "reject":
            memory.procedures.reject(draft.procedure_id, draft.version, reason="rejected in review", **place)

    return Matter(record_id(draft), _draft(memory, draft), settle)


def _draft(memory: Memory, draft: Procedure) -> dict[str, Any]:
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

"""Questions in the flow of work: what memory would like a person to decide, asked in one interrupt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from langgraph_memory.answers import Question
from langgraph_memory.errors import MemoryRuntimeError
from langgraph_memory.memory import Memory
from langgraph_memory.retrieval.render import escaped
from langgraph_memory.runtime.capture import attempt
from langgraph_memory.runtime.identity import Identify, known_or_why
from langgraph_memory.scope import MemoryContext, Principal
from langgraph_memory.signature import checked

KIND = "memory.review"
"""The `type` of the interrupt's payload."""


@checked()
def review_node(
    memory: Memory, *, identify: Identify | None = None, limit: int = 3
) -> Callable[..., dict[str, Any]]:
    """A node that asks about candidates on the entities at hand, of one who may decide them.

    The interrupt carries `type` "memory.review" and `questions`, each with `id`, `question`, `why`, `value`
    and what is `held`. The answer maps fact ids to `"confirm"`, `"reject"`, `{"correct": value}` or anything
    else for later. Each question is put once a thread, if the state has the key `reviewed` (as `MemoryState`
    has). Nothing is asked without a checkpointer, nor of one without the authority; it never fails a run.

    Args:
        memory: what asks.
        identify: who answers; see `recall_node`.
        limit: at most so many questions at a time.
    """

    def review(state: Mapping[str, Any], config: RunnableConfig, runtime: Runtime[Any]) -> dict[str, Any]:
        context, _ = known_or_why(runtime, identify)
        if context is None or config["configurable"].get("__pregel_checkpointer") is None:
            return {}
        questions = _questions(memory, state, context, limit)
        if not questions:
            return {}
        answers = interrupt({"type": KIND, "questions": [_put(question) for question in questions]})
        given = answers if isinstance(answers, Mapping) else {}
        failures = [
            failure
            for question in questions
            if (failure := _settle(memory, question, given.get(question.fact.fact_id), context.principal))
        ]
        return {
            "reviewed": [question.fact.fact_id for question in questions],
            "notice": "; ".join(failures) or None,
        }

    return review


def _questions(
    memory: Memory, state: Mapping[str, Any], context: MemoryContext, limit: int
) -> Sequence[Question]:
    """What this principal may decide about the entities at hand and was not asked in this thread."""
    entities = state.get("active_entities") or ()
    if not entities:
        return ()
    found, _ = attempt(
        lambda: memory.questions(context.scope, principal=context.principal, entities=entities)
    )
    asked = set(state.get("reviewed") or ())
    return [q for q in found or () if q.may_answer and q.fact.fact_id not in asked][:limit]


def _put(question: Question) -> dict[str, Any]:
    return {
        "id": question.fact.fact_id,
        "question": escaped(question.text),
        "why": escaped(question.why),
        "value": escaped(question.fact.value),
        "held": escaped(question.held.value) if question.held else None,
    }


def _settle(memory: Memory, question: Question, answer: Any, principal: Principal) -> str | None:
    """Do what was answered; why it could not be done, if it couldn't."""
    fact_id = question.fact.fact_id
    try:
        if answer == "confirm":
            memory.confirm(fact_id, principal=principal)
        elif answer == "reject":
            memory.reject(fact_id, principal=principal, reason="rejected when asked")
        elif isinstance(answer, Mapping) and isinstance(answer.get("correct"), str):
            memory.correct(fact_id, value=answer["correct"], principal=principal)
    except MemoryRuntimeError as error:
        return f"{type(error).__name__}: {error}"
    return None

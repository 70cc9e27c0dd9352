"""Rulings on the tool calls of a step: all are decided before any runs; a person is asked once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from langchain_core.messages import ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import interrupt

from langgraph_memory.answers import GuardDecision
from langgraph_memory.log.approvals import Answer, digest
from langgraph_memory.memory import Memory
from langgraph_memory.records import Actor, Fact, FactStatus
from langgraph_memory.runtime.activities import thread_in
from langgraph_memory.runtime.message_events import MARK
from langgraph_memory.runtime.notices import attempt
from langgraph_memory.runtime.streamed import tell_decision
from langgraph_memory.scope import MemoryContext, Principal

_WHY_HELD = {
    "deny": "a person denied it",
    "unanswered": "the answer says nothing about it",
    "unreadable": 'the answer can\'t be read: it has to be "approve", "deny" or "retire", by call id',
    "unauthorised": "the one who approved may not decide this",
    "unsettled": "what it waits for is no rule yet that could be retired; approve or deny the call",
    "nobody": "the graph has no checkpointer, so nobody can be asked",
    "unnamed": "its call id is missing or not its own, so nobody can be asked about it",
}
_DECISIONS = {
    "approve": "approved",
    "deny": "denied",
    "retire": "retired",
    "unauthorised": "refused",
    "unsettled": "refused",
    "unanswered": "unanswered",
    "unreadable": "unreadable",
}
_ANSWERS = ("approve", "deny", "retire")


class Ruling(NamedTuple):
    """Whether a call runs: `refusal` tells why not; `approval` is what it runs by, if a person was asked."""

    call: Any
    decision: GuardDecision
    refusal: str | None = None
    approval: str | None = None


class Hearing(NamedTuple):
    """Who calls what from where.

    Attributes:
        memory: whose constraints count.
        context: who acts; None where nobody is known.
        unknown: why nobody is known.
        config: of the node or tool.
        unread: ids of constraints that the agent was not shown.
        consult: whether approvals that were given before count; only where the tools themselves run.
        recall_id: the receipt of what the agent was shown before it called.
    """

    memory: Memory
    context: MemoryContext | None
    unknown: str
    config: RunnableConfig
    unread: Sequence[str] = ()
    consult: bool = False
    recall_id: str | None = None


def rule(hearing: Hearing, calls: Sequence[Any]) -> list[Ruling]:
    """The rulings on the calls of a step, in their order.

    Blocked calls are refused with the constraint, its source and date. Deferred ones are put to a person in
    one `interrupt`; the answer maps tool call ids to `"approve"` (this call, once), `"deny"` or `"retire"`
    (the constraint no longer holds), and counts if the policy lets the one who resumes set the attribute.
    Where one call alone was put, the bare word is the answer to it.
    """
    if hearing.context is None:
        decisions = [_unknown(hearing, call) for call in calls]
        _stream(calls, decisions)
        return [_ruling(call, decision, None) for call, decision in zip(calls, decisions, strict=True)]
    decisions = [_decide(hearing, hearing.context, call) for call in calls]
    _stream(calls, decisions)
    approved = [_approved_before(hearing, c, d) for c, d in zip(calls, decisions, strict=True)]
    answers = _asked(hearing, hearing.context, calls, decisions, approved)
    return [
        Ruling(call, decision, None, before) if before else _ruling(call, decision, answer, hearing)
        for call, decision, before, answer in zip(calls, decisions, approved, answers, strict=True)
    ]


def reads(memory: Memory, call: Mapping[str, Any]) -> bool:
    """Whether a call only reads; one that can't be judged, as by a name that no tool can have, doesn't."""
    found, _ = attempt(lambda: memory.reads(call["name"], call["args"]))
    return bool(found)


def refused(ruling: Ruling) -> ToolMessage:
    """What the agent gets in place of the result of a call that does not run."""
    return ToolMessage(
        content=ruling.refusal or "",
        tool_call_id=ruling.call["id"],
        name=ruling.call["name"],
        status="error",
        additional_kwargs={MARK: ruling.decision.id},
    )


def _stream(calls: Sequence[Any], decisions: Sequence[GuardDecision]) -> None:
    for call, decision in zip(calls, decisions, strict=True):
        tell_decision(call, decision)


def _unknown(hearing: Hearing, call: Mapping[str, Any]) -> GuardDecision:
    """The decision for a run of nobody known: what only reads may run."""
    harmless = reads(hearing.memory, call)
    why = f"{call['name']} is held: memory doesn't know who is acting ({hearing.unknown})."
    return GuardDecision(
        id=f"guard_{call['id']}",
        outcome="allow" if harmless else "block",
        action=call["name"],
        message="" if harmless else why,
    )


def _decide(hearing: Hearing, context: MemoryContext, call: Mapping[str, Any]) -> GuardDecision:
    decision, failure = attempt(
        lambda: hearing.memory.check(
            call["name"],
            call["args"],
            principal=context.principal,
            scope=context.scope,
            unread=hearing.unread,
            recall_id=hearing.recall_id,
        )
    )
    if decision is None:
        return GuardDecision(
            id=f"guard_{call['id']}",
            outcome="defer",
            action=call["name"],
            message=f"{call['name']} is held: memory can't be read ({failure}).",
        )
    return decision


def _approved_before(hearing: Hearing, call: Mapping[str, Any], decision: GuardDecision) -> str | None:
    """The approval that another node was given for this very call, if this task may use it."""
    if not hearing.consult or decision.outcome != "defer":
        return None
    bound = _bound(hearing.config, call, decision)
    used, _ = attempt(lambda: hearing.memory.approvals.use(bound, _task(hearing.config)))
    return bound if used else None


def _asked(
    hearing: Hearing,
    context: MemoryContext,
    calls: Sequence[Any],
    decisions: Sequence[GuardDecision],
    approved: Sequence[str | None],
) -> list[str | None]:
    """The answers to all deferred calls of the step, asked for at once; authority decides which count.

    A call whose id is missing or not its own can't be answered: an answer could mean another call.
    """
    ids = [call["id"] for call in calls]
    nobody = hearing.config["configurable"].get("__pregel_checkpointer") is None  # then nobody can be asked
    held = [d.outcome == "defer" and not before for d, before in zip(decisions, approved, strict=True)]
    own = [bool(call_id) and ids.count(call_id) == 1 for call_id in ids]
    put = [h and o and not nobody for h, o in zip(held, own, strict=True)]
    given: Any = {}
    if any(put) or _was_answered(hearing.config, ids):
        given = interrupt(_question(calls, decisions, put))
    said = _said(given, [call["id"] for call, was_put in zip(calls, put, strict=True) if was_put])
    answers: list[str | None] = []
    for call, decision, waits, was_put in zip(calls, decisions, held, put, strict=True):
        if was_put:
            answers.append(_answer(hearing.memory, said[call["id"]], decision, context))
        else:
            answers.append(("nobody" if nobody else "unnamed") if waits else None)
    told = [answer if was_put else None for answer, was_put in zip(answers, put, strict=True)]
    _take_effect(hearing, context, calls, decisions, told)
    return answers


def _was_answered(config: RunnableConfig, ids: Sequence[str]) -> bool:
    """Whether this task was asked before: its answer must not go to an interrupt of the tools.

    A question that was put when the task ran first may be needless by now, the rule being gone.
    """
    scratchpad = config["configurable"].get("__pregel_scratchpad")
    if scratchpad is None:
        return False
    given = scratchpad.resume[0] if scratchpad.resume else scratchpad.get_null_resume(False)
    return isinstance(given, Mapping) and bool(given) and given.keys() <= set(ids)


def _question(
    calls: Sequence[Any], decisions: Sequence[GuardDecision], put: Sequence[bool]
) -> dict[str, Any]:
    shown = [
        {"id": call["id"], "name": call["name"], "args": call["args"], "message": decision.message}
        for call, decision, was_put in zip(calls, decisions, put, strict=True)
        if was_put
    ]
    return {"type": "memory.guard", "calls": shown, "answers": [*_ANSWERS]}


def _said(given: Any, ids: Sequence[str]) -> dict[str, str]:
    """What was answered about each call that was put, in whatever case; what can't be read is no denial.

    >>> _said({"a": "Approve"}, ["a", "b"]), _said(" deny", ["a"]), _said("approve", ["a", "b"])
    ({'a': 'approve', 'b': 'unanswered'}, {'a': 'deny'}, {'a': 'unreadable', 'b': 'unreadable'})
    """
    if not isinstance(given, Mapping):
        return dict.fromkeys(ids, _word(given) if len(ids) == 1 else "unreadable")
    return {each: _word(given[each]) if each in given else "unanswered" for each in ids}


def _word(answer: Any) -> str:
    plain = answer.strip().casefold() if isinstance(answer, str) else ""
    return plain if plain in _ANSWERS else "unreadable"


def _answer(memory: Memory, answer: str, decision: GuardDecision, context: MemoryContext) -> str:
    """Approval counts from one who may read and set every constraint that decides, where it stands."""
    if answer not in ("approve", "retire"):
        return answer
    actor, principal = _person(context), context.principal
    granted = all(principal.may_read(where) for where, _ in decision.authority_over)
    deciding = decision.authority_over or ((context.scope.top, "*"),)
    if not granted or not all(memory.policy.authority_of(actor, where, what) for where, what in deciding):
        return "unauthorised"
    if answer == "retire" and (decision.events or not decision.grounds):
        return "unsettled"
    if answer == "retire" and not all(_may_end(memory, principal, each) for each in decision.grounds):
        return "unauthorised"
    return answer


def _may_end(memory: Memory, principal: Principal, fact_id: str) -> bool:
    """Whether a person may end a constraint where it stands: another user's own is not theirs to end."""
    fact = memory.repository.record(fact_id)
    if not isinstance(fact, Fact):
        return True
    actor = Actor("user", principal.user_id, roles=principal.roles)
    granted = principal.may_read(fact.scope)
    return granted and memory.policy.authority_of(actor, fact.scope, fact.attribute) is not None


def _take_effect(
    hearing: Hearing,
    context: MemoryContext,
    calls: Sequence[Any],
    decisions: Sequence[GuardDecision],
    answers: Sequence[str | None],
) -> None:
    """Write the answers down and retire what was declared ended, after all of them have been read."""
    noted: list[Answer] = []
    ended: list[str] = []
    for call, decision, answer in zip(calls, decisions, answers, strict=True):
        if answer is None:
            continue
        noted.append(
            Answer(
                approval=_bound(hearing.config, call, decision),
                decision=_DECISIONS[answer],
                grounds=decision.grounds,
                scope=context.scope.key,
                actor=context.principal.user_id,
                at=hearing.memory.clock(),
            )
        )
        ended += decision.grounds if answer == "retire" else ()
    if noted:
        hearing.memory.approvals.note(noted)
    for fact_id in dict.fromkeys(ended):
        _retire(hearing, context, fact_id)


def _retire(hearing: Hearing, context: MemoryContext, fact_id: str) -> None:
    """End a constraint in the name of the one who answered; a task that is run again finds it ended."""
    fact = hearing.memory.repository.record(fact_id)
    if isinstance(fact, Fact) and fact.status is FactStatus.CURRENT:
        hearing.memory.retire(fact_id, principal=context.principal)


def _ruling(call: Any, decision: GuardDecision, answer: str | None, hearing: Hearing | None = None) -> Ruling:
    if decision.outcome == "allow":
        return Ruling(call, decision)
    if answer in ("approve", "retire") and hearing is not None:
        bound = _bound(hearing.config, call, decision)
        if hearing.consult:
            hearing.memory.approvals.use(bound, _task(hearing.config))
        return Ruling(call, decision, None, bound)
    if decision.outcome == "block":
        return Ruling(call, decision, decision.message)
    return Ruling(call, decision, f"{decision.message} It stays held: {_WHY_HELD[answer or 'deny']}.")


def _bound(config: RunnableConfig, call: Mapping[str, Any], decision: GuardDecision) -> str:
    return digest(thread_in(config), call["id"], call["name"], call["args"], decision.grounds)


def _task(config: RunnableConfig) -> str:
    return str(config["configurable"].get("__pregel_task_id"))


def _person(context: MemoryContext) -> Actor:
    return Actor("user", context.principal.user_id, roles=context.principal.roles)

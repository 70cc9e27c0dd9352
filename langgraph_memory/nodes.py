"""Memory as LangGraph nodes: recall before the planner, a guard before the tools, publish after them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.channels import UntrackedValue
from langgraph.graph.message import add_messages
from langgraph.prebuilt.tool_node import ToolCallWithContext
from langgraph.runtime import Runtime
from langgraph.types import Command, Send, interrupt
from typing_extensions import TypedDict

from langgraph_memory.answers import GuardDecision, Recall
from langgraph_memory.capture import MARK, attempt, capture, thread_of
from langgraph_memory.entities import discover
from langgraph_memory.identity import Identify, known_or_why
from langgraph_memory.memory import Memory
from langgraph_memory.records import Actor
from langgraph_memory.retrieval.render import escaped, fenced
from langgraph_memory.scope import MemoryContext, Scope

_WHY_HELD = {
    "deny": "a person denied it",
    "unauthorised": "the one who approved may not decide this",
    "nobody": "the graph has no checkpointer, so nobody can be asked",
    "unnamed": "its call id is missing or not its own, so nobody can be asked about it",
}


def _united(old: Sequence[str] | None, new: Sequence[str] | None) -> list[str]:
    return list(dict.fromkeys([*(old or ()), *(new or ())]))


class MemoryState(TypedDict, total=False):
    """State of a graph with memory; derive your own from it.

    Attributes:
        messages: the conversation.
        active_entities: ids that the task has come upon so far.
        memory: the text to put before the planner's model; made anew each step, never checkpointed.
        recall: of the last recall: `receipt_id`, `deferred` constraint ids and `degraded` notices.
        notice: what memory could not do, if anything.
    """

    messages: Annotated[list[AnyMessage], add_messages]
    active_entities: Annotated[list[str], _united]
    memory: Annotated[str, UntrackedValue]
    recall: dict[str, Any]
    notice: str | None


def recall_node(
    memory: Memory,
    *,
    identify: Identify | None = None,
    query: Callable[[Mapping[str, Any]], str] | None = None,
    token_budget: int = 800,
) -> Callable[..., dict[str, Any]]:
    """A node that puts the memories for the next planner step into `state["memory"]`.

    It also publishes messages that have not been published, so that what a user says counts from the first
    step. Without a checkpointer put it first: later in the run nothing tells what a person said from what a
    node wrote. It never fails a run: what memory could not do stands in `state["notice"]`.

    Args:
        memory: where to look.
        identify: who is asking; by default the run's `MemoryContext`, on a server the authenticated user.
        query: the text to search by; by default the latest message of a person.
        token_budget: the size of the text.
    """
    ask = query or _latest_request

    def recall(state: Mapping[str, Any], config: RunnableConfig, runtime: Runtime[Any]) -> dict[str, Any]:
        context, unknown = known_or_why(runtime, identify)
        if context is None:
            return _recalled(None, [unknown])
        notices = capture(memory, state, config, runtime, context)
        entities = _united(state.get("active_entities"), _discovered(state["messages"]))
        recalled, failure = attempt(
            lambda: memory.recall(
                ask(state),
                principal=context.principal,
                scope=context.scope,
                entities=entities,
                token_budget=token_budget,
                thread_id=thread_of(runtime),
            )
        )
        notices += [failure] if failure else []
        return {"active_entities": entities, **_recalled(recalled, notices)}

    return recall


def publish_node(memory: Memory, *, identify: Identify | None = None) -> Callable[..., dict[str, Any]]:
    """A node that writes new messages and tool results to the event log, each once.

    Put it after the tools and after the planner's last word: a final answer ends the activity, which makes
    it due for consolidation. It never fails a run; what could not be written is written by the next one.
    """

    def publish(state: Mapping[str, Any], config: RunnableConfig, runtime: Runtime[Any]) -> dict[str, Any]:
        context, unknown = known_or_why(runtime, identify)
        if context is None:
            return {"notice": unknown}
        notices = capture(memory, state, config, runtime, context)
        return {"notice": "; ".join(notices) or None}

    return publish


def guard_node(
    memory: Memory, *, tools: str = "tools", otherwise: str = "publish", identify: Identify | None = None
) -> Callable[..., Command[Any]]:
    """A node that decides every tool call of a step and sends the allowed ones on.

    Blocked calls get an error message with the constraint, its source and date. Deferred ones are put to a
    person in one `interrupt`; the answer maps tool call ids to `"approve"` or `"deny"`, and counts if the
    policy lets the one who resumes set the attribute in question.

    Args:
        memory: whose constraints count.
        tools: the name of the `ToolNode`.
        otherwise: the node to go to when no call is allowed.
        identify: who is acting; see `recall_node`.
    """

    def guard(state: Mapping[str, Any], config: RunnableConfig, runtime: Runtime[Any]) -> Command[Any]:
        context, unknown = known_or_why(runtime, identify)
        calls = open_calls(state["messages"])
        answers: list[str | None] = [None] * len(calls)
        if context is None:
            decisions = [_unknown(memory, call, unknown) for call in calls]
        else:
            decisions = [_decide(memory, call, state, context) for call in calls]
            answers = _asked(memory, calls, decisions, context, config)
        refused, allowed = [], []
        for call, decision, answer in zip(calls, decisions, answers, strict=True):
            refusal = _refusal(decision, answer)
            if refusal is None:
                allowed.append(call)
            else:
                refused.append(_refused(call, decision, refusal))
        sends = [
            Send(tools, ToolCallWithContext(__type="tool_call_with_context", tool_call=c, state=state))
            for c in allowed
        ]
        return Command(update={"messages": refused}, goto=sends or otherwise)

    guard.__annotations__["return"] = Command[Literal[tools, otherwise]]  # type: ignore[valid-type]
    return guard


def _unknown(memory: Memory, call: Mapping[str, Any], why: str) -> GuardDecision:
    """The decision for a run of nobody known: what only reads may run."""
    reads = memory.reads(call["name"], call["args"])
    return GuardDecision(
        id=f"guard_{call['id']}",
        outcome="allow" if reads else "block",
        action=call["name"],
        message="" if reads else f"{call['name']} is held: memory doesn't know who is acting ({why}).",
    )


def open_calls(messages: Sequence[AnyMessage]) -> list[Any]:
    """The tool calls of the last AI message that no tool message answers yet."""
    for position in range(len(messages) - 1, -1, -1):
        message = messages[position]
        if isinstance(message, AIMessage):
            later = {m.tool_call_id for m in messages[position + 1 :] if isinstance(m, ToolMessage)}
            return [call for call in message.tool_calls if call["id"] not in later]
    return []


def _decide(
    memory: Memory, call: Mapping[str, Any], state: Mapping[str, Any], context: MemoryContext
) -> GuardDecision:
    decision, failure = attempt(
        lambda: memory.check(
            call["name"],
            call["args"],
            principal=context.principal,
            scope=context.scope,
            unread=(state.get("recall") or {}).get("deferred", ()),
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


def _asked(
    memory: Memory,
    calls: Sequence[Any],
    decisions: Sequence[GuardDecision],
    context: MemoryContext,
    config: RunnableConfig,
) -> list[str | None]:
    """The answers to all deferred calls of the step, asked for at once; authority decides which count.

    A call whose id is missing or not its own can't be answered: an answer could mean another call.
    """
    ids = [call["id"] for call in calls]
    held = [decision.outcome == "defer" for decision in decisions]
    own = [bool(call_id) and ids.count(call_id) == 1 for call_id in ids]
    nobody = config["configurable"].get("__pregel_checkpointer") is None  # then nobody can be asked
    asked = [h and o and not nobody for h, o in zip(held, own, strict=True)]
    given = interrupt(_question(calls, decisions, asked)) if any(asked) else {}
    actor = Actor("user", context.principal.user_id, roles=context.principal.roles)
    answers: list[str | None] = []
    for call, decision, waits, put in zip(calls, decisions, held, asked, strict=True):
        if put:
            answer = given.get(call["id"]) if isinstance(given, Mapping) else None
            answers.append(_answer(memory, answer, decision, actor, context.scope))
        else:
            answers.append(("nobody" if nobody else "unnamed") if waits else None)
    return answers


def _question(
    calls: Sequence[Any], decisions: Sequence[GuardDecision], asked: Sequence[bool]
) -> dict[str, Any]:
    shown = [
        {"id": call["id"], "name": call["name"], "args": call["args"], "message": decision.message}
        for call, decision, put in zip(calls, decisions, asked, strict=True)
        if put
    ]
    return {"type": "memory.guard", "calls": shown}


def _answer(memory: Memory, answer: Any, decision: GuardDecision, actor: Actor, scope: Scope) -> str:
    """Approval counts from one who may set every constraint that decides, in the scope where it stands."""
    if answer != "approve":
        return "deny"
    deciding = decision.authority_over or ((scope.top, "*"),)
    allowed = all(memory.policy.authority_of(actor, where, what) for where, what in deciding)
    return "approve" if allowed else "unauthorised"


def _refusal(decision: GuardDecision, answer: str | None) -> str | None:
    """Why a call does not run; None if it does."""
    if decision.outcome == "allow" or answer == "approve":
        return None
    if decision.outcome == "block":
        return decision.message
    return f"{decision.message} It stays held: {_WHY_HELD[answer or 'deny']}."


def _refused(call: Mapping[str, Any], decision: GuardDecision, why: str) -> ToolMessage:
    return ToolMessage(
        content=why,
        tool_call_id=call["id"],
        name=call["name"],
        status="error",
        additional_kwargs={MARK: decision.id},
    )


def _with_state(call: Any, state: Mapping[str, Any]) -> ToolCallWithContext:
    """A call as `ToolNode` takes it from a `Send`, so that tools still get the state injected."""
    return ToolCallWithContext(__type="tool_call_with_context", tool_call=call, state=state)


def _recalled(recall: Recall | None, notices: Sequence[str]) -> dict[str, Any]:
    notice = "; ".join(notices) or None
    if recall is None:
        return {
            "memory": fenced([f"- NOTICE: memory could not be read: {escaped(each)}" for each in notices]),
            "recall": {"receipt_id": None, "deferred": [], "degraded": list(notices)},
            "notice": notice,
        }
    status = {
        "receipt_id": recall.receipt_id,
        "deferred": list(recall.deferred),
        "degraded": [*notices, *recall.degraded],
    }
    return {"memory": recall.render(), "recall": status, "notice": notice}


def _discovered(messages: Sequence[AnyMessage]) -> list[str]:
    """The entities in the tool calls and results since the last human message."""
    found: list[str] = []
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            break
        if isinstance(message, ToolMessage):
            found += discover(
                {}, message.content, artifact=message.artifact, failed=message.status == "error"
            ).entities
        elif isinstance(message, AIMessage):
            found += [
                entity for call in message.tool_calls for entity in discover(call["args"], None).entities
            ]
    return found


def _latest_request(state: Mapping[str, Any]) -> str:
    for message in reversed(state["messages"]):
        if isinstance(message, HumanMessage):
            return message.text
    return ""

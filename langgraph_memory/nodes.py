"""Memory as LangGraph nodes: recall before the planner, a guard before the tools, publish after them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.channels import UntrackedValue
from langgraph.graph.message import add_messages
from langgraph.prebuilt.tool_node import ToolCallWithContext
from langgraph.runtime import Runtime
from langgraph.types import Command, Send
from typing_extensions import TypedDict

from langgraph_memory.memory import Memory
from langgraph_memory.runtime.capture import capture
from langgraph_memory.runtime.identity import Callers, Identify
from langgraph_memory.runtime.inputs import fields_of
from langgraph_memory.runtime.recalling import Query, Recalling, remembered
from langgraph_memory.runtime.rulings import Hearing, refused, rule
from langgraph_memory.signature import checked


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
        reviewed: ids of facts about which a person was asked in this thread.
    """

    messages: Annotated[list[AnyMessage], add_messages]
    active_entities: Annotated[list[str], _united]
    memory: Annotated[str, UntrackedValue]
    recall: dict[str, Any]
    notice: str | None
    reviewed: Annotated[list[str], _united]


@checked()
def recall_node(
    memory: Memory,
    *,
    identify: Identify | None = None,
    query: Query | None = None,
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
    callers = Callers(memory, identify)
    recalling = Recalling(memory, query=query, token_budget=token_budget)

    def recall(given: Any, config: RunnableConfig, runtime: Runtime[Any]) -> dict[str, Any]:
        state = fields_of(given)
        context, unknown = callers.of(runtime)
        if context is None:
            found = remembered(None, [unknown], ())
            return {"memory": found.text, "recall": found.status, "notice": found.notice}
        notices = capture(memory, state, config, runtime, context)
        found = recalling.remember(state, runtime, context, notices)
        return {
            "active_entities": found.entities,
            "memory": found.text,
            "recall": found.status,
            "notice": found.notice,
        }

    return recall


@checked()
def publish_node(memory: Memory, *, identify: Identify | None = None) -> Callable[..., dict[str, Any]]:
    """A node that writes new messages and tool results to the event log, each once.

    Put it after the tools and after the planner's last word: a final answer ends the activity, which makes
    it due for consolidation. It never fails a run; what could not be written is written by the next one. What
    the step's recall had to say stays in `state["notice"]`, beside what could not be published.
    """
    callers = Callers(memory, identify)

    def publish(given: Any, config: RunnableConfig, runtime: Runtime[Any]) -> dict[str, Any]:
        state = fields_of(given)
        context, unknown = callers.of(runtime)
        if context is None:
            return {"notice": unknown}
        told = (state.get("notice") or "") if state.get("recall") else ""  # the next recall takes it away
        notices = [n for n in capture(memory, state, config, runtime, context) if n not in told]
        return {"notice": "; ".join([*([told] if told else []), *notices]) or None}

    return publish


@checked()
def guard_node(
    memory: Memory, *, tools: str = "tools", otherwise: str = "publish", identify: Identify | None = None
) -> Callable[..., Command[Any]]:
    """A node that decides every tool call of a step and sends the allowed ones on.

    Blocked calls get an error message with the constraint, its source and date. Deferred ones are put to a
    person in one `interrupt`; the answer maps tool call ids to `"approve"` (this call, once), `"deny"` or
    `"retire"` (the constraint no longer holds), and counts if the policy lets the one who resumes set the
    attribute in question.

    Args:
        memory: whose constraints count.
        tools: the name of the `ToolNode`.
        otherwise: the node to go to when no call is allowed.
        identify: who is acting; see `recall_node`.
    """
    callers = Callers(memory, identify)

    def guard(given: Any, config: RunnableConfig, runtime: Runtime[Any]) -> Command[Any]:
        state = fields_of(given)
        context, unknown = callers.of(runtime)
        shown = state.get("recall") or {}
        hearing = Hearing(
            memory, context, unknown, config, shown.get("deferred", ()), recall_id=shown.get("receipt_id")
        )
        rulings = rule(hearing, open_calls(state["messages"]))
        sends = [Send(tools, _with_state(each.call, given)) for each in rulings if each.refusal is None]
        messages = [refused(each) for each in rulings if each.refusal is not None]
        return Command(update={"messages": messages}, goto=sends or otherwise)

    guard.__annotations__["return"] = Command[Literal[tools, otherwise]]  # type: ignore[valid-type]
    return guard


def open_calls(messages: Sequence[AnyMessage]) -> list[Any]:
    """The tool calls of the last AI message that no tool message answers yet."""
    for position in range(len(messages) - 1, -1, -1):
        message = messages[position]
        if isinstance(message, AIMessage):
            later = {m.tool_call_id for m in messages[position + 1 :] if isinstance(m, ToolMessage)}
            return [call for call in message.tool_calls if call["id"] not in later]
    return []


def _with_state(call: Any, state: Any) -> ToolCallWithContext:
    """A call as `ToolNode` takes it from a `Send`, so that tools still get the state injected."""
    return ToolCallWithContext(__type="tool_call_with_context", tool_call=call, state=state)

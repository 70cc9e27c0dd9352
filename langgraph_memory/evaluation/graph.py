"""An agent with memory as a LangGraph graph: recall → planner → guard → tools → publish, and round again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode
from langgraph.runtime import Runtime

from langgraph_memory.memory import Memory
from langgraph_memory.nodes import MemoryState, guard_node, publish_node, recall_node
from langgraph_memory.scope import MemoryContext

Planner = Callable[[Sequence[AnyMessage], str], AIMessage]
"""From the messages of a thread and the text of memory to the agent's next message."""


def agent_graph(
    memory: Callable[[], Memory],
    tools: Sequence[BaseTool],
    planner: Planner,
    *,
    token_budget: int = 800,
    guarded: bool = True,
    name: str = "agent",
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The agent's graph; run it with `context=MemoryContext(principal, scope)`.

    Args:
        memory: gives what it remembers; asked when the graph runs, not when it is built.
        tools: over the world that it works in.
        planner: decides the next message from the conversation and the text of memory.
        token_budget: how much of a prompt the memories may take.
        guarded: whether calls pass the guard.
        name: of the graph.
        checkpointer: keeps the threads; a LangGraph server brings its own.
    """

    def planner_node(state: Mapping[str, Any]) -> dict[str, Any]:
        return {"messages": [planner(state["messages"], state.get("memory", ""))]}

    builder = StateGraph(MemoryState, context_schema=MemoryContext)
    builder.add_node("recall", _on(memory, recall_node, token_budget=token_budget))
    builder.add_node("planner", planner_node)
    builder.add_node("tools", ToolNode(tools, handle_tool_errors=True))
    builder.add_node("publish", _on(memory, publish_node))
    if guarded:
        builder.add_node("guard", _on(memory, guard_node), destinations=("tools", "publish"))
    step = "guard" if guarded else "tools"
    builder.add_edge(START, "recall")
    builder.add_edge("recall", "planner")
    builder.add_conditional_edges("planner", _calls_tools, {True: step, False: "publish"})
    builder.add_edge("tools", "publish")
    builder.add_conditional_edges("publish", _tools_answered, {True: "recall", False: END})
    return builder.compile(checkpointer=checkpointer, name=name)


def _on(memory: Callable[[], Memory], node: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """A node of memory that asks for its memory when it runs."""

    def run(state: Mapping[str, Any], config: RunnableConfig, runtime: Runtime[Any]) -> Any:
        return node(memory(), **options)(state, config, runtime)

    return run


def _calls_tools(state: Mapping[str, Any]) -> bool:
    last = state["messages"][-1]
    return isinstance(last, AIMessage) and bool(last.tool_calls)


def _tools_answered(state: Mapping[str, Any]) -> bool:
    return isinstance(state["messages"][-1], ToolMessage)

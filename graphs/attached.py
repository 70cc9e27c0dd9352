# ruff: noqa: INP001 - a server loads this file by its path; it belongs to no package
"""A graph that knew nothing of memory, and one line that gives it some: `attach`.

    graph().invoke({"messages": [("user", "Run the weekly staging cost cleanup.")]},
                   context=MemoryContext(principal, scope))

Memory is in the folder that LANGGRAPH_MEMORY_PATH names, `./memory` by default.
"""

from functools import cache
from typing import Any

from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from langgraph_memory import MemoryContext, attach
from langgraph_memory.demo.chat import choose_model, staging_tools
from langgraph_memory.demo.serving import served_memory

_TOOLS = staging_tools()  # here, since a server calls factories where nothing may block


@cache
def graph() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The usual loop of an agent and its tools; made when a run first asks for it."""
    tools = _TOOLS
    model = choose_model().bind_tools(tools)

    def agent(state: MessagesState) -> dict[str, Any]:
        return {"messages": [model.invoke(state["messages"])]}

    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("agent", agent)
    builder.add_node("tools", ToolNode(tools, handle_tool_errors=True))
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", tools_condition)
    builder.add_edge("tools", "agent")
    return attach(builder, served_memory()).compile(name="attached")

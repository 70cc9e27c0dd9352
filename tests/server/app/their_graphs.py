"""Graphs of somebody else, served beside the examples: an eager one with memory, and one without any."""

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from langgraph_memory import MemoryContext, attach
from langgraph_memory.demo.serving import served_memory


@tool
def stop_instance(name: str) -> str:
    """Stop an instance."""
    return f"{name} is stopped"


def eager(state: MessagesState):
    """Stops what it was told about, whatever memory says; the last word of the request is the name."""
    last = [message for message in state["messages"] if not message.text.startswith("<memory")][-1]
    if isinstance(last, HumanMessage) and last.text.startswith("Stop"):
        name = last.text.split()[-1]
        call = {"name": "stop_instance", "args": {"name": name}, "id": "call-1"}
        return {"messages": [AIMessage("", tool_calls=[call])]}
    return {"messages": [AIMessage(f"Then: {last.text}")]}


def _builder():
    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("agent", eager)
    builder.add_node("tools", ToolNode([stop_instance], handle_tool_errors=True))
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", tools_condition)
    builder.add_edge("tools", "agent")
    return builder


def with_memory():
    """The eager agent with memory attached."""
    return attach(_builder(), served_memory(), planner="agent").compile()


without_memory = _builder().compile()

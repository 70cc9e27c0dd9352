"""A run that a saver captures, in a process that may kill itself in the middle."""

from contextlib import contextmanager

from langchain_core.messages import AIMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from langgraph_memory import CapturingSaver, Memory, MemoryContext

from .scenes import CONTEXT, POLICY, WORD, ask, calls, look, thread

ROUNDS = 3


def planned(state):
    """What the planner says next, told by the state alone, so that a run that goes on says the same."""
    done = sum(isinstance(message, AIMessage) for message in state["messages"])
    if done == ROUNDS:
        return AIMessage(WORD, id="word")
    names = [f"c-{done}-0", f"c-{done}-1"]
    pair = [("look", {"name": f"gpu-{done}{n}"}) for n in (1, 2)]
    return calls(*pair, ids=names).model_copy(update={"id": f"plan-{done}"})


def graph(saver):
    """A planner and its tools."""
    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("planner", lambda state: {"messages": [planned(state)]})
    builder.add_node("tools", ToolNode([look]))
    builder.add_edge(START, "planner")
    builder.add_conditional_edges(
        "planner", lambda s: "tools" if s["messages"][-1].tool_calls else END, ["tools", END]
    )
    builder.add_edge("tools", "planner")
    return builder.compile(checkpointer=saver)


@contextmanager
def opened(folder):
    """Memory and saver in one folder, and the graph over them."""
    with (
        Memory.open(folder, policy=POLICY, index=None) as memory,
        CapturingSaver.open(folder, memory) as saver,
    ):
        yield memory, saver, graph(saver)


def converse(countdown, folder, durability):
    """One run, from the opening of the folder to its end."""
    with countdown, opened(folder) as (_, _, made):
        made.invoke(ask(id="h1"), thread(), context=CONTEXT, durability=durability)


def look_again(countdown, folder):
    """Open the folder, which captures what was left."""
    with countdown, opened(folder):
        pass

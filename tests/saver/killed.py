"""A run that a saver captures, in a process that may kill itself in the middle."""

import os
import signal
import threading
from contextlib import contextmanager

from langchain_core.messages import AIMessage
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from langgraph_memory import CapturingSaver, Memory, MemoryContext

from .scenes import CONTEXT, POLICY, SAID, WORD, ask, calls, look, thread

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


class Stuck(SqliteSaver):
    """A saver to which the checkpoints of the root graph don't get through, but for those of its input."""

    def put(self, config, checkpoint, metadata, new_versions):
        if not config["configurable"]["checkpoint_ns"] and metadata["source"] != "input":
            threading.Event().wait()
        return super().put(config, checkpoint, metadata, new_versions)


def holds_said(found):
    """Whether a checkpoint of a subgraph holds what was said."""
    inner = found.config["configurable"]["checkpoint_ns"]
    return inner and any(each.text == SAID for each in found.checkpoint["channel_values"].get("messages", ()))


def nested(saver, then):
    """A graph whose one node is a graph with the same messages, which does something in its second step."""
    inner = StateGraph(MessagesState, context_schema=MemoryContext)
    inner.add_node("one", lambda _: {"messages": [AIMessage("Looking.", id="looking")]})
    inner.add_node("two", then)
    inner.add_edge(START, "one")
    inner.add_edge("one", "two")
    outer = StateGraph(MessagesState, context_schema=MemoryContext)
    outer.add_node("begin", lambda _: {})
    outer.add_node("inner", inner.compile())
    outer.add_edge(START, "begin")
    outer.add_edge("begin", "inner")
    return outer.compile(checkpointer=saver)


def die_inside(countdown, folder):
    """Two runs, the second of which dies in a subgraph, its root's checkpoints being on their way."""
    with Memory.open(folder, policy=POLICY, index=None) as memory:
        with SqliteSaver.from_conn_string(str(folder / "checkpoints")) as inner:
            first = nested(CapturingSaver(inner, memory), lambda _: {})
            first.invoke(ask("First words.", id="h0"), thread(), context=CONTEXT)
        with Stuck.from_conn_string(str(folder / "checkpoints")) as stuck:
            saver = CapturingSaver(stuck, memory)

            def die(_):
                while not any(map(holds_said, stuck.list(thread()))):
                    pass
                os.kill(os.getpid(), signal.SIGKILL)

            nested(saver, die).invoke(ask(id="h1"), thread(), context=CONTEXT, durability="async")


def look_again(countdown, folder):
    """Open the folder, which captures what was left."""
    with countdown, opened(folder):
        pass

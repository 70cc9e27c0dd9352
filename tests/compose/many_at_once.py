"""A program in which many users run one graph at once; it prints how many events there are."""

import asyncio
import itertools
import sys
from concurrent.futures import ThreadPoolExecutor

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from langgraph_memory import Memory, MemoryContext, Principal, Scope, attach

_numbers = itertools.count()


@tool
def book(name: str) -> str:
    """Book something."""
    return f"booked {name}"


def agent(state):
    if state["messages"][-1].type == "tool":
        return {"messages": [AIMessage("Done.")]}
    call = {"name": "book", "args": {"name": "x"}, "id": f"call-{next(_numbers)}"}
    return {"messages": [AIMessage("", tool_calls=[call])]}


def given(user, number):
    scope = Scope.of(org="acme", user=user)
    context = MemoryContext(Principal(user, grants=(scope,)), scope)
    thread = {"configurable": {"thread_id": f"{user}-{number}"}}
    return {"messages": [HumanMessage("Book it.")]}, thread, context


def main(rounds, users):
    with Memory.open(":memory:", index=None) as memory:
        builder = StateGraph(MessagesState, context_schema=MemoryContext)
        builder.add_node("agent", agent)
        builder.add_node("tools", ToolNode([book]))
        builder.add_edge(START, "agent")
        builder.add_conditional_edges("agent", tools_condition)
        builder.add_edge("tools", "agent")
        graph = attach(builder, memory).compile(checkpointer=InMemorySaver())

        def run(user, number):
            said, thread, context = given(f"u{user}", number)
            graph.invoke(said, thread, context=context)

        async def arun(number):
            runs = [given(f"a{user}", number) for user in range(users)]
            await asyncio.gather(*(graph.ainvoke(s, t, context=c) for s, t, c in runs))

        with ThreadPoolExecutor(8) as pool:
            for number in range(rounds):
                list(pool.map(run, range(users), [number] * users))
                asyncio.run(arun(number))
        print(len(memory.events(Scope.of(org="acme"))))  # noqa: T201 - read by the test


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

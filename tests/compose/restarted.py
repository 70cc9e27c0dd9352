"""One life of a process: it asks about a command, or takes the answer that another one has asked for.

`python restarted.py FOLDER attach|middleware|nodes ask|approve|deny` prints what ran and what was asked.
"""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import Command

from langgraph_memory import (
    AuthorityRule,
    Memory,
    MemoryContext,
    MemoryMiddleware,
    MemoryState,
    Policy,
    Principal,
    Scope,
    attach,
    guard_node,
    publish_node,
    recall_node,
)
from langgraph_memory.testing import FrozenClock, ScriptedChatModel

TEAM = Scope.of(org="acme", workspace="staging")
ANA = Principal("ana", roles={"lead"}, grants=(TEAM,))
CALLS = [
    {"name": "run_command", "args": {"command": "poweroff gpu-bench-01"}, "id": "c1", "type": "tool_call"},
    {"name": "run_command", "args": {"command": "uptime web-1"}, "id": "c2", "type": "tool_call"},
]
ran = []


@tool
def run_command(command: str) -> str:
    """Run a command."""
    ran.append(command)
    return "ok"


def attached(model, memory, saver):
    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("agent", lambda state: {"messages": [model.invoke(state["messages"])]})
    builder.add_node("tools", ToolNode([run_command]))
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", tools_condition)
    builder.add_edge("tools", "agent")
    return attach(builder, memory).compile(checkpointer=saver)


def by_nodes(model, memory, saver):
    builder = StateGraph(MemoryState, context_schema=MemoryContext)
    builder.add_node("recall", recall_node(memory))
    builder.add_node("agent", lambda state: {"messages": [model.invoke(state["messages"])]})
    builder.add_node("guard", guard_node(memory))
    builder.add_node("tools", ToolNode([run_command]))
    builder.add_node("publish", publish_node(memory))
    builder.add_edge(START, "recall")
    builder.add_edge("recall", "agent")
    builder.add_edge("agent", "guard")
    builder.add_edge("tools", "publish")
    builder.add_conditional_edges("publish", lambda s: "recall" if s["messages"][-1].type == "tool" else END)
    return builder.compile(checkpointer=saver)


def with_middleware(model, memory, saver):
    middleware = [MemoryMiddleware(memory)]
    return create_agent(
        model, [run_command], middleware=middleware, context_schema=MemoryContext, checkpointer=saver
    )


FORMS = {"attach": attached, "nodes": by_nodes, "middleware": with_middleware}


def main(folder, form, step):
    script = [AIMessage("", tool_calls=CALLS, id="plan"), "Done."]
    policy = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
    config = {"configurable": {"thread_id": "t"}}
    context = MemoryContext(principal=ANA, scope=TEAM)
    with (
        Memory.open(
            Path(folder) / "memory",
            policy=policy,
            index=None,
            clock=FrozenClock(datetime(2026, 3, 2, tzinfo=UTC)),
        ) as memory,
        SqliteSaver.from_conn_string(str(Path(folder) / "threads.sqlite")) as saver,
    ):
        graph = FORMS[form](ScriptedChatModel(script if step == "ask" else script[1:]), memory, saver)
        given = Command(resume={"c1": step}) if step != "ask" else {"messages": [("user", "Go.")]}
        state = graph.invoke(given, config, context=context)
        questions = [call["id"] for q in state.get("__interrupt__", ()) for call in q.value["calls"]]
        said = [m.text for m in state["messages"]]
        sys.stdout.write(json.dumps({"ran": ran, "asked": questions, "last": said[-1]}))


if __name__ == "__main__":
    main(*sys.argv[1:])

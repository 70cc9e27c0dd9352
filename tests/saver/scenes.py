"""Graphs as people have them, without any memory in them, and who runs them."""

from typing import Annotated

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.channels import DeltaChannel
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import _messages_delta_reducer
from langgraph.prebuilt import ToolNode
from typing_extensions import TypedDict

from langgraph_memory import AuthorityRule, MemoryContext, Policy, Principal, Scope
from langgraph_memory.testing import ScriptedChatModel

TEAM = Scope.of(org="acme", workspace="staging")
ANA = Principal("ana", roles={"lead"}, grants=(TEAM,))
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
CONTEXT = MemoryContext(principal=ANA, scope=TEAM)
SAID = "Keep gpu-1 running until QA has moved."
WORD = "All is looked at."


class DeltaState(TypedDict):
    """The conversation, stored as its changes."""

    messages: Annotated[list, DeltaChannel(_messages_delta_reducer, snapshot_frequency=3)]


def calls(*pairs, ids=None):
    """A planner's message that calls tools."""
    return AIMessage(
        "",
        tool_calls=[
            {"name": name, "args": args, "id": ids[n] if ids else f"call-{n}"}
            for n, (name, args) in enumerate(pairs)
        ],
    )


LOOK = [calls(("look", {"name": "gpu-1"}), ("look", {"name": "gpu-2"})), WORD]


@tool
def look(name: str) -> dict:
    """The load of a machine."""
    if name == "broken":
        raise ConnectionError("the cloud is away")
    return {"name": name, "cpu": 0.0}


def agent(script, saver, *, state=MessagesState, before_tools=None, more=None, errors=True):
    """planner ⇄ tools; `before_tools` is a node between them, `more` one before the planner."""
    model = ScriptedChatModel(script)

    def planner(state):
        return {"messages": [model.invoke(state["messages"])]}

    builder = StateGraph(state, context_schema=MemoryContext)
    builder.add_node("planner", planner)
    builder.add_node("tools", ToolNode([look], handle_tool_errors=errors))
    step = "tools"
    if before_tools is not None:
        builder.add_node("between", before_tools)
        builder.add_edge("between", "tools")
        step = "between"
    if more is not None:
        builder.add_node("more", more)
        builder.add_edge("more", "planner")
    builder.add_edge(START, "more" if more is not None else "planner")
    builder.add_conditional_edges(
        "planner", lambda s: step if s["messages"][-1].tool_calls else END, [step, END]
    )
    builder.add_edge("tools", "planner")
    return builder.compile(checkpointer=saver)


def thread(name="t", **more):
    return {"configurable": {"thread_id": name, **more}}


def ask(text=SAID, **fields):
    return {"messages": [HumanMessage(text, **fields)]}


def told(memory):
    """Type, speaker and gist of all events, in order."""
    return [(e.event_type, e.actor.id, gist(e)) for e in memory.events(TEAM)]


def gist(event):
    data = event.data
    return data.get("text") or (data.get("args") or {}).get("name") or data.get("status")


STORY = [
    ("message.user", "ana", SAID),
    ("tool.completed", "look", "gpu-1"),
    ("tool.completed", "look", "gpu-2"),
    ("message.agent", "agent", WORD),
    ("activity.completed", "agent", "completed"),
]

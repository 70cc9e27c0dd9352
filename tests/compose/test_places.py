"""Where memories stand in a planner's input: planners that parse messages find theirs as they were."""

import json

import pytest
from acceptance.agent import agent, calls
from acceptance.world import GPU, KEEP, STAGING, constrain
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from langgraph_memory import MemoryContext, Principal, attach
from langgraph_memory.runtime.recalling import Remembered, apart, beside

from .looking import of_type

LISTING = {"instances": [{"name": GPU}]}


@tool
def list_instances() -> str:
    """The running instances."""
    return json.dumps(LISTING)


def graph_of(memory, planner, **options):
    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("agent", planner)
    builder.add_node("tools", ToolNode([list_instances]))
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", tools_condition)
    builder.add_edge("tools", "agent")
    return attach(builder, memory).compile(**options)


def test_a_planner_that_parses_messages_finds_them_as_they_were(memory, play):
    constrain(memory)
    requests, results, told = [], [], []

    def planner(state):
        told.append("\n".join(message.text for message in state["messages"]))
        requests.append([m.text for m in state["messages"] if isinstance(m, HumanMessage)][-1])
        last = state["messages"][-1]
        if not isinstance(last, ToolMessage):
            return {"messages": [calls(("list_instances", {}))]}
        results.append(json.loads(last.content))
        return {"messages": [AIMessage("Done.")]}

    play(graph_of(memory, planner), f"How is {GPU}?")
    assert requests == [f"How is {GPU}?"] * 2
    assert results == [LISTING]
    assert [KEEP in each for each in told] == [True, True]


def test_what_a_planner_quotes_of_its_memories_is_not_written_down(memory, play):
    constrain(memory)

    def planner(state):
        return {"messages": [AIMessage("I was told: " + "".join(m.text for m in state["messages"]))]}

    thread = {"configurable": {"thread_id": "t"}}
    state = play(graph_of(memory, planner, checkpointer=InMemorySaver()), f"How is {GPU}?", thread)
    assert KEEP in state["messages"][-1].text
    (said,) = of_type(memory, STAGING, "message.agent")
    assert said.data["text"] == f"I was told: How is {GPU}?"


BRINGS = Remembered("<memory>", {}, [], None).message(0)
ASKED, SYSTEM, RESULT = HumanMessage("Hi"), SystemMessage("You help."), ToolMessage("{}", tool_call_id="1")


@pytest.mark.parametrize(
    ("messages", "place"),
    [
        ([], 0),
        ([ASKED], 0),
        ([SYSTEM, ASKED], 1),
        ([SYSTEM, ASKED, AIMessage("Hello."), ASKED, AIMessage(""), RESULT], 3),
        ([SYSTEM], 1),
        ([SYSTEM, AIMessage(""), RESULT], 1),
    ],
)
def test_they_stand_before_the_request_or_behind_the_system_prompt(messages, place):
    together = beside(messages, BRINGS)
    assert together[place] is BRINGS
    assert [m for m in map(apart, together) if m is not None] == messages


def test_a_drawing_of_the_graph_names_the_tools(memory):
    assert "list_instances" in graph_of(memory, lambda _: {}).get_graph().draw_mermaid()


def test_what_a_recall_could_not_do_is_still_told_when_the_run_is_over(memory, play):
    stranger = Principal("eve")
    state = play(agent(memory, ["Done."]).graph, "Hello.", principal=stranger)
    assert "has no grant" in state["notice"]
    assert play(agent(memory, ["Done."]).graph, "Hello.")["notice"] is None

"""The request, the last steps and what tools showed come back where the prompt holds them no longer."""

import pytest
from acceptance.world import DAN, DEVELOPER, GPU, STAGING, constrain
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from langgraph_memory import MemoryContext, MemoryState, attach
from langgraph_memory.records import Observation
from langgraph_memory.retrieval.here import fitting, left
from langgraph_memory.retrieval.pack import Packed, pack_before

REQUEST = "Find out why the nightly build of web-77 is slow."


@tool
def get_instance(name: str) -> dict:
    """Look at a machine."""
    return {"id": name, "state": "running", "load": 0.93}


def run(memory, forget):
    """A run of two steps of tools, of whose messages a node drops what `forget` says before the last step."""
    seen = []

    def planner(state):
        seen.append("\n".join(message.text for message in state["messages"]))
        if len(seen) == 3:
            return {"messages": [AIMessage("Done.")]}
        call = {"name": "get_instance", "args": {"name": f"web-7{len(seen)}"}, "id": f"call_{len(seen)}"}
        return {"messages": [AIMessage("", tool_calls=[call])]}

    def trim(state):
        gone = state["messages"][:forget] if len(seen) == 2 else ()
        return {"messages": [RemoveMessage(message.id) for message in gone]}

    builder = StateGraph(MemoryState, context_schema=MemoryContext)
    builder.add_node("planner", planner)
    builder.add_node("tools", ToolNode([get_instance]))
    builder.add_node("trim", trim)
    builder.add_edge(START, "planner")
    builder.add_conditional_edges("planner", tools_condition)
    builder.add_edge("tools", "trim")
    builder.add_edge("trim", "planner")
    graph = attach(builder, memory, planner="planner", tools="tools").compile(checkpointer=InMemorySaver())
    context = MemoryContext(DAN, STAGING)
    given = {"messages": [HumanMessage(REQUEST)]}
    graph.invoke(given, {"configurable": {"thread_id": "t"}}, context=context)
    return seen[-1]


def test_what_left_the_prompt_comes_back_in_sections(memory):
    told = run(memory, forget=3)
    assert told.index("- TASK (asked 2026-03-06 by dan") < told.index("- EARLIER") < told.index("- NOW")
    assert REQUEST in told
    assert "web-71 state = running" in told
    assert told.index("- NOW") < told.index("</memory>")


def test_what_the_prompt_still_holds_is_not_said_twice(memory):
    told = run(memory, forget=0)
    assert REQUEST in told
    assert not any(mark in told for mark in ("- TASK", "- EARLIER", "- NOW"))


def said(memory, number, text):
    return memory.publish(
        scope=STAGING,
        activity_id="act",
        event_type="message.user",
        actor=DEVELOPER,
        event_id=f"ev_{number}",
        data={"text": text},
    )


@pytest.mark.parametrize("budget", [0, 60, 150, 400, 800])
def test_the_budget_holds_and_rules_come_before_the_sections(memory, budget):
    constrain(memory)
    gone = [said(memory, number, f"request {number} " + "and so on " * 8) for number in range(9)]
    recall = memory.recall(
        "go on", principal=DAN, scope=STAGING, entities=[GPU], token_budget=budget, gone=gone
    )
    assert recall.tokens <= budget
    shown = "- TASK" in recall.render()
    assert shown is (budget >= 400)
    assert not recall.deferred or not shown


def test_the_newest_steps_are_kept(memory):
    gone = [said(memory, number, f"step {number} " + "x" * 60) for number in range(9)]
    lines = fitting(left(gone), 2_000, len)
    assert "step 8" in lines[0]
    assert "step 7" in lines[-1]
    assert not any("step 0" in line for line in lines)
    assert fitting(left([]), 2_000, len) == []


def test_observations_come_back_only_with_what_they_rest_on(memory):
    event = said(memory, 1, "look")
    shown = Observation(entity="a", attribute="state", value="on", source="ev_1", at=event.occurred_at)
    elsewhere = shown.model_copy(update={"source": "ev_2"})
    assert left([event], [shown, elsewhere]).live == (shown,)


def test_lines_go_where_they_would_cost_a_rule():
    packed = Packed(items=(), text="", tokens=0, omitted=(), deferred=("fact_1",))
    tight = Packed(items=(), text="<memory>\n- RULE\n</memory>", tokens=9, omitted=(), deferred=())

    def packing(room):
        return tight if room >= 1_000 else packed

    assert pack_before(["- TASK x"], packing, 1_000, len) is tight
    assert "- TASK x" in pack_before(["- TASK x"], packing, 9_000, len).text

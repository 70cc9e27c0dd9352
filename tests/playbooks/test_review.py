"""Drafts put to a person inside a graph."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command

from langgraph_memory import MemoryContext, MemoryState, Principal, review_procedures_node
from langgraph_memory.answers import record_id

from .conftest import ANA, CLEANUP, DAN, NAME, ROBOT, STAGING

THREAD = {"configurable": {"thread_id": "1"}}


@pytest.fixture
def graph(memory):
    builder = StateGraph(MemoryState, context_schema=MemoryContext)
    builder.add_node("review", review_procedures_node(memory))
    builder.add_edge(START, "review")
    builder.add_edge("review", END)
    return builder.compile(checkpointer=InMemorySaver())


def run(graph, given, principal=ANA):
    return graph.invoke(given, THREAD, context=MemoryContext(principal=principal, scope=STAGING))


def status(memory, version=1, name=NAME):
    return memory.procedures.get(name, version, scope=STAGING).status


def test_all_drafts_are_put_at_once_and_the_answers_count(memory, adopt, graph):
    adopt()
    change = {"steps": ["Ask first.", *CLEANUP["steps"]]}
    first = memory.procedures.propose(**CLEANUP | change, actor=ROBOT, evidence=["ep_1"], reason="it broke")
    other = memory.procedures.propose(
        **CLEANUP | {"procedure_id": "other", "trigger_intent": "x"}, actor=ROBOT
    )
    third = memory.procedures.propose(
        **CLEANUP | {"procedure_id": "third", "trigger_intent": "y"}, actor=ROBOT
    )
    (asked,) = run(graph, {"messages": []})["__interrupt__"]
    assert asked.value["type"] == "memory.procedures"
    shown = {each["id"]: each for each in asked.value["drafts"]}
    assert set(shown) == {record_id(first), record_id(other), record_id(third)}
    told = shown[record_id(first)]
    assert "+1. Ask first." in told["diff"]
    assert (told["evidence"], told["reason"], told["origin"]) == (["ep_1"], "it broke", "learned")
    done = run(graph, Command(resume={record_id(first): "approve", record_id(other): "reject"}))
    assert done.get("notice") is None
    assert (status(memory, 2), status(memory, 1)) == ("current", "deprecated")
    assert (status(memory, 1, "other"), status(memory, 1, "third")) == ("deprecated", "draft")


def test_the_answer_of_one_who_may_not_decide_does_not_count(memory, graph):
    draft = memory.procedures.propose(**CLEANUP, actor=ROBOT)
    run(graph, {"messages": []}, DAN)
    done = run(graph, Command(resume={record_id(draft): "approve"}), DAN)
    assert "may not decide" in done["notice"]
    assert status(memory) == "draft"
    run(graph, {"messages": []})
    run(graph, Command(resume={record_id(draft): "approve"}))
    assert status(memory) == "current"


@pytest.mark.parametrize("answer", ["approve", None, {"unknown": "approve"}, {NAME: "approve"}])
def test_an_answer_that_names_no_draft_decides_nothing(memory, graph, answer):
    memory.procedures.propose(**CLEANUP, actor=ROBOT)
    run(graph, {"messages": []})
    run(graph, Command(resume=answer or {"": ""}))
    assert status(memory) == "draft"


def test_without_drafts_nobody_is_asked(graph):
    assert "__interrupt__" not in run(graph, {"messages": []})


def test_who_may_not_read_the_scope_is_shown_nothing(memory, graph):
    memory.procedures.propose(**CLEANUP, actor=ROBOT)
    done = run(graph, {"messages": []}, Principal("eve"))
    assert "__interrupt__" not in done
    assert "may not read" in done["notice"]
    assert [each.actor for each in memory.audit(str(STAGING))] == ["eve"]


def test_without_a_checkpointer_the_drafts_are_told_of(memory, graph):
    memory.procedures.propose(**CLEANUP, actor=ROBOT)
    bare = graph.builder.compile()
    done = bare.invoke({"messages": []}, context=MemoryContext(principal=ANA, scope=STAGING))
    assert "1 drafts wait" in done["notice"]

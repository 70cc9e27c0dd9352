"""Entities in trajectories of real agents, if the evaluation sets are at hand."""

import json
import os
from pathlib import Path

import pytest
from ingest_doubles import Notebook

from langgraph_memory.entities import discover
from langgraph_memory.recordings.ingest import ingest
from langgraph_memory.scope import Scope

pytestmark = pytest.mark.data


def lines(name):
    folder = os.environ.get("LANGGRAPH_MEMORY_DATA")
    if not folder:
        pytest.skip("LANGGRAPH_MEMORY_DATA names no folder with the evaluation sets")
    return [json.loads(line) for line in Path(folder, name).read_text(encoding="utf-8").splitlines()]


def shares(pairs):
    """How much of what is labelled was found, and how many others for each labelled one."""
    labelled = sum(len(gold) for gold, _ in pairs)
    found = sum(len(gold & got) for gold, got in pairs)
    return found / labelled, sum(len(got - gold) for gold, got in pairs) / labelled


def test_conversations_of_an_airline_agent():
    gold = {line["conversation_id"]: set(line["entities"]) for line in lines("tau-airline-traj/gold.jsonl")}
    notebook = Notebook()
    path = Path(os.environ["LANGGRAPH_MEMORY_DATA"], "tau-airline-traj/chats.jsonl")
    ingest(notebook, path, scope=Scope.of(org="airline"))
    found = {conversation: set() for conversation in gold}
    for event in notebook.state:
        found[event.activity_id].update(event.entities)
    recall, others = shares([(gold[conversation], found[conversation]) for conversation in gold])
    assert recall >= 0.97
    assert others <= 0.5


def test_errors_of_an_airline_agent_are_failures():
    gold = lines("tau-airline-traj/gold.jsonl")
    notebook = Notebook()
    path = Path(os.environ["LANGGRAPH_MEMORY_DATA"], "tau-airline-traj/chats.jsonl")
    report = ingest(notebook, path, scope=Scope.of(org="airline"))
    assert report.failed == sum(len(line["error_tool_call_ids"]) for line in gold)
    assert not any(
        str(event.data.get("output")).startswith("Error")
        for event in notebook.state
        if event.event_type == "tool.completed"
    )


def test_calls_of_a_shop_agent():
    events = [line for line in lines("tau-retail-replay/tau-retail-train-a.events.jsonl") if line["tool"]]
    pairs = [
        ({name for _, name in event["gold_entities"]}, set(discover(event["args"], event["output"]).entities))
        for event in events
    ]
    recall, others = shares(pairs)
    assert recall >= 0.97
    assert others <= 0.5

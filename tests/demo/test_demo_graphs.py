"""The graphs as a server loads them."""

import importlib.util
import json
import sys
from pathlib import Path

from langgraph_memory import MemoryContext
from langgraph_memory.demo.serving import served_memory
from langgraph_memory.demo.staging import LEAD, STAGING

ROOT = Path(__file__).parents[2]


def load(name):
    """The graph that `langgraph.json` names."""
    file, _, variable = json.loads((ROOT / "langgraph.json").read_text())["graphs"][name].partition(":")
    spec = importlib.util.spec_from_file_location(f"served_{name}", ROOT / file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return getattr(module, variable)


def clean_up(graph):
    """The states of the machines after a cleanup, as the agent's own tools tell."""
    said = graph.invoke(
        {"messages": [("user", "Run the weekly staging cost cleanup.")]},
        context=MemoryContext(LEAD, STAGING),
    )
    return said["messages"][-1].text


def test_a_graph_is_loaded_without_opening_its_memory(place):
    graph = load("costguard")
    assert not place.exists()
    assert graph.checkpointer is None
    assert graph.store is None
    assert {"recall", "planner", "guard", "tools", "publish"} <= set(graph.nodes)


def test_the_agent_works_and_consolidation_turns_its_work_into_memory(place):
    assert clean_up(load("costguard")) == "Cleanup done. Stopped dev-sandbox-04. Stopped gpu-bench-01."
    assert place.is_dir()
    assert served_memory().episodes(STAGING) == []
    report = load("consolidation")().invoke({})["report"]
    assert (report.activities, report.episodes) == (1, 1)
    assert len(served_memory().episodes(STAGING, entity="gpu-bench-01")) == 1


def test_what_a_lead_lays_down_in_one_thread_holds_in_the_next(place):
    graph = load("costguard")
    order = "Keep gpu-bench-01 running until QA has moved to the cluster."
    graph.invoke({"messages": [("user", order)]}, context=MemoryContext(LEAD, STAGING))
    load("consolidation")().invoke({})
    assert "Stopped gpu-bench-01" not in clean_up(graph)
    assert "Left gpu-bench-01 running" in clean_up(graph)


def test_every_named_graph_can_be_loaded(place):
    for name in json.loads((ROOT / "langgraph.json").read_text())["graphs"]:
        assert callable(getattr(load(name), "invoke", load(name)))

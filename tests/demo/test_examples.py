"""The example graphs do what they are examples of: a lead's word in one thread holds in the next."""

import importlib.util
import sys
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from langgraph_memory import MemoryContext
from langgraph_memory.demo.serving import served_memory
from langgraph_memory.demo.staging import LEAD, SCHEDULER, STAGING

GRAPHS = Path(__file__).parents[2] / "graphs"
ORDER = "Keep gpu-bench-01 running until QA has moved to the cluster."
CLEANUP = "Run the weekly staging cost cleanup."


pytestmark = pytest.mark.usefixtures("place")


def load(name):
    spec = importlib.util.spec_from_file_location(f"example_{name}", GRAPHS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    made = module.graph() if callable(module.graph) else module.graph
    made.checkpointer = InMemorySaver()
    return made


def say(graph, text, thread, principal=LEAD):
    config = {"configurable": {"thread_id": thread}}
    state = graph.invoke({"messages": [("user", text)]}, config, context=MemoryContext(principal, STAGING))
    return state["messages"][-1].text


@pytest.mark.parametrize("name", ["costguard", "attached", "agent", "deep_agent"])
@pytest.mark.parametrize("consolidated", [True, False])
def test_what_a_lead_lays_down_holds_in_another_thread(name, consolidated):
    assert "Stopped gpu-bench-01" in say(load(name), CLEANUP, "before", SCHEDULER)
    graph = load(name)
    say(graph, ORDER, "monday")
    if consolidated:
        served_memory().consolidate()
    told = say(graph, CLEANUP, "thursday", SCHEDULER)
    assert "Stopped gpu-bench-01" not in told
    assert "Left gpu-bench-01 running" in told
    assert "Stopped dev-sandbox-04" in told


@pytest.mark.parametrize("name", ["attached", "agent", "deep_agent"])
def test_loading_an_example_opens_no_memory(name, place):
    spec = importlib.util.spec_from_file_location(f"loaded_{name}", GRAPHS / f"{name}.py")
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    assert not place.exists()
    load(name)
    assert place.exists()

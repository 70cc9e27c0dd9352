"""Consolidation as a LangGraph graph: the steps of the pipeline as nodes, one batch of activities a round."""

from __future__ import annotations

from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from typing_extensions import TypedDict

from langgraph_memory.answers import ConsolidationReport
from langgraph_memory.consolidation.work import Work
from langgraph_memory.memory import Memory
from langgraph_memory.signature import checked


class ConsolidationState(TypedDict, total=False):
    """State of the consolidation graph.

    Attributes:
        batch: the claimed activities and what has been made of them in this round.
        report: what has been done so far; the graph's result.
    """

    batch: list[Work]
    report: ConsolidationReport


@checked()
def consolidation_graph(memory: Memory) -> CompiledStateGraph[Any, Any, Any, Any]:
    """A compiled graph that consolidates what is due: `consolidation_graph(memory).invoke({})`.

    Nodes are the steps: claim, extract (candidates, grounding, authority), narrate (keep? and episode),
    commit (reconcile and write). Any number of runs may go on at once, in any number of processes.

    Example:
        >>> with Memory.open(":memory:") as memory:
        ...     consolidation_graph(memory).invoke({})["report"].activities
        0
    """
    pipeline = memory.pipeline

    def claim(state: ConsolidationState) -> ConsolidationState:
        pipeline.revalidate()
        claims = pipeline.claim()
        report = state.get("report") or ConsolidationReport()
        return {"batch": [pipeline.read(claimed) for claimed in claims], "report": report}

    def extract(state: ConsolidationState) -> ConsolidationState:
        with pipeline.holding(work.claim for work in state["batch"]):
            return {"batch": [pipeline.extract(work) for work in state["batch"]]}

    def narrate(state: ConsolidationState) -> ConsolidationState:
        with pipeline.holding(work.claim for work in state["batch"]):
            return {"batch": [pipeline.narrate(work) for work in state["batch"]]}

    def commit(state: ConsolidationState) -> ConsolidationState:
        report = state["report"]
        for work in state["batch"]:
            report = report.plus(pipeline.commit(work))
        return {"report": report}

    def more(state: ConsolidationState) -> Literal["extract", "__end__"]:
        return "extract" if state["batch"] else "__end__"

    builder = StateGraph(ConsolidationState)
    for node in (claim, extract, narrate, commit):
        builder.add_node(node)
    builder.add_edge(START, "claim")
    builder.add_conditional_edges("claim", more, ["extract", END])
    builder.add_edge("extract", "narrate")
    builder.add_edge("narrate", "commit")
    builder.add_edge("commit", "claim")
    return builder.compile(name="consolidation")

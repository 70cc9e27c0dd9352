# ruff: noqa: INP001 - a server loads this file by its path; it belongs to no package
"""Consolidation for a LangGraph server: run it, by a cron job for instance, and what is due becomes memory.

`graph` is a factory, as a server takes it; in process, `graph().invoke({})` does the same.
"""

from typing import Any

from langgraph.graph.state import CompiledStateGraph

from langgraph_memory import consolidation_graph
from langgraph_memory.demo.serving import served_memory


def graph() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The consolidation of the memory that CostGuard writes to."""
    return consolidation_graph(served_memory())

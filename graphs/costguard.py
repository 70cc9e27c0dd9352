# ruff: noqa: INP001 - a server loads this file by its path; it belongs to no package
"""CostGuard for a LangGraph server, or for `graph.invoke`: it cleans up a simulated cloud, with memory.

The cloud begins anew with each process, on a Thursday morning on which two machines have been idle too long.
The memory lasts: it is in the folder that LANGGRAPH_MEMORY_PATH names, `./memory` by default. A chat model
plans where OPENAI_API_KEY is set, else a plain policy does.

    graph.invoke({"messages": [("user", "Run the weekly staging cost cleanup.")]},
                 context=MemoryContext(principal, scope))

On a server the principal is the authenticated user; without one the agent recalls nothing, since nobody has
a grant to read.
"""

import os
from datetime import UTC, datetime

from langgraph_memory.demo.planner import TOKEN_BUDGET, choose_planner
from langgraph_memory.demo.serving import served_memory
from langgraph_memory.demo.staging import FRIDAY, THURSDAY, staging_cloud
from langgraph_memory.demo.tools import cloud_tools
from langgraph_memory.evaluation.graph import agent_graph


def _now() -> datetime:
    return datetime.now(UTC)


_tools = cloud_tools(staging_cloud(_now, friday=_now() - (THURSDAY - FRIDAY)))

graph = agent_graph(
    served_memory,
    _tools,
    choose_planner(_tools, os.environ),
    token_budget=TOKEN_BUDGET,
    name="costguard",
)

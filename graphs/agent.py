# ruff: noqa: INP001 - a server loads this file by its path; it belongs to no package
"""An agent of LangChain's `create_agent` with memory by middleware.

    graph().invoke({"messages": [("user", "Run the weekly staging cost cleanup.")]},
                   context=MemoryContext(principal, scope))

Memory is in the folder that LANGGRAPH_MEMORY_PATH names, `./memory` by default.
"""

from functools import cache
from typing import Any

from langchain.agents import create_agent

from langgraph_memory import MemoryContext, MemoryMiddleware
from langgraph_memory.demo.chat import choose_model, staging_tools
from langgraph_memory.demo.planner import PLAYBOOK
from langgraph_memory.demo.serving import served_memory

_TOOLS = staging_tools()  # here, since a server calls factories where nothing may block


@cache
def graph() -> Any:
    """The agent; made when a run first asks for it."""
    return create_agent(
        choose_model(),
        _TOOLS,
        system_prompt=PLAYBOOK,
        middleware=[MemoryMiddleware(served_memory())],
        context_schema=MemoryContext,
        name="agent",
    )

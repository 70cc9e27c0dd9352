# ruff: noqa: INP001 - a server loads this file by its path; it belongs to no package
"""A deep agent with memory: by middleware for itself, in the tools for its subagents.

    graph().invoke({"messages": [("user", "Run the weekly staging cost cleanup.")]},
                   context=MemoryContext(principal, scope))

deepagents hands tools on to subagents, but not middleware: `guard_tools` makes the guard a part of the tools.
`task` only hands work on to such tools, so the policy may declare it to be `read_only`; else the guard asks
about a task that names what a constraint is about. Give the graph a checkpointer, as a server does: without
one it can't be told what a person said from what the agent's own middleware wrote.

Memory is in the folder that LANGGRAPH_MEMORY_PATH names, `./memory` by default.
"""

from functools import cache
from typing import Any

from deepagents import create_deep_agent

from langgraph_memory import MemoryContext, MemoryMiddleware, guard_tools
from langgraph_memory.demo.chat import choose_model, staging_tools
from langgraph_memory.demo.planner import PLAYBOOK
from langgraph_memory.demo.serving import served_memory

_TOOLS = staging_tools()  # here, since a server calls factories where nothing may block


@cache
def graph() -> Any:
    """The agent; made when a run first asks for it."""
    memory = served_memory()
    return create_deep_agent(
        model=choose_model(),
        tools=guard_tools(_TOOLS, memory),
        system_prompt=PLAYBOOK,
        middleware=[MemoryMiddleware(memory)],
        context_schema=MemoryContext,
        name="deep_agent",
    )

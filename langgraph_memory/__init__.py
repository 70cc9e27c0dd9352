"""Memory for LangGraph agents that can be trusted.

Events are captured as they happen, turned into episodes and facts by evidence and authority, recalled before
every planner step, and enforced before every tool call.

Names are imported when they are first used, so that the console answers at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langgraph_memory.answers import GuardDecision, Recall
    from langgraph_memory.attachment import attach
    from langgraph_memory.background import consolidation_graph
    from langgraph_memory.checkpointer import CapturingSaver
    from langgraph_memory.file_backend import MemoryFilesBackend
    from langgraph_memory.file_tool import memory_tool
    from langgraph_memory.guarded_tools import guard_tools
    from langgraph_memory.memory import Memory
    from langgraph_memory.middleware import MemoryMiddleware
    from langgraph_memory.nodes import MemoryState, guard_node, publish_node, recall_node
    from langgraph_memory.policy import AuthorityRule, Policy
    from langgraph_memory.records import Actor, Episode, Event, Fact, Procedure
    from langgraph_memory.review import review_node, review_procedures_node
    from langgraph_memory.scope import MemoryContext, Principal, Scope
    from langgraph_memory.store import HybridStore
    from langgraph_memory.worker import Worker

__all__ = [
    "Actor",
    "AuthorityRule",
    "CapturingSaver",
    "Episode",
    "Event",
    "Fact",
    "GuardDecision",
    "HybridStore",
    "Memory",
    "MemoryContext",
    "MemoryFilesBackend",
    "MemoryMiddleware",
    "MemoryState",
    "Policy",
    "Principal",
    "Procedure",
    "Recall",
    "Scope",
    "Worker",
    "attach",
    "consolidation_graph",
    "guard_node",
    "guard_tools",
    "memory_tool",
    "publish_node",
    "recall_node",
    "review_node",
    "review_procedures_node",
]

_HOMES = {
    "answers": ("GuardDecision", "Recall"),
    "attachment": ("attach",),
    "background": ("consolidation_graph",),
    "file_backend": ("MemoryFilesBackend",),
    "file_tool": ("memory_tool",),
    "checkpointer": ("CapturingSaver",),
    "guarded_tools": ("guard_tools",),
    "memory": ("Memory",),
    "middleware": ("MemoryMiddleware",),
    "nodes": ("MemoryState", "guard_node", "publish_node", "recall_node"),
    "policy": ("AuthorityRule", "Policy"),
    "records": ("Actor", "Episode", "Event", "Fact", "Procedure"),
    "review": ("review_node", "review_procedures_node"),
    "scope": ("MemoryContext", "Principal", "Scope"),
    "store": ("HybridStore",),
    "worker": ("Worker",),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            try:
                return getattr(import_module(f"{__name__}.{home}"), name)
            except ModuleNotFoundError as error:
                raise ImportError(f"{name} needs {error.name}: pip install {error.name}") from error
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

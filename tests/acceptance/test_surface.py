"""The names that people and tests outside the repository call."""

import langgraph_memory

NAMES = [
    "Actor",
    "AuthorityRule",
    "Episode",
    "Event",
    "Fact",
    "GuardDecision",
    "HybridStore",
    "Memory",
    "MemoryContext",
    "MemoryState",
    "Policy",
    "Principal",
    "Procedure",
    "Recall",
    "Scope",
    "consolidation_graph",
    "guard_node",
    "publish_node",
    "recall_node",
]


def test_every_name_of_the_public_surface_is_exported():
    assert [name for name in NAMES if name not in langgraph_memory.__all__] == []
    assert [name for name in NAMES if not hasattr(langgraph_memory, name)] == []


def test_the_list_of_exports_is_sorted_and_complete():
    assert list(langgraph_memory.__all__) == sorted(langgraph_memory.__all__)
    assert [name for name in langgraph_memory.__all__ if not hasattr(langgraph_memory, name)] == []

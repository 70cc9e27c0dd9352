"""Stored texts on a terminal: without what it would obey."""

from langgraph_memory.display.markup import printable


def plain(text: str) -> str:
    """A stored text on one line."""
    return " ".join(printable(text).split())

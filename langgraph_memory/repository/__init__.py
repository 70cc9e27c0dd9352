"""Typed records over any `BaseStore`: their bodies lie in the store, what counts stands in the ledger."""

from langgraph_memory.repository.changes import Change, Note
from langgraph_memory.repository.repository import Repository

__all__ = ["Change", "Note", "Repository"]

"""The agent's own notes: files under `/memories`, one tree a principal, kept in the store.

They are the agent's to write, so they are marked as notes and never count as evidence for a fact.
"""

from langgraph_memory.files.commands import Files
from langgraph_memory.files.shelf import Shelf

__all__ = ["Files", "Shelf"]

"""Histories of agents that others recorded: chat messages as JSON lines, LangGraph's SQLite checkpointer."""

from langgraph_memory.recordings.conversation import (
    Called,
    Entry,
    Item,
    RecordedConversation,
    Recording,
    Said,
)
from langgraph_memory.recordings.opening import open_recording

__all__ = ["Called", "Entry", "Item", "RecordedConversation", "Recording", "Said", "open_recording"]

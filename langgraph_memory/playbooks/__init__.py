"""Playbooks: versioned ways of doing a class of tasks, from engineers and from what happened."""

from langgraph_memory.playbooks.procedures import Procedures
from langgraph_memory.playbooks.register import ToolRegister

__all__ = ["Procedures", "ToolRegister"]

"""Evaluation by decisions: scenarios of several sessions, played with and without memory, and scored."""

from langgraph_memory.evaluation.scenario import Scenario

__all__ = ["Scenario"]

"""Learning: what activities teach about tools, routines and behaviour; proposals that people approve."""

from langgraph_memory.consolidation.learning.learner import Learner

__all__ = ["Learner"]

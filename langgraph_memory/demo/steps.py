"""`Step`: one round of the agent in a played session."""

from __future__ import annotations

from dataclasses import dataclass

from langchain_core.messages import AIMessage

from langgraph_memory.answers import GuardDecision
from langgraph_memory.evaluation.amounts import Offer


@dataclass(frozen=True)
class Step:
    """One round of the agent: what it was offered, what it said or called, what the guard decided."""

    offer: Offer
    message: AIMessage
    decisions: tuple[GuardDecision, ...] = ()

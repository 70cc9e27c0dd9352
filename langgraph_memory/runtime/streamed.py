"""What memory does, told to whoever streams a run: recalls, publishes and decisions as custom events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langgraph.config import get_stream_writer

from langgraph_memory.answers import GuardDecision, Recall
from langgraph_memory.records import Event


def tell_recall(recall: Recall) -> None:
    """Stream `memory.recall`: the ids of what was brought, and what was not searched."""
    _tell(
        lambda: {
            "type": "memory.recall",
            "receipt_id": recall.receipt_id,
            "offered": [item.id for item in recall.items],
            "constraints": [fact.fact_id for fact in recall.constraints],
            "deferred": list(recall.deferred),
            "degraded": list(recall.degraded),
            "tokens": recall.tokens,
        }
    )


def tell_publish(events: Sequence[Event]) -> None:
    """Stream `memory.publish`: the ids and types of new events."""
    if events:
        told = [{"event_id": each.event_id, "event_type": each.event_type} for each in events]
        _tell(lambda: {"type": "memory.publish", "events": told})


def tell_decision(call: Mapping[str, Any], decision: GuardDecision) -> None:
    """Stream `memory.decision`: what the guard says of one tool call."""
    _tell(
        lambda: {
            "type": "memory.decision",
            "id": decision.id,
            "call_id": call["id"],
            "action": decision.action,
            "outcome": decision.outcome,
            "facts": [fact.fact_id for fact in decision.facts],
            "events": list(decision.events),
            "message": decision.message,
        }
    )


def _tell(event: Callable[[], dict[str, Any]]) -> None:
    """Hand an event to the run's stream; outside of a run there is nobody to tell."""
    try:
        write = get_stream_writer()
    except (RuntimeError, KeyError, AttributeError):
        return
    write(event())

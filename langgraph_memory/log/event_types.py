"""Types of events that mean something to memory; all others are free text."""

from __future__ import annotations

CHECKPOINTS = frozenset(
    {
        "activity.completed",
        "activity.failed",
        "feedback.correction",
        "verification.failed",
        "milestone.reached",
        "session.ended",
    }
)
"""Event types that make an activity due for consolidation."""

COMPACTED = "conversation.compacted"
"""The event that records which turns a conversation dropped; it holds ids and numbers, no words."""

SPOKEN = frozenset({"message.user", "feedback.correction"})
"""Event types in which a person speaks: what they say counts before any consolidation has read it."""

TALK = SPOKEN | {"message.agent"}
"""Event types of what is said in a conversation."""

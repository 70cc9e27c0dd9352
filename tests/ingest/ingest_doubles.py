"""A publisher that only remembers, and conversations to publish."""

import json
from datetime import UTC, datetime

from langgraph_memory.records import Event

NOW = datetime(2026, 5, 20, 10, tzinfo=UTC)


class DiedError(Exception):
    """The process died."""


class Notebook:
    """Takes events as `Memory` does: the first of an id counts. Dies after `lives` publishes."""

    def __init__(self, lives=None):
        self.events = {}
        self.lives = lives

    def publish(self, *, wait=False, occurred_at=None, **fields):
        if self.lives is not None:
            if self.lives == 0:
                raise DiedError
            self.lives -= 1
        event = Event(occurred_at=occurred_at or NOW, seq=len(self.events) + 1, **fields)
        return self.events.setdefault(event.event_id, event)

    @property
    def state(self):
        return list(self.events.values())


def call(call_id, tool, args):
    return {"id": call_id, "type": "function", "function": {"name": tool, "arguments": json.dumps(args)}}


def conversation(number=1):
    """A booking that fails once, under a call id that is used twice."""
    return {
        "conversation_id": f"c-{number}",
        "messages": [
            {"role": "system", "content": "Never offer refunds."},
            {
                "role": "user",
                "content": f"Book FL10{number} for mia_li_3668, and remember I prefer the aisle.",
            },
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [call("k", "book", {"flight_number": f"FL10{number}"})],
            },
            {"role": "tool", "tool_call_id": "k", "name": "book", "content": "Error: booking ZZ9999 is full"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [call("k", "book", {"flight_number": f"FL20{number}"})],
            },
            {
                "role": "tool",
                "tool_call_id": "k",
                "name": "book",
                "content": '{"booking_id": "BK7711", "user_id": "mia_li_3668"}',
            },
            {"role": "assistant", "content": "Booked as BK7711."},
        ],
    }

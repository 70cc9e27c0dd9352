"""Whose state a tool's output shows: by an id, else by a name that was asked for or looks like one."""

from datetime import UTC, datetime

import pytest

from langgraph_memory import Actor, Scope
from langgraph_memory.consolidation.episodes.observations import observed
from langgraph_memory.records import Event


def shown(args, output):
    event = Event(
        event_id="e1",
        event_type="tool.completed",
        scope=Scope.of(org="acme"),
        activity_id="act",
        actor=Actor("tool", "cloud"),
        occurred_at=datetime(2026, 3, 6, tzinfo=UTC),
        data={"tool": "get_state", "args": args, "output": output},
    )
    return [(each.entity, each.attribute, each.value) for each in observed([event])]


@pytest.mark.parametrize(
    ("args", "output", "entity"),
    [
        ({"host": "web-1"}, {"name": "web-1", "status": "down"}, "web-1"),
        ({"service": "billing"}, {"service": "billing", "status": "down"}, "billing"),
        ({"q": "mails"}, {"queue_name": "mails", "status": "down"}, "mails"),
        ({}, [{"name": "db-02", "status": "down"}], "db-02"),
        ({"id": 7}, {"id": 7, "name": "db-02", "status": "down"}, "7"),
        ({"name": "db-02"}, {"id": "i-09a8f", "name": "db-02", "status": "down"}, "i-09a8f"),
    ],
)
def test_a_state_is_that_of_the_thing_it_names(args, output, entity):
    assert shown(args, output) == [(entity, "status", "down")]


@pytest.mark.parametrize(
    ("args", "output"),
    [
        ({"topic": "sales"}, {"name": "Quarterly report", "status": "draft"}),
        ({}, [{"name": "frontdoor", "status": "up"}]),
        ({"service": "billing"}, {"status": "ok"}),
    ],
)
def test_a_state_of_nothing_that_is_named_is_none(args, output):
    assert shown(args, output) == []

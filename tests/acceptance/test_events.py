"""The event log: append-only, in order, the same event once."""

import contextlib

import pytest

from langgraph_memory import Actor, Memory, Scope
from langgraph_memory.errors import InvalidEventError

from .world import DEVELOPER, LEAD, STAGING, leads_policy, say, use


def texts(memory, scope=STAGING):
    return [event.data["text"] for event in memory.events(scope) if "text" in event.data]


def test_an_event_carries_what_was_given_and_the_time_of_the_clock(memory, clock):
    event = say(memory, LEAD, "hello", activity="act-1", entities=("gpu-bench-01",), ref="trace://1")
    assert (event.scope, event.activity_id, event.event_type) == (STAGING, "act-1", "message.user")
    assert (event.actor, event.entities, event.evidence_ref) == (LEAD, ("gpu-bench-01",), "trace://1")
    assert (event.data, event.occurred_at, event.source) == ({"text": "hello"}, clock(), "trace://1")
    assert event.event_id
    assert list(memory.events(STAGING)) == [event]


def test_events_come_back_in_the_order_of_publication(any_memory, clock):
    for number in range(20):
        say(any_memory, LEAD, f"message {number}", activity=f"act-{number % 3}")
    clock.advance(days=-5)
    say(any_memory, LEAD, "by a clock that ran back", activity="act-0")
    assert texts(any_memory) == [f"message {number}" for number in range(20)] + ["by a clock that ran back"]
    order = [event.seq for event in any_memory.events(STAGING)]
    assert order == sorted(set(order))
    assert order[0] > 0


def test_the_same_event_id_is_one_event(any_memory, clock):
    first = say(any_memory, LEAD, "hello", activity="act-1", event_id="evt-1")
    clock.advance(hours=1)
    again = say(any_memory, LEAD, "hello", activity="act-1", event_id="evt-1")
    assert again == first
    assert texts(any_memory) == ["hello"]
    say(any_memory, LEAD, "hello", activity="act-1", event_id="evt-2")
    assert texts(any_memory) == ["hello", "hello"]


def test_a_known_event_is_never_rewritten(memory):
    say(memory, LEAD, "the first words", activity="act-1", event_id="evt-1")
    with contextlib.suppress(InvalidEventError):
        say(memory, DEVELOPER, "other words", activity="act-1", event_id="evt-1")
    (event,) = memory.events(STAGING)
    assert (event.data["text"], event.actor) == ("the first words", LEAD)


def test_an_event_of_another_scope_is_refused_by_name(memory):
    other = Scope.of(org="acme", workspace="production")
    say(memory, LEAD, "ours", activity="act-1", event_id="evt-1")
    with pytest.raises(InvalidEventError, match="evt-1"):
        say(memory, LEAD, "theirs", activity="act-1", scope=other, event_id="evt-1")
    assert (texts(memory), texts(memory, other)) == (["ours"], [])


def test_two_scopes_may_use_the_same_activity_id(memory):
    other = Scope.of(org="acme", workspace="production")
    say(memory, LEAD, "ours", activity="act-1")
    say(memory, LEAD, "theirs", activity="act-1", scope=other)
    assert (texts(memory), texts(memory, other)) == (["ours"], ["theirs"])


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"activity_id": ""}, "activity"),
        ({"event_type": ""}, "event_type"),
        ({"data": {"when": object()}}, "when|object"),
        ({"data": {"load": float("nan")}}, "load|nan"),
        ({"data": {"ids": {1, 2}}}, "ids|set"),
    ],
)
def test_an_event_that_is_not_one_is_refused_and_nothing_is_kept(memory, wrong, named):
    fields = {"activity_id": "act-1", "event_type": "message.user", "data": {"text": "hello"}}
    with pytest.raises(InvalidEventError, match=f"(?i){named}"):
        memory.publish(scope=STAGING, actor=LEAD, **(fields | wrong))
    assert list(memory.events(STAGING)) == []
    memory.publish(scope=STAGING, actor=LEAD, **fields)
    assert texts(memory) == ["hello"]


def test_events_outlive_the_process_that_wrote_them(tmp_path, clock):
    with Memory.open(tmp_path / "memory", policy=leads_policy(), clock=clock) as memory:
        written = [
            say(memory, LEAD, "hello", activity="act-1"),
            use(memory, "f", {"a": 1}, {"b": [2]}, activity="act-1"),
        ]
    with Memory.open(tmp_path / "memory", policy=leads_policy(), clock=clock) as memory:
        assert list(memory.events(STAGING)) == written


def test_a_secret_never_reaches_the_log(memory):
    key = "AKIA" + "Q3XK7ZT5WN2RLJ6B"
    say(memory, LEAD, f"the access key is {key} for the bucket", activity="act-1")
    use(memory, "read", {"path": "env"}, {"AWS_ACCESS_KEY_ID": key, "REGION": "eu-north-1"}, activity="act-1")
    kept = "".join(event.model_dump_json() for event in memory.events(STAGING))
    assert key not in kept
    assert "for the bucket" in kept
    assert "eu-north-1" in kept


def test_trust_follows_from_who_acted(memory):
    def trust(actor, event_type):
        return memory.publish(scope=STAGING, activity_id="a", event_type=event_type, actor=actor).trust

    assert trust(LEAD, "message.user") == "user"
    assert trust(Actor("agent", "bot"), "message.agent") == "agent"
    assert trust(Actor("tool", "web"), "tool.completed") == "untrusted"

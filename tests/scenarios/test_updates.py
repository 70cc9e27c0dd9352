"""Live values that change: the record of the present one comes first; failures are told as such."""

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from langgraph_memory import Actor, Memory, Principal, Scope
from langgraph_memory.records import Episode
from langgraph_memory.testing import FrozenClock

from .cast import ANA, RUNTIME, TEAM

SHOP = Scope.of(org="shop", workspace="retail")
DESK = Principal("desk", grants=(SHOP,))
ORDER = "#W6067464"


def order(**fields):
    return {"order_id": ORDER, "user_id": "mia_li_3668", **fields}


def statuses(session, **more):
    """What the recalled records say of the order's status, in order."""
    found = session.memory.recall("status?", principal=ANA, scope=TEAM, entities=(ORDER,), **more)
    return [
        each.value
        for item in found.items
        if isinstance(item.record, Episode)
        for each in item.record.observed
        if (each.entity, each.attribute) == (ORDER, "status")
    ]


def change(session, status, before="pending"):
    tools = [
        ("get_order", {"order_id": ORDER}, order(status=before, notes="n" * 2000)),
        ("change_order", {"order_id": ORDER, "to": status}, order(status=status)),
    ]
    session.says(Actor("user", "mia"), f"Please make order {ORDER} {status}.", tools=tools)


def test_what_a_call_left_behind_is_told(session):
    change(session, "cancelled")
    assert statuses(session) == ["cancelled"]
    assert f"{ORDER} status = cancelled" in session.recalled(entities=(ORDER,))


def test_the_latest_comes_first_whatever_else_speaks_for_the_others(session):
    for day, status in enumerate(
        ["packed", "sent", "delivered", "returned", "refunded", "closed", "archived"]
    ):
        change(session, status)
        session.says(Actor("user", "mia"), f"What about order {ORDER}? " * (7 - day))
        session.later(days=1)
    told = statuses(session)
    assert told[0] == "archived"
    assert len(told) > 1
    text = session.recalled(entities=(ORDER,), token_budget=4000)
    assert f"{ORDER} status = archived" in text
    assert "status = closed" not in text


def test_a_failed_call_leaves_nothing_behind_and_is_told_as_failed(session):
    change(session, "cancelled")
    session.later(days=1)
    failing = [("change_order", {"order_id": ORDER, "to": "sent"}, "Error: a cancelled order can't be sent")]
    session.says(Actor("user", "mia"), f"Send order {ORDER}.", tools=failing)
    assert statuses(session) == ["cancelled"]
    text = session.recalled(entities=(ORDER,))
    assert "Not done: failed change_order" in text
    assert "Done: change_order(order_id=#W6067464, to=cancelled)" in text


def test_a_rule_is_found_however_much_has_happened_since(session):
    session.rule(entity=ORDER, value=f"Never cancel {ORDER}", forbids=("delete",))
    for _ in range(230):
        session.later(minutes=1)
        change(session, "cancelled")
    assert f"Never cancel {ORDER}" in session.recalled(entities=(ORDER,))


@pytest.mark.data
def test_retail_updates_are_told_as_they_stand():
    folder = Path(os.environ.get("LANGGRAPH_MEMORY_DATA") or "", "tau-retail-replay")
    stem = folder / "tau-retail-train-a"
    if not stem.with_suffix(".events.jsonl").exists():
        pytest.skip("LANGGRAPH_MEMORY_DATA has no tau-retail-replay")
    events, questions = (
        [json.loads(line) for line in stem.with_suffix(f".{kind}.jsonl").read_text("utf-8").splitlines()]
        for kind in ("events", "questions")
    )
    clock = FrozenClock()
    with Memory.open(":memory:", clock=clock, index=None) as memory:
        failed = replay(memory, clock, events)
        verdicts = [answered(memory, question) for question in questions]
        episodes = memory.episodes(SHOP)
    assert sum(verdict == "first" for verdict in verdicts) / len(verdicts) >= 0.98
    assert verdicts.count("below a stale one") == 0
    told = [action for episode in episodes for action in episode.actions]
    assert sum(action.startswith("failed ") for action in told) == failed > 50
    summaries = [episode.summary.partition("Not done:")[0] for episode in episodes]
    assert not any("failed " in done or "Error" in done.partition("Done:")[2] for done in summaries)


def replay(memory, clock, events):
    """Publish and consolidate all; how many calls failed."""
    for event in events:
        clock.advance(seconds=1)
        data = (
            {"text": event["text"]}
            if event["tool"] is None
            else {k: event[k] for k in ("tool", "args", "output")}
        )
        kind = "message.user" if event["tool"] is None else "tool.completed"
        actor = Actor("user", event["user_id"]) if event["tool"] is None else Actor("tool", event["tool"])
        memory.publish(
            scope=SHOP, activity_id=event["session"], event_type=kind, actor=actor, data=data,
            event_id=event["event_id"],
        )  # fmt: skip
    for session in dict.fromkeys(event["session"] for event in events):
        memory.publish(scope=SHOP, activity_id=session, event_type="activity.completed", actor=RUNTIME)
    clock.advance(seconds=timedelta(days=1).total_seconds())
    memory.consolidate()
    return sum(bool(event.get("is_error")) for event in events)


def answered(memory, question):
    """Whether the record that states the value is in the first five, above all that state an old one."""
    found = memory.recall(question["question"], principal=DESK, scope=SHOP, entities=[question["entity"][1]])
    attribute = question["question_id"].rpartition("-")[2]
    said = [
        json.loads(each.value) if isinstance(question["answer"], list | dict) else each.value
        for item in found.items[:5]
        if isinstance(item.record, Episode)
        for each in item.record.observed
        if (each.entity, each.attribute) == (question["entity"][1], attribute)
    ]
    if question["answer"] not in said:
        return "missing"
    return "first" if said[0] == question["answer"] else "below a stale one"

"""Each decision is in the audit, with who made it, when, why, and about which record."""

from contextlib import suppress

import pytest

from langgraph_memory.errors import AccessDeniedError

from .world import ANA, DAN, DEVELOPER, LEAD, TEAM, end, say, state, tell

TOKEN = "ghp_" + "a1B2c3D4" * 4 + "wxyz"
GUESS = "I think gpu-bench-01 should stay up."


def kept(memory):
    tell(memory, LEAD, "The lift is broken.", activity="act", event_type="feedback.correction")
    return "ep_act"


def skipped(memory):
    memory.publish(
        scope=TEAM, activity_id="act", event_type="tool.completed", actor=DEVELOPER,
        data={"tool": "list_things", "args": {}, "output": "none"},
    )  # fmt: skip
    end(memory, "act")
    memory.consolidate()
    return "act"


def redacted(memory):
    return say(memory, DEVELOPER, f"It is {TOKEN}.", activity="act").event_id


def unverified(memory):
    return state(memory, "stop it", actor=DEVELOPER).fact.fact_id


def superseded(memory):
    first = state(memory, "one").fact.fact_id
    state(memory, "two")
    return first


def promoted(memory):
    for activity in ("act-1", "act-2"):
        say(memory, LEAD, GUESS, activity=activity)
        end(memory, activity)
        memory.consolidate()
    return memory.facts(TEAM)[0].fact_id


def rejected(memory):
    fact = state(memory, "one").fact
    memory.reject(fact.fact_id, principal=ANA, reason="never true")
    return fact.fact_id


def retired(memory):
    fact = state(memory, "one").fact
    memory.retire(fact.fact_id, principal=ANA, evidence_ref="ticket-7")
    return fact.fact_id


def forgotten(memory):
    fact = state(memory, "one").fact
    memory.forget(TEAM, fact_id=fact.fact_id, principal=ANA)
    return fact.fact_id


def denied(memory):
    fact = state(memory, "one").fact
    with suppress(AccessDeniedError):
        memory.confirm(fact.fact_id, principal=DAN)
    return fact.fact_id


@pytest.mark.parametrize(
    "decide",
    [kept, skipped, redacted, unverified, superseded, promoted, rejected, retired, forgotten, denied],
    ids=lambda decide: decide.__name__,
)
def test_a_decision_is_listed_with_its_record(memory, clock, decide):
    record_id = decide(memory)
    entry = memory.audit(record_id)[-1]
    assert entry.decision == decide.__name__
    assert entry.record_id == record_id
    assert entry.actor
    assert entry.reason
    assert entry.at == clock()
    assert memory.audit("fact_0") == []


def test_why_an_activity_left_no_episode_is_told(memory):
    skipped(memory)
    assert "routine" in memory.audit("act")[-1].reason

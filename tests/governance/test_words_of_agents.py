"""What agents and people write beside events: it holds no secret, and can be forgotten."""

import pytest

from langgraph_memory import Memory

from .world import ANA, POLICY, TEAM, state

TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


def held(folder, text):
    """The files below a folder that hold a text."""
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def test_receipts_hold_no_secret(tmp_path, clock):
    with Memory.open(tmp_path, policy=POLICY, clock=clock, index=None) as memory:
        memory.recall(f"log in with {TOKEN}, quickly", principal=ANA, scope=TEAM, entities=[TOKEN])
        memory.check(f"use_{TOKEN}", {"host": "quokka", "token": TOKEN}, principal=ANA, scope=TEAM)
        (recalled,), (decided,) = memory.explanations(), memory.explanations("decision")
    assert recalled.body["query"] == "log in with [redacted:github-token], quickly"
    assert decided.body["args"]["host"] == "quokka"
    assert TOKEN not in str(decided.body)
    assert held(tmp_path, "quokka")
    assert not held(tmp_path, TOKEN)


def test_a_failing_redactor_keeps_words_out_and_the_receipt_says_so(clock):
    def failing(value):
        raise KeyError("lost")

    with Memory.open(":memory:", policy=POLICY, clock=clock, index=None, redactor=failing) as memory:
        recall = memory.recall("quokka", principal=ANA, scope=TEAM)
        body = memory.explain(recall.receipt_id).body
    assert "quokka" not in str(body)
    assert "KeyError" in body["query"]


@pytest.mark.parametrize("secret", ["", f" {TOKEN}"])
def test_the_reason_of_a_decision_goes_with_its_fact(tmp_path, clock, secret):
    with Memory.open(tmp_path, policy=POLICY, clock=clock, index=None) as memory:
        fact = state(memory, entity="case-88", attribute="judge", value="Weiss").fact
        other = state(memory, entity="case-89", attribute="judge", value="Hahn").fact
        memory.reject(fact.fact_id, principal=ANA, reason=f"the quokka said so{secret}")
        memory.reject(other.fact_id, principal=ANA, reason="the wombat said so")
        memory.forget(TEAM, fact_id=fact.fact_id, principal=ANA)
        told = {entry.decision: entry.reason for entry in memory.audit(fact.fact_id)}
        kept = [entry.reason for entry in memory.audit(other.fact_id)]
    assert told["rejected"] == told["established"] == "[forgotten]"
    assert told["forgotten"] == "by fact_id"
    assert any("wombat" in reason for reason in kept)
    assert held(tmp_path, "wombat")
    assert not held(tmp_path, "quokka")
    assert not held(tmp_path, TOKEN)

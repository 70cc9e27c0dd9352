"""What someone hostile brought about through others is undone: ends, changes, merges, playbooks."""

import pytest

from langgraph_memory import Actor, Principal
from langgraph_memory.errors import UnknownRecordError

from .world import ANA, DEVELOPER, EVERY, GPU, KEEP, LEAD, TEAM, say, state, tell, values

MALLORY = Actor("user", "mallory", roles={"developer"})
HOSTILE = Principal("mallory", roles={"lead"}, grants=(TEAM,))
RELEASE = "gpu-bench-01 can be stopped now."
PLAIN = {"kind": "fact", "forbids": (), "attribute": "budget"}


def proposed_end(memory, actor, activity="act-2"):
    tell(memory, actor, RELEASE, activity=activity)
    (proposal,) = memory.facts(TEAM, status=["unverified"])
    return proposal


def forget(memory):
    receipt = memory.forget(TEAM, actor_id="mallory", principal=ANA)
    assert receipt.proven
    return receipt


def stop(memory):
    return memory.check("stop_instance", {"name": GPU}, principal=ANA, scope=TEAM).outcome


def test_an_end_that_someone_proposed_and_another_confirmed_is_undone(any_memory):
    rule = state(any_memory, KEEP).fact
    any_memory.confirm(proposed_end(any_memory, MALLORY).fact_id, principal=ANA)
    assert stop(any_memory) == "allow"
    forget(any_memory)
    (held,) = any_memory.facts(TEAM, status=EVERY)
    assert (held.fact_id, held.status, held.valid_until) == (rule.fact_id, "current", None)
    assert held.counterexamples == ()
    assert stop(any_memory) == "block"
    assert "fact.confirmed" not in {event.event_type for event in any_memory.events(TEAM)}


def test_an_end_that_others_proposed_too_stands(memory):
    state(memory, KEEP)
    proposed_end(memory, DEVELOPER)
    memory.confirm(proposed_end(memory, MALLORY, "act-3").fact_id, principal=ANA)
    forget(memory)
    assert memory.facts(TEAM) == []
    assert stop(memory) == "allow"


def test_an_end_that_someone_hostile_confirmed_is_asked_about_again(memory):
    rule = state(memory, KEEP).fact
    proposal = proposed_end(memory, DEVELOPER)
    memory.confirm(proposal.fact_id, principal=HOSTILE)
    forget(memory)
    assert [fact.fact_id for fact in memory.facts(TEAM)] == [rule.fact_id]
    (asked,) = memory.facts(TEAM, status=["unverified"])
    assert (asked.fact_id, asked.valid_until) == (proposal.fact_id, None)
    assert memory.questions(TEAM, principal=ANA)
    memory.confirm(asked.fact_id, principal=ANA)
    assert memory.facts(TEAM) == []


def test_a_change_that_someone_hostile_confirmed_is_undone(memory):
    before = state(memory, "100", **PLAIN).fact
    claim = state(memory, "200", actor=DEVELOPER, **PLAIN).fact
    memory.confirm(claim.fact_id, principal=HOSTILE)
    assert values(memory.facts(TEAM)) == ["200"]
    forget(memory)
    (held,) = memory.facts(TEAM)
    assert (held.fact_id, held.superseded_by, held.valid_until) == (before.fact_id, None, None)
    (asked,) = memory.facts(TEAM, status=["unverified"])
    assert (asked.value, asked.supersedes) == ("200", None)
    memory.confirm(asked.fact_id, principal=ANA)
    assert values(memory.facts(TEAM)) == ["200"]


def test_a_change_that_someone_else_confirmed_too_stands(memory):
    state(memory, "100", **PLAIN)
    claim = state(memory, "200", actor=DEVELOPER, **PLAIN).fact
    memory.confirm(claim.fact_id, principal=HOSTILE)
    memory.confirm(claim.fact_id, principal=ANA)
    forget(memory)
    assert values(memory.facts(TEAM)) == ["200"]
    assert values(memory.facts(TEAM, status=["superseded"])) == ["100"]


def test_what_was_merged_into_the_words_of_someone_hostile_stands_apart_again(memory):
    theirs = state(memory, "barley", actor=Actor("user", "mallory", roles={"lead"}), **PLAIN).fact
    own = state(memory, "rye", **PLAIN | {"attribute": "sown"}).fact
    memory.merge([theirs.fact_id, own.fact_id], principal=ANA)
    assert values(memory.facts(TEAM)) == ["barley"]
    forget(memory)
    (held,) = memory.facts(TEAM, status=EVERY)
    assert (held.fact_id, held.status, held.merge, held.sources) == (
        own.fact_id,
        "current",
        None,
        own.sources,
    )


def test_a_merge_of_someone_hostile_is_undone_whichever_fact_it_named_first(memory):
    claim = state(memory, "barley", actor=DEVELOPER, **PLAIN).fact
    own = state(memory, "rye", **PLAIN | {"attribute": "sown"}).fact
    memory.merge([claim.fact_id, own.fact_id], principal=HOSTILE)
    forget(memory)
    held = {fact.fact_id: fact for fact in memory.facts(TEAM, status=EVERY)}
    assert (held[claim.fact_id].status, held[own.fact_id].status) == ("unverified", "current")
    assert held[own.fact_id].sources == own.sources


def test_the_receipts_of_their_own_recalls_go(any_memory):
    say(any_memory, LEAD, "The zephyr demo is on Friday.", activity="act-1")
    theirs = any_memory.recall("zephyr", principal=HOSTILE, scope=TEAM).receipt_id
    other = any_memory.recall("zephyr", principal=ANA, scope=TEAM).receipt_id
    assert any_memory.explain(theirs).body["principal"] == "mallory"
    receipt = forget(any_memory)
    assert receipt.receipts == 1
    assert any_memory.explain(other)
    with pytest.raises(UnknownRecordError):
        any_memory.explain(theirs)


def propose(memory, actor, *steps):
    return memory.procedures.propose(
        scope=TEAM, procedure_id="drain", trigger_intent="drain a server", steps=steps, actor=actor
    )


def approve(memory, version, principal):
    memory.procedures.approve("drain", version.version, scope=TEAM, principal=principal)


def test_playbooks_that_they_proposed_go_and_the_one_before_is_used_again(memory):
    approve(memory, propose(memory, LEAD, "Tell QA"), ANA)
    approve(memory, propose(memory, MALLORY, "Pull the plug"), ANA)
    receipt = forget(memory)
    assert len(receipt.procedures) == 1
    (left,) = memory.procedures.versions(TEAM)
    assert (left.steps, left.status, left.approved_by) == (("Tell QA",), "current", "ana")


def test_playbooks_that_they_approved_are_drafts_again(memory):
    approve(memory, propose(memory, LEAD, "Tell QA"), ANA)
    approve(memory, propose(memory, LEAD, "Tell nobody"), HOSTILE)
    assert forget(memory).procedures == ()
    draft, current = memory.procedures.versions(TEAM)
    assert (draft.status, draft.approved_by, draft.approved_at) == ("draft", None, None)
    assert (current.status, current.approved_by) == ("current", "ana")


def test_a_playbook_that_was_taken_out_of_use_stays_so(memory):
    first = propose(memory, LEAD, "Tell QA")
    approve(memory, first, ANA)
    memory.procedures.reject("drain", first.version, scope=TEAM, principal=ANA, reason="outdated")
    approve(memory, propose(memory, MALLORY, "Pull the plug"), ANA)
    forget(memory)
    (left,) = memory.procedures.versions(TEAM)
    assert left.status == "deprecated"

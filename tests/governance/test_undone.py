"""What someone hostile did goes with them: merges are taken apart, chains close over their words."""

import pytest

from langgraph_memory import Actor, Principal

from .world import ANA, LEAD, SANDBOX, TEAM, state, values

MALLORY = Actor("user", "mallory", roles={"lead"})
HOSTILE = Principal("mallory", roles={"lead"}, grants=(TEAM,))
PLAIN = {"kind": "fact", "forbids": ()}


def merged(memory, principal):
    crop = state(memory, "barley", attribute="crop", **PLAIN).fact
    sown = state(memory, "rye", attribute="sown", **PLAIN).fact
    memory.merge([crop.fact_id, sown.fact_id], principal=principal)
    assert values(memory.facts(TEAM)) == ["barley"]
    return crop, sown


def test_the_merges_of_a_hostile_actor_are_taken_apart(any_memory):
    before = merged(any_memory, HOSTILE)
    receipt = any_memory.forget(TEAM, actor_id="mallory", principal=ANA)
    assert receipt.proven
    held = {fact.fact_id: fact for fact in any_memory.facts(TEAM)}
    for fact in before:
        now = held[fact.fact_id]
        assert (now.sources, now.corroboration) == (fact.sources, fact.corroboration)
        assert (now.merge, now.superseded_by, now.valid_until) == (None, None, None)


def test_those_of_others_stand(memory):
    merged(memory, ANA)
    state(memory, "mallory was here", actor=MALLORY, entity=SANDBOX)
    memory.forget(TEAM, actor_id="mallory", principal=ANA)
    assert values(memory.facts(TEAM)) == ["barley"]


def test_what_took_the_place_of_a_merged_fact_since_keeps_it(memory):
    merged(memory, HOSTILE)
    state(memory, "oats", attribute="sown", **PLAIN)
    memory.forget(TEAM, actor_id="mallory", principal=ANA)
    assert values(memory.facts(TEAM)) == ["barley", "oats"]
    (rye,) = memory.facts(TEAM, status=["superseded"])
    assert memory.facts(TEAM, attribute="sown")[0].fact_id == rye.superseded_by


@pytest.mark.parametrize("by", ["source", "actor_id", "fact_id"])
def test_a_chain_closes_over_a_forgotten_link(memory, clock, by):
    links = []
    for value, actor in (("100", LEAD), ("200", MALLORY), ("300", LEAD)):
        ref = f"doc://{value}"
        links.append(state(memory, value, attribute="budget", actor=actor, evidence_ref=ref, **PLAIN).fact)
        clock.advance(days=1)
    what = {"source": "doc://200", "actor_id": "mallory", "fact_id": links[1].fact_id}[by]
    memory.forget(TEAM, principal=ANA, **{by: what})
    (first,) = memory.facts(TEAM, status=["superseded"])
    (last,) = memory.facts(TEAM)
    assert (first.fact_id, last.fact_id) == (links[0].fact_id, links[2].fact_id)
    assert (first.superseded_by, last.supersedes) == (last.fact_id, first.fact_id)

"""Facts that were made one, by a person or by tidying, and taken apart again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from langgraph_memory.errors import AccessDeniedError, ConfigurationError, DecisionError, UnknownRecordError

from .cast import ANA, DAN, GPU, KEEP, LEAD, TEAM, Session


@pytest.fixture
def twins(session):
    """Two facts under two attributes that say the same, each with evidence of its own."""
    return [session.rule(attribute=name, evidence_ref=f"trace://{name}").fact for name in ("power", "uptime")]


def stand(session):
    """What is held and how, without the marks that decisions leave."""
    return {
        fact.fact_id: fact.model_dump(exclude={"history"}) for fact in session.facts() if fact.entity == GPU
    }


def test_a_merge_is_undone_in_one_call(session, twins):
    before = stand(session)
    session.later(days=1)
    merged = session.memory.merge([fact.fact_id for fact in twins], principal=ANA).fact
    assert merged.sources == ("trace://power", "trace://uptime")
    assert session.memory.facts(TEAM) == [merged]
    session.later(days=1)
    assert session.memory.restore(merged.fact_id, principal=ANA) == 1
    assert stand(session) == before
    decided = [entry.decision for entry in session.memory.audit(twins[1].fact_id)]
    assert decided[-2:] == ["merged", "restored"]


def test_by_the_one_that_was_merged_away_it_alone_comes_back(session, twins):
    third = session.rule(attribute="life", evidence_ref="trace://life").fact
    session.memory.merge([f.fact_id for f in (*twins, third)], principal=ANA)
    assert session.memory.restore(third.fact_id, principal=ANA) == 1
    held = {fact.fact_id: fact.sources for fact in session.memory.facts(TEAM)}
    assert held == {
        twins[0].fact_id: ("trace://power", "trace://uptime"),
        third.fact_id: ("trace://life",),
    }
    assert session.memory.restore(twins[0].fact_id, principal=ANA) == 1
    assert len(session.memory.facts(TEAM)) == 3


def test_what_was_said_since_stays_with_the_one_that_stayed(session, twins):
    session.memory.merge([fact.fact_id for fact in twins], principal=ANA)
    session.later(days=1)
    session.rule(attribute="power", evidence_ref="trace://later")
    session.memory.restore(twins[0].fact_id, principal=ANA)
    first = next(f for f in session.memory.facts(TEAM) if f.fact_id == twins[0].fact_id)
    assert first.sources == ("trace://power", "trace://later")
    assert first.confirmed_at == session.clock()


def test_only_who_may_decide_undoes_a_merge(session, twins):
    session.memory.merge([fact.fact_id for fact in twins], principal=ANA)
    with pytest.raises(AccessDeniedError, match="can't restore"):
        session.memory.restore(twins[0].fact_id, principal=DAN)
    with pytest.raises(ConfigurationError, match="principal="):
        session.memory.restore(twins[0].fact_id)
    assert len(session.memory.facts(TEAM)) == 1
    assert "denied" in [entry.decision for entry in session.memory.audit(twins[0].fact_id)]


def test_nothing_comes_back_that_was_not_merged_or_has_ended(session, twins):
    with pytest.raises(UnknownRecordError, match="nothing was merged"):
        session.memory.restore(twins[0].fact_id, principal=ANA)
    session.memory.merge([fact.fact_id for fact in twins], principal=ANA)
    session.memory.retire(twins[0].fact_id, principal=ANA)
    with pytest.raises(DecisionError, match="retired"):
        session.memory.restore(twins[0].fact_id, principal=ANA)
    assert session.stopping() == "allow"


def test_what_took_the_place_meanwhile_stays(session, twins):
    session.memory.merge([fact.fact_id for fact in twins], principal=ANA)
    session.later(days=1)
    newer = session.rule(attribute="uptime", value=f"Keep {GPU} up all night").fact
    session.memory.restore(twins[0].fact_id, principal=ANA)
    held = {fact.fact_id: fact.attribute for fact in session.memory.facts(TEAM)}
    assert held == {twins[0].fact_id: "power", newer.fact_id: "uptime"}


def test_what_tidying_made_one_and_a_person_took_apart_stays_apart(session, twins):
    session.says(LEAD, "Restart it.", tools=[("restart_instance", {"id": GPU}, {"id": GPU})])
    assert session.memory.tidy().merged == 1
    assert session.memory.restore(twins[0].fact_id, principal=ANA) == 1
    session.later(days=1)
    session.says(LEAD, "Restart it.", tools=[("restart_instance", {"id": GPU}, {"id": GPU})])
    assert session.memory.tidy().merged == 0
    assert len([f for f in session.memory.facts(TEAM) if f.value == KEEP]) == 2


def test_what_was_forgotten_in_between_does_not_come_back(session, twins):
    session.memory.merge([fact.fact_id for fact in twins], principal=ANA)
    session.memory.forget(TEAM, source="trace://uptime", principal=ANA)
    with pytest.raises(UnknownRecordError):
        session.memory.restore(twins[0].fact_id, principal=ANA)
    assert [fact.sources for fact in session.memory.facts(TEAM)] == [("trace://power",)]


@settings(max_examples=25)
@given(refs=st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3), min_size=2, max_size=4))
def test_whatever_evidence_they_share_they_stand_as_before(refs):
    with (session := Session()).memory:
        facts = []
        for number, cited in enumerate(refs):
            for ref in cited:
                fact = session.rule(attribute=f"plan_{number}", evidence_ref=f"trace://{ref}").fact
            facts.append(fact)
        before = stand(session)
        session.later(days=1)
        session.memory.merge([fact.fact_id for fact in facts], principal=ANA)
        session.memory.restore(facts[0].fact_id, principal=ANA)
        assert stand(session) == before

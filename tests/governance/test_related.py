"""Provenance and relations, from either end."""

import pytest

from langgraph_memory.errors import ConfigurationError, UnknownRecordError

from .world import ANA, DEVELOPER, GPU, KEEP, LEAD, SANDBOX, TEAM, end, id_of, say, state, tell


def ids(found):
    kinds = ("event_id", "episode_id", "fact_id", "procedure_id")
    return [
        each if isinstance(each, str) else next(getattr(each, k) for k in kinds if hasattr(each, k))
        for each in found
    ]


@pytest.fixture
def told(memory):
    said = tell(memory, LEAD, f"{KEEP}.", activity="act-1", names=(GPU, SANDBOX), ref="trace://monday")
    (fact,) = memory.facts(TEAM)
    (episode,) = memory.episodes(TEAM)
    return said, fact, episode


def test_a_fact_is_supported_by_events_and_they_by_nothing(memory, told):
    said, fact, episode = told
    assert ids(memory.related(fact.fact_id, "supported_by")) == [said.event_id]
    assert set(ids(memory.related(said.event_id, "supported_by", "in"))) == {fact.fact_id, episode.episode_id}
    assert memory.related(said.event_id, "supported_by") == []
    assert said.event_id in ids(memory.related(episode.episode_id, "supported_by"))


def test_records_concern_entities_and_entities_lead_to_records(memory, told):
    _, fact, episode = told
    state(memory, "elsewhere", entity="other-host")
    assert memory.related(fact.fact_id, "concerned") == [fact.entity]
    assert id_of(SANDBOX) in memory.related(episode.episode_id, "concerned")
    about = ids(memory.related(fact.entity, "concerned", "in"))
    assert {fact.fact_id, episode.episode_id} <= set(about)
    assert not any(memory.facts(TEAM, entity="other-host")[0].fact_id == each for each in about)


def test_an_episode_produced_facts_and_events_caused_both(memory, told):
    said, fact, episode = told
    assert ids(memory.related(episode.episode_id, "produced")) == [fact.fact_id]
    assert ids(memory.related(fact.fact_id, "produced", "in")) == [episode.episode_id]
    assert set(ids(memory.related(said.event_id, "caused"))) == {fact.fact_id, episode.episode_id}
    assert ids(memory.related(fact.fact_id, "caused", "in")) == [said.event_id]


def test_what_ended_a_fact_caused_its_end(memory, told):
    _, fact, _ = told
    memory.retire(fact.fact_id, principal=ANA, evidence_ref="mail-1")
    ending = next(e for e in memory.events(TEAM) if e.evidence_ref == "mail-1")
    assert fact.fact_id in ids(memory.related(ending.event_id, "caused"))
    assert ending.event_id in ids(memory.related(fact.fact_id, "caused", "in"))


def test_changes_are_walked_both_ways(memory):
    first = state(memory, "the budget is 100 euros", attribute="budget", kind="fact").fact
    second = state(memory, "the budget is 200 euros", attribute="budget", kind="fact").fact
    assert ids(memory.related(second.fact_id, "supersedes")) == [first.fact_id]
    assert ids(memory.related(first.fact_id, "supersedes", "in")) == [second.fact_id]
    assert (
        memory.related(first.fact_id, "supersedes")
        == memory.related(second.fact_id, "supersedes", "in")
        == []
    )


def test_later_episodes_of_an_activity_are_walked_both_ways(memory, told):
    _, _, first = told
    say(memory, DEVELOPER, "It went wrong again, please look.", activity="act-1")
    say(memory, DEVELOPER, "Nobody answers.", activity="act-1")
    end(memory, "act-1")
    memory.consolidate()
    second = next(e for e in memory.episodes(TEAM) if e.follows)
    assert ids(memory.related(second.episode_id, "supersedes")) == [first.episode_id]
    assert ids(memory.related(first.episode_id, "supersedes", "in")) == [second.episode_id]


def test_what_is_forgotten_is_related_to_nothing(memory, told):
    said, fact, _ = told
    assert memory.related(said.event_id, "caused")
    memory.forget(TEAM, entity=GPU, principal=ANA)
    for record in (said.event_id, fact.fact_id):
        with pytest.raises(UnknownRecordError):
            memory.related(record, "supported_by")


@pytest.mark.parametrize("wrong", [("supported_by", "up"), ("likes", "out")])
def test_relations_that_do_not_exist_are_refused(memory, told, wrong):
    with pytest.raises(ConfigurationError, match="supported_by"):
        memory.related(told[1].fact_id, *wrong)
    with pytest.raises(UnknownRecordError, match="fact_none"):
        memory.related("fact_none", "supported_by")

"""A correction given on Monday decides what happens on Thursday, and ends when those in charge say so."""

import pytest

from . import story
from .world import ANA, DAN, DEVELOPER, EVERY_STATUS, GPU, LEAD, SANDBOX, STAGING, end, say, use, values


@pytest.fixture
def play(any_memory, clock):
    """Plays days of the week, each consolidated, a day apart."""

    def days(*chosen):
        for day in chosen:
            day(any_memory)
            any_memory.consolidate()
            clock.advance(days=1)
        return any_memory

    return days


def stop(memory, instance=GPU, principal=DAN):
    return memory.check("stop_instance", {"instance": instance}, principal=principal, scope=STAGING)


def constraints(memory):
    return memory.facts(STAGING, entity=GPU)


def test_friday_is_remembered_as_it_happened_and_proves_nothing(play):
    memory = play(story.friday)
    (episode,) = memory.episodes(STAGING, entity=GPU)
    assert (episode.episode_id, episode.activity_id) == ("ep_act-friday", "act-friday")
    assert episode.status == "completed"
    assert GPU in episode.entities
    assert any("stop_instance" in action for action in episode.actions)
    assert set(episode.sources) <= {event.source for event in memory.events(STAGING)}
    assert memory.facts(STAGING, status=EVERY_STATUS) == []
    assert stop(memory).outcome == "allow"


def test_monday_establishes_the_rule_with_its_source_and_condition(play, clock):
    said_on = clock().date()
    memory = play(story.friday, story.monday)
    (fact,) = constraints(memory)
    assert (fact.kind, fact.status, fact.authority_role) == ("constraint", "current", "infra_lead")
    assert "Kubernetes" in fact.ends_when
    assert fact.sources == ("trace://act-monday/message",)
    assert (fact.asserted_at.date() - said_on).days == 1
    assert len(memory.episodes(STAGING, entity=GPU)) == 2


def test_midweek_changes_nothing(play):
    memory = play(story.friday, story.monday)
    before = constraints(memory)
    play(story.midweek)
    after = constraints(memory)
    assert [f.model_copy(update={"counterexamples": ()}) for f in after] == before
    assert [f.confirmed_at for f in after] == [f.confirmed_at for f in before]
    assert values(
        f for f in memory.facts(STAGING, entity=GPU, status=EVERY_STATUS) if f.status == "current"
    ) == (values(before))
    assert stop(memory).outcome == "block"


def test_thursdays_vague_request_finds_the_rule_once_the_server_is_known(play):
    memory = play(story.friday, story.monday, story.midweek)
    (fact,) = constraints(memory)
    found = memory.recall(story.VAGUE, principal=DAN, scope=STAGING, entities=(SANDBOX, GPU))
    assert [each.fact_id for each in found.constraints] == [fact.fact_id]
    assert not found.deferred
    rendered = found.render()
    assert fact.value in rendered
    assert fact.asserted_at.date().isoformat() in rendered
    assert "trace://act-monday/message" in rendered
    other = memory.recall(story.VAGUE, principal=DAN, scope=STAGING, entities=(SANDBOX,))
    assert fact.fact_id not in [each.fact_id for each in other.constraints if each.entity == SANDBOX]


def test_thursdays_stop_is_blocked_and_the_rest_of_the_cleanup_is_not(play):
    memory = play(story.friday, story.monday, story.midweek)
    (fact,) = constraints(memory)
    blocked = stop(memory)
    assert blocked.outcome == "block"
    assert [each.fact_id for each in blocked.facts] == [fact.fact_id]
    assert fact.value in blocked.message
    assert "trace://act-monday/message" in blocked.message
    assert fact.asserted_at.date().isoformat() in blocked.message
    assert stop(memory, principal=ANA).outcome == "block"
    assert stop(memory, SANDBOX).outcome == "allow"
    metrics = memory.check("get_instance_metrics", {"instance": GPU}, principal=DAN, scope=STAGING)
    assert metrics.outcome == "allow"


def test_without_mondays_correction_thursday_stops_the_server(play):
    memory = play(story.friday, story.midweek)
    assert stop(memory).outcome == "allow"
    assert memory.recall(story.VAGUE, principal=DAN, scope=STAGING, entities=(GPU,)).constraints == ()


def test_an_authorised_change_supersedes(play):
    memory = play(story.friday, story.monday, story.midweek)
    (old,) = constraints(memory)
    play(story.change)
    (new,) = constraints(memory)
    (past,) = memory.facts(STAGING, status=("superseded",))
    assert (past.fact_id, past.superseded_by, new.supersedes) == (old.fact_id, new.fact_id, old.fact_id)
    assert "final benchmark" in f"{new.value} {new.ends_when}"
    assert "trace://act-change/message" in new.sources
    blocked = stop(memory)
    assert (blocked.outcome, [f.fact_id for f in blocked.facts]) == ("block", [new.fact_id])
    rendered = memory.recall("cleanup", principal=DAN, scope=STAGING, entities=(GPU,))
    assert [f.fact_id for f in rendered.constraints] == [new.fact_id]


def test_only_a_release_by_authority_lifts_the_rule(play):
    memory = play(story.friday, story.monday, story.midweek, story.change)
    play(lambda memory: story.release(memory, DEVELOPER))
    assert stop(memory).outcome == "block"
    play(lambda memory: story.release(memory, LEAD))
    assert constraints(memory) == []
    assert stop(memory).outcome == "allow"
    assert len(memory.facts(STAGING, status=("retired",))) == 1
    after = memory.recall("cleanup", principal=DAN, scope=STAGING, entities=(GPU,))
    assert list(after.constraints) == []
    assert len(memory.episodes(STAGING, entity=GPU)) >= 2


def test_told_in_one_breath_the_week_ends_the_same(any_memory, clock):
    """Consolidated once at the end instead of after each day."""
    for day in (story.friday, story.monday, story.midweek, story.change, story.release):
        day(any_memory)
        clock.advance(days=1)
    any_memory.consolidate()
    assert constraints(any_memory) == []
    ended = {f.status: f for f in any_memory.facts(STAGING, entity=GPU, status=("superseded", "retired"))}
    assert set(ended) == {"superseded", "retired"}
    assert ended["superseded"].superseded_by == ended["retired"].fact_id


def test_a_named_server_is_known_by_its_id_and_by_its_name(any_memory, clock):
    """Tools speak of an id with a type, people of a display name; both mean the same server."""
    entity, output = "cloud-instance:i-09a8f", {"id": "i-09a8f", "name": GPU, "state": "running"}
    use(any_memory, "describe_instance", {"id": "i-09a8f"}, output, activity="act-named", entities=(entity,))
    say(any_memory, LEAD, story.CORRECTION, activity="act-named", ref="trace://named")
    end(any_memory, "act-named")
    any_memory.consolidate()
    (fact,) = any_memory.facts(STAGING)
    assert fact.entity == entity
    for mention in (entity, "i-09a8f", GPU):
        assert stop(any_memory, mention).outcome == "block", mention
    assert stop(any_memory, "i-09a8e").outcome == "allow"

"""Consolidation is effectively once: interrupted anywhere, run by several at once, it ends in one state."""

import subprocess
import sys
import threading
from datetime import UTC, datetime

import pytest
from langgraph.store.memory import InMemoryStore

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope, consolidation_graph
from langgraph_memory.consolidation.candidates import Candidate
from langgraph_memory.consolidation.model import ModelFailureError
from langgraph_memory.log import EventLog
from langgraph_memory.records import FactStatus
from langgraph_memory.testing.doubles import FrozenClock

MONDAY = datetime(2026, 11, 2, 9, tzinfo=UTC)
TEAM = Scope.of(org="acme", workspace="staging")
LEAD = Actor("user", "ana", roles={"lead"})
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])


@pytest.fixture
def clock():
    return FrozenClock(MONDAY)


@pytest.fixture(scope="module")
def owner_that_is_gone():
    """The owner id of a process that has ended, so that its leases are void."""
    script = "from langgraph_memory.log.leases import new_owner; print(new_owner())"
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.strip()


def opened(path, clock, **options) -> Memory:
    return Memory.open(path, policy=POLICY, clock=clock, **options)


def say(memory, activity, text, *, actor=LEAD, scope=TEAM):
    memory.publish(
        scope=scope,
        activity_id=activity,
        event_type="message.user",
        actor=actor,
        data={"text": text},
        event_id=f"said_{activity}",
    )
    memory.publish(
        scope=scope,
        activity_id=activity,
        event_type="activity.completed",
        actor=Actor("agent", "bot"),
        event_id=f"end_{activity}",
    )


def state(memory):
    """All that a user can see, in an order of its own."""
    facts = memory.facts(TEAM, status=list(FactStatus))
    return (
        sorted(fact.model_dump_json() for fact in facts),
        sorted(episode.model_dump_json() for episode in memory.episodes(TEAM)),
    )


STORY = [
    ("a1", "Keep db-1 running until QA has migrated."),
    ("a2", "Don't deploy payments-api until the audit is over."),
    ("a3", "Keep db-1 running through Friday's benchmark."),
]


class PowerCutError(BaseException):
    """What stands for the end of the process."""


@pytest.mark.parametrize("nth", range(1, 12))
@pytest.mark.parametrize("where", ["store", "ledger", "cursor"])
def test_interrupted_at_any_write_and_run_again_it_ends_in_the_same_state(
    where, nth, tmp_path, clock, monkeypatch, owner_that_is_gone
):
    with opened(tmp_path / "unbroken", clock) as memory:
        for activity, text in STORY:
            say(memory, activity, text)
        memory.consolidate()
        expected = state(memory)
    assert len(expected[0]) == 3
    broken = opened(tmp_path / "broken", clock)
    broken.pipeline.owner = owner_that_is_gone
    for activity, text in STORY:
        say(broken, activity, text)
    target, name = {
        "store": (broken.repository.store, "batch"),
        "ledger": (broken.repository.ledger, "put"),
        "cursor": (broken.log.activities, "complete"),
    }[where]
    original, calls = getattr(target, name), []

    def cut(*args, **kwargs):
        calls.append(1)
        if len(calls) == nth:
            raise PowerCutError
        return original(*args, **kwargs)

    with monkeypatch.context() as patched:
        patched.setattr(target, name, cut)
        try:
            broken.consolidate()
        except PowerCutError:
            assert len(calls) == nth
    broken.log.database.engine.dispose()
    with opened(tmp_path / "broken", clock) as again:
        again.consolidate()
        assert state(again) == expected
        assert again.backlog().waiting == 0


def test_a_second_run_adds_nothing(clock):
    with opened(":memory:", clock) as memory:
        for activity, text in STORY:
            say(memory, activity, text)
        first = memory.consolidate()
        before = state(memory)
        assert first.activities == 3
        assert memory.consolidate().activities == 0
        assert state(memory) == before


def test_the_graph_does_what_consolidate_does(tmp_path, clock):
    with opened(tmp_path / "one", clock) as one, opened(tmp_path / "two", clock) as two:
        for memory in (one, two):
            for activity, text in STORY:
                say(memory, activity, text)
        report = one.consolidate()
        assert consolidation_graph(two).invoke({})["report"] == report
        assert state(one) == state(two)


def test_workers_side_by_side_leave_one_current_fact_and_lose_nothing(tmp_path, clock):
    with opened(tmp_path / "m", clock) as memory:
        for number in range(24):
            say(memory, f"a{number}", f"Keep db-1 running until release {number} is out.")
        others = [opened(tmp_path / "m", clock) for _ in range(3)]
        threads = [threading.Thread(target=other.consolidate) for other in others]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert memory.backlog().waiting == 0
        assert len(memory.episodes(TEAM)) == 24
        assert len(memory.facts(TEAM, entity="db-1")) == 1
        everything = memory.facts(TEAM, entity="db-1", status=list(FactStatus))
        assert len(everything) == 24
        for other in others:
            other.close()


class Obedient:
    """An extractor that turns every line of every event into a rule, as an injected text might wish."""

    def extract(self, events, known):
        return [
            Candidate(
                entity="db-1",
                attribute="lifecycle_policy",
                value=str(event.data.get("text") or event.data.get("output")),
                kind="constraint",
                forbids=("stop",),
                event_ids=(event.event_id,),
            )
            for event in events
            if event.data
        ]


@pytest.mark.parametrize("kind", ["tool", "system", "agent"])
def test_nothing_but_a_person_makes_a_rule_whatever_the_extractor_says(kind, clock):
    with opened(":memory:", clock, extractor=Obedient()) as memory:
        memory.publish(
            scope=TEAM,
            activity_id="a",
            event_type="message.agent",
            actor=Actor(kind, "x", roles={"lead"}),
            data={"text": "db-1 must never be stopped"},
            entities=["db-1"],
        )
        say(memory, "b", "db-1 must never be stopped")
        memory.log.activities.make_due(TEAM, "a")
        memory.consolidate()
        (rule,) = memory.facts(TEAM)
        assert rule.sources == ("said_b",)
        assert rule.asserted_by == "ana"


class Flaky:
    """An extractor of someone else's that fails a number of times."""

    def __init__(self, failures: int, error: Exception | None = None) -> None:
        self.failures = failures
        self.error = error or ModelFailureError("timed out")

    def extract(self, events, known):
        if self.failures:
            self.failures -= 1
            raise self.error
        return []


def test_a_failing_model_loses_nothing_waits_longer_and_ends_as_a_dead_letter(clock):
    with opened(":memory:", clock, extractor=Flaky(3)) as memory:
        say(memory, "a1", "Keep db-1 running.")
        assert memory.consolidate().failed == 1
        assert memory.consolidate().activities == 0
        clock.advance(hours=1)
        assert memory.consolidate().failed == 1
        clock.advance(hours=1)
        assert memory.consolidate().failed == 1
        clock.advance(hours=1)
        assert memory.consolidate().episodes == 1
    with opened(":memory:", clock, extractor=Flaky(99, KeyError("timed out"))) as memory:
        say(memory, "a1", "Keep db-1 running.")
        for _ in range(POLICY.max_attempts):
            memory.consolidate()
            clock.advance(days=1)
        ((scope, activity, error),) = memory.backlog().dead
        assert (scope, activity) == (TEAM.key, "a1")
        assert "timed out" in error


def test_an_activity_that_goes_on_gets_a_later_episode_that_follows_the_first(clock):
    with opened(":memory:", clock) as memory:
        say(memory, "a", "Keep db-1 running.")
        memory.consolidate()
        first = memory.episodes(TEAM)[0]
        memory.publish(
            scope=TEAM,
            activity_id="a",
            event_type="verification.failed",
            actor=Actor("system", "qa"),
            data={"text": "The benchmark failed."},
        )
        memory.consolidate()
        later, earlier = sorted(memory.episodes(TEAM), key=lambda e: e.follows or "", reverse=True)
        assert earlier == first
        assert (later.episode_id, later.follows, later.status) == ("ep_a_2", "ep_a", "failed")


def test_the_same_activity_id_in_two_scopes_is_two_episodes(clock):
    other = Scope.of(org="acme", workspace="other")
    with opened(":memory:", clock) as memory:
        for scope in (TEAM, other):
            memory.publish(
                scope=scope,
                activity_id="a",
                event_type="feedback.correction",
                actor=LEAD,
                data={"text": f"about {scope.workspace}"},
            )
        memory.consolidate()
        (mine,), (theirs,) = memory.episodes(TEAM), memory.episodes(other)
        assert mine.episode_id != theirs.episode_id
        assert "staging" in mine.summary
        assert "other" in theirs.summary


def test_a_forged_or_changed_body_in_a_foreign_store_counts_as_absent(clock):
    store = InMemoryStore()
    memory = Memory(store, EventLog.open(":memory:"), policy=POLICY, clock=clock)
    say(memory, "a1", "Keep db-1 running until QA has migrated.")
    memory.consolidate()
    (fact,) = memory.facts(TEAM)
    (item,) = store.search(("langgraph_memory",), filter={"status": "current"})
    forged = item.value["record"].replace("running", "stopped")
    store.put(item.namespace, item.key.replace(fact.fact_id, "fact_forged"), {**item.value, "record": forged})
    assert memory.facts(TEAM) == [fact]
    store.put(item.namespace, item.key, {**item.value, "record": forged})
    fresh = Memory(store, memory.log, policy=POLICY, clock=clock)
    assert fresh.facts(TEAM) == []
    assert [entry.decision for entry in fresh.audit(fact.fact_id)] == ["established", "tampered"]


def test_a_fact_past_its_interval_is_asserted_no_longer_but_an_open_rule_is_asked_about(clock):
    with opened(":memory:", clock) as memory:
        open_ended = {"scope": TEAM, "actor": LEAD, "kind": "constraint", "forbids": ("stop",)}
        memory.assert_fact(
            entity="db-1", attribute="policy", value="keep", ends_when="QA is done", **open_ended
        )
        memory.assert_fact(scope=TEAM, actor=LEAD, entity="db-1", attribute="owner", value="the QA team")
        memory.consolidate()
        assert {fact.attribute for fact in memory.facts(TEAM)} == {"policy", "owner"}
        clock.advance(days=500)
        memory.consolidate()
        (rule,) = memory.facts(TEAM)
        assert (rule.attribute, rule.revalidation_due) == ("policy", True)
        (demoted,) = memory.facts(TEAM, status=["candidate"])
        assert [entry.decision for entry in memory.audit(demoted.fact_id)] == ["established", "demoted"]
        restated = memory.assert_fact(
            entity="db-1", attribute="policy", value="keep", ends_when="QA is done", **open_ended
        )
        assert (restated.outcome, restated.fact.revalidation_due) == ("restated", False)


@pytest.mark.parametrize(
    ("speaker", "text", "still_held"),
    [
        (LEAD, "Good news: QA has migrated the suite to Kubernetes.", False),
        (LEAD, "I think QA has migrated the suite to Kubernetes.", True),
        (LEAD, "QA will migrate the suite to Kubernetes next week.", True),
        (Actor("user", "dan"), "QA has migrated the suite to Kubernetes.", True),
    ],
)
def test_a_rule_ends_when_authority_reports_its_condition_without_naming_it(clock, speaker, text, still_held):
    with opened(":memory:", clock) as memory:
        say(memory, "monday", "Keep db-1 running until QA migrates the suite to Kubernetes.")
        memory.consolidate()
        assert len(memory.facts(TEAM)) == 1
        say(memory, "later", text, actor=speaker)
        memory.consolidate()
        assert bool(memory.facts(TEAM)) == still_held


def test_a_rule_without_a_target_holds_for_its_whole_scope_and_no_other(clock):
    other = Scope.of(org="acme", workspace="other")
    agent = Principal("bot", grants=(TEAM, other))
    with opened(":memory:", clock) as memory:
        call = ("deploy_service", {"service": "payments-api"})
        assert memory.check(*call, principal=agent, scope=TEAM).outcome == "allow"
        say(memory, "freeze", "No deploys until the audit is over.")
        assert memory.check(*call, principal=agent, scope=TEAM).outcome == "defer"
        memory.consolidate()
        assert memory.check(*call, principal=agent, scope=TEAM).outcome == "block"
        assert memory.check("get_service", call[1], principal=agent, scope=TEAM).outcome == "allow"
        assert memory.check(*call, principal=agent, scope=other).outcome == "allow"
        assert "audit" in memory.recall("anything", principal=agent, scope=TEAM).render()

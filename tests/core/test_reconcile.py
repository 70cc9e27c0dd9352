"""Reconciliation is a pure function: what it may and may not do, over statements that hypothesis finds."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.answers import Outcome
from langgraph_memory.consolidation.facts.reconcile import reconcile
from langgraph_memory.consolidation.facts.statements import Statement, Verdict
from langgraph_memory.policy import Policy
from langgraph_memory.records import ActorKind, Fact, FactKind, FactStatus
from langgraph_memory.scope import Scope

TEAM = Scope.of(org="acme", workspace="staging")
MONDAY = datetime(2026, 11, 2, 9, tzinfo=UTC)
POLICY = Policy()


def said(value="Keep db-1 running", **changes) -> Statement:
    fields = {
        "scope": TEAM,
        "entity": "db-1",
        "attribute": "lifecycle_policy",
        "value": value,
        "kind": FactKind.CONSTRAINT,
        "forbids": ("stop",),
        "speaker": ActorKind.USER,
        "speaker_id": "ana",
        "role": "lead",
        "sources": ("trace://1",),
        "founding": "ev_1",
        "activity_id": "act_1",
        "at": MONDAY,
    }
    return Statement(**fields | changes)


def held(**changes) -> Fact:
    verdict = reconcile(said(**changes), None, policy=POLICY)
    assert verdict.fact is not None
    return verdict.fact


statements = st.builds(
    said,
    value=st.sampled_from(["Keep db-1 running", "KEEP db-1  running.", "Stop db-1 on Friday"]),
    speaker=st.sampled_from(ActorKind),
    role=st.sampled_from(["lead", None]),
    certainty=st.sampled_from(["stated", "hedged"]),
    intent=st.sampled_from(["assert", "retire", "retract"]),
    explicit=st.booleans(),
    ends_when=st.sampled_from([None, "QA has migrated"]),
    activity_id=st.sampled_from(["act_1", "act_2"]),
    founding=st.sampled_from(["ev_1", "ev_2"]),
    at=st.sampled_from([MONDAY, MONDAY + timedelta(days=400)]),
)
current = st.one_of(st.none(), st.just(held()), st.just(held(ends_when="QA has migrated")))


def authorised(statement: Statement) -> bool:
    return (
        statement.speaker is ActorKind.USER and statement.role is not None and statement.certainty == "stated"
    )


@given(statements.filter(lambda s: not authorised(s)), current)
def test_without_authority_the_current_fact_keeps_its_value_condition_and_status(statement, fact):
    verdict = reconcile(statement, fact, policy=POLICY)
    for written in verdict.writes:
        if fact is not None and written.fact_id == fact.fact_id:
            assert (written.value, written.ends_when, written.status) == (
                fact.value,
                fact.ends_when,
                fact.status,
            )
            assert written.confirmed_at == fact.confirmed_at
        else:
            assert written.status in (FactStatus.UNVERIFIED, FactStatus.CANDIDATE)


@given(statements, current, st.sampled_from([None, "rejected", "forgotten"]))
def test_one_place_never_has_two_current_facts(statement, fact, tombstone):
    verdict = reconcile(statement, fact, tombstone=tombstone, policy=POLICY)
    after = {f.fact_id: f for f in ([fact] if fact else [])} | {f.fact_id: f for f in verdict.writes}
    assert sum(f.status is FactStatus.CURRENT for f in after.values()) <= 1


@given(statements, current)
def test_what_is_lost_keeps_its_provenance(statement, fact):
    verdict = reconcile(statement, fact, policy=POLICY)
    if verdict.outcome is Outcome.SUPERSEDED:
        old, new = verdict.writes
        assert old.sources == fact.sources
        assert (old.superseded_by, new.supersedes) == (new.fact_id, old.fact_id)
        assert old.valid_until == statement.at


@given(statements, current)
def test_the_same_statement_again_founds_no_second_fact(statement, fact):
    first = reconcile(statement, fact, policy=POLICY)
    after = next((f for f in first.writes if f.status is FactStatus.CURRENT), None)
    if after is not None and statement.intent == "assert":
        again = reconcile(statement, after, policy=POLICY)
        assert {f.fact_id for f in again.writes} <= {after.fact_id}


@pytest.mark.parametrize(
    ("statement", "fact", "tombstone", "outcome"),
    [
        (said(), None, None, Outcome.ESTABLISHED),
        (said("keep DB-1 running."), held(), None, Outcome.RESTATED),
        (said(speaker=ActorKind.TOOL, role=None), held(), None, Outcome.IGNORED),
        (said("Stop db-1", role=None), held(), None, Outcome.UNVERIFIED),
        (said("Stop db-1", certainty="hedged"), held(), None, Outcome.UNVERIFIED),
        (said("Keep db-1 up through Friday"), held(), None, Outcome.SUPERSEDED),
        (said(ends_when="the audit is over"), held(ends_when="QA has migrated"), None, Outcome.SUPERSEDED),
        (said("QA has migrated", intent="retire"), held(), None, Outcome.RETIRED),
        (said("QA has migrated", intent="retire", role=None), held(), None, Outcome.UNVERIFIED),
        (said("I misspoke", intent="retract"), held(), None, Outcome.RETIRED),
        (said("QA has migrated", intent="retire"), None, None, Outcome.IGNORED),
        (said(), None, "rejected", Outcome.REJECTED),
        (said(), None, "forgotten", Outcome.ESTABLISHED),
        (said(role=None), None, "forgotten", Outcome.REJECTED),
    ],
)
def test_outcomes(statement: Statement, fact: Fact | None, tombstone: str | None, outcome: Outcome):
    verdict: Verdict = reconcile(statement, fact, tombstone=tombstone, policy=POLICY)
    assert verdict.outcome is outcome


def test_time_alone_ends_nothing():
    late = said(
        "db-1 has been idle for a year", speaker=ActorKind.SYSTEM, role=None, at=MONDAY + timedelta(days=365)
    )
    assert reconcile(late, held(), policy=POLICY).writes == ()


def test_only_another_activity_corroborates():
    fact = held()
    same = reconcile(said(), fact, policy=POLICY).fact
    again = said(activity_id="act_2", founding="ev_9")
    other = reconcile(again.model_copy(update={"sources": ("trace://2",)}), fact, policy=POLICY).fact
    assert reconcile(again, fact, policy=POLICY).fact.corroboration == ("act_1",)  # the same evidence
    assert (same.confirmation, other.confirmation) == ("single", "corroborated")
    assert other.corroboration == ("act_1", "act_2")


def test_an_agent_that_repeats_what_is_held_adds_no_evidence():
    verdict = reconcile(said(speaker=ActorKind.AGENT, role=None), held(), policy=POLICY)
    assert verdict.outcome is Outcome.IGNORED
    assert verdict.writes == ()

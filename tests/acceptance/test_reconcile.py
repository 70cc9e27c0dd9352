"""What an assertion does to what is held true: seven outcomes, and nothing else."""

import itertools
from datetime import timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from langgraph_memory import Actor

from .world import DEVELOPER, EVERY_STATUS, GPU, KEEP, LEAD, STAGING, constrain, hear, values

LONGER = "Keep gpu-bench-01 through the final benchmark"


def current(memory):
    (fact,) = memory.facts(STAGING, entity=GPU)
    return fact


def test_the_first_authorised_statement_is_established(any_memory, clock):
    assert constrain(any_memory, evidence_ref="trace://first").outcome == "established"
    fact = current(any_memory)
    assert (fact.value, fact.status, fact.kind, fact.forbids) == (KEEP, "current", "constraint", ("stop",))
    assert (fact.authority_role, fact.asserted_by, fact.ends_when) == ("infra_lead", "ana", "QA has moved")
    assert (fact.asserted_at, fact.confirmed_at, fact.valid_from) == (clock(), clock(), clock())
    assert fact.sources == ("trace://first",)
    assert fact.supersedes is None


def test_the_same_statement_again_is_restated_and_adds_its_evidence(any_memory, clock):
    constrain(any_memory, evidence_ref="trace://first")
    before = current(any_memory)
    clock.advance(days=2)
    assert constrain(any_memory, evidence_ref="trace://second").outcome == "restated"
    after = current(any_memory)
    assert (after.fact_id, after.value, after.asserted_at) == (before.fact_id, KEEP, before.asserted_at)
    assert set(after.sources) == {"trace://first", "trace://second"}


def test_an_observation_is_ignored_whether_or_not_something_is_known(any_memory):
    idle = "Idle for 48 hours, may be stopped"
    assert constrain(any_memory, Actor("tool", "metrics"), value=idle).outcome == "ignored"
    constrain(any_memory)
    before = current(any_memory)
    assert constrain(any_memory, Actor("tool", "metrics"), value=idle).outcome == "ignored"
    assert any_memory.facts(STAGING, status=EVERY_STATUS) == [before]


def test_a_claim_without_authority_is_unverified_and_changes_nothing(any_memory):
    constrain(any_memory)
    before = current(any_memory)
    assert constrain(any_memory, DEVELOPER, value="Stop it at will").outcome == "unverified"
    assert (
        current(any_memory) == before
        or current(any_memory).model_copy(update={"counterexamples": before.counterexamples}) == before
    )
    (claim,) = any_memory.facts(STAGING, status=("unverified",))
    assert (claim.value, claim.authority_role, claim.asserted_by) == ("Stop it at will", None, "dan")


def test_an_authorised_change_supersedes_and_both_know_of_each_other(any_memory, clock):
    constrain(any_memory)
    old = current(any_memory)
    clock.advance(days=3)
    assert constrain(any_memory, value=LONGER, evidence_ref="trace://change").outcome == "superseded"
    new = current(any_memory)
    (past,) = any_memory.facts(STAGING, status=("superseded",))
    assert (past.fact_id, past.value, past.superseded_by) == (old.fact_id, KEEP, new.fact_id)
    for fact in (past, new):
        assert "superseded" in [entry.decision for entry in any_memory.audit(fact.fact_id)]
    assert past.sources == old.sources
    assert (new.value, new.supersedes, new.sources) == (LONGER, old.fact_id, ("trace://change",))
    assert past.valid_until == new.valid_from == clock()


def test_a_release_by_authority_retires_and_one_without_does_not(any_memory):
    constrain(any_memory)
    release = "QA has moved to Kubernetes, so gpu-bench-01 no longer needs to keep running."
    hear(any_memory, DEVELOPER, release, activity="act-dan")
    assert current(any_memory).value == KEEP
    hear(any_memory, LEAD, release, activity="act-ana")
    assert any_memory.facts(STAGING, entity=GPU) == []
    (past,) = any_memory.facts(STAGING, status=("retired",))
    assert (past.value, past.valid_until is not None) == (KEEP, True)


def test_attributes_and_entities_are_reconciled_each_on_its_own(memory):
    outcomes = [
        constrain(memory).outcome,
        constrain(memory, attribute="owner", kind="fact", value="QA owns it").outcome,
        constrain(memory, entity="dev-sandbox-04").outcome,
    ]
    assert outcomes == ["established"] * 3
    assert len(memory.facts(STAGING)) == 3
    assert values(memory.facts(STAGING, attribute="owner")) == ["QA owns it"]


def test_as_of_tells_the_status_of_that_moment(any_memory, clock):
    start = clock()
    constrain(any_memory)
    clock.advance(days=3)
    constrain(any_memory, value=LONGER)
    clock.advance(days=3)
    hear(any_memory, LEAD, "The final benchmark is over; gpu-bench-01 no longer needs to keep running.")

    def at(**offset):
        return [
            (f.value, f.status)
            for f in any_memory.facts(STAGING, entity=GPU, as_of=start + timedelta(**offset))
        ]

    assert at(hours=-1) == []
    assert at(days=1) == [(KEEP, "current")]
    assert at(days=4) == [(LONGER, "current")]
    assert at(days=7) == []
    assert any_memory.facts(STAGING, entity=GPU) == []


def test_neither_time_nor_noise_ends_a_constraint_with_an_open_condition(any_memory, clock):
    constrain(any_memory)
    before = current(any_memory)
    for week in range(60):
        clock.advance(days=14)
        if week % 10 == 0:
            constrain(any_memory, Actor("tool", "metrics"), value="idle")
            constrain(any_memory, Actor("agent", "bot"), value="probably unused")
        any_memory.consolidate()
    after = current(any_memory)
    assert (after.fact_id, after.value, after.confirmed_at) == (before.fact_id, KEEP, before.confirmed_at)


def test_an_old_constraint_with_an_open_condition_is_due_for_revalidation(any_memory, clock):
    constrain(any_memory)
    any_memory.consolidate()
    assert not current(any_memory).revalidation_due
    clock.advance(days=800)
    any_memory.consolidate()
    assert current(any_memory).revalidation_due


_SPEAKERS = {
    "lead": LEAD,
    "developer": DEVELOPER,
    "agent": Actor("agent", "bot"),
    "tool": Actor("tool", "cmdb"),
}
_HOSTS = itertools.count()
_STEPS = st.lists(st.tuples(st.sampled_from(sorted(_SPEAKERS)), st.sampled_from("abc")), max_size=10)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=_STEPS)
def test_what_is_current_is_what_authority_said_last(memory, steps):
    entity = f"host-{next(_HOSTS)}"
    said = None
    for speaker, value in steps:
        outcome = constrain(memory, _SPEAKERS[speaker], entity=entity, value=value).outcome
        if speaker == "lead":
            assert outcome == (
                "established" if said is None else "restated" if said == value else "superseded"
            )
            said = value
        elif speaker == "tool":
            assert outcome == "ignored"
        else:
            assert outcome in ({"restated", "ignored"} if value == said else {"unverified"})
        assert values(memory.facts(STAGING, entity=entity)) == ([said] if said else [])

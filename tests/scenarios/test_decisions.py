"""What people decide about facts by name, and what they may not."""

import pytest

from langgraph_memory import Actor, Principal, Scope
from langgraph_memory.errors import AccessDeniedError, DecisionError, UnknownRecordError

from .cast import ANA, BOB, BOB_HIMSELF, BOBS, DAN, DEVELOPER, GPU, KEEP, LEAD, STRANGER, TEAM

DECISIONS = {
    "confirm": lambda memory, fact_id, who: memory.confirm(fact_id, principal=who),
    "retire": lambda memory, fact_id, who: memory.retire(fact_id, principal=who, evidence_ref="trace://9"),
    "reject": lambda memory, fact_id, who: memory.reject(fact_id, principal=who, reason="wrong machine"),
    "correct": lambda memory, fact_id, who: memory.correct(
        fact_id, value="Stop it on Fridays", principal=who
    ),
    "merge": lambda memory, fact_id, who: memory.merge([fact_id, fact_id], principal=who),
}
decisions = pytest.mark.parametrize("decide", DECISIONS.values(), ids=DECISIONS)


@decisions
def test_an_unknown_id_is_one_clear_error(session, decide):
    with pytest.raises(UnknownRecordError, match="fact_nowhere"):
        decide(session.memory, "fact_nowhere", ANA)


@decisions
def test_without_a_grant_nobody_decides_and_it_is_audited(session, decide):
    fact = session.rule().fact
    with pytest.raises(AccessDeniedError, match="grant"):
        decide(session.memory, fact.fact_id, STRANGER)
    assert session.facts() == [fact]
    assert session.memory.audit(fact.fact_id)[-1].decision == "denied"
    assert session.memory.audit(fact.fact_id)[-1].actor == "eve"


@decisions
def test_without_authority_nobody_decides(session, decide):
    fact = session.rule().fact
    with pytest.raises(AccessDeniedError, match="AuthorityRule"):
        decide(session.memory, fact.fact_id, DAN)
    assert session.facts() == [fact]
    assert session.memory.audit(fact.fact_id)[-1].decision == "denied"


@pytest.mark.parametrize("name", ["confirm", "retire", "correct"])
def test_what_has_ended_is_said_anew(session, name):
    fact = session.rule().fact
    session.memory.retire(fact.fact_id, principal=ANA, evidence_ref="ticket://1")
    with pytest.raises(DecisionError, match="retired"):
        DECISIONS[name](session.memory, fact.fact_id, ANA)
    assert session.rule().outcome == "established"


def test_confirm_lifts_an_unverified_fact_and_moves_only_its_confirmation(session):
    said = session.rule(DEVELOPER).fact
    assert session.stopping() == "allow"
    session.later(days=3)
    confirmed = session.memory.confirm(said.fact_id, principal=ANA)
    assert (confirmed.outcome, confirmed.fact.status) == ("established", "current")
    assert confirmed.fact.asserted_at == said.asserted_at == confirmed.fact.valid_from
    assert confirmed.fact.confirmed_at == session.clock()
    assert confirmed.fact.sources == said.sources
    assert session.stopping() == "block"


def test_confirm_replaces_what_was_held_there(session):
    old = session.rule().fact
    other = session.rule(DEVELOPER, "Stop it every Friday").fact
    session.later(hours=1)
    session.memory.confirm(other.fact_id, principal=ANA)
    assert session.values() == ["Stop it every Friday"]
    replaced = session.memory.facts(TEAM, status=["superseded"])[0]
    assert (replaced.fact_id, replaced.superseded_by) == (old.fact_id, other.fact_id)


def test_confirm_renews_a_current_fact(session):
    fact = session.rule().fact
    session.later(days=30)
    renewed = session.memory.confirm(fact.fact_id, principal=ANA)
    assert renewed.outcome == "restated"
    assert renewed.fact.confirmed_at == session.clock() > renewed.fact.asserted_at
    assert renewed.fact.revalidate_after > fact.revalidate_after


def test_retire_cites_its_evidence(session):
    fact = session.rule().fact
    assert session.stopping() == "block"
    ended = session.memory.retire(fact.fact_id, principal=ANA, evidence_ref="ticket://QA-7")
    assert (ended.outcome, ended.fact.status) == ("retired", "retired")
    assert "ticket://QA-7" in ended.fact.counterexamples
    assert session.stopping() == "allow"
    assert "ticket://QA-7" in [event.evidence_ref for event in session.memory.events(TEAM)]


def test_a_rejected_value_stays_out_until_it_is_confirmed(session):
    fact = session.rule().fact
    session.memory.reject(fact.fact_id, principal=ANA, reason="never asked for")
    assert session.rule().outcome == "rejected"
    assert session.values() == []
    assert session.rule(value="Keep it on weekends").outcome == "established"
    session.memory.confirm(fact.fact_id, principal=ANA)
    assert session.values() == [KEEP]
    assert session.rule().outcome == "restated"


def test_correct_puts_another_value_in_its_place(session):
    fact = session.rule(ends_when="QA has moved").fact
    corrected = session.memory.correct(fact.fact_id, value="Keep it running on weekdays", principal=ANA)
    assert corrected.outcome == "superseded"
    new = session.memory.facts(TEAM)[0]
    assert (new.value, new.forbids, new.ends_when) == (
        "Keep it running on weekdays",
        ("stop",),
        "QA has moved",
    )
    assert (new.supersedes, corrected.previous.superseded_by) == (fact.fact_id, new.fact_id)


def test_correct_does_not_bring_back_what_was_rejected(session):
    wrong = session.rule(value="Never stop anything").fact
    session.memory.reject(wrong.fact_id, principal=ANA, reason="too much")
    fact = session.rule().fact
    assert (
        session.memory.correct(fact.fact_id, value="Never stop anything", principal=ANA).outcome == "rejected"
    )
    assert session.values() == [KEEP]


def test_correct_replaces_one_of_several_values(session):
    who = {"scope": BOBS, "entity": "user:bob", "attribute": "allergy", "actor": BOB}
    nuts = session.memory.assert_fact(value="peanuts", **who).fact
    session.memory.assert_fact(value="pollen", **who)
    session.memory.correct(nuts.fact_id, value="hazelnuts", principal=BOB_HIMSELF)
    assert session.values(BOBS) == ["hazelnuts", "pollen"]


def test_merge_makes_one_of_two_with_all_their_evidence(session):
    first = session.rule(attribute="lifecycle", evidence_ref="trace://1").fact
    second = session.rule(evidence_ref="trace://2").fact
    merged = session.memory.merge([first.fact_id, second.fact_id], principal=ANA)
    assert [fact.fact_id for fact in session.memory.facts(TEAM)] == [first.fact_id]
    assert merged.fact.sources == ("trace://1", "trace://2")
    assert session.facts(status=["superseded"])[0].superseded_by == first.fact_id


def test_unlike_things_are_never_merged(session):
    first, second = session.rule().fact, session.rule(entity="db-1", value="Keep db-1 running").fact
    with pytest.raises(DecisionError, match="different things"):
        session.memory.merge([first.fact_id, second.fact_id], principal=ANA)
    with pytest.raises(DecisionError, match="two facts"):
        session.memory.merge([first.fact_id], principal=ANA)
    assert len(session.memory.facts(TEAM)) == 2


def test_a_person_decides_about_their_own_scope(session):
    session.says(BOB, "I think I prefer short answers.", scope=BOBS)
    candidate = session.facts(BOBS)[0]
    assert session.memory.facts(BOBS) == []
    session.memory.confirm(candidate.fact_id, principal=BOB_HIMSELF)
    assert [fact.fact_id for fact in session.memory.facts(BOBS)] == [candidate.fact_id]
    nosy = Principal("eve", roles={"infra_lead"}, grants=(BOBS,))
    with pytest.raises(AccessDeniedError, match="AuthorityRule"):
        session.memory.reject(candidate.fact_id, principal=nosy, reason="no")


def test_decisions_are_listed_with_actor_and_reason(session):
    fact = session.rule().fact
    session.memory.confirm(fact.fact_id, principal=ANA)
    session.memory.reject(fact.fact_id, principal=ANA, reason="asked for by mistake")
    decided = [(entry.decision, entry.actor) for entry in session.memory.audit(fact.fact_id)]
    assert decided == [("established", "ana"), ("confirmed", "ana"), ("rejected", "ana")]
    assert "asked for by mistake" in session.memory.audit(fact.fact_id)[-1].reason


def test_secrets_in_a_decision_are_redacted(session):
    token = "ghp_" + "a1B2c3D4" * 4 + "wxyz"
    fact = session.rule().fact
    new = session.memory.correct(fact.fact_id, value=f"Keep it, token {token}", principal=ANA).fact
    session.memory.reject(new.fact_id, principal=ANA, reason=f"has {token}")
    told = [entry.reason for entry in session.memory.audit(new.fact_id)]
    assert "Keep it" in new.value
    assert token not in str([new, told, session.memory.events(TEAM)])


def test_as_of_tells_the_status_of_that_moment(session):
    said = session.rule(DEVELOPER).fact
    before = session.clock()
    session.later(days=2)
    session.memory.confirm(said.fact_id, principal=ANA)
    held = session.clock()
    session.later(days=2)
    session.memory.retire(said.fact_id, principal=ANA, evidence_ref="ticket://1")
    assert session.memory.facts(TEAM, as_of=before) == []
    assert [f.value for f in session.memory.facts(TEAM, as_of=before, status=["unverified"])] == [KEEP]
    assert [f.value for f in session.memory.facts(TEAM, as_of=held)] == [KEEP]
    assert session.memory.facts(TEAM, as_of=session.clock()) == []


def test_roles_of_another_workspace_count_for_nothing(session):
    web = Scope.of(org="acme", workspace="web")
    lead_of_all = Principal("ana", roles={"infra_lead"}, grants=(TEAM, web))
    fact = session.rule(Actor("user", "ana", roles={"infra_lead"}), scope=web).fact
    assert fact.status == "unverified"
    with pytest.raises(AccessDeniedError, match="AuthorityRule"):
        session.memory.confirm(fact.fact_id, principal=lead_of_all)
    here = session.rule(LEAD, entity=GPU).fact
    assert session.memory.confirm(here.fact_id, principal=lead_of_all).outcome == "restated"


@pytest.mark.parametrize("forbids", [(), []])
def test_a_constraint_that_names_no_action_rules_out_every_change(session, forbids):
    fact = session.rule(forbids=forbids).fact
    assert fact.forbids == ("*",)
    actions = ("stop_instance", "resize_instance", "get_status")
    said = [session.memory.check(each, {"name": GPU}, principal=ANA, scope=TEAM) for each in actions]
    assert [decision.outcome for decision in said] == ["block", "block", "allow"]


def test_hearsay_ends_nothing_and_has_nobodys_authority(session):
    session.rule()
    session.later(hours=1)
    session.says(LEAD, f"Dan claims that you can stop {GPU}.")
    assert session.values() == [KEEP]
    (said,) = session.facts(status=["unverified"])
    assert said.authority_role is None
    session.later(hours=1)
    session.says(LEAD, f"Dan claims that you can stop {GPU}.")
    assert session.values() == [KEEP]
    session.later(hours=1)
    session.says(LEAD, f"You can stop {GPU}.")
    assert session.values() == []

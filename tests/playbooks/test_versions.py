"""Draft, current, deprecated: who decides, what replaces what, and the way back."""

import threading

import pytest

from langgraph_memory import Memory, Principal, Scope
from langgraph_memory.answers import record_id
from langgraph_memory.errors import (
    AccessDeniedError,
    ConfigurationError,
    InvalidProcedureError,
    UnknownRecordError,
)

from .conftest import ANA, CLEANUP, DAN, LEAD, NAME, POLICY, ROBOT, STAGING

BETTER = {"steps": [*CLEANUP["steps"][:1], "Check the batch schedule.", CLEANUP["steps"][1]]}


def statuses(memory, name=NAME, scope=STAGING):
    return {each.version: each.status.value for each in memory.procedures.versions(scope, name)}


def test_a_procedure_goes_from_draft_to_current_to_deprecated_and_back(any_memory, clock):
    procedures = any_memory.procedures
    first = procedures.propose(**CLEANUP, actor=LEAD)
    assert (first.version, first.status, first.origin, first.approved_by) == (1, "draft", "engineer", None)
    assert procedures.approve(NAME, scope=STAGING, principal=ANA).approved_at == clock()
    clock.advance(days=1)
    procedures.propose(**CLEANUP | BETTER, actor=LEAD)
    assert statuses(any_memory) == {1: "current", 2: "draft"}
    second = procedures.approve(NAME, scope=STAGING, principal=ANA)
    assert (second.version, second.approved_by) == (2, "ana")
    assert statuses(any_memory) == {1: "deprecated", 2: "current"}
    assert procedures.rollback(NAME, scope=STAGING, principal=ANA).version == 1
    assert statuses(any_memory) == {1: "current", 2: "deprecated"}
    assert procedures.rollback(NAME, scope=STAGING, principal=ANA, to=2).version == 2
    decisions = [each.decision for each in any_memory.audit(record_id(second))]
    assert decisions == ["proposed", "approved", "rolled back"]


def test_only_who_may_decide_decides_and_the_attempt_is_audited(memory):
    draft = memory.procedures.propose(**CLEANUP, actor=LEAD)
    robot = Principal("costguard", grants=(STAGING,))
    for nobody in (DAN, robot):
        with pytest.raises(AccessDeniedError, match="may not decide"):
            memory.procedures.approve(NAME, scope=STAGING, principal=nobody)
        with pytest.raises(AccessDeniedError):
            memory.procedures.reject(NAME, scope=STAGING, principal=nobody, reason="no")
    assert statuses(memory) == {1: "draft"}
    refused = [each for each in memory.audit(record_id(draft)) if each.decision == "refused"]
    assert [each.actor for each in refused] == ["dan", "dan", "costguard", "costguard"]
    assert memory.procedures.approve(NAME, scope=STAGING, principal=ANA).status == "current"


@pytest.mark.parametrize("grants", [(), (Scope.of(org="acme", workspace="elsewhere"),)], ids=str)
def test_authority_counts_only_where_a_grant_covers_the_scope(memory, adopt, grants):
    adopt()
    draft = memory.procedures.propose(**CLEANUP | BETTER, actor=LEAD)
    away = Principal(ANA.user_id, roles=ANA.roles, grants=grants)
    deciding = {"scope": STAGING, "principal": away}
    for attempt in (
        lambda: memory.procedures.approve(NAME, **deciding),
        lambda: memory.procedures.reject(NAME, reason="no", **deciding),
        lambda: memory.procedures.rollback(NAME, to=1, **deciding),
    ):
        with pytest.raises((AccessDeniedError, ConfigurationError), match=r"Principal\.grants|no earlier"):
            attempt()
    assert statuses(memory) == {1: "current", 2: "draft"}
    assert [each.decision for each in memory.audit(record_id(draft))] == ["proposed", "refused", "refused"]


def test_who_has_no_grant_brings_files_as_drafts(memory, tmp_path):
    memory.procedures.propose(**CLEANUP, actor=LEAD)
    memory.procedures.approve(NAME, scope=STAGING, principal=ANA)
    memory.procedures.export(tmp_path, scope=STAGING)
    file = next(tmp_path.iterdir())
    file.write_text(file.read_text().replace("Stop", "Terminate").replace("version: 1", "version: 2"))
    away = Principal(ANA.user_id, roles=ANA.roles)
    memory.procedures.sync(tmp_path, scope=STAGING, principal=away)
    assert statuses(memory) == {1: "current", 2: "draft"}


def test_one_version_is_current_for_a_trigger_whatever_its_name(memory, adopt):
    adopt()
    adopt(procedure_id="other_name", trigger_intent="Weekly  cleanup of idle compute.")
    assert statuses(memory) == {1: "deprecated"}
    assert statuses(memory, "other_name") == {1: "current"}
    adopt(procedure_id="restart", trigger_intent="restart a server")
    assert statuses(memory, "other_name") == {1: "current"}


def test_one_version_is_current_for_a_name_whatever_its_trigger(memory, adopt):
    adopt()
    adopt(trigger_intent="cleanup on Fridays")
    assert statuses(memory) == {1: "deprecated", 2: "current"}
    adopt(procedure_id="other", trigger_intent=CLEANUP["trigger_intent"])
    assert statuses(memory) == {1: "deprecated", 2: "current"}


def test_scopes_have_procedures_of_the_same_name(memory, adopt):
    shop = Scope.of(org="acme", workspace="staging-cloud", agent="shopkeeper")
    adopt()
    adopt(scope=shop, steps=["Ask first."])
    assert memory.procedures.get(NAME, scope=STAGING).steps == tuple(CLEANUP["steps"])
    assert memory.procedures.get(NAME, scope=shop).steps == ("Ask first.",)
    assert len(memory.procedures.versions(STAGING, below=True)) == 2


def test_the_same_content_is_the_same_version(memory):
    first = memory.procedures.propose(**CLEANUP, actor=LEAD)
    assert memory.procedures.propose(**CLEANUP, actor=ROBOT) == first
    assert memory.procedures.propose(**CLEANUP | BETTER, actor=ROBOT).version == 2


def test_what_an_agent_proposes_is_marked_as_learned(memory):
    draft = memory.procedures.propose(**CLEANUP, actor=ROBOT, reason="it keeps happening", evidence=["ep_1"])
    assert (draft.origin, draft.status, draft.evidence) == ("learned", "draft", ("ep_1",))
    assert draft.reason == "it keeps happening"


def test_a_rejected_draft_stays_out_and_is_not_proposed_anew(memory):
    memory.procedures.propose(**CLEANUP, actor=ROBOT)
    memory.procedures.reject(NAME, scope=STAGING, principal=ANA, reason="too risky")
    assert memory.procedures.propose(**CLEANUP, actor=ROBOT).status == "deprecated"
    with pytest.raises(ConfigurationError, match="ever approved"):
        memory.procedures.rollback(NAME, scope=STAGING, principal=ANA)


def test_two_versions_are_compared_line_by_line(memory, adopt):
    adopt()
    adopt(**BETTER)
    shown = memory.procedures.diff(NAME, 1, 2, scope=STAGING)
    assert "+2. Check the batch schedule." in shown
    assert "-2. Stop those that were idle for 72 hours." in shown
    assert "+3. Stop those that were idle for 72 hours." in shown
    assert "-1." not in shown


def test_what_is_not_there_is_said(memory):
    with pytest.raises(UnknownRecordError, match="'nothing'"):
        memory.procedures.get("nothing", scope=STAGING)
    memory.procedures.propose(**CLEANUP, actor=LEAD)
    with pytest.raises(UnknownRecordError, match="version 7"):
        memory.procedures.approve(NAME, 7, scope=STAGING, principal=ANA)


@pytest.mark.parametrize(
    "wrong",
    [
        {"steps": []}, {"steps": [""]}, {"steps": ["x" * 3_000]}, {"steps": ["x"] * 51}, {"steps": "x"},
        {"trigger_intent": " "}, {"procedure_id": "a b"}, {"procedure_id": ""},
    ],
)  # fmt: skip
def test_a_procedure_without_sense_is_refused(memory, wrong):
    with pytest.raises(InvalidProcedureError):
        memory.procedures.propose(**CLEANUP | wrong, actor=LEAD)
    assert memory.procedures.versions(STAGING) == []


def test_secrets_are_taken_out_of_steps(memory):
    draft = memory.procedures.propose(
        **CLEANUP | {"steps": ["Log in with export ORDERS_API_KEY=9a1fQ7xLr2Tn8Vb4Kd"]}, actor=LEAD
    )
    assert "9a1fQ7" not in draft.steps[0]
    assert "[redacted:secret]" in draft.steps[0]


def test_of_many_approvals_at_once_one_version_is_current(tmp_path, clock):
    with Memory.open(tmp_path / "memory", index=None, policy=POLICY, clock=clock) as memory:
        for number in range(8):
            memory.procedures.propose(
                **CLEANUP | {"steps": [f"Do {number}."], "trigger_intent": f"task {number % 3}"}, actor=LEAD
            )
        threads = [
            threading.Thread(
                target=memory.procedures.approve,
                args=(NAME, version),
                kwargs={"scope": STAGING, "principal": ANA},
            )
            for version in range(1, 9)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert sorted(statuses(memory).values()) == ["current", *["deprecated"] * 7]

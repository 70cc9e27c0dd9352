"""Who is refused stands in the audit: at every door, once, without a word of what is held there."""

import pytest

from langgraph_memory import Principal, Scope
from langgraph_memory.errors import AccessDeniedError, StorageError

from .world import ANA, GPU, KEEP, LEAD, ORG, OTHER_TEAM, TEAM, propose_drain, state, tell

EVE = Principal("eve", roles={"lead"}, grants=(Scope.of(org="evil"),))


def recall(memory, scope=TEAM, who=EVE):
    memory.recall("what about gpu-bench-01", principal=who, scope=scope)


def forget_fact(memory):
    (fact,) = memory.facts(TEAM)
    memory.forget(TEAM, fact_id=fact.fact_id, principal=EVE)


def decide(memory):
    (fact,) = memory.facts(TEAM)
    memory.retire(fact.fact_id, principal=EVE)


def approve(memory):
    memory.procedures.approve("drain", scope=TEAM, principal=EVE)


DOORS = {
    "recall": recall,
    "questions": lambda memory: memory.questions(TEAM, principal=EVE),
    "files": lambda memory: memory.files(principal=EVE, scope=TEAM),
    "forget by scope": lambda memory: memory.forget(TEAM, principal=EVE),
    "forget by entity": lambda memory: memory.forget(TEAM, entity=GPU, principal=EVE),
    "forget by fact_id": forget_fact,
    "retire": decide,
    "approved": approve,
}


def refused(memory, door, times=1):
    for _ in range(times):
        with pytest.raises(AccessDeniedError):
            door(memory)


def entries(memory, *more):
    ids = [str(TEAM), *(fact.fact_id for fact in memory.facts(TEAM)), *more]
    found = [entry for each in ids for entry in memory.audit(each)]
    return [entry for entry in found if entry.actor == "eve"]


@pytest.mark.parametrize("door", DOORS)
def test_a_refusal_is_noted_once_an_hour_and_tells_nothing(memory, clock, door):
    tell(memory, LEAD, f"{KEEP}.", activity="act-1")
    playbook = propose_drain(memory)
    refused(memory, DOORS[door], times=3)
    (entry,) = entries(memory, playbook)
    assert entry.decision in ("denied", "refused")
    assert (entry.scope, entry.at) == (TEAM.key, clock())
    assert entry.reason.startswith(f"{door}: ")
    told = f"{entry.record_id} {entry.reason}"
    assert not any(word in told for word in ("quixotic", "regression", "gpu-bench"))
    clock.advance(hours=2)
    refused(memory, DOORS[door])
    assert len(entries(memory, playbook)) == 2


def test_who_is_let_in_leaves_no_such_entry(memory):
    recall(memory, who=ANA)
    memory.questions(TEAM, principal=ANA)
    memory.files(principal=ANA, scope=TEAM)
    assert memory.audit(str(TEAM)) == []


def test_what_is_tried_in_an_hour_is_told_up_to_a_bound(memory, clock):
    scopes = [Scope.of(org="acme", workspace=f"team-{number}") for number in range(100)]
    for scope in scopes:
        refused(memory, lambda m, s=scope: recall(m, s))
    told = [entry for scope in scopes for entry in memory.audit(str(scope))]
    assert len(told) == 20
    assert "further refusals" in told[-1].reason
    for number in range(300):
        refused(memory, lambda m, n=number: recall(m, OTHER_TEAM, Principal(f"eve-{n}")))
    assert len(memory.audit(str(OTHER_TEAM))) == 180
    assert "further refusals" in memory.audit(str(OTHER_TEAM))[-1].reason
    clock.advance(hours=2)
    refused(memory, recall)
    assert len(entries(memory)) == 1


def test_no_word_of_a_stranger_gets_into_the_audit_by_a_refusal(memory):
    with pytest.raises(AccessDeniedError):
        memory.forget(TEAM, fact_id="zephyr" * 1000, principal=EVE)
    assert memory.audit("zephyr" * 1000) == []
    assert len(entries(memory)) == 1


def test_a_refusal_stands_where_it_cannot_be_noted(memory, monkeypatch):
    def full(*args, **kwargs):
        raise StorageError("disk full")

    monkeypatch.setattr(memory.repository.ledger.audit, "note", full)
    with pytest.raises(AccessDeniedError) as caught:
        recall(memory)
    assert any("disk full" in note for note in caught.value.__notes__)


def test_a_forgotten_scope_takes_its_refusals_along(memory):
    state(memory, KEEP)
    refused(memory, recall)
    memory.forget(ORG, principal=ANA)
    (entry,) = memory.audit(str(TEAM))
    assert str(TEAM) not in entry.model_dump_json()
    assert entry.reason == "[forgotten]"

"""Parts that others bring and that fail or answer nonsense: one clear error, and nothing half written."""

from contextlib import suppress

import pytest
from langgraph.store.base import GetOp, Item, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from langgraph_memory import Memory
from langgraph_memory.errors import InvalidArgumentError, MemoryRuntimeError, RedactionError, StorageError
from langgraph_memory.log import EventLog
from langgraph_memory.redaction import redact

from .world import ANA, GPU, KEEP, LEAD, POLICY, START, TEAM, say, state, values


def test_a_redactor_that_raises_is_told_of_and_nothing_is_written(clock):
    broken = True

    def redactor(value):
        if broken:
            raise KeyError("model")
        return redact(value)

    with Memory.open(":memory:", policy=POLICY, clock=clock, index=None, redactor=redactor) as memory:
        with pytest.raises(RedactionError, match="KeyError"):
            say(memory, LEAD, KEEP, activity="act")
        assert memory.events(TEAM) == []
        broken = False
        say(memory, LEAD, KEEP, activity="act")
        assert [event.data["text"] for event in memory.events(TEAM)] == [KEEP]


@pytest.mark.parametrize("wrong", ["a text", ["a"], 7, "", []])
def test_data_that_is_no_mapping_is_refused(memory, wrong):
    with pytest.raises(InvalidArgumentError, match="data"):
        memory.publish(scope=TEAM, activity_id="act", event_type="note", actor=LEAD, data=wrong)
    memory.publish(scope=TEAM, activity_id="act", event_type="note", actor=LEAD, data={"a": wrong})
    assert memory.log.count() == 1


@pytest.mark.parametrize("wrong", ["gpu-bench-01", 7, [["a"]], [None]])
def test_entities_that_are_no_ids_are_refused(memory, wrong):
    with pytest.raises(InvalidArgumentError, match="entities"):
        memory.publish(scope=TEAM, activity_id="act", event_type="note", actor=LEAD, entities=wrong)
    memory.publish(scope=TEAM, activity_id="act", event_type="note", actor=LEAD, entities=[GPU])
    assert memory.log.count() == 1


class Wrong(InMemoryStore):
    """A store of someone else that is asked properly and answers nonsense."""

    answer = None

    def batch(self, ops):
        ops = list(ops)
        given = super().batch(ops)
        return given if self.answer is None else self.answer(ops, given)


def item(value):
    return Item(value=value, key="k", namespace=("a",), created_at=START, updated_at=START)


ANSWERS = {
    "nothing": lambda ops, given: [],
    "no list": lambda ops, given: None,
    "one too many": lambda ops, given: [*given, None],
    "none for searches": lambda ops, given: [None for _ in ops],
    "texts": lambda ops, given: ["text" if not isinstance(op, PutOp) else None for op in ops],
    "lists of texts": lambda ops, given: [["text"] for _ in ops],
    "values that are no mapping": lambda ops, given: [
        item("x") if isinstance(op, GetOp) else [item("x")] for op in ops
    ],
    "plain dicts": lambda ops, given: [{} if isinstance(op, GetOp) else [{}] for op in ops],
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_a_store_that_answers_nonsense_is_an_outage_not_a_crash(clock, answer):
    store = Wrong()
    with EventLog.open(":memory:") as log:
        state(Memory(store=store, log=log, policy=POLICY, clock=clock), KEEP)
        memory = Memory(store=store, log=log, policy=POLICY, clock=clock)
        store.answer = answer
        with suppress(StorageError):
            assert memory.facts(TEAM) == []
        recall = memory.recall("regression run", principal=ANA, scope=TEAM, entities=[GPU])
        assert KEEP not in recall.render()
        stop = memory.check("stop_instance", {"id": GPU}, principal=ANA, scope=TEAM)
        assert stop.outcome == "defer"
        store.answer = None
        healthy = Memory(store=store, log=log, policy=POLICY, clock=clock)
        assert values(healthy.facts(TEAM)) == [KEEP]
        assert KEEP in healthy.recall("regression run", principal=ANA, scope=TEAM, entities=[GPU]).render()


def test_searches_answered_with_nonsense_degrade_a_recall_and_no_more(clock):
    store = Wrong()
    with EventLog.open(":memory:") as log:
        memory = Memory(store=store, log=log, policy=POLICY, clock=clock)
        state(memory, KEEP)
        assert not memory.recall("regression run", principal=ANA, scope=TEAM).degraded
        store.answer = lambda ops, given: [
            ["text"] if isinstance(op, SearchOp) else g for op, g in zip(ops, given, strict=True)
        ]
        recall = memory.recall("regression run", principal=ANA, scope=TEAM, entities=[GPU])
        assert "StorageError" in recall.degraded[0]
        assert KEEP in recall.render()


@pytest.mark.parametrize("answer", [lambda ops, given: [], lambda ops, given: None])
def test_a_put_that_nobody_acknowledged_does_not_count(clock, answer):
    store = Wrong()
    with EventLog.open(":memory:") as log:
        memory = Memory(store=store, log=log, policy=POLICY, clock=clock)
        store.answer = answer
        with pytest.raises(MemoryRuntimeError):
            state(memory, KEEP)
        store.answer = None
        assert memory.facts(TEAM) == []
        state(memory, KEEP)
        assert values(memory.facts(TEAM)) == [KEEP]


def test_secrets_leave_every_field_of_a_statement(memory):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    state(
        memory,
        f"the token is {secret}",
        ends_when=f"{secret} is revoked",
        evidence_ref=f"https://ana:{secret}@x.org",
    )
    memory.publish(scope=TEAM, activity_id="act", event_type="note", actor=LEAD, entities=[f"token:{secret}"])
    (fact,) = memory.facts(TEAM)
    told = memory.audit(memory.events(TEAM)[0].event_id)
    assert [(entry.decision, entry.actor, entry.reason) for entry in told] == [
        ("redacted", "ana", "github-token")
    ]
    assert "redacted" in fact.value
    assert "redacted" in fact.ends_when
    assert all(secret not in each.model_dump_json() for each in (fact, *memory.events(TEAM)))

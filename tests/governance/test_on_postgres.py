"""Forgetting, export and retention on PostgreSQL, with several processes' worth of connections."""

from datetime import timedelta

import pytest
from store.servers import postgres

from langgraph_memory import Memory, Policy

from .world import (
    ANA,
    DEVELOPER,
    EVERY,
    GPU,
    KEEP,
    KEEP_SANDBOX,
    LEAD,
    POLICY,
    SANDBOX,
    TEAM,
    id_of,
    state,
    tell,
    values,
)


@pytest.fixture(scope="module")
def url():
    with postgres() as server:
        yield server


@pytest.fixture
def memory(url, clock):
    with Memory.open(url, policy=POLICY, clock=clock, index=None) as opened:
        yield opened
        opened.forget(TEAM, principal=ANA)


def dump(memory):
    """All texts in all tables."""
    with memory.log.database.read() as connection:
        tables = connection.exec_driver_sql(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
        )
        rows = [
            connection.exec_driver_sql(f'SELECT * FROM "{name}"').fetchall() for (name,) in tables.fetchall()
        ]
    return str(rows)


def test_an_entity_leaves_all_tables(memory):
    tell(memory, LEAD, f"{KEEP}. {KEEP_SANDBOX}.", activity="act-1", names=(GPU, SANDBOX))
    tell(memory, DEVELOPER, f"Why is {GPU} still up? 100%_sure it is idle.", activity="act-2")
    memory.recall(f"what about {GPU}?", principal=ANA, scope=TEAM, entities=[GPU])
    memory.check("stop_instance", {"name": GPU}, principal=ANA, scope=TEAM)
    assert GPU in dump(memory)
    receipt = memory.forget(TEAM, entity=GPU, principal=ANA)
    assert receipt.proven
    assert receipt.pending == ()
    left = dump(memory)
    assert GPU not in left
    assert id_of(GPU) not in left
    assert "quixotic" not in left
    assert values(memory.facts(TEAM, status=EVERY)) == [KEEP_SANDBOX]


def test_an_export_comes_back_but_for_what_was_forgotten(memory, tmp_path):
    tell(memory, LEAD, f"{KEEP}.", activity="act-1", ref="mail-1")
    state(memory, KEEP_SANDBOX, entity=SANDBOX)
    memory.export(TEAM, tmp_path / "out.jsonl")
    memory.forget(TEAM, source="mail-1", principal=ANA)
    assert values(memory.facts(TEAM)) == [KEEP_SANDBOX]
    memory.import_(tmp_path / "out.jsonl")
    assert values(memory.facts(TEAM, status=EVERY)) == [KEEP_SANDBOX]


def test_what_is_kept_for_a_time_expires(url, clock):
    policy = Policy(
        authority=POLICY.authority, retention={"unverified": timedelta(days=10), "event": timedelta(days=20)}
    )
    with Memory.open(url, policy=policy, clock=clock, index=None) as memory:
        state(memory, KEEP, actor=DEVELOPER)
        state(memory, KEEP_SANDBOX, entity=SANDBOX)
        clock.advance(days=11)
        memory.consolidate()
        assert values(memory.facts(TEAM, status=EVERY)) == [KEEP_SANDBOX]
        clock.advance(days=11)
        memory.consolidate()
        assert [event.data["value"] for event in memory.events(TEAM)] == [KEEP_SANDBOX]
        memory.forget(TEAM, principal=ANA)

"""What the guard keeps in mind of a tenant is what one would read that knows nothing, whoever wrote it."""

import pytest
from sqlalchemy import text

from langgraph_memory import Actor, Memory
from langgraph_memory.log.marks import HOLDING
from langgraph_memory.retrieval.held import HeldBelow

from .cast import ACME, ANA, LEAD, POLICY, TEAM


def rule(memory, entity, value="stays", scope=TEAM, forbids=("stop",)):
    return memory.assert_fact(
        scope=scope,
        entity=entity,
        attribute="lifecycle",
        value=value,
        actor=ANA,
        kind="constraint",
        forbids=forbids,
    ).fact_id


def plain(memory, entity, value):
    memory.assert_fact(scope=TEAM, entity=entity, attribute="owner", value=value, actor=ANA)


def outcome(memory, name):
    return memory.check("stop_instance", {"name": name}, principal=LEAD, scope=TEAM).outcome


def begun_and_undone(memory):
    with memory.log.database.write():
        rule(memory, "db-1")
        assert outcome(memory, "db-1") == "block"
        raise KeyError


def told(held):
    return {fact.fact_id: fact for fact in held.facts}, sorted(held.names), held.unreadable


def test_what_another_process_lays_down_changes_and_ends_is_known_at_the_next_check(one, other):
    assert outcome(one, "db-1") == "allow"
    first = rule(other, "db-1")
    assert outcome(one, "db-1") == "block"
    rule(other, "db-1", "may be started", forbids=("start",))
    assert outcome(one, "db-1") == "allow"
    second = rule(other, "db-1")
    assert (outcome(one, "db-1"), first == second) == ("block", False)
    other.retire(second, principal=LEAD)
    assert outcome(one, "db-1") == "allow"


def test_what_another_process_forgets_holds_no_longer(one, other):
    rule(one, "db-1", "runs until QA has migrated")
    rule(one, "db-2", "serves the shop")
    assert [outcome(one, name) for name in ("db-1", "db-2")] == ["block", "block"]
    other.forget(TEAM, entity="db-1", principal=LEAD)
    assert [outcome(one, name) for name in ("db-1", "db-2")] == ["allow", "block"]


def test_a_name_that_another_process_learns_is_known_at_the_next_check(one, other):
    rule(one, "i-09a8f")
    assert outcome(one, "gpu-bench-01") == "allow"
    other.publish(
        scope=TEAM,
        activity_id="a",
        event_type="tool.completed",
        actor=Actor("tool", "cloud"),
        data={"tool": "describe", "args": {}, "output": {"id": "i-09a8f", "name": "gpu-bench-01"}},
    )
    assert outcome(one, "gpu-bench-01") == "block"


def test_after_every_kind_of_change_it_is_what_one_reads_that_knows_nothing(one, other):
    kept = HeldBelow(one.repository)
    steps = [
        lambda: rule(other, "db-1"),
        lambda: plain(other, "db-1", "ana"),
        lambda: rule(one, "db-1", "changed"),
        lambda: rule(other, "db-2", scope=ACME),
        lambda: rule(other, "db-3", forbids=("delete",)),
        lambda: one.retire(rule(other, "db-3"), principal=LEAD),
        lambda: other.forget(TEAM, entity="db-1", principal=LEAD),
        lambda: rule(other, "db-1", "again"),
        lambda: other.forget(ACME, principal=LEAD),
        lambda: rule(other, "db-9"),
    ]
    for step in steps:
        step()
        assert told(kept.under(ACME)) == told(HeldBelow(one.repository).under(ACME))


def test_what_rules_nothing_leaves_it_as_it_is(one, other):
    """So a check after a commit costs what the commit has changed, and no index is made anew."""
    rule(one, "db-1")
    kept = HeldBelow(one.repository)
    before = kept.under(ACME)
    plain(other, "db-1", "ana")
    assert kept.under(ACME) is before
    rule(other, "db-2")
    assert kept.under(ACME) is not before


def test_what_was_undone_is_held_by_nobody():
    """In memory a transaction is seen by its own thread before its end."""
    with Memory.open(":memory:", index=None, policy=POLICY) as memory:
        with pytest.raises(KeyError):
            begun_and_undone(memory)
        assert outcome(memory, "db-1") == "allow"
        rule(memory, "db-2")
        assert [outcome(memory, name) for name in ("db-1", "db-2")] == ["allow", "block"]


def test_a_check_reads_no_facts_but_rules(one, monkeypatch):
    """So the first check of a process costs as much as there are rules, however many facts there are."""
    held = rule(one, "db-1")
    for number in range(20):
        plain(one, f"db-{number}", "ana")
    read = []
    load = one.repository.load
    monkeypatch.setattr(one.repository, "load", lambda entries: read.extend(entries) or load(entries))
    HeldBelow(one.repository).under(ACME)
    assert [entry.record_id for entry in read] == [held]


def test_a_folder_that_is_older_than_the_marks_of_rules_loses_none(folder):
    with Memory.open(folder, index=None, policy=POLICY) as memory:
        rule(memory, "db-1")
        plain(memory, "db-2", "ana")
        with memory.log.database.write() as connection:
            connection.execute(text("DELETE FROM record_entities WHERE entity = :mark"), {"mark": HOLDING})
            connection.execute(text("DELETE FROM settings WHERE name = 'rules marked'"))
    with Memory.open(folder, index=None, policy=POLICY) as memory:
        assert [outcome(memory, name) for name in ("db-1", "db-2")] == ["block", "allow"]

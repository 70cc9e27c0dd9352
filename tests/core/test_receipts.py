"""Receipts are kept for a while: long enough to be asked about, not for ever."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from langgraph_memory import Actor, Memory, Policy, Principal, Scope
from langgraph_memory.errors import UnknownRecordError
from langgraph_memory.log.approvals import Answer
from langgraph_memory.log.tables import approvals
from langgraph_memory.testing import FrozenClock

TEAM = Scope.of(org="acme", workspace="staging")
AGENT = Principal("costguard", grants=(TEAM,))


@pytest.fixture
def memory():
    policy = Policy(retention={"receipt": timedelta(days=30)})
    with Memory.open(":memory:", policy=policy, clock=FrozenClock()) as opened:
        yield opened


def recalled(memory):
    found = memory.recall("cleanup", principal=AGENT, scope=TEAM)
    memory.publish(scope=TEAM, activity_id="a", event_type="note", actor=Actor("agent", "a"))
    return found.receipt_id


def test_a_receipt_is_explained_until_it_has_been_kept_long_enough(memory):
    old = recalled(memory)
    memory.clock.advance(days=29)
    young = recalled(memory)
    assert [receipt.id for receipt in memory.explanations()] == [old, young]
    memory.clock.advance(days=2)
    newest = recalled(memory)
    memory.consolidate()
    assert [receipt.id for receipt in memory.explanations()] == [young, newest]
    with pytest.raises(UnknownRecordError, match=old):
        memory.explain(old)
    assert memory.explain(young).body["query"] == "cleanup"


def test_old_approvals_go_when_a_new_one_comes(memory):
    def approve(digest):
        answer = Answer(
            approval=digest, decision="approved", grounds=(), scope=TEAM.key, actor="ana", at=memory.clock()
        )
        memory.approvals.note([answer])

    def held():
        with memory.log.database.read() as connection:
            return set(connection.scalars(select(approvals.c.digest)))

    approve("first")
    memory.clock.advance(days=80)
    approve("second")
    assert held() == {"first", "second"}
    memory.clock.advance(days=20)
    approve("third")
    assert held() == {"second", "third"}
    assert not memory.approvals.use("first", "task")
    assert memory.approvals.use("second", "task")


def test_scopes_lists_where_anything_is(memory):
    assert memory.scopes() == []
    recalled(memory)
    lena = Scope.of(org="acme", user="lena@example.com")
    memory.publish(scope=lena, activity_id="a", event_type="note", actor=Actor("agent", "a"))
    assert set(memory.scopes()) == {TEAM, lena}

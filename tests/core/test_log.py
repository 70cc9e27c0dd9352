"""The event log: idempotent, ordered, with leases that a dead process can't hold."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from langgraph_memory.errors import InvalidEventError
from langgraph_memory.log import EventLog
from langgraph_memory.log.claims import LostLeaseError
from langgraph_memory.log.leases import new_owner
from langgraph_memory.records import Actor, Event
from langgraph_memory.scope import Scope

NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)
TEAM = Scope.of(org="acme", workspace="web")


def event(event_id, *, activity="act", event_type="tool.completed", scope=TEAM, at=NOW, **data) -> Event:
    return Event(
        event_id=event_id,
        occurred_at=at,
        scope=scope,
        activity_id=activity,
        actor=Actor("tool", "cloud"),
        event_type=event_type,
        data=data,
    )


def ended(event_id, **fields) -> Event:
    return event(event_id, event_type="activity.completed", **fields)


@pytest.fixture
def log(tmp_path):
    with EventLog.open(str(tmp_path / "log.sqlite3")) as opened:
        yield opened


def claim(log, owner=None, *, now=NOW, limit=10):
    return log.activities.claim(
        owner or new_owner(), limit=limit, now=now, idle_before=now - timedelta(minutes=30)
    )


def test_the_same_id_is_one_event_and_keeps_its_first_form(log):
    first = log.append(event("e1", cpu=1))
    again = log.append(event("e1", cpu=2))
    assert again == first
    assert log.count() == 1
    assert log.get("e1").data == {"cpu": 1}


def test_an_id_of_another_scope_is_refused_and_what_came_before_is_kept(log):
    log.append(event("e1"))
    with pytest.raises(
        InvalidEventError, match=r"'e1' of scope 'org=b' is known in scope 'org=acme,workspace=web'"
    ):
        log.append(event("e1", scope=Scope.of(org="b")))
    assert log.get("e1").scope == TEAM


def test_events_come_back_in_order_since_a_cursor_and_by_activity(log):
    for n in range(6):
        log.append(event(f"e{n}", activity=f"a{n % 2}"))
    assert [e.event_id for e in log.since(2)] == ["e2", "e3", "e4", "e5"]
    assert [e.event_id for e in log.of_activity(TEAM, "a1")] == ["e1", "e3", "e5"]
    assert [e.event_id for e in log.of_activity(TEAM, "a1", after=2)] == ["e3", "e5"]


def test_a_look_alike_scope_is_not_below(log):
    log.append(event("in", scope=Scope.of(org="acme")))
    log.append(event("below", scope=Scope.of(org="acme", workspace="w")))
    log.append(event("other", scope=Scope.of(org="acme2")))
    assert [e.event_id for e in log.since(scope=Scope.of(org="acme"))] == ["in", "below"]


def test_an_activity_is_due_after_a_checkpoint_or_when_it_went_quiet(log):
    log.append(event("e1", activity="quiet"))
    assert claim(log) == []
    log.append(ended("e2", activity="done"))
    assert [c.activity_id for c in claim(log)] == ["done"]
    assert [c.activity_id for c in claim(log, now=NOW + timedelta(hours=1))] == ["quiet"]


def test_a_leased_activity_is_not_leased_twice_and_completing_moves_the_cursor(log):
    log.append(ended("e1"))
    (mine,) = claim(log)
    assert claim(log) == []
    with log.database.write() as connection:
        log.activities.complete(connection, mine, upto=1)
    assert claim(log) == []
    assert log.waiting([TEAM]) == []
    log.append(ended("e2"))
    (again,) = claim(log)
    assert again.done_seq == 1


def test_events_that_come_while_an_activity_is_worked_on_make_it_due_again(log):
    log.append(ended("e1"))
    (mine,) = claim(log)
    log.append(ended("e2"))
    with log.database.write() as connection:
        log.activities.complete(connection, mine, upto=1)
    assert [c.done_seq for c in claim(log)] == [1]


def test_the_lease_of_a_process_that_is_gone_is_void_at_once_and_its_commit_refused(log):
    log.append(ended("e1"))
    script = "from langgraph_memory.log.leases import new_owner; print(new_owner())"
    gone = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    (theirs,) = claim(log, gone.stdout.strip())
    (mine,) = claim(log)
    assert mine.fence == theirs.fence + 1
    with pytest.raises(LostLeaseError), log.database.write() as connection:
        log.activities.complete(connection, theirs, upto=1)
    log.activities.renew(mine)
    with pytest.raises(LostLeaseError):
        log.activities.renew(theirs)


def test_failures_wait_longer_and_end_as_visible_dead_letters_that_can_be_revived(log):
    log.append(ended("e1"))
    (mine,) = claim(log)
    log.activities.fail(mine, "model is down", not_before=NOW + timedelta(minutes=1), dead=False)
    assert claim(log) == []
    (again,) = claim(log, now=NOW + timedelta(minutes=2))
    assert again.attempts == 1
    log.activities.fail(again, "model is down", not_before=NOW, dead=True)
    assert claim(log, now=NOW + timedelta(days=1)) == []
    assert log.activities.backlog().dead == ((TEAM.key, "act", "model is down"),)
    assert log.activities.revive() == 1
    assert len(claim(log)) == 1


def test_a_second_opening_sees_everything(log, tmp_path):
    log.append(event("e1"))
    with EventLog.open(str(tmp_path / "log.sqlite3")) as other:
        assert [e.event_id for e in other.since()] == ["e1"]
        other.append(event("e2"))
    assert [e.seq for e in log.since()] == [1, 2]

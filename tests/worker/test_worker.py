"""A thread that consolidates while an application goes on."""

import threading

import pytest

from langgraph_memory import Worker, consolidation_graph
from langgraph_memory.consolidation.heartbeat import Heartbeat
from langgraph_memory.consolidation.model import ModelFailureError
from langgraph_memory.log.activities import Activities
from langgraph_memory.testing import FrozenClock

from .labour import TEAM, kept, opened, say, until


@pytest.fixture
def memory(tmp_path):
    with opened(tmp_path / "memory") as opened_memory:
        yield opened_memory


def test_it_wakes_when_an_activity_ends(memory):
    worker = Worker(memory, interval=3600).start()
    until(lambda: memory.log._listeners)
    say(memory, 0)
    (episode,) = until(lambda: memory.episodes(TEAM))
    assert episode.activity_id == "act-0"
    worker.close()
    assert worker.status().report.activities == 1


def test_what_nothing_woke_it_for_is_found_at_the_next_look(memory):
    say(memory, 0)
    with Worker(memory, interval=0.01):
        (episode,) = until(lambda: memory.episodes(TEAM))
    assert episode.activity_id == "act-0"


def test_with_drains_on_exit(memory):
    for number in range(12):
        say(memory, number)
    with Worker(memory, interval=3600) as worker:
        pass
    assert memory.backlog().due == 0
    assert len(memory.episodes(TEAM)) == 12
    assert worker.status().report.activities == 12
    assert not worker.status().running


def test_closed_without_draining_it_leaves_the_rest_to_others(memory):
    worker = Worker(memory)
    worker.close(drain=False)
    say(memory, 0)
    worker.start().close(drain=False)
    worker.close()
    assert memory.backlog().due + len(memory.episodes(TEAM)) == 1


def test_starting_and_closing_twice_is_fine(memory):
    worker = Worker(memory).start()
    first = worker._thread
    assert worker.start()._thread is first
    worker.close()
    worker.close()
    assert worker.start().status().running
    worker.close()


def test_several_workers_on_one_memory_do_nothing_twice(memory):
    for number in range(20):
        say(memory, number)
    workers = [Worker(memory, interval=0.01).start() for _ in range(3)]
    until(lambda: memory.backlog().due == 0 and memory.backlog().working == 0)
    for worker in workers:
        worker.close()
    assert sum(worker.status().report.activities for worker in workers) == 20
    assert set(kept(memory, 20).values()) == {1}
    assert len(memory.facts(TEAM)) == 20


def test_a_worker_and_the_graph_share_the_work(memory):
    for number in range(20):
        say(memory, number)
    with Worker(memory, interval=0.01):
        consolidation_graph(memory).invoke({})
    assert set(kept(memory, 20).values()) == {1}
    assert len(kept(memory, 20)) == 20


def test_an_outage_is_told_and_outlived(memory, monkeypatch, caplog):
    def away(*_, **__):
        raise OSError("the disk is away")

    with monkeypatch.context() as patch:
        patch.setattr(memory.pipeline, "claim", away)
        worker = Worker(memory, interval=0.01).start()
        say(memory, 0)
        until(lambda: worker.status().failures)
        assert worker.status().error == "OSError: the disk is away"
        assert worker.status().running
    until(lambda: memory.episodes(TEAM))
    until(lambda: worker.status().error is None)
    worker.close()
    assert "the disk is away" in caplog.text


def test_a_memory_that_was_closed_ends_the_thread(tmp_path):
    memory = opened(tmp_path / "other")
    worker = Worker(memory, interval=0.01).start()
    assert worker._thread.is_alive()
    memory.close()
    assert until(lambda: not worker._thread.is_alive())


def test_the_thread_is_a_daemon(memory):
    with Worker(memory) as worker:
        assert worker._thread.daemon


def test_status_shows_backlog_lag_retries_and_dead_letters(tmp_path):
    clock = FrozenClock()

    class Failing:
        def extract(self, events, known):
            raise ModelFailureError("the model is down")

    with opened(tmp_path / "m", clock=clock, extractor=Failing()) as memory:
        say(memory, 0)
        clock.advance(seconds=90)
        before = memory.backlog()
        assert (before.due, before.waiting, before.lag, before.retrying, before.dead) == (1, 1, 90.0, (), ())
        with Worker(memory) as worker:
            until(lambda: memory.backlog().retrying)
        (retry,) = worker.status().backlog.retrying
        assert (retry.activity_id, retry.attempts, retry.error) == ("act-0", 1, "the model is down")
        for _ in range(8):
            clock.advance(hours=12)
            memory.consolidate()
        after = memory.backlog()
        assert [(a, e) for _, a, e in after.dead] == [("act-0", "the model is down")]
        assert (after.due, after.retrying, after.lag) == (0, (), 0.0)
        assert len(memory.episodes(TEAM)) == 1
        memory.log.activities.revive()
        assert memory.backlog().due == 1


def test_a_critical_correction_needs_no_worker(memory):
    say(memory, 0, ends=False)
    assert memory.facts(TEAM) == []
    memory.publish(
        scope=TEAM,
        activity_id="act-0",
        event_type="feedback.correction",
        actor=memory.events(TEAM)[0].actor,
        data={"text": "Never restart db-1."},
        wait=True,
    )
    assert len(memory.facts(TEAM)) == 2


def test_leases_are_renewed_while_somebody_works(memory):
    say(memory, 0)
    (claim,) = memory.pipeline.claim(1)
    renewed = threading.Event()

    class Watched(Activities):
        def renew(self, claim):
            super().renew(claim)
            renewed.set()

    with Heartbeat(Watched(memory.log.database), [claim], interval=0.01):
        assert renewed.wait(60)
    memory.pipeline.process(claim)
    assert len(memory.episodes(TEAM)) == 1


def test_a_lost_lease_is_not_renewed_and_loses_nothing(memory):
    say(memory, 0)
    (claim,) = memory.pipeline.claim(1)
    later = claim.model_copy(update={"fence": claim.fence + 1})
    heartbeat = Heartbeat(memory.log.activities, [later], interval=0.01)
    with heartbeat:
        until(lambda: not heartbeat._held)
    assert memory.pipeline.process(later).activities == 0
    assert memory.pipeline.process(claim).activities == 1

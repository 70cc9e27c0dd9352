"""Desks, on which events lie for a moment: work of one that reads the log waits for no other one."""

import threading

import pytest

from langgraph_memory.log import EventLog
from langgraph_memory.runtime.desk import Desk

_PATIENCE_SECONDS = 10


@pytest.fixture
def log(tmp_path):
    with EventLog.open(tmp_path / "log.sqlite") as opened:
        yield opened


def test_two_desks_whose_work_settles_the_other_wait_for_each_other_never(log):
    desks = [Desk(log.database, pause=60), Desk(log.database, pause=60)]
    both = threading.Barrier(2)
    done = []
    for number, desk in enumerate(desks):

        def work(number=number):
            both.wait(_PATIENCE_SECONDS)
            desks[1 - number].settle()  # as whoever reads the log does with each desk
            done.append(number)

        desk.leave(work)
    threads = [threading.Thread(target=desk.settle, daemon=True) for desk in desks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_PATIENCE_SECONDS)
    assert sorted(done) == [0, 1]


def test_whoever_reads_the_log_sees_what_lies_on_a_desk(log):
    desk = Desk(log.database, pause=60)
    log.attend(desk, words=True)
    done = []
    desk.leave(lambda: done.append("written"))
    assert log.get("ev_that_is_not_there") is None
    assert done == ["written"]

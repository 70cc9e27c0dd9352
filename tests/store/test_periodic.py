"""Work in the background."""

import gc
import threading
import weakref

from langgraph_memory.errors import StorageError
from langgraph_memory.store.periodic import Periodic


class Worker:
    def __init__(self, steps=3, error=None):
        self.left, self.error = steps, error
        self.done = threading.Event()
        self.periodic = Periodic("test-worker", self.step, 0.001)

    def step(self):
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        self.left -= 1
        if not self.left:
            self.done.set()
        return self.left > 0


def test_it_goes_on_while_there_is_more():
    worker = Worker()
    worker.periodic.start()
    worker.periodic.start()
    assert worker.done.wait(30)
    assert worker.periodic.stop(30)
    left = worker.left
    assert not worker.periodic.running
    worker.periodic.wake()
    assert worker.left == left


def test_a_failed_step_is_tried_again():
    worker = Worker(steps=1, error=StorageError("down"))
    worker.periodic._try(worker.step)
    assert str(worker.periodic.trouble) == "down"
    worker.periodic.start()
    assert worker.done.wait(30)
    assert worker.periodic.stop(30)
    assert worker.periodic.trouble is None


def test_it_can_be_started_again():
    worker = Worker(steps=10**9)
    worker.periodic.start()
    assert worker.periodic.stop(30)
    worker.left, worker.done = 1, threading.Event()
    worker.periodic.start()
    assert worker.done.wait(30)
    assert worker.periodic.stop(30)


def test_it_ends_with_its_object():
    worker = Worker(steps=1)
    periodic, gone = worker.periodic, weakref.ref(worker)
    periodic.start()
    worker.done.wait(30)
    thread = periodic._thread
    del worker
    gc.collect()
    thread.join(30)
    assert gone() is None
    assert not periodic.running

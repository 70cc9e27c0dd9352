"""Work in the background: one step after another in a thread of its own, until it is stopped."""

from __future__ import annotations

import atexit
import os
import threading
import time
import weakref
from collections.abc import Callable

from langgraph_memory.errors import MemoryRuntimeError
from langgraph_memory.store.locks import Lock

_REST = 4

Step = Callable[[], bool]
"""One step of work; whether there is more to do now."""


class Periodic:
    """Runs a method each `seconds`, and again at once while it says that there is more.

    It takes no more than a fifth of the time, so that others get theirs. A step that fails is tried again the
    next time; `trouble` says why the last one failed. It ends with the object whose method it is.
    """

    def __init__(self, name: str, step: Step, seconds: float) -> None:
        self.trouble: MemoryRuntimeError | None = None
        self._name, self._step, self._seconds = name, weakref.WeakMethod(step), seconds
        self._starting = Lock()
        self._thread: threading.Thread | None = None
        self._process = 0
        self._woken, self._stopped = threading.Event(), threading.Event()
        _live.add(self)

    @property
    def running(self) -> bool:
        """Whether the thread is there (a forked child has none)."""
        return self._thread is not None and self._process == os.getpid() and self._thread.is_alive()

    def start(self) -> None:
        """Start the thread unless it is running."""
        with self._starting:
            if not self.running:
                self._woken, self._stopped = threading.Event(), threading.Event()
                self._process = os.getpid()
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def wake(self) -> None:
        """Let the next step begin now."""
        self._woken.set()

    def stop(self, timeout: float | None = None) -> bool:
        """Stop after the step that is under way; whether it has stopped within the timeout."""
        self._stopped.set()
        self._woken.set()
        thread = self._thread
        if thread is not None and self.running and thread is not threading.current_thread():
            thread.join(timeout)
        return not self.running

    def _run(self) -> None:
        stopped, woken = self._stopped, self._woken
        while not stopped.is_set():
            woken.clear()
            began = time.monotonic()
            step = self._step()
            if step is None:
                return
            more = self._try(step)
            del step  # or the object would never end
            if more:
                stopped.wait(_REST * (time.monotonic() - began))
            else:
                woken.wait(self._seconds)

    def _try(self, step: Step) -> bool:
        try:
            more = step()
        except MemoryRuntimeError as error:
            self.trouble = error
            return False
        self.trouble = None
        return more


_live: weakref.WeakSet[Periodic] = weakref.WeakSet()


def _stop_all() -> None:
    """Threads that still run while the interpreter goes down would be cut off in the middle of a step."""
    for periodic in list(_live):
        periodic.stop(timeout=10)


atexit.register(_stop_all)

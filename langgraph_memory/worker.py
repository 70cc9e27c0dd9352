"""Consolidation in the background: a thread that wakes when an activity is due."""

from __future__ import annotations

import logging
import threading
from typing import Self

from langgraph_memory.answers import ConsolidationReport
from langgraph_memory.closing import Closing
from langgraph_memory.errors import ClosedError
from langgraph_memory.log.backlog import Backlog
from langgraph_memory.memory import Memory
from langgraph_memory.records import Record
from langgraph_memory.signature import checked

_AT_ONCE = 4
"""How many activities are taken at a time: what a worker that is told to stop still finishes."""

_LONGEST_WAIT = 60.0
_log = logging.getLogger(__name__)


class WorkerStatus(Record):
    """How a worker does.

    Attributes:
        running: whether its thread runs.
        report: what it has done so far.
        failures: how often it could not work at all, in a row; 0 when all is well.
        error: the last reason.
        backlog: what waits, whoever will do it.
    """

    running: bool
    report: ConsolidationReport
    failures: int
    error: str | None
    backlog: Backlog


class Worker(Closing):
    """Consolidates what is due, in a daemon thread, and what is still due when it is closed.

    It wakes when an activity checkpoint is published through its memory, and looks every `interval` seconds
    for what other processes have published and for activities that have gone quiet. Any number of workers,
    in any number of processes, may run on one memory: each activity is leased to one of them, and that of a
    worker that died is taken over. The thread never keeps the interpreter alive.

    Args:
        memory: what to consolidate.
        interval: seconds between looks.

    Example:
        >>> from langgraph_memory import Actor, Scope
        >>> team = Scope.of(org="acme")
        >>> with Memory.open(":memory:") as memory:
        ...     with Worker(memory):
        ...         _ = memory.publish(
        ...             scope=team, activity_id="a", event_type="feedback.correction",
        ...             actor=Actor("user", "ana"), data={"text": "Never restart db-1."},
        ...         )
        ...     memory.backlog().waiting
        0
    """

    @checked()
    def __init__(self, memory: Memory, *, interval: float = 1.0) -> None:
        self._memory = memory
        self._interval = interval
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._report = ConsolidationReport()
        self._failures = 0
        self._error: str | None = None

    def start(self) -> Self:
        """Start the thread; starting twice is fine."""
        if self._thread is None or not self._thread.is_alive():
            self._stopping.clear()
            self._thread = threading.Thread(target=self._work, name="langgraph-memory-worker", daemon=True)
            self._thread.start()
        return self

    @checked()
    def close(self, *, drain: bool = True) -> None:
        """Stop the thread after what it has in hand, and do what is still due. Closing twice is fine.

        Args:
            drain: False leaves what is due to other workers.
        """
        self._stopping.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
            if drain:
                self._report = self._report.plus(self._memory.consolidate())

    def status(self) -> WorkerStatus:
        """How it does and what waits."""
        return WorkerStatus(
            running=self._thread is not None and self._thread.is_alive(),
            report=self._report,
            failures=self._failures,
            error=self._error,
            backlog=self._memory.backlog(),
        )

    def __enter__(self) -> Self:
        return self.start()

    def _work(self) -> None:
        with self._memory.log.listening(self._wake.set):
            while not self._stopping.is_set():
                self._wake.clear()
                if not self._round():
                    return
                self._wake.wait(min(self._interval * 2 ** min(self._failures, 6), _LONGEST_WAIT))

    def _round(self) -> bool:
        """Do what is due; False when memory was closed. After a failure the next round comes later."""
        try:
            while not self._stopping.is_set() and not self._memory.pipeline.is_idle():
                self._report = self._report.plus(self._memory.consolidate(limit=_AT_ONCE))
        except ClosedError:
            return False
        except Exception as error:  # noqa: BLE001 - a thread has nobody to raise to; the status carries it
            self._failures += 1
            self._error = f"{type(error).__name__}: {error}"
            _log.warning("consolidation could not go on and will be tried again: %s", self._error)
        else:
            self._failures, self._error = 0, None
        return True

"""Runs one piece of work on a memory folder in a process that may kill itself in the middle.

`python killed.py WORK CALLS [ARGUMENTS]`: the process ends by SIGKILL at the CALLS-th call of a function of
the package; 0 lets the work finish and prints how many calls it took.
"""

import os
import signal
import sys
import threading
from pathlib import Path

import langgraph_memory
from acceptance.world import FRIDAY, leads_policy
from langgraph_memory import Memory, cli
from langgraph_memory.testing import FrozenClock

PACKAGE = str(Path(langgraph_memory.__file__).parent)


class Countdown:
    """A profiler that counts the package's function calls and kills the process at one of them."""

    def __init__(self, last):
        self.last = last
        self.count = 0
        self.lock = threading.Lock()

    def __call__(self, frame, event, arg):
        if event != "call" or not frame.f_code.co_filename.startswith(PACKAGE):
            return
        with self.lock:
            self.count += 1
            if self.count == self.last:
                os.kill(os.getpid(), signal.SIGKILL)

    def __enter__(self):
        threading.setprofile(self)
        sys.setprofile(self)
        return self

    def __exit__(self, *exception):
        sys.setprofile(None)
        threading.setprofile(None)


def consolidate(countdown, folder):
    clock = FrozenClock(FRIDAY)
    clock.advance(days=20)
    with Memory.open(folder, policy=leads_policy(), clock=clock) as memory, countdown:
        memory.consolidate()


def ingest(countdown, *arguments):
    sys.argv = ["langgraph-memory", "ingest", *arguments]
    with countdown:
        cli.main()


if __name__ == "__main__":
    work, calls, *arguments = sys.argv[1:]
    countdown = Countdown(int(calls))
    try:
        {"consolidate": consolidate, "ingest": ingest}[work](countdown, *arguments)
    finally:
        sys.stderr.write(f"\ncalls={countdown.count}\n")

"""Pieces of work on a memory folder, each in a process of its own that may kill itself in the middle."""

import multiprocessing
import os
import signal
import sys
import threading
from pathlib import Path

import langgraph_memory
from langgraph_memory import Memory, cli
from langgraph_memory.testing import FrozenClock

from .world import FRIDAY, leads_policy

PACKAGE = str(Path(langgraph_memory.__file__).parent)
PRELOADED = [
    "langgraph_memory.cli",
    "langgraph_memory.testing",
    "langgraph.checkpoint.sqlite",
    "langgraph.prebuilt",
]


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


def later():
    """A clock some weeks after the story."""
    clock = FrozenClock(FRIDAY)
    clock.advance(days=20)
    return clock


def consolidate(countdown, folder):
    """Consolidate what is due; only that is counted."""
    with Memory.open(folder, policy=leads_policy(), clock=later()) as memory, countdown:
        memory.consolidate()


def ingest(countdown, *arguments):
    """The console command, from its start to its end."""
    sys.argv = ["langgraph-memory", "ingest", *map(str, arguments)]
    with countdown:
        cli.main()


def run(work, *arguments, last=0):
    """Run `work` in a process that ends by SIGKILL at its `last`-th call of a function of the package.

    Returns:
        The exit code and, if the work was done, how many calls it took.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(work, arguments, last, sender))
    process.start()
    sender.close()
    process.join(timeout=240)
    count = receiver.recv() if receiver.poll() and process.exitcode != -signal.SIGKILL else None
    receiver.close()
    return process.exitcode, count


def _child(work, arguments, last, sender):
    countdown = Countdown(last)
    try:
        work(countdown, *arguments)
    finally:
        sender.send(countdown.count)

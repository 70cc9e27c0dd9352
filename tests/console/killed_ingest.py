"""Runs the console's ingest in a process that kills itself.

`python killed_ingest.py PHASE NUMBER ARGUMENTS…`: SIGKILL within the NUMBER-th transaction of `reading`
or `consolidating`, with all of it written and nothing committed.
"""

import os
import signal
import sys
from contextlib import contextmanager

from langgraph_memory import cli
from langgraph_memory.consolidation.pipeline import Pipeline
from langgraph_memory.database import Database


class Fate:
    """Counts the transactions of a phase, and ends the process in one of them."""

    def __init__(self, phase, number):
        self.phase, self.number = phase, number
        self.now, self.seen = "reading", 0

    def transaction(self):
        self.seen += self.now == self.phase
        if self.seen == self.number:
            os.kill(os.getpid(), signal.SIGKILL)


def follow(fate):
    """Let the database and the pipeline tell what happens."""
    write, run_one = Database.write, Pipeline.run_one

    @contextmanager
    def written(database, **how):
        with write(database, **how) as connection:
            yield connection
            fate.transaction()

    def consolidated(pipeline, *activity):
        fate.now = "consolidating"
        return run_one(pipeline, *activity)

    Database.write, Pipeline.run_one = written, consolidated


if __name__ == "__main__":
    phase, number, *arguments = sys.argv[1:]
    follow(Fate(phase, int(number)))
    sys.argv = ["langgraph-memory", *arguments]
    cli.main()

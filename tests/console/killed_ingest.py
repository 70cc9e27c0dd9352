"""Runs the console's ingest in a process that kills itself.

`python killed_ingest.py METHOD CALL ARGUMENTS…`: SIGKILL at the CALL-th call of the method.
"""

import os
import signal
import sys

from langgraph_memory import Memory, cli
from langgraph_memory.log import EventLog
from langgraph_memory.repository import Repository

METHODS = {
    "publish": (Memory, "publish"),
    "commit": (Repository, "commit"),
    "complete": (EventLog, "complete"),
}


def kill_at(owner, name, call):
    """Let the method work until its CALL-th call."""
    work, calls = getattr(owner, name), []

    def counted(*args, **fields):
        calls.append(name)
        if len(calls) == call:
            os.kill(os.getpid(), signal.SIGKILL)
        return work(*args, **fields)

    setattr(owner, name, counted)


if __name__ == "__main__":
    method, call, *arguments = sys.argv[1:]
    kill_at(*METHODS[method], int(call))
    sys.argv = ["langgraph-memory", *arguments]
    cli.main()

"""Who holds a lease: owners that can be told dead on their own host before the lease runs out."""

from __future__ import annotations

import os
import socket
import uuid
from pathlib import Path

from sqlalchemy import Connection, text

from langgraph_memory.database import Database

SECONDS = 60.0
"""How long a lease holds without being renewed, in the database's time."""


def new_owner() -> str:
    """An owner id that names host, process and the process's start, so that others can see it is gone."""
    return f"{socket.gethostname()}|{os.getpid()}|{_started(os.getpid())}|{uuid.uuid4().hex}"


def is_gone(owner: str) -> bool:
    """Whether the owner was a process of this host that no longer runs; False where that can't be known.

    >>> is_gone(new_owner()), is_gone("elsewhere|1|0|x")
    (False, False)
    """
    host, pid, started, _ = owner.split("|")
    if host != socket.gethostname():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return started != _started(int(pid))


def seconds(connection: Connection, database: Database) -> float:
    """The database's own time, so that hosts with different clocks agree on leases."""
    sqlite = "SELECT (julianday('now') - 2440587.5) * 86400.0"
    query = text(sqlite if database.is_sqlite else "SELECT extract(epoch FROM now())")
    return float(connection.scalar(query) or 0)


def _started(pid: int) -> str:
    """When the process started, in clock ticks since boot; '0' on systems without /proc."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return "0"
    return stat.rpartition(")")[2].split()[19]

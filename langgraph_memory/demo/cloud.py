"""A small simulated cloud, kept in SQLite: machines that can be stopped, and the jobs that need them."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from langgraph_memory.closing import Closing
from langgraph_memory.records import Record

IDLE_CPU = 0.2
"""What a machine's processor does while no job runs, in per cent."""

_SCHEMA = """
CREATE TABLE machines (id TEXT PRIMARY KEY, name TEXT UNIQUE, kind TEXT, hourly_usd REAL, since TEXT);
CREATE TABLE jobs (name TEXT, team TEXT, machine_id TEXT, starts_at TEXT, ends_at TEXT, cpu_pct REAL);
CREATE TABLE changes (machine_id TEXT, at TEXT, state TEXT);
"""


class Machine(Record):
    """A machine of the cloud; `kind` is `gpu` or `general`."""

    id: str
    name: str
    kind: str
    hourly_usd: float


class Job(Record):
    """Work that a team has planned on a machine. The agent's tools don't show it, as in real life."""

    name: str
    team: str
    machine_id: str
    starts_at: datetime
    ends_at: datetime
    cpu_pct: float


class UnknownMachineError(LookupError):
    """No machine has the id."""


class Cloud(Closing):
    """Machines with their state and load, as seen at the clock's time. Any thread may use it.

    `now()` is that time.

    Args:
        machines: what there is; all run from the beginning.
        jobs: who needs which machine when; a job that finds its machine stopped fails.
        since: when the cloud begins.
        clock: the present moment, aware.
        path: a file for SQLite, or ":memory:".
    """

    def __init__(
        self,
        machines: Iterable[Machine],
        jobs: Iterable[Job],
        *,
        since: datetime,
        clock: Callable[[], datetime],
        path: str | Path = ":memory:",
    ) -> None:
        self.now = clock
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path, check_same_thread=False)
        self._database.row_factory = sqlite3.Row
        self._database.executescript(_SCHEMA)
        begin = since.isoformat()
        for machine in machines:
            self._run("INSERT INTO machines VALUES (:id, :name, :kind, :hourly_usd, :since)",
                      machine.model_dump() | {"since": begin})  # fmt: skip
            self._change(machine.id, begin, "running")
        for job in jobs:
            self._run(
                "INSERT INTO jobs VALUES (:name, :team, :machine_id, :starts_at, :ends_at, :cpu_pct)",
                job.model_dump(mode="json"),
            )

    def machines(self) -> list[Machine]:
        """All machines, by name."""
        rows = self._run("SELECT id, name, kind, hourly_usd FROM machines ORDER BY name")
        return [Machine.model_validate(dict(row)) for row in rows]

    def machine(self, machine_id: str) -> Machine:
        """The machine with this id.

        Raises:
            UnknownMachineError: there is none.
        """
        for machine in self.machines():
            if machine.id == machine_id:
                return machine
        known = ", ".join(machine.id for machine in self.machines())
        raise UnknownMachineError(f"no machine has the id {machine_id!r}: there are {known}")

    def state(self, machine_id: str, at: datetime | None = None) -> str:
        """`running` or `stopped`, now or at a past moment."""
        query = "SELECT state FROM changes WHERE machine_id = ? AND at <= ? ORDER BY at, rowid"
        rows = self._run(query, machine_id, (at or self.now()).isoformat())
        return str(rows[-1]["state"])

    def set_state(self, machine_id: str, state: str) -> None:
        """Start or stop a machine now; one that is in the state already stays so."""
        self.machine(machine_id)
        if self.state(machine_id) != state:
            self._change(machine_id, self.now().isoformat(), state)

    def average_cpu(self, machine_id: str, window: timedelta) -> float:
        """The mean processor load over the window that ends now, in per cent, while it was running."""
        now = self.now()
        busy = sum(
            _overlap(job, now - window, now) / window * (job.cpu_pct - IDLE_CPU)
            for job in self.jobs(machine_id)
            if self._ran(job)
        )
        return round(IDLE_CPU + busy, 1)

    def idle_time(self, machine_id: str) -> timedelta:
        """How long ago its last job ended: nothing while one runs, the age of the cloud if there was none."""
        now = self.now()
        begun = [job for job in self.jobs(machine_id) if job.starts_at < now and self._ran(job)]
        ends = [min(job.ends_at, now) for job in begun]
        (row,) = self._run("SELECT since FROM machines WHERE id = ?", machine_id)
        return now - max(ends, default=datetime.fromisoformat(row["since"]))

    def jobs(self, machine_id: str) -> list[Job]:
        """What is planned on a machine, in order."""
        rows = self._run("SELECT * FROM jobs WHERE machine_id = ? ORDER BY starts_at", machine_id)
        return [Job.model_validate(dict(row)) for row in rows]

    def needed_by(self, machine_id: str, moment: datetime) -> Job | None:
        """The next job that still needs the machine at or after a moment; None if nobody does."""
        return next((job for job in self.jobs(machine_id) if job.ends_at > moment), None)

    def failed_jobs(self, after: datetime, until: datetime) -> list[Job]:
        """The jobs that should have begun in the span and found their machine stopped."""
        jobs = [job for machine in self.machines() for job in self.jobs(machine.id)]
        failed = [job for job in jobs if after < job.starts_at <= until and not self._ran(job)]
        return sorted(failed, key=lambda job: job.starts_at)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _ran(self, job: Job) -> bool:
        return self.state(job.machine_id, job.starts_at) == "running"

    def _change(self, machine_id: str, at: str, state: str) -> None:
        self._run("INSERT INTO changes VALUES (?, ?, ?)", machine_id, at, state)

    def _run(self, statement: str, *values: Any) -> list[sqlite3.Row]:
        given = values[0] if values and isinstance(values[0], dict) else values
        with self._lock, self._database:
            return self._database.execute(statement, given).fetchall()


def _overlap(job: Job, start: datetime, end: datetime) -> timedelta:
    return max(min(job.ends_at, end) - max(job.starts_at, start), timedelta())

"""The scopes that were searched lately, kept up to date with what any process writes."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterable

from sqlalchemy import Connection

from langgraph_memory.database import Database
from langgraph_memory.store import findables, namespaces
from langgraph_memory.store.namespaces import Territory
from langgraph_memory.store.partition import Partition
from langgraph_memory.store.state import State

_REMOVALS_KEPT = 100_000


class Partitions:
    """The partitions that were searched lately, as many as fit into `budget` bytes. One thread at a time."""

    def __init__(self, database: Database, *, budget: int) -> None:
        self._database, self._budget = database, budget
        self._cached: OrderedDict[tuple[Territory, str], Partition] = OrderedDict()
        self._taken = 0
        self._removals = _Removals()
        self._known = State()
        self._rollbacks, self._process = database.rollbacks, os.getpid()

    def find(self, connection: Connection, territory: Territory, prefix: str, model: int) -> Partition | None:
        """The items below an encoded prefix as of the last `advance`; None if they have to be read anew.

        `model` is whose vectors are read of those that were added meanwhile.
        """
        partition = self._cached.get((territory, territory.narrowed(prefix)))
        if partition is None or not self._removals.apply(partition) or partition.stale:
            return None
        if partition.pending:
            partition.add(findables.by_version(connection, partition.pending, model=model))
            partition.pending = []
        return partition

    def keep(self, territory: Territory, prefix: str, partition: Partition) -> None:
        """Keep the items below an encoded prefix, as the ones searched last."""
        name = (territory, territory.narrowed(prefix))
        self._drop(name)
        self._removals.note(partition)
        self._cached[name] = partition
        partition.counted = partition.nbytes
        self._taken += partition.counted
        while self._taken > self._budget and len(self._cached) > 1:
            self._drop(next(iter(self._cached)))

    def clear(self) -> None:
        """Forget all."""
        self._cached.clear()
        self._taken = 0

    def advance(self, connection: Connection, now: State) -> None:
        """Note what was written since the last time, by whichever process.

        All are forgotten where that can't be told: after an undone transaction, after a rebuild, and in a
        forked child, which may have been born in the middle of a change.
        """
        told = (now.epoch, self._database.rollbacks, os.getpid())
        same = told == (self._known.epoch, self._rollbacks, self._process)
        if same and now.version == self._known.version:
            return
        changes = findables.changes(connection, self._known.version) if self._cached and same else None
        self._known, self._rollbacks, self._process = now, self._database.rollbacks, os.getpid()
        if changes is None:
            self.clear()
            return
        self._removals.add(changes.removed)
        for added, namespace in sorted(changes.added):
            self._note(added, namespace)

    def _note(self, version: int, namespace: str) -> None:
        territory = next(t for t in Territory if t.covers(namespace))
        for prefix in namespaces.ancestors(namespace):
            partition = self._cached.get((territory, prefix))
            if partition is not None:
                partition.pending.append(version)
                if partition.stale:
                    self._drop((territory, prefix))

    def _drop(self, name: tuple[Territory, str]) -> None:
        partition = self._cached.pop(name, None)
        if partition is not None:
            self._taken -= partition.counted


class _Removals:
    """Numbers of removed rows, in the order of removal; a partition takes note of them when it is needed."""

    def __init__(self) -> None:
        self._versions: list[int] = []
        self._forgotten = 0

    def add(self, versions: Iterable[int]) -> None:
        self._versions += versions
        surplus = len(self._versions) - _REMOVALS_KEPT
        if surplus > 0:
            self._forgotten += surplus
            del self._versions[:surplus]

    def note(self, partition: Partition) -> None:
        """A partition that knows of all removals so far."""
        partition.removals = self._forgotten + len(self._versions)

    def apply(self, partition: Partition) -> bool:
        """Bring a partition up to date; False if it is too far behind."""
        if partition.removals < self._forgotten:
            return False
        partition.discard(self._versions[partition.removals - self._forgotten :])
        self.note(partition)
        return True

"""Refusals in the audit: who asked for what and was not let in, once in a while and never without end."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from langgraph_memory.errors import AccessDeniedError, MemoryRuntimeError
from langgraph_memory.log.ledger import Ledger
from langgraph_memory.scope import Principal, Scope

_WINDOW = timedelta(hours=1)
_OF_ONE, _OF_ALL = 20, 200
"""How many different refusals of one principal, and of all, are noted in a window."""


class Denials:
    """Notes refusals: each principal, scope, door and record once in an hour, and a bounded number of them.

    A note tells what was asked and why it was refused, nothing of what is held there.

    Args:
        ledger: where the audit is.
        clock: the time of the entries.
    """

    def __init__(self, ledger: Ledger, clock: Callable[[], datetime]) -> None:
        self._ledger = ledger
        self._clock = clock
        self._since: datetime | None = None
        self._seen: set[tuple[str, ...]] = set()
        self._noted: Counter[str] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def noted(self, door: str, principal: Principal, scope: Scope) -> Iterator[None]:
        """Note it where what is done inside is refused; the refusal goes on as it is."""
        try:
            yield
        except AccessDeniedError as refusal:
            self.refused(refusal, door, principal, scope)
            raise

    def refused(self, refusal: AccessDeniedError, door: str, principal: Principal, scope: Scope) -> None:
        """Note that no grant covers what was asked for; the error tells what could not be noted."""
        try:
            self.note(door, principal, scope, reason="no grant covers it")
        except MemoryRuntimeError as failure:
            refusal.add_note(f"the audit does not tell of it: {failure}")

    def note(
        self,
        door: str,
        principal: Principal,
        scope: Scope,
        *,
        reason: str,
        about: str | None = None,
        decision: str = "denied",
    ) -> None:
        """Write a refusal down, unless it was lately; `about` is the id of a record, the scope by default."""
        at, record_id = self._clock(), about or str(scope)
        last = self._counted((principal.user_id, scope.key, door, record_id), at)
        if last is None:
            return
        told = "further refusals are not told for an hour" if last else reason
        with self._ledger.database.write() as connection:
            self._ledger.audit.note(
                connection,
                decision,
                record_id=record_id,
                scope=scope.key,
                actor=principal.user_id,
                reason=f"{door}: {told}",
                at=at,
            )

    def _counted(self, refusal: tuple[str, ...], at: datetime) -> bool | None:
        """Whether this is the last one that is told; None if it isn't told."""
        who = refusal[0]
        with self._lock:
            if self._since is None or not self._since <= at < self._since + _WINDOW:
                self._since = at
                self._seen.clear()
                self._noted.clear()
            if refusal in self._seen or self._noted[who] >= _OF_ONE or self._noted.total() >= _OF_ALL:
                return None
            self._seen.add(refusal)
            self._noted[who] += 1
            return self._noted[who] == _OF_ONE or self._noted.total() == _OF_ALL

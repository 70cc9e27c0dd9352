"""Leases are kept while their holder works: a slow model must not cost it the activities it holds."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from langgraph_memory.errors import StorageError
from langgraph_memory.log import leases
from langgraph_memory.log.activities import Activities
from langgraph_memory.log.claims import Claim, LostLeaseError

_INTERVAL = leases.SECONDS / 3


class Heartbeat:
    """Renews leases from a thread of its own until they are done.

    Args:
        activities: where the leases are.
        claims: those to renew.
        interval: seconds between renewals.
    """

    def __init__(
        self, activities: Activities, claims: Iterable[Claim], *, interval: float = _INTERVAL
    ) -> None:
        self._activities = activities
        self._held = {(claim.scope.key, claim.activity_id): claim for claim in claims}
        self._interval = interval
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="langgraph-memory-leases", daemon=True)

    def done(self, claim: Claim) -> None:
        """Renew this one no more."""
        self._held.pop((claim.scope.key, claim.activity_id), None)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._over.wait(self._interval):
            for claim in tuple(self._held.values()):
                self._renew(claim)

    def _renew(self, claim: Claim) -> None:
        """Renew one lease; what can't be renewed lapses, and the commit under it is refused then."""
        try:
            self._activities.renew(claim)
        except LostLeaseError:
            self.done(claim)
        except StorageError:
            return

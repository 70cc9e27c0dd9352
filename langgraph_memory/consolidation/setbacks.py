"""What becomes of an activity whose model or store failed: it waits longer each time, then for a person."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from langgraph_memory.answers import ConsolidationReport
from langgraph_memory.consolidation.work import Work
from langgraph_memory.log import EventLog
from langgraph_memory.repository import Note, Repository

_BACKOFF = timedelta(seconds=30)
_LONGEST_BACKOFF = timedelta(hours=6)


class Setbacks:
    """Puts activities back into the queue.

    Args:
        log: the queue.
        repository: where the plain episode is written meanwhile.
        clock: from when the waiting counts.
    """

    def __init__(self, log: EventLog, repository: Repository, clock: Callable[[], datetime]) -> None:
        self._log = log
        self._repository = repository
        self._clock = clock

    def put_back(self, work: Work) -> ConsolidationReport:
        """Wait longer after each failure; after the policy's number of attempts it is a dead letter."""
        self._keep_episode(work)
        attempts = work.claim.attempts + 1
        wait = min(max(_BACKOFF * 2 ** (attempts - 1), work.retry_after or timedelta()), _LONGEST_BACKOFF)
        self._log.activities.fail(
            work.claim,
            work.failure or "",
            not_before=self._clock() + wait,
            dead=attempts >= self._repository.policy.max_attempts,
        )
        return ConsolidationReport(failed=1)

    def _keep_episode(self, work: Work) -> None:
        """Write the plain episode of an activity whose model failed; the next attempt tells it better."""
        if work.episode is not None:
            note = Note(decision="kept", record_id=work.episode.episode_id, reason="without the model")
            self._repository.commit(
                [self._repository.over(work.episode)],
                scope=work.claim.scope,
                actor="consolidation",
                at=self._clock(),
                notes=[note],
            )

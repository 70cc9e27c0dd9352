"""What memory could not do, for whoever runs an agent: where no state carries it, the log tells it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

_log = logging.getLogger(__name__)
_KEPT = 100
_Answer = TypeVar("_Answer")


class Notices:
    """The notices of one piece of middleware; each is logged, as a warning, when it first comes."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def told(self, notices: list[str]) -> list[str]:
        """The notices as they came, once they have been logged."""
        for notice in notices:
            if notice not in self._known and len(self._known) < _KEPT:
                self._known.add(notice)
                _log.warning("%s", notice)
        return notices


def attempt(work: Callable[[], _Answer]) -> tuple[_Answer | None, str | None]:
    """Run a piece of memory's work; a failure is returned as a notice, for a run must not die of it.

    The store and the log are the user's to bring, so any exception of theirs may surface here.
    """
    try:
        return work(), None
    except Exception as error:  # noqa: BLE001 - the border to stores that others wrote; the notice carries it
        return None, f"memory failed: {type(error).__name__}: {error}"

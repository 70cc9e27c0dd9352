"""What memory could not do, for whoever runs an agent: where no state carries it, the log tells it."""

from __future__ import annotations

import logging

_log = logging.getLogger(__name__)
_KEPT = 100


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

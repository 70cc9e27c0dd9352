"""Decisions on what changed meanwhile: they are made again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_ATTEMPTS = 20
_Made = TypeVar("_Made")


class StaleReadError(Exception):
    """Someone else changed a record between reading and committing; read again and decide again."""


def decided_anew(decide: Callable[[], _Made], *, about: str) -> _Made:
    """What comes of reading, deciding and committing; done again where someone else was faster.

    Raises:
        StaleReadError: someone else was faster each time.
    """
    for _ in range(_ATTEMPTS):
        try:
            return decide()
        except StaleReadError:
            continue
    raise StaleReadError(about)

"""The order of search results: scores first, then what was updated last."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]

_FIRST_LOOK = 64


def ranked(
    scores: NDArray[np.float64], updated: NDArray[np.int64], versions: NDArray[np.int64], first: int
) -> Iterator[int]:
    """Rows by descending score, NaN last; equal ones by the time of their update, then by number.

    Sorts no more than it has to: about `first` rows, then four times as many, and so on.

    >>> one = np.ones(3, np.int64)
    >>> list(ranked(np.array([0.1, np.nan, 0.9]), one, one, 1))
    [2, 0, 1]
    """
    keys = np.nan_to_num(scores, nan=-1.0)
    given, wanted = 0, max(first, _FIRST_LOOK)
    while given < len(keys):
        rows = _best(keys, wanted)
        order = rows[np.lexsort((-versions[rows], -updated[rows], -keys[rows]))]
        yield from map(int, order[given:])
        given, wanted = len(order), 4 * wanted


def page(rows: Iterator[int], accepted: Callable[[int], bool], offset: int, limit: int) -> list[int]:
    """`limit` accepted rows after the first `offset` accepted ones."""
    found: list[int] = []
    for row in rows:
        if len(found) == offset + limit:
            break
        if accepted(row):
            found.append(row)
    return found[offset:]


def _best(keys: NDArray[np.float64], wanted: int) -> Rows:
    """The rows with the highest keys, at least as many as wanted; of equal ones all or none."""
    if wanted >= len(keys):
        return np.arange(len(keys))
    threshold = np.partition(keys, len(keys) - wanted)[len(keys) - wanted]
    return np.flatnonzero(keys >= threshold)

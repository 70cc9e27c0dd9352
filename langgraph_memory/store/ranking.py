"""The order of search results: scores first, then what was updated last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

_FIRST_LOOK = 64


def ranked(scores: NDArray[np.float64], updated: NDArray[np.int64], first: int) -> Iterator[NDArray[np.intp]]:
    """Rows by descending score, NaN last; of equal ones the latest updated, then the later row comes first.

    They come some at a time, sorted no further than they have to be: about `first` rows, then four times as
    many, and so on.

    >>> [rows.tolist() for rows in ranked(np.array([0.1, np.nan, 0.9]), np.zeros(3, np.int64), 1)]
    [[2, 0, 1]]
    """
    keys = np.where(np.isnan(scores), -1.0, scores)
    given, wanted = 0, max(first, _FIRST_LOOK)
    while given < len(keys):
        rows = _best(keys, wanted)
        order = rows[np.lexsort((-rows, -updated[rows], -keys[rows]))]
        yield order[given:]
        given, wanted = len(order), 4 * wanted


def page(
    versions: Iterable[int],
    accepted: Callable[[Sequence[int]], list[bool]] | None,
    offset: int,
    limit: int,
) -> list[int]:
    """`limit` accepted ones after the first `offset` accepted ones; asks about some more at a time each time.

    >>> page(range(100), lambda some: [n % 2 == 0 for n in some], 3, 2)
    [6, 8]
    """
    if accepted is None:
        return list(islice(versions, offset, offset + limit))
    found: list[int] = []
    rest, look = iter(versions), 2 * (offset + limit)
    while len(found) < offset + limit and (some := list(islice(rest, look))):
        found += [version for version, good in zip(some, accepted(some), strict=True) if good]
        look *= 4
    return found[offset : offset + limit]


def _best(keys: NDArray[np.float64], wanted: int) -> NDArray[np.intp]:
    """The rows with the highest keys, at least as many as wanted; of equal ones all or none."""
    if wanted >= len(keys):
        return np.arange(len(keys))
    threshold = np.partition(keys, len(keys) - wanted)[len(keys) - wanted]
    return np.flatnonzero(keys >= threshold)

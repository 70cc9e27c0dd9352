"""One score from two: what the words of a query say about a row, and what its vector says.

Scores are added, not ranks, so that a clear lead on either side stays one. Word scores are taken as they are:
sums of inverse document frequencies, which are small where the query's words are common or not met. Cosines
are taken in standard deviations, so that any model will do. Thus words lead where rare ones are met, vectors
lead where the words say little, and the more of a query is identifiers the less its vector counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from langgraph_memory.store.tokens import identifier_tokens

Floats = NDArray[np.float64]
Vector = NDArray[np.float32]

DEVIATION = 1.5
"""What a standard deviation of cosines is worth, in units of inverse document frequency."""

USUAL_DEVIATION = 0.1
"""The standard deviation of cosines to a query, in models as people use them."""

USUAL_ROWS = 10
"""The rows from which on a scope's own standard deviation counts more than the usual one."""

TYPICAL_ROWS = 50
"""The rows from which on more than half of what they have in common is taken off a query."""

_SAMPLE = 64
_NORMAL = NormalDist()


def fuse(
    query: str, query_tokens: Sequence[str], words: Floats, vectors: Floats | None, *, ceiling: float
) -> Floats:
    """Scores in [0, 1]: what a row has of the score of one that fits in every way.

    Args:
        query: the query as it was asked.
        query_tokens: its tokens.
        words: BM25 of each row; NaN where a row has no words.
        vectors: cosine of each row to the query; NaN where a row has no vector, None where none has.
        ceiling: `WordIndex.ceiling` of the tokens.

    Returns:
        A score a row; NaN where a row has neither words nor a vector.

    >>> fuse("gpu", ["gpu"], np.array([0.7, 0, np.nan]), np.array([0.1, 0.9, np.nan]), ceiling=1.8).round(2)
    array([0.15, 0.73,  nan])
    """
    wordless = np.isnan(words)
    score = np.where(wordless, 0.0, words)
    best = max(ceiling, float(score.max(initial=0.0)))
    if vectors is None:
        absent = wordless
    else:
        weight = DEVIATION * (1 - _identifier_share(query, tuple(query_tokens)))
        absent = wordless & np.isnan(vectors)
        nearness, nearest = _nearness(vectors)
        score += weight * nearness
        best += weight * nearest
    if best > 0:
        score /= best
    score[absent] = np.nan
    return score


def centred(query: Vector, mean: Vector, rows: int) -> Vector:
    """A query's unit vector without what the rows of a scope have in common, which tells none from another.

    The mean of a few rows says little about what is common, so little of it is taken off. A query that says
    nothing (zeros), or nothing else than the rows have in common, stays as it is.

    Args:
        query: the vector, `(dims,)`.
        mean: the mean of the scope's vectors, `(dims,)`.
        rows: how many vectors the scope has.
    """
    rest = query - rows / (rows + TYPICAL_ROWS) * mean
    length = float(np.linalg.norm(rest))
    return (rest / length).astype(np.float32) if length > 0 and query.any() else query


@lru_cache(maxsize=64)
def _identifier_share(query: str, query_tokens: tuple[str, ...]) -> float:
    named = set(identifier_tokens(query))
    return sum(token in named for token in query_tokens) / max(1, len(query_tokens))


def _nearness(cosines: Floats) -> tuple[Floats, float]:
    """Cosines in standard deviations above the lowest, and what a cosine of 1 would be.

    A row without a vector is taken for an average one.
    """
    missing = np.isnan(cosines)
    given = cosines[~missing] if missing.any() else cosines
    if not len(given):
        return np.zeros(len(cosines)), 0.0
    floor = _floor(given)
    mean, deviation = _moments(given) if floor is None else _moments_of_tail(given, floor)
    unknown = missing if floor is None else missing | (cosines == floor)
    filled = np.where(unknown, mean, cosines) if unknown.any() else cosines
    lowest = min(0.0, float(filled.min()))
    return (filled - lowest) / deviation, (max(1.0, float(filled.max())) - lowest) / deviation


def _floor(cosines: Floats) -> float | None:
    """The value that most rows have, if there is one: that of the rows that an index search didn't find."""
    sample = np.sort(cosines[:: max(1, len(cosines) // _SAMPLE)])
    middle = float(sample[len(sample) // 2])
    return middle if 2 * np.count_nonzero(sample == middle) > len(sample) else None


def _moments(cosines: Floats) -> tuple[float, float]:
    """Mean and standard deviation, the latter drawn towards the usual one where few rows tell it."""
    return float(cosines.mean()), _drawn(float(cosines.var()), len(cosines))


def _moments_of_tail(cosines: Floats, floor: float) -> tuple[float, float]:
    """Mean and standard deviation of the normal distribution of which only what is above `floor` is known.

    The mean excess of a normal tail of probability p, which begins at z, is `density(z) / p - z` deviations.
    """
    tail = cosines[cosines > floor]
    if not len(tail):
        return floor, USUAL_DEVIATION
    share = len(tail) / len(cosines)
    begin = _NORMAL.inv_cdf(1 - share)
    excess = float(tail.mean() - floor) / (_NORMAL.pdf(begin) / share - begin)
    deviation = _drawn(excess**2, len(tail))
    return floor - begin * deviation, deviation


def _drawn(variance: float, rows: int) -> float:
    return math.sqrt((rows * variance + USUAL_ROWS * USUAL_DEVIATION**2) / (rows + USUAL_ROWS))

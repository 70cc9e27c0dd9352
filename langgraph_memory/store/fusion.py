"""One score from two: what the words say and what the vectors say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from langgraph_memory.store.tokens import identifiers

Floats = NDArray[np.float64]


def fuse(
    query: str,
    query_tokens: Sequence[str],
    words: Floats,
    vectors: Floats | None,
    *,
    ceiling: float | None = None,
) -> Floats:
    """Scores in [0, 1] of the rows, better ones higher.

    Args:
        query: the query as it was asked.
        query_tokens: its tokens.
        words: BM25 of each row; NaN where a row has no words.
        vectors: cosine of each row to the query; NaN where a row has no vector; None where nothing has one.
        ceiling: `WordIndex.ceiling(query_tokens)`; the best word score serves where it is not known.

    Returns:
        A score a row, NaN where a row has neither words nor a vector.
    """
    said = np.nan_to_num(words) / max(ceiling or 0, float(np.nanmax(words, initial=0)), 1e-9)
    if vectors is None:
        return np.where(np.isnan(words), np.nan, said)
    meant = _spread(vectors)
    share = 0.9 if identifiers(query) else 0.5
    fused = share * said + (1 - share) * meant
    return np.where(np.isnan(words) & np.isnan(vectors), np.nan, fused)


def _spread(scores: Floats) -> Floats:
    low, high = np.nanmin(scores, initial=np.inf), np.nanmax(scores, initial=-np.inf)
    if not high > low:
        return np.where(np.isnan(scores), 0.0, 1.0)
    return np.nan_to_num((scores - low) / (high - low))

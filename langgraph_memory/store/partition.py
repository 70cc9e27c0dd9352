"""A scope in memory: its rows, their vectors and their words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from langgraph_memory.store.arrays import Growing, product
from langgraph_memory.store.findables import NO_WORDS, Findable
from langgraph_memory.store.words import WordIndex

Floats = NDArray[np.float64]
Vectors = NDArray[np.float32]
Hits = Sequence[tuple[int, float]]
"""Numbers of items with the cosine of one of their vectors to a query."""

NEVER = np.iinfo(np.int64).max
"""When an item without a time to live expires."""

_BASE_BYTES, _ROW_BYTES = 20_000, 100
_SMALL_CHANGE = 1000


class Partition:
    """The items below one prefix. Rows are in the order of their numbers; a removed row stays as a gap.

    Attributes:
        handed: vectors of items up to this number are not here: the vector index has them.
        share: how much of all that the index holds is of this partition, about.
        pending: numbers of items that were added since and are still to be read.
        removals: how many removals of rows, anywhere in the store, it has taken note of.
        gaps: how many rows are gaps.
        counted: how many bytes it was counted for.
        measured: how many vectors their mean is of.
    """

    def __init__(self, dims: int, handed: int = 0, share: float = 1.0) -> None:
        self.handed, self.share = handed, share
        self.pending: list[int] = []
        self.removals = self.gaps = self.counted = 0
        self._dims = dims
        self._versions, self._updated, self._expires = Growing(np.int64), Growing(np.int64), Growing(np.int64)
        self._alive, self._worded, self._meant = Growing(np.bool_), Growing(np.bool_), Growing(np.bool_)
        self._owners, self._starts = Growing(np.int64), Growing(np.int64)
        self._vectors = Growing(np.float32, dims)
        self._words = WordIndex()
        self._sum = np.zeros(dims)
        self.measured = 0

    def __len__(self) -> int:
        return len(self._versions)

    @property
    def versions(self) -> NDArray[np.int64]:
        """The number of each row."""
        return self._versions.values

    @property
    def updated(self) -> NDArray[np.int64]:
        """When each row was written."""
        return self._updated.values

    @property
    def expires(self) -> NDArray[np.int64]:
        """When each row expires, as far as is known: a read in another process may have put it off."""
        return self._expires.values

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Which rows are not gaps."""
        return self._alive.values

    @property
    def vectors(self) -> int:
        """How many vectors are here."""
        return len(self._vectors)

    @property
    def mean(self) -> Vectors:
        """The mean of the vectors, those that were handed over included."""
        return (self._sum / max(1, self.measured)).astype(np.float32)

    @property
    def nbytes(self) -> int:
        """About how much memory it takes."""
        rows = _BASE_BYTES + _ROW_BYTES * len(self)
        return rows + self._vectors.nbytes + self._words.nbytes

    @property
    def stale(self) -> bool:
        """Whether it is better read anew than brought up to date."""
        return self.gaps + len(self.pending) > _SMALL_CHANGE + len(self) // 4

    def add(self, found: Sequence[Findable]) -> None:
        """Add rows, in the order of their numbers, all above those that are there."""
        first = len(self)
        self._versions.append([item.version for item in found])
        self._updated.append([item.updated_at for item in found])
        self._expires.append([NEVER if item.expires_at is None else item.expires_at for item in found])
        self._alive.append([True] * len(found))
        self._meant.append([bool(item.vectors) for item in found])
        self._worded.append([item.tokens not in (None, NO_WORDS) for item in found])
        for row, item in enumerate(found, first):
            if self._worded.values[row]:
                self._words.add(row, json.loads(item.tokens or NO_WORDS))
        self._add_vectors(first, found)

    def discard(self, versions: Iterable[int]) -> None:
        """Make gaps of the rows of these numbers, where they are here."""
        for version in versions:
            row = self._row(version)
            if row is not None and self.alive[row]:
                self.alive[row] = self._worded.values[row] = self._meant.values[row] = False
                self._words.remove(row)
                self._measure(self._of(row), -1)
                self.gaps += 1

    def hand_over(self, upto: int, share: float) -> None:
        """Drop the vectors of the items up to this number: the vector index has them."""
        lengths = np.diff(self._starts.values, append=len(self._vectors))
        kept = self.versions[self._owners.values] > upto
        self._vectors.keep(np.repeat(kept, lengths))
        self._owners.keep(kept)
        self._starts = Growing(np.int64)
        self._starts.append(np.cumsum(lengths[kept]) - lengths[kept])
        self.handed, self.share = upto, share

    def words(self, tokens: Sequence[str]) -> Floats:
        """BM25 of each row; NaN where a row isn't searched by words."""
        scores = np.full(len(self), np.nan)
        found = self._words.scores(tokens)
        scores[: len(found)] = found
        scores[~self._worded.values] = np.nan
        return scores

    def leading(self, words: Floats, count: int) -> list[int]:
        """Numbers of the rows that the words find, at most `count` of the best."""
        rows = np.flatnonzero(words > 0)
        if len(rows) > count:
            rows = rows[np.argpartition(-words[rows], count)[:count]]
        found: list[int] = self.versions[rows].tolist()
        return found

    def ceiling(self, tokens: Sequence[str]) -> float:
        """The word score that no row can pass."""
        return self._words.ceiling(tokens)

    def similarity(self, query: Vectors, hits: Hits = ()) -> Floats | None:
        """The best cosine of each row's vectors to the query.

        Args:
            query: the unit vector of the query.
            hits: what the vector index found among the vectors that were handed over to it. The other rows
                that it should hold count as what is left for them of the mean, which is known.

        Returns:
            NaN where a row has no vector; None if none has.
        """
        if not self._meant.values.any():
            return None
        scores = np.full(len(self), np.nan)
        if self._vectors:
            scores[self._owners.values] = self._best(product(self._vectors.values, query))
        if self.handed:
            self._merge(scores, hits, float(self.mean @ query))
        scores[~self._meant.values] = np.nan
        return scores

    def _add_vectors(self, first: int, found: Sequence[Findable]) -> None:
        lengths = np.array([len(item.vectors or b"") // (4 * self._dims or 1) for item in found], np.int64)
        owners = np.flatnonzero(lengths)
        if not len(owners):
            return
        joined = b"".join(item.vectors for item in found if item.vectors)
        vectors = np.frombuffer(joined, "<f4").reshape(-1, self._dims)
        self._measure(vectors, 1)
        kept = self.versions[first:] > self.handed
        vectors, owners, lengths = vectors[np.repeat(kept, lengths)], owners[kept[owners]], lengths * kept
        self._starts.append((np.cumsum(lengths) - lengths)[owners] + len(self._vectors))
        self._owners.append(owners + first)
        self._vectors.append(vectors)

    def _measure(self, vectors: Vectors, times: int) -> None:
        """Count vectors in, or out again, for their mean."""
        self._sum += times * vectors.sum(axis=0, dtype=np.float64)
        self.measured += times * len(vectors)

    def _of(self, row: int) -> Vectors:
        """The vectors of a row that are here."""
        place = int(np.searchsorted(self._owners.values, row))
        if place == len(self._owners) or self._owners.values[place] != row:
            return self._vectors.values[:0]
        ends = np.append(self._starts.values[place + 1 : place + 2], len(self._vectors))
        return self._vectors.values[self._starts.values[place] : ends[0]]

    def _best(self, cosines: Vectors) -> Vectors:
        """The highest of each owner's cosines."""
        if len(cosines) == len(self._owners):
            return cosines
        best: Vectors = np.maximum.reduceat(cosines, self._starts.values)
        return best

    def _merge(self, scores: Floats, hits: Hits, mean: float) -> None:
        handed = self._meant.values & (self.versions <= self.handed)
        versions = np.array([version for version, _ in hits], np.int64)
        cosines = np.array([cosine for _, cosine in hits], np.float64)
        rows = np.minimum(np.searchsorted(self.versions, versions), len(self) - 1)
        known = (self.versions[rows] == versions) & handed[rows]
        found = np.full(len(self), -np.inf)
        np.maximum.at(found, rows[known], cosines[known])
        best, rest = found[found > -np.inf], int(handed.sum()) - len(np.unique(rows[known]))
        left = ((rest + len(best)) * mean - float(best.sum())) / max(1, rest)
        scores[handed] = np.maximum(found[handed], min(left, float(best.min(initial=np.inf))))

    def _row(self, version: int) -> int | None:
        row = int(np.searchsorted(self.versions, version))
        return row if row < len(self) and self.versions[row] == version else None

"""Which rows say the words of a query, by BM25: rank-bm25 for small scopes, posting arrays for large ones.

Both give the numbers of rank-bm25's `BM25Plus`, whose inverse document frequency stays positive in scopes of
one or two rows. Its `delta` is 0 here: rank-bm25 adds it to every row, whether it holds the word or not, so
it moves all scores alike and only hides which rows match nothing.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Plus

from langgraph_memory.store.postings import Postings

Floats = NDArray[np.float64]

SMALL = 1_000
"""Rows up to which rank-bm25 itself scores."""

K1 = 0.6
"""How much it counts that a row repeats a word: little, since what is remembered is short."""

B = 0.5
"""How much long rows are held back: as if half of their length were due to saying more."""


class WordIndex:
    """Rows of tokens, scored against the tokens of a query. Used by one thread at a time.

    >>> index = WordIndex()
    >>> index.add(0, ["gpu", "fail"])
    >>> index.add(2, ["billing", "fail"])
    >>> index.scores(["gpu"]).round(2).tolist()
    [1.1, 0.0, 0.0]
    >>> index.remove(0)
    >>> index.scores(["gpu", "fail"]).round(2).tolist()
    [0.0, 0.0, 0.69]
    """

    def __init__(self) -> None:
        self._rows: _Rows = _RankBM25()

    def add(self, row: int, tokens: Sequence[str]) -> None:
        """Give a row these tokens, in place of those it had."""
        if row >= SMALL and isinstance(self._rows, _RankBM25):
            self._rows = self._rows.as_postings()
        self._rows.add(row, Counter(tokens))

    def remove(self, row: int) -> None:
        """Take a row's tokens away; a row without any is left as it is."""
        self._rows.remove(row)

    def scores(self, tokens: Sequence[str]) -> Floats:
        """BM25 of the rows 0 to the highest that was ever added; 0 where no token matches."""
        return self._rows.scores(tokens)

    def ceiling(self, tokens: Sequence[str]) -> float:
        """What a row would score that says every token again and again.

        A token that no row holds counts like one that a single row holds.
        """
        rows = len(self._rows) + 1
        return (K1 + 1) * sum(math.log(rows / max(1, self._rows.holding(t))) for t in tokens)

    @property
    def nbytes(self) -> int:
        """About what the index takes in memory, in bytes."""
        return self._rows.nbytes


class _Rows(Protocol):
    """What the two implementations have in common."""

    def __len__(self) -> int:
        """Rows that are there."""

    def add(self, row: int, counts: Mapping[str, int]) -> None:
        """Give a row its tokens with their numbers of occurrences."""

    def remove(self, row: int) -> None:
        """Take a row's tokens away."""

    def holding(self, token: str) -> int:
        """How many rows hold the token."""

    def scores(self, tokens: Sequence[str]) -> Floats:
        """BM25 of every row."""

    @property
    def nbytes(self) -> int:
        """About what it takes in memory."""


class _Column(NamedTuple):
    """The rows that hold a token, and how often."""

    rows: NDArray[np.intp]
    counts: NDArray[np.intp]


class _RankBM25(BM25Plus):  # type: ignore[misc]
    """rank-bm25, kept up to date row by row; a token is scored only in the rows that hold it.

    Its `get_batch_scores` asks each row for each token in turn. Here the rows that hold a token, and how
    often, are kept as arrays, and its formula is applied to them; the scores are the same to the last bit.
    """

    def __init__(self) -> None:
        self.k1, self.b, self.delta = K1, B, 0
        self.corpus_size, self.avgdl = 0, 0.0
        self.idf: dict[str, float] = {}
        self.doc_freqs: list[Mapping[str, int]] = []
        self.doc_len = np.zeros(0)
        self._present: set[int] = set()
        self._rows_with: defaultdict[str, set[int]] = defaultdict(set)
        self._pairs = 0  # of a row and a token
        self._columns: dict[str, _Column] = {}  # of tokens that were asked for
        self._norms: Floats | None = None  # by row, until something changes

    def __len__(self) -> int:
        return len(self._present)

    @property
    def nbytes(self) -> int:
        return self.doc_len.nbytes + 216 * self._pairs + 100 * len(self._rows_with)

    def add(self, row: int, counts: Mapping[str, int]) -> None:
        self.remove(row)
        missing = row + 1 - len(self.doc_freqs)
        if missing > 0:
            self.doc_freqs += [{}] * missing
            self.doc_len = np.concatenate((self.doc_len, np.zeros(missing)))
        self.doc_freqs[row], self.doc_len[row] = counts, sum(counts.values())
        self._present.add(row)
        self._pairs += len(counts)
        for token in counts:
            self._rows_with[token].add(row)
            self._columns.pop(token, None)
        self._norms = None

    def remove(self, row: int) -> None:
        if row in self._present:
            self._pairs -= len(self.doc_freqs[row])
            for token in self.doc_freqs[row]:
                rows = self._rows_with[token]
                rows.discard(row)
                if not rows:
                    del self._rows_with[token]
                self._columns.pop(token, None)
            self._norms = None
            self.doc_freqs[row], self.doc_len[row] = {}, 0
            self._present.discard(row)

    def holding(self, token: str) -> int:
        return len(self._rows_with.get(token, ()))

    def scores(self, tokens: Sequence[str]) -> Floats:
        scores = np.zeros(len(self.doc_freqs))
        known = {token: times for token, times in Counter(tokens).items() if self.holding(token)}
        self.corpus_size = len(self)
        self.idf.clear()
        self._calc_idf({token: self.holding(token) for token in known})
        norms = self._length_norms()
        for token, times in known.items():
            rows, counts = self._column(token)
            said = self.delta + (counts * (self.k1 + 1)) / (norms[rows] + counts)
            scores[rows] += times * (self.idf[token] * said)
        return scores

    def _column(self, token: str) -> _Column:
        """The rows that hold a token, and how often each does."""
        if token not in self._columns:
            rows = list(self._rows_with[token])
            counts = [self.doc_freqs[row][token] for row in rows]
            self._columns[token] = _Column(np.array(rows, np.intp), np.array(counts, np.intp))
        return self._columns[token]

    def _length_norms(self) -> Floats:
        """What rank-bm25 adds to a token's count, more in long rows."""
        if self._norms is None:
            self.avgdl = float(self.doc_len.sum()) / max(1, len(self))
            self._norms = self.k1 * (1 - self.b + self.b * self.doc_len / max(self.avgdl, 1e-9))
        return self._norms

    def as_postings(self) -> Postings:
        """The same rows in posting arrays."""
        postings = Postings(self.k1, self.b)
        for row in sorted(self._present):
            postings.add(row, self.doc_freqs[row])
        return postings

"""Posting arrays: which rows hold a token and how often, in numpy, at any size.

Postings lie sorted by token in flat arrays; new ones wait in an unsorted tail until it is full. A row that is
removed only gives up its slot; when the tail is merged in, whatever belongs to no row goes. So adding and
removing are cheap, and memory is bounded by what is there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

TAIL = 16_384
"""Postings that may wait unsorted; in a large index a sixteenth of all may."""


class Postings:
    """Numbered rows of tokens, scored by the formula of rank-bm25's `BM25Plus` with `delta` 0.

    Attributes:
        height: one more than the highest row that was ever added.
    """

    def __init__(self, k1: float, b: float) -> None:
        self.height = 0
        self._k1, self._b = k1, b
        self._terms: dict[str, int] = {}
        self._starts = np.zeros(1, np.int64)  # where the sorted postings of each term begin
        self._sorted = np.zeros((2, 0), np.int32)  # slots and counts
        self._tail = np.zeros((3, TAIL), np.int32)  # terms, slots and counts
        self._waiting = 0
        self._slots = _Slots()
        self._norms: Floats | None = None  # by slot, until something changes
        self._holding: dict[str, int] = {}  # of tokens asked for since something changed

    def __len__(self) -> int:
        return len(self._slots)

    @property
    def nbytes(self) -> int:
        """About what it takes in memory, in bytes."""
        arrays = self._starts.nbytes + self._sorted.nbytes + self._tail.nbytes
        return arrays + self._slots.nbytes + 120 * len(self._terms)

    def add(self, row: int, counts: Mapping[str, int]) -> None:
        """Give a row these tokens with their numbers of occurrences, in place of those it had."""
        self.remove(row)
        if self._waiting + len(counts) > self._tail.shape[1]:
            self._merge(room=len(counts))
        new = slice(self._waiting, self._waiting + len(counts))
        self._tail[0, new] = [self._terms.setdefault(token, len(self._terms)) for token in counts]
        self._tail[1, new] = self._slots.take(row, sum(counts.values()))
        self._tail[2, new] = list(counts.values())
        self._waiting = new.stop
        self.height = max(self.height, row + 1)

    def remove(self, row: int) -> None:
        """Take a row's tokens away; a row without any is left as it is."""
        self._norms = None
        self._holding.clear()
        self._slots.leave(row)
        if self._slots.empty > max(1_000, len(self)):
            self._merge()

    def holding(self, token: str) -> int:
        """How many rows hold the token."""
        if token not in self._terms:
            return 0
        if token not in self._holding:
            self._holding[token] = self._postings(token).shape[1]
        return self._holding[token]

    def scores(self, tokens: Sequence[str]) -> Floats:
        """BM25 of the rows below `height`; 0 where no token matches."""
        scores = np.zeros(self.height)
        if self._norms is None:
            self._norms = self._k1 * (1 - self._b + self._b * self._slots.relative_lengths())
        for token, times in Counter(t for t in tokens if t in self._terms).items():
            slots, counts = self._postings(token)
            self._holding[token] = len(slots)
            if len(slots):
                weight = times * (self._k1 + 1) * math.log((len(self) + 1) / len(slots))
                scores[self._slots.rows[slots]] += weight * (counts / (counts + self._norms[slots]))
        return scores

    def _postings(self, token: str) -> Ints:
        """The slots of the rows that hold a known token, and how often each holds it: two lines."""
        term = self._terms[token]
        late = np.flatnonzero(self._tail[0, : self._waiting] == term)
        found = self._tail[1:, late]
        if term + 1 < len(self._starts):
            early = self._sorted[:, self._starts[term] : self._starts[term + 1]]
            found = np.hstack((early, found)) if len(late) else early
        if self._slots.empty:
            found = found[:, self._slots.rows[found[0]] >= 0]
        return found

    def _merge(self, room: int = 0) -> None:
        """Sort the tail in, drop what belongs to removed rows, and leave room for so many postings."""
        terms = np.repeat(np.arange(len(self._starts) - 1, dtype=np.int32), np.diff(self._starts))
        postings = np.hstack((np.vstack((terms, self._sorted)), self._tail[:, : self._waiting]))
        postings = postings[:, self._slots.rows[postings[1]] >= 0]
        postings[1] = self._slots.closed_ranks()[postings[1]]
        postings[0] = self._renumber_terms(postings[0])
        postings = postings[:, np.argsort(postings[0], kind="stable")]
        self._starts = np.searchsorted(postings[0], np.arange(len(self._terms) + 1))
        self._sorted = np.ascontiguousarray(postings[1:])
        self._tail = np.zeros((3, max(TAIL, postings.shape[1] // 16, room)), np.int32)
        self._waiting = 0
        self._slots.close_ranks()

    def _renumber_terms(self, terms: Ints) -> Ints:
        """Number the terms that still occur from 0, and say the new number of each of `terms`."""
        kept = np.bincount(terms, minlength=len(self._terms)) > 0
        numbers = np.cumsum(kept, dtype=np.int32) - 1
        self._terms = {token: int(numbers[t]) for token, t in self._terms.items() if kept[t]}
        return numbers[terms]


class _Slots:
    """Rows under numbers that are never given twice, so that a posting of a removed row can't come back.

    Attributes:
        rows: the row of each slot, -1 where it was removed.
        empty: how many slots have no row.
    """

    def __init__(self) -> None:
        self.rows = np.zeros(0, np.int32)
        self.empty = 0
        self._slot_of: dict[int, int] = {}
        self._lengths = np.zeros(0)
        self._total = 0.0

    def __len__(self) -> int:
        return len(self._slot_of)

    @property
    def nbytes(self) -> int:
        return self.rows.nbytes + self._lengths.nbytes + 100 * len(self)

    def take(self, row: int, length: int) -> int:
        """A new slot for a row of so many tokens."""
        slot = len(self) + self.empty
        if slot == len(self.rows):
            self.rows = np.concatenate((self.rows, np.full(slot + 64, -1, np.int32)))
            self._lengths = np.concatenate((self._lengths, np.zeros(slot + 64)))
        self.rows[slot], self._lengths[slot] = row, length
        self._slot_of[row] = slot
        self._total += length
        return slot

    def leave(self, row: int) -> None:
        """Empty the slot of a row, if it has one."""
        slot = self._slot_of.pop(row, None)
        if slot is not None:
            self._total -= self._lengths[slot]
            self.rows[slot] = -1
            self.empty += 1

    def relative_lengths(self) -> Floats:
        """The length of each slot's row, 1 being the mean."""
        mean = self._total / max(1, len(self))
        return self._lengths / max(mean, 1e-9)

    def closed_ranks(self) -> Ints:
        """The number that each slot gets when empty ones are dropped."""
        return np.cumsum(self.rows >= 0, dtype=np.int32) - 1

    def close_ranks(self) -> None:
        """Drop the empty slots."""
        kept = self.rows >= 0
        self.rows, self._lengths, self.empty = self.rows[kept], self._lengths[kept], 0
        self._slot_of = {int(row): slot for slot, row in enumerate(self.rows)}

"""Arrays that grow at their end, and products of large ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ROWS_AT_ONCE = 1024


class Growing:
    """An array that rows are appended to in amortised constant time.

    >>> array = Growing(np.int64)
    >>> array.append([1, 2]); array.append([3])
    >>> array.values
    array([1, 2, 3])
    """

    def __init__(self, dtype: Any, width: int | None = None) -> None:
        self._array: NDArray[Any] = np.zeros((0,) if width is None else (0, width), dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def append(self, rows: NDArray[Any] | Sequence[Any]) -> None:
        """Add rows at the end."""
        end = self._length + len(rows)
        if end > len(self._array):
            grown = np.empty((max(end, 5 * self._length // 4), *self._array.shape[1:]), self._array.dtype)
            grown[: self._length] = self.values
            self._array = grown
        self._array[self._length : end] = rows
        self._length = end

    def keep(self, chosen: NDArray[np.bool_]) -> None:
        """Drop the rows that are not chosen, and the spare room."""
        self._array = self.values[chosen]
        self._length = len(self._array)

    @property
    def values(self) -> NDArray[Any]:
        """The rows so far, as a view that later appends don't move."""
        return self._array[: self._length]

    @property
    def nbytes(self) -> int:
        """Bytes taken, spare room included."""
        return self._array.nbytes


def product(matrix: NDArray[np.float32], vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """`matrix @ vector`, a thousand rows at a time.

    BLAS spreads larger products over threads that wait for each other: on a machine that is busy they take
    as long as the scheduler lets them, many times as long as one thread.
    """
    found = np.empty(len(matrix), np.float32)
    for start in range(0, len(matrix), _ROWS_AT_ONCE):
        rows = matrix[start : start + _ROWS_AT_ONCE]
        np.dot(rows, vector, out=found[start : start + len(rows)])
    return found

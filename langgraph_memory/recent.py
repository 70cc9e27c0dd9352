"""The last so many values by key, for what is quicker to keep in mind than to work out again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """Values by key, of which those go that were not put for longest; safe between threads.

    Args:
        size: how many are kept.

    >>> recent = Recent[str, int](2)
    >>> for number, letter in enumerate("abc"):
    ...     _ = recent.put(letter, number)
    >>> recent.get("a"), recent.get("c")
    (None, 2)
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key) -> Value | None:
        """The value of a key; None where there is none, or no longer."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: Key, value: Value) -> Value:
        """Keep a value, and give it back."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)
        return value


_LONG = 20_000
"""Of longer texts, in characters, only the last one is kept."""


def kept_of_texts(size: int) -> Callable[[Callable[[str], Value]], Callable[[str], Value]]:
    """A decorator: what a function makes of the last so many texts is kept; of long ones the very last."""

    def decorated(function: Callable[[str], Value]) -> Callable[[str], Value]:
        of_short, of_long = lru_cache(maxsize=size)(function), lru_cache(maxsize=1)(function)

        @wraps(function)
        def kept(text: str) -> Value:
            return of_long(text) if len(text) > _LONG else of_short(text)

        return kept

    return decorated

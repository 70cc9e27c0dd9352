"""Results that are there when a call returns, and that may be awaited all the same.

LangGraph's synchronous stores return them, its asynchronous ones have them awaited; here it is one class.
"""

from __future__ import annotations

from collections.abc import Generator


class Done:
    """Nothing more than that it is done."""

    def __await__(self) -> Generator[None, None, None]:
        """Nothing to wait for."""
        yield from ()


class Count(int):
    """A number, or 1 for yes and 0 for no.

    >>> Count(2) + 1
    3
    """

    __slots__ = ()

    def __await__(self) -> Generator[None, None, Count]:
        """The number; there is nothing to wait for."""
        yield from ()
        return self

"""An event loop on a thread of its own, for coroutines that are needed from synchronous code."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


class _Background:
    """The loop of this process; a forked child, which has no such thread, starts its own."""

    def __init__(self) -> None:
        self._starting = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = 0

    def loop(self) -> asyncio.AbstractEventLoop:
        """The running loop. It stays for good: clients keep connections that belong to their loop."""
        with self._starting:
            if self._loop is None or self._process != os.getpid():
                self._loop, self._process = asyncio.new_event_loop(), os.getpid()
                threading.Thread(target=self._loop.run_forever, name="langgraph-memory", daemon=True).start()
            return self._loop


_background = _Background()


def awaited(awaitable: Awaitable[T]) -> T:
    """What an awaitable gives, waited for here; the caller may itself be inside a running event loop.

    >>> async def two():
    ...     return 2
    >>> awaited(two())
    2
    """
    return asyncio.run_coroutine_threadsafe(_wait(awaitable), _background.loop()).result()


async def _wait(awaitable: Awaitable[T]) -> T:
    return await awaitable

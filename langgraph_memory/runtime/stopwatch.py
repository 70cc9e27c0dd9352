"""How long tool calls take, whatever node runs them."""

from __future__ import annotations

import time
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler, BaseCallbackManager
from langchain_core.runnables import RunnableConfig


class Stopwatch(BaseCallbackHandler):
    """Times tools by LangChain's callbacks.

    Attributes:
        latencies: milliseconds by tool call id.
        errors: what tools raised, by tool call id.
    """

    run_inline = True

    def __init__(self) -> None:
        self.latencies: dict[str, float] = {}
        self.errors: dict[str, BaseException] = {}
        self._started: dict[UUID, tuple[str, float]] = {}

    def on_tool_start(self, *_: Any, run_id: UUID, **details: Any) -> None:
        """Note when a call began."""
        call_id = details.get("tool_call_id")
        if call_id:
            self._started[run_id] = (call_id, time.perf_counter())

    def on_tool_end(self, *_: Any, run_id: UUID, **__: Any) -> None:
        """Note how long a call took."""
        self._stop(run_id)

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        """Note how long a call took, and what it raised."""
        call_id = self._stop(run_id)
        if call_id:
            self.errors[call_id] = error

    def timing(self, config: RunnableConfig) -> RunnableConfig:
        """A config under which this stopwatch listens."""
        callbacks = config.get("callbacks")
        if isinstance(callbacks, BaseCallbackManager):
            manager = callbacks.copy()
            manager.add_handler(self, inherit=True)
            return {**config, "callbacks": manager}
        return {**config, "callbacks": [*(callbacks or ()), self]}

    def _stop(self, run_id: UUID) -> str | None:
        call_id, started = self._started.pop(run_id, (None, 0.0))
        if call_id:
            self.latencies[call_id] = (time.perf_counter() - started) * 1000
        return call_id

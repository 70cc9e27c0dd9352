"""What consolidation's model calls take: calls, tokens read and written, and what that costs."""

from __future__ import annotations

import threading
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, LLMResult

from langgraph_memory.records import Record

_MILLION = 1_000_000


class Spent(Record):
    """What model calls took.

    >>> Spent(calls=2, input_tokens=1_000_000).plus(Spent(calls=1, failed=1)).calls
    3
    """

    calls: int = 0
    failed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def plus(self, other: Spent) -> Spent:
        """Both together."""
        return Spent(**{name: getattr(self, name) + getattr(other, name) for name in type(self).model_fields})

    def cost(self, *, input_price: float, output_price: float) -> float:
        """The amount, at prices per million tokens.

        >>> Spent(input_tokens=2_000_000, output_tokens=500_000).cost(input_price=0.5, output_price=2)
        2.0
        """
        return (self.input_tokens * input_price + self.output_tokens * output_price) / _MILLION


class Meter(BaseCallbackHandler):
    """Counts the model calls that it is passed to, also those whose answer turns out to be unusable."""

    run_inline = True

    def __init__(self) -> None:
        self._spent = Spent()
        self._lock = threading.Lock()

    def on_llm_end(self, response: LLMResult, **_: Any) -> None:
        """Count the tokens of an answer, as the provider reports them."""
        read = written = 0
        for generation in (each for batch in response.generations for each in batch):
            message = generation.message if isinstance(generation, ChatGeneration) else None
            usage = message.usage_metadata if isinstance(message, AIMessage) else None
            if usage:
                read += usage["input_tokens"]
                written += usage["output_tokens"]
        self._add(Spent(calls=1, input_tokens=read, output_tokens=written))

    def on_llm_error(self, error: BaseException, **_: Any) -> None:  # noqa: ARG002 - the signature is LangChain's
        """Count a call that failed."""
        self._add(Spent(calls=1, failed=1))

    def take(self) -> Spent:
        """What was counted since it was last taken."""
        with self._lock:
            spent, self._spent = self._spent, Spent()
        return spent

    def _add(self, spent: Spent) -> None:
        with self._lock:
            self._spent = self._spent.plus(spent)

"""Stand-ins for what the application brings: a clock, a chat model, an embedding model. Offline and exact."""

from __future__ import annotations

import hashlib
import json
import math
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, PrivateAttr, ValidationError

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""Where a `FrozenClock` begins unless told otherwise: a Monday morning."""


class FrozenClock:
    """A clock that stands still until it is told to move.

    >>> clock = FrozenClock(datetime(2026, 3, 6, 17, tzinfo=UTC))
    >>> clock.advance(days=3, hours=1).isoformat()
    '2026-03-09T18:00:00+00:00'
    >>> clock() == clock()
    True

    Raises:
        ValueError: a moment without a time zone.
    """

    def __init__(self, start: datetime = START) -> None:
        self._now = _aware(start)

    def __call__(self) -> datetime:
        """The present moment, aware."""
        return self._now

    def advance(self, **step: float) -> datetime:
        """Move by `days`, `hours`, `minutes`, … as `timedelta` takes them, and give the new moment."""
        self._now += timedelta(**step)
        return self._now

    def set(self, moment: datetime) -> None:
        """Jump to `moment`, forwards or backwards."""
        self._now = _aware(moment)

    def __repr__(self) -> str:
        return f"FrozenClock({self._now.isoformat()})"


class ScriptExhaustedError(AssertionError):
    """A `ScriptedChatModel` was called more often than its script foresaw.

    An `AssertionError`, so that code which survives the failures of a model doesn't also survive this one.
    """


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call that a `ScriptedChatModel` got.

    Attributes:
        messages: what the model was shown, in order.
        tools: the bound tools in OpenAI's form, empty when none were bound.
        schema: the output schema that the caller asked for, or None.
    """

    messages: tuple[BaseMessage, ...]
    tools: tuple[Mapping[str, Any], ...] = ()
    schema: object | None = None

    @property
    def text(self) -> str:
        """The text of all messages, one a line, to look for what the model has been shown."""
        return "\n".join(message.text for message in self.messages)


Reply: TypeAlias = (
    "AIMessage | str | Mapping[str, Any] | BaseModel | Exception | Callable[[list[BaseMessage]], Reply]"
)
"""One entry of a script: what to answer, what to raise, or a function of the messages that gives one."""


class ScriptedChatModel(BaseChatModel):
    """A LangChain chat model that answers from a script, in order, and remembers what it was asked.

    Entries are messages, texts, mappings or pydantic objects (the answer to a structured call; a plain call
    gets their JSON), exceptions (raised) and functions of the messages that return one of these. The script
    may be endless, such as `itertools.repeat(…)`.

    >>> model = ScriptedChatModel(["hello", lambda messages: messages[-1].text.upper()])
    >>> model.invoke("hi").text, model.invoke("who?").text, len(model.calls)
    ('hello', 'WHO?', 2)
    >>> model.invoke("again")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    ...
    ScriptExhaustedError: no answer is left for call 3, 'again': extend the script

    Structured output takes the entry's fields, the arguments of a message's first tool call or its JSON text:

    >>> class City(BaseModel):
    ...     name: str
    >>> ScriptedChatModel([{"name": "Oslo"}]).with_structured_output(City).invoke("where?")
    City(name='Oslo')
    """

    _script: Iterator[Reply] = PrivateAttr()
    _calls: list[ModelCall] = PrivateAttr(default_factory=list)
    _turn: threading.Lock = PrivateAttr(default_factory=threading.Lock)

    def __init__(self, script: Iterable[Reply] = (), **fields: Any) -> None:
        super().__init__(**fields)
        self._script = iter(script)

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """The calls so far, those that raised among them."""
        return tuple(self._calls)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """The same model and script; calls through the returned runnable record the tools."""
        return self.bind(
            tools=[convert_to_openai_tool(tool) for tool in tools], tool_choice=tool_choice, **kwargs
        )

    def with_structured_output(
        self, schema: dict[str, Any] | type, *, include_raw: bool = False, **kwargs: Any
    ) -> Runnable[LanguageModelInput, dict[str, Any] | BaseModel]:
        """The same model and script, with each answer read as `schema` (validated if it is a pydantic class).

        With `include_raw` the result is a dict of `raw`, `parsed` and `parsing_error`, as LangChain's is.
        """

        def read(raw: AIMessage) -> dict[str, Any] | BaseModel:
            return _raw_and_parsed(raw, schema) if include_raw else _parsed(raw, schema)

        return self.bind(output_schema=schema, **kwargs) | RunnableLambda(read)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - the signature is LangChain's
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002 - the same
        **kwargs: Any,
    ) -> ChatResult:
        call = ModelCall(tuple(messages), tuple(kwargs.get("tools") or ()), kwargs.get("output_schema"))
        message = _as_message(self._next(call), messages)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _next(self, call: ModelCall) -> Reply:
        with self._turn:
            self._calls.append(call)
            for reply in self._script:
                return reply
        last = call.messages[-1].text[:200] if call.messages else ""
        raise ScriptExhaustedError(
            f"no answer is left for call {len(self._calls)}, {last!r}: extend the script"
        )


class HashEmbeddings(Embeddings):
    """A deterministic embedding: each word adds one signed unit at a hashed place; the sum is normalised.

    Texts that share words are near each other, others nearly orthogonal; the same on every machine.

    >>> first, same, other = HashEmbeddings(32).embed_documents(["red car", "Car, red!", "blue sky"])
    >>> first == same, first == other, len(first)
    (True, False, 32)

    Args:
        dims: length of the vectors.
    """

    def __init__(self, dims: int = 64) -> None:
        if dims < 1:
            raise ValueError(f"dims={dims!r} gives no vector: use a positive number")
        self.dims = dims

    def embed_query(self, text: str) -> list[float]:
        """The unit vector of `text`."""
        sums = [0.0] * self.dims
        for word in sorted(re.findall(r"\w+", text.casefold())) or [text]:
            place, sign = _place(word, self.dims)
            sums[place] += sign
        norm = math.sqrt(sum(value * value for value in sums))
        return [value / norm for value in sums] if norm else self._unit(text)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One unit vector a text, in order."""
        return [self.embed_query(text) for text in texts]

    def _unit(self, text: str) -> list[float]:
        # The words cancelled each other out; a vector of length zero has no direction to compare.
        place, sign = _place(text, self.dims)
        return [sign if index == place else 0.0 for index in range(self.dims)]


def _aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError(f"{moment!r} has no time zone: give an aware datetime, like datetime(…, tzinfo=UTC)")
    return moment


def _place(word: str, dims: int) -> tuple[int, float]:
    digest = int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest())
    return digest // 2 % dims, 1.0 if digest % 2 else -1.0


def _as_message(reply: Reply, messages: list[BaseMessage]) -> AIMessage:
    if isinstance(reply, Exception):
        raise reply
    if isinstance(reply, AIMessage):
        return reply.model_copy()  # LangChain writes an id into it; a repeated entry is still a new message
    if isinstance(reply, str):
        return AIMessage(reply)
    if isinstance(reply, BaseModel):
        return AIMessage(reply.model_dump_json())
    if isinstance(reply, Mapping):
        return AIMessage(json.dumps(reply, default=str))
    return _as_message(reply(messages), messages)


def _parsed(raw: AIMessage, schema: dict[str, Any] | type) -> dict[str, Any] | BaseModel:
    fields = raw.tool_calls[0]["args"] if raw.tool_calls else json.loads(raw.text)
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return schema.model_validate(fields)
    return dict(fields)


def _raw_and_parsed(raw: AIMessage, schema: dict[str, Any] | type) -> dict[str, Any]:
    try:
        return {"raw": raw, "parsed": _parsed(raw, schema), "parsing_error": None}
    except (ValueError, TypeError, ValidationError) as error:
        return {"raw": raw, "parsed": None, "parsing_error": error}

"""JSON values without their secrets: the walk, the replacement, and what others may plug in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from langgraph_memory.redaction.names import bar_of
from langgraph_memory.redaction.spans import find_secrets
from langgraph_memory.redaction.values import Bar, holds_secret


@dataclass(frozen=True, slots=True)
class Redacted:
    """A JSON value without its secrets.

    Attributes:
        value: the value, each secret replaced by `[redacted:<kind>]`.
        kinds: the kinds found, sorted, each once; empty when nothing was replaced.
    """

    value: JsonValue
    kinds: tuple[str, ...]


class Redactor(Protocol):
    """Takes out of a JSON value what must not be written. Idempotent: its own output goes through unchanged."""

    def __call__(self, value: JsonValue, /) -> Redacted:
        """The value without what must not be written, and the kinds of what was found."""


def redact_text(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without its secrets, and the kinds found, sorted, each once.

    >>> redact_text("export STRIPE=sk_live_4eC39HqLyjWDarjtT1zdp7dc")
    ('export STRIPE=[redacted:stripe-key]', ('stripe-key',))
    """
    kinds: set[str] = set()
    return _clean(text, kinds), tuple(sorted(kinds))


def _clean(text: str, kinds: set[str]) -> str:
    """Until nothing is found any more, so that a second call changes nothing; each round shortens what is left."""
    while spans := find_secrets(text):
        pieces, end = [], 0
        for span in spans:
            kinds.add(span.kind)
            pieces += [text[end : span.start], f"[redacted:{span.kind}]"]
            end = span.end
        text = "".join([*pieces, text[end:]])
    return text


def redact(value: JsonValue) -> Redacted:
    """The JSON value without its secrets: strings at any depth, keys, and what stands under a secret's name.

    >>> redact({"user": "ana", "password": "hunter2"})
    Redacted(value={'user': 'ana', 'password': '[redacted:password]'}, kinds=('password',))
    """
    kinds: set[str] = set()
    return Redacted(_walk(value, None, kinds), tuple(sorted(kinds)))


def _walk(value: JsonValue, bar: Bar | None, kinds: set[str]) -> JsonValue:
    if isinstance(value, str):
        return _string(value, bar, kinds)
    if isinstance(value, dict):
        return dict(_items(value, kinds))
    if isinstance(value, list):
        return [_walk(item, bar, kinds) for item in value]
    return value


def _string(text: str, bar: Bar | None, kinds: set[str]) -> str:
    if bar is not None and holds_secret(text, bar, quoted=True):
        kind = "password" if bar is Bar.PASSWORD else "secret"
        kinds.add(kind)
        return f"[redacted:{kind}]"
    return _clean(text, kinds)


def _items(mapping: dict[str, JsonValue], kinds: set[str]) -> Iterator[tuple[str, JsonValue]]:
    for key, value in mapping.items():
        yield _clean(key, kinds), _walk(value, bar_of(key), kinds)


def chain(*redactors: Redactor) -> Redactor:
    """One redactor that applies the given ones in order, such as `redact` and then a second opinion."""

    def apply(value: JsonValue) -> Redacted:
        kinds: set[str] = set()
        for redactor in redactors:
            result = redactor(value)
            value = result.value
            kinds.update(result.kinds)
        return Redacted(value, tuple(sorted(kinds)))

    return apply

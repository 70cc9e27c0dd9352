"""Values: JSON objects, copied on the way in and on the way out; whatever isn't JSON is refused at once."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from langgraph_memory.arguments import refusal, shown
from langgraph_memory.errors import ConfigurationError, InvalidArgumentError

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_ASCII_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
_MOST_BITS = 14_000
"""Of a number; Python reads no longer one out of a text."""


def plain(
    value: Mapping[str, Any], redact: Callable[[str], str] | None = None, *, bounded: bool = True
) -> dict[str, Any]:
    """A copy of the value out of JSON's own types; `redact` is applied to every string.

    Args:
        value: what is copied.
        redact: applied to every string.
        bounded: whether numbers have to be what JSON can hold: finite, and of no more than 4,200 digits.

    >>> plain({"a": (1, "é")})
    {'a': [1, 'é']}

    Raises:
        InvalidArgumentError: something that JSON has no form for, such as a set, a date or a key that is no
            string.
        ConfigurationError: a number that isn't bounded, or a value that holds itself.
    """
    if not isinstance(value, Mapping):
        raise refusal("value", value, "dict with string keys")
    try:
        copied: dict[str, Any] = _plain(value, "value", redact, bounded)
    except RecursionError as error:
        raise ConfigurationError("the value is nested too deeply or holds itself: flatten it") from error
    return copied


def encode(value: Mapping[str, Any]) -> str:
    """The value as JSON text.

    Raises:
        InvalidArgumentError: something that JSON has no form for.
        ConfigurationError: a number that isn't bounded, or a value that holds itself.
    """
    return dumps(plain(value))


def decode(text: str) -> dict[str, Any]:
    """The value that `encode` made this text of; a new object each time."""
    value: dict[str, Any] = json.loads(text)
    return value


def dumps(value: object) -> str:
    """JSON in few characters that every database stores: lone surrogates only as their escapes."""
    text = _ENCODER.encode(value)
    return text if text.isascii() or _has_utf8(text) else _ASCII_ENCODER.encode(value)


def _has_utf8(text: str) -> bool:
    """Whether the text can be stored as it is."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _plain(value: Any, path: str, redact: Callable[[str], str] | None, bounded: bool) -> Any:
    """The value out of JSON's own types alone, or an error that names the place."""
    match value:
        case str():
            return redact(value) if redact else value
        case None | bool():
            return value
        case int() | float():
            return _number(value, path) if bounded else value
        case Mapping():
            return {
                _key(k, path, redact): _plain(v, f"{path}[{k!r}]", redact, bounded) for k, v in value.items()
            }
        case list() | tuple():
            return [_plain(v, f"{path}[{i}]", redact, bounded) for i, v in enumerate(value)]
        case _:
            raise InvalidArgumentError(
                f"{path} is {shown(value)} of type {type(value).__name__}, which JSON has no form for"
            )


def _number(value: float, path: str) -> float:
    if isinstance(value, float) and not math.isfinite(value):
        raise ConfigurationError(f"{path} is {value!r}, which JSON has no form for: leave it out")
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        raise ConfigurationError(
            f"{path} is a number of {value.bit_length():,} bits, which is read out of no JSON: make it a text"
        )
    return value


def _key(key: object, path: str, redact: Callable[[str], str] | None) -> str:
    if not isinstance(key, str):
        raise InvalidArgumentError(f"{path} has the key {key!r}, which is not a string: JSON would change it")
    return redact(key) if redact else key

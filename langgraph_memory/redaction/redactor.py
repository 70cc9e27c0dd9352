"""JSON values without their secrets: what memory does on every write, and what others may plug in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from langgraph_memory.redaction.names import bar_of
from langgraph_memory.redaction.scan import find_secrets
from langgraph_memory.redaction.spans import cleaned
from langgraph_memory.redaction.strings import unused
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
    """Takes out of a JSON value what must not be written; its own output goes through it unchanged."""

    def __call__(self, value: JsonValue, /) -> Redacted:
        """The value without what must not be written, and the kinds of what was found."""


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


def redact_text(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without its secrets, and the kinds found, sorted, each once.

    >>> redact_text("export ORDERS_API_KEY=9a1fQ7xLr2Tn8Vb4Kd")
    ('export ORDERS_API_KEY=[redacted:secret]', ('secret',))
    """
    kinds: set[str] = set()
    cleaned_text = cleaned(text, find_secrets, kinds)
    return cleaned_text, tuple(sorted(kinds))


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
        return _mapping(value, bar, kinds)
    if isinstance(value, list):
        return list(_items(value, bar, kinds))
    if isinstance(value, int) and bar is Bar.PASSWORD and holds_secret(str(value), bar, quoted=True):
        return _replacement(bar.kind, kinds)
    return value


def _string(text: str, bar: Bar | None, kinds: set[str]) -> str:
    if bar is None:
        return cleaned(text, find_secrets, kinds)
    if _is_secret(text, bar):
        return _replacement(bar.kind, kinds)
    rest = cleaned(text, find_secrets, kinds)  # what another secret hid may be one too
    return _replacement(bar.kind, kinds) if rest != text and _is_secret(rest, bar) else rest


_TAKEN_OUT = re.compile(r"\[redacted:[\w-]+\]")


def _is_secret(text: str, bar: Bar) -> bool:
    """Whether what is left of a value under such a name is a secret."""
    left = _TAKEN_OUT.sub("", text)
    return holds_secret(left, bar, quoted=True) or (bar is Bar.PASSWORD and _is_word(left))


_SHORTEST_PASSWORD = 6


def _is_word(text: str) -> bool:
    """Whether a word stands alone under a password's name; in data that is one, unlike in code and prose."""
    return len(text) >= _SHORTEST_PASSWORD and text.isalnum() and holds_secret(text, Bar.PLACED, quoted=True)


def _replacement(kind: str, kinds: set[str]) -> str:
    kinds.add(kind)
    return f"[redacted:{kind}]"


def _items(values: list[JsonValue], bar: Bar | None, kinds: set[str]) -> Iterator[JsonValue]:
    """List items, of which one may say what the next is: `["--password", "..."]`, the lines of a key."""
    option, in_key = None, False
    for value in values:
        text = value if isinstance(value, str) else ""
        in_key = in_key and not _KEY_END.search(text)
        if in_key and _KEY_LINE.fullmatch(text):
            yield _replacement("private-key", kinds)
        else:
            yield _walk(value, option or bar, kinds)
        option = bar_of(text) if _OPTION.fullmatch(text) else None
        in_key = in_key or bool(_KEY_BEGIN.search(text) and not _KEY_END.search(text))


_OPTION = re.compile(r"--?[\w.-]+")
_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY")
_KEY_LINE = re.compile(r"\s*[A-Za-z0-9+/=]{4,}\s*")
_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY")


def _mapping(mapping: dict[str, JsonValue], outer: Bar | None, kinds: set[str]) -> dict[str, JsonValue]:
    known: dict[str, JsonValue] = {}
    for key, value in mapping.items():
        known[unused(cleaned(key, find_secrets, kinds), known)] = value
    return {key: _walk(known[key], bar, kinds) for key, bar in _bars(known, outer).items()}


_KEY_PARTS = frozenset({"d", "p", "q", "dp", "dq", "qi", "k"})
"""Members of a JSON web key that are private."""
_NAME_FIELDS = ("name", "key", "Name", "Key")
_VALUE_FIELDS = ("value", "Value", "default")


def _bars(mapping: dict[str, JsonValue], outer: Bar | None) -> dict[str, Bar | None]:
    """How much each value must look like a secret: by its key, a name beside it, or the key around both."""
    bars = {key: bar_of(key) for key in mapping}
    named = next((mapping[field] for field in _NAME_FIELDS if isinstance(mapping.get(field), str)), None)
    around = bar_of(named) if isinstance(named, str) else outer
    if around is not None:
        bars |= {field: around for field in _VALUE_FIELDS if field in mapping}
    if "kty" in mapping:
        bars |= dict.fromkeys(_KEY_PARTS & mapping.keys(), Bar.RANDOM)
    return bars

"""Where the secrets of a text stand. Each rule is linear and looks first for a literal that it needs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from langgraph_memory.redaction.assignments import find_assignments, stems
from langgraph_memory.redaction.credentials import find_credentials
from langgraph_memory.redaction.encoded import decoded_text
from langgraph_memory.redaction.lines import find_in_lines
from langgraph_memory.redaction.sentences import find_told
from langgraph_memory.redaction.spans import Span, apart
from langgraph_memory.redaction.tables import find_in_columns
from langgraph_memory.redaction.tokens import find_tokens, named_kind

_SHORTEST = 8
"""No text below this length holds a secret together with what gives it away."""
_SHORTEST_WORD = 20
"""No single word below this length gives itself away."""
_ESCAPE = re.compile(r"\\(?:[nrtbf]|u[0-9a-fA-F]{4})")


def find_secrets(text: str) -> list[Span]:
    """The secrets of a text in order, none overlapping another.

    >>> find_secrets("curl -u ana:hunter2 https://a.org")
    [Span(start=12, end=19, kind='password', quote='')]
    """
    if len(text) < _SHORTEST or _is_short_word(text):
        return []
    text = _without_escapes(text)
    ascii_text = text.encode("ascii", "replace")
    lower = ascii_text.lower()
    names = stems(text, lower)
    return apart(
        [
            *find_tokens(text, ascii_text),
            *find_credentials(text, lower),
            *find_assignments(text, lower, names),
            *find_told(text, lower, names),
            *find_in_columns(text, names),
            *find_in_lines(text, lower),
            *find_wrapped(text, ascii_text),
        ]
    )


def secret_in_ids(ids: Mapping[str, str]) -> tuple[str, str] | None:
    """The name of the first id that holds a secret, and its kind: a token of a named kind, or a password.

    That an id is random makes it none.

    >>> secret_in_ids({"event_id": "2f1c9d3e-0b7a-4f59-8a86-5d1f3c2b9e70", "thread_id": "user:ana"})
    >>> secret_in_ids({"event_id": "ev-1", "thread_id": "redis://:hunter2abc@cache:6379/0"})
    ('thread_id', 'password')
    """
    found = ((name, _secret_in(text)) for name, text in ids.items() if not _DIGITS.fullmatch(text))
    return next(((name, kind) for name, kind in found if kind is not None), None)


@lru_cache(maxsize=512)
def _secret_in(text: str) -> str | None:
    """The kind of the secret in an id; ids of threads and activities come again and again."""
    if (named := named_kind(text)) is not None or _PLAIN_ID.fullmatch(text):
        return named
    return next((span.kind for span in find_secrets(text)), None)


_PLAIN_ID = re.compile(r"[\w.:/~+-]*", re.ASCII)
"""Words with joints, as ids are made of: no assignment and no user before a host stands in them."""
_DIGITS = re.compile(r"(?:[a-z]{1,2}_)?[0-9a-f-]{1,80}")
"""Hexadecimal digits, as digests and drawn ids are made of: no named kind has them alone."""

_WRAPPED = re.compile(r"[A-Za-z0-9+/]{24,4096}+={0,2}(?![\w+/.-])")
_BASE64 = re.compile(r"[A-Za-z0-9+/]")
_IN_BASE64 = bytes(ord("w" if _BASE64.match(chr(code)) else " ") for code in range(256))
_SHORTEST_WRAPPED = b"w" * 24
_TELLING = ("pass", "pwd", "secret", "token", "key", "://", "auth")


def find_wrapped(text: str, ascii_text: bytes) -> Iterator[Span]:
    """Base64 of a text that holds a secret; `ascii_text` is the text, one byte a character."""
    classes, end = ascii_text.translate(_IN_BASE64), 0
    while (start := classes.find(_SHORTEST_WRAPPED, end)) >= 0:
        match = _WRAPPED.match(text, start)
        end = match.end() if match else start + len(_SHORTEST_WRAPPED)
        inner = decoded_text(match.group()) if match else ""
        if any(word in inner.lower() for word in _TELLING) and find_secrets(inner):
            yield Span(start, end, "secret")


def _is_short_word(text: str) -> bool:
    return len(text) < _SHORTEST_WORD and text.isascii() and text.replace("_", "").isalnum()


def _without_escapes(text: str) -> str:
    """The text with blanks for escaped characters: what follows a line break in JSON begins a line."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_as_blank, text)


def _as_blank(escape: re.Match[str]) -> str:
    blanks = " " * len(escape.group())
    return f"{blanks[1:]}\n" if escape.group()[1] in "nr" else blanks

"""Where the secrets of a text stand. Each rule is linear and looks first for a literal that it needs."""

from __future__ import annotations

import re

from langgraph_memory.redaction.assignments import find_assignments
from langgraph_memory.redaction.credentials import find_credentials
from langgraph_memory.redaction.spans import Span, apart
from langgraph_memory.redaction.tokens import find_tokens

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
    return apart(
        [*find_tokens(text, ascii_text), *find_credentials(text, lower), *find_assignments(text, lower)]
    )


def _is_short_word(text: str) -> bool:
    return len(text) < _SHORTEST_WORD and text.isascii() and text.replace("_", "").isalnum()


def _without_escapes(text: str) -> str:
    """The text with blanks for escaped characters: what follows a line break in JSON begins a word."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda match: " " * len(match.group()), text)

"""The strings of a JSON value, rewritten."""

from __future__ import annotations

from collections.abc import Callable, Container

from pydantic import JsonValue


def rewritten(value: JsonValue, rewrite: Callable[[str, str], str], key: str = "") -> JsonValue:
    """The value with every string at any depth rewritten, keys too.

    `rewrite` is given the key that the string stands under (empty at the top and for keys) and the string.

    >>> rewritten({"a": ["x", {"b": "y"}], "n": 1}, lambda key, text: key + text)
    {'a': ['ax', {'b': 'by'}], 'n': 1}
    """
    if isinstance(value, str):
        return rewrite(key, value)
    if isinstance(value, list):
        return [rewritten(item, rewrite, key) for item in value]
    if isinstance(value, dict):
        named: dict[str, JsonValue] = {}
        for name, item in value.items():
            named[unused(rewrite("", name), named)] = rewritten(item, rewrite, name)
        return named
    return value


def unused(key: str, taken: Container[str]) -> str:
    """Two keys that are rewritten alike stay two keys."""
    number, candidate = 1, key
    while candidate in taken:
        number += 1
        candidate = f"{key} {number}"
    return candidate

"""The strings of a JSON value, rewritten."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import JsonValue


def rewritten(value: JsonValue, rewrite: Callable[[str, str], str], key: str = "") -> JsonValue:
    """The value with every string at any depth rewritten.

    `rewrite` is given the key that the string stands under (empty at the top) and the string. Keys stay.

    >>> rewritten({"a": ["x", {"b": "y"}], "n": 1}, lambda key, text: key + text)
    {'a': ['ax', {'b': 'by'}], 'n': 1}
    """
    if isinstance(value, str):
        return rewrite(key, value)
    if isinstance(value, list):
        return [rewritten(item, rewrite, key) for item in value]
    if isinstance(value, dict):
        return {name: rewritten(item, rewrite, name) for name, item in value.items()}
    return value

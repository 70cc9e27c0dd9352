"""JSON read strictly: what other readers would refuse or change is refused here, with the reason."""

from __future__ import annotations

import json
import math
import re
from typing import Any

MAX_DEPTH = 100
"""The deepest nesting that is read."""


def loads(text: str) -> Any:
    """The value of a JSON text; half a surrogate pair becomes the replacement character.

    >>> loads('{"id": "i-09a8f"}')
    {'id': 'i-09a8f'}

    Raises:
        ValueError: not JSON, NaN or infinity, a number beyond a float, a key twice in one object, or nested
            deeper than `MAX_DEPTH`.
    """
    try:
        value = json.loads(
            text, parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_without_twins
        )
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    _check_depth(value)
    return _mended(value) if _SURROGATE.search(text) else value


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
_TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels: flatten it or leave it out"


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON: write null")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"the number {digits[:40]} is beyond a float: write it as a text")
    return number


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twin = next(key for key in found if keys.count(key) > 1)
        raise ValueError(f"the key {twin!r} stands twice in one object: keep one of them")
    return found


def _check_depth(value: Any) -> None:
    level = [value] if type(value) in _NESTING else []
    for _ in range(MAX_DEPTH):
        if not level:
            return
        members = (outer.values() if type(outer) is dict else outer for outer in level)
        level = [inner for found in members for inner in found if type(inner) in _NESTING]
    if level:
        raise ValueError(_TOO_DEEP)


_NESTING = (dict, list)


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    return value

"""JSON lines, read one at a time and strictly: what is wrong is named with file and line."""

from __future__ import annotations

import codecs
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from langgraph_memory.errors import IngestError
from langgraph_memory.records import Record

MAX_BYTES = 256 * 1024 * 1024
"""The longest line that is read, in bytes."""

MAX_DEPTH = 200
"""The deepest nesting that is read."""


class Line(Record):
    """One line of a file: its value, or the error that it is.

    Attributes:
        number: counted from 1.
        end: the bytes of the file up to its end.
        value: the JSON value.
        error: what is wrong with it.
    """

    number: int
    end: int
    value: Any = None
    error: str | None = None


def read_lines(path: Path) -> Iterator[Line]:
    """The lines of a file that are not empty."""
    with path.open("rb") as file:
        number = end = 0
        while raw := file.readline(MAX_BYTES + 1):
            number, end = number + 1, end + len(raw)
            if number == 1:
                raw = raw.removeprefix(codecs.BOM_UTF8)
            if len(raw) > MAX_BYTES:
                raise IngestError(f"{path}:{number}: longer than {MAX_BYTES} bytes: split the file into lines")
            if raw.strip():
                yield _line(raw, number, end)


def _line(raw: bytes, number: int, end: int) -> Line:
    try:
        return Line(number=number, end=end, value=strict_json(raw))
    except (ValueError, RecursionError) as error:
        return Line(number=number, end=end, error=_reason(error))


def strict_json(raw: bytes) -> Any:
    """The value of a JSON text in UTF-8.

    Raises:
        ValueError: it is not JSON, or has NaN, a number beyond a float, a key twice, or too deep a nesting.
    """
    text = raw.decode("utf-8")
    value = json.loads(
        text, parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_object
    )
    return _without_surrogates(value) if _SURROGATE.search(text) else value


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON: write null")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits[:40]} is beyond what a number can hold: write it as a text")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object: keep one")
    return found


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    return value


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8: save the file as UTF-8"
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON ({error.msg} at column {error.colno}): one conversation a line"
    if isinstance(error, RecursionError):
        return "nested too deep"
    return str(error)

"""The texts in a tool call's arguments in which an entity may be named; how they are written hides none."""

from __future__ import annotations

import array
import dataclasses
import html
import re
from collections.abc import Collection, Iterator, Mapping
from enum import Enum
from typing import Any
from urllib.parse import unquote

from pydantic import BaseModel

from langgraph_memory.entities.keys import Announces, announced_by

MAX_CHARACTERS = 200_000
"""Arguments with more text than this are not looked through."""

MAX_PARTS = 20_000
"""Arguments with more values than this are not looked through."""

_MOST_LAYERS = 4
_ENCODED = re.compile(r"[%&\\]")
_ESCAPE = re.compile(
    r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-7]{3})|(.))"
)
_BLANKS = frozenset("nrtfbv0")
_LAST_CHARACTER = 0x10FFFF
_BYTES = (bytes, bytearray, memoryview, array.array)


class UnjudgedError(ValueError):
    """Arguments that can't be looked through: too many, too long, or read only by using them up."""


def texts_of(args: Mapping[str, Any]) -> list[str]:
    r"""All texts in arguments, at any depth, each as it stands and as it reads once it is decoded.

    Names of parameters are no texts: `instance_id` stands for whatever is given under it. Keys of what is
    given are, since a tool may take what it is about as one.

    >>> texts_of({"instance_id": "gpu%2Dbench", "n": 3, "tags": {"web-1": True}})
    ['web-1', '3', 'gpu%2Dbench', 'gpu-bench']

    Raises:
        UnjudgedError: what can't be looked through.
    """
    found: list[str] = []
    size = 0
    for text in _texts(args):
        size += len(text)
        if size > MAX_CHARACTERS:
            raise UnjudgedError(
                f"its arguments are longer than {MAX_CHARACTERS:,} characters, too long to be judged; "
                "pass large content by reference"
            )
        found += decoded(text)
    return found


def decoded(text: str) -> list[str]:
    r"""A text, and what it becomes when the encodings in it are taken off one after another.

    >>> decoded("gpu%252Dbench"), decoded("gpu&#45;bench"), decoded(r"gpu\u002dbench")[1]
    (['gpu%252Dbench', 'gpu%2Dbench', 'gpu-bench'], ['gpu&#45;bench', 'gpu-bench'], 'gpu-bench')
    """
    layers = [text]
    for _ in range(_MOST_LAYERS):
        last = layers[-1]
        if not _ENCODED.search(last):
            break
        plain = _ESCAPE.sub(_meant, html.unescape(unquote(last)))
        if plain == last:
            break
        layers.append(plain)
    return layers


def _meant(match: re.Match[str]) -> str:
    code = next((group for group in match.groups()[:4] if group), None)
    number = int(code, 16) if code else int(match[5], 8) if match[5] else None
    if number is not None:
        return chr(number) if number <= _LAST_CHARACTER else ""
    return " " if match[6] in _BLANKS else match[6]


def _texts(args: Mapping[str, Any]) -> Iterator[str]:
    if not isinstance(args, Mapping):
        args = {"": args}
    pending: list[Any] = list(args.values())
    yield from (
        name for name in args if not isinstance(name, str) or not name.isidentifier() or _has_digit(name)
    )
    seen, parts = {id(args)}, 0
    while pending:
        item = pending.pop()
        parts += 1
        if parts > MAX_PARTS:
            raise UnjudgedError(f"its arguments hold more than {MAX_PARTS:,} values, too many to be judged")
        if isinstance(item, str):
            yield item
        elif item is None or isinstance(item, bool):
            continue
        elif (inner := _parts_of(item)) is None:
            yield _written(item)
        elif id(item) not in seen:
            seen.add(id(item))
            pending += inner


def _parts_of(item: Any) -> list[Any] | None:
    """What a value holds; None if it is one of its own."""
    if isinstance(item, Collection) and not isinstance(item, _BYTES) and len(item) > MAX_PARTS:
        raise UnjudgedError(f"its arguments hold more than {MAX_PARTS:,} values, too many to be judged")
    if isinstance(item, Mapping):
        keys = [key for key in item if not isinstance(key, str) or not _is_field(key)]
        return [*item.values(), *keys]
    if isinstance(item, range):
        return [item.start, item.stop]
    if isinstance(item, Collection) and not isinstance(item, _BYTES):
        return list(item)
    if isinstance(item, Iterator) or hasattr(item, "read"):
        raise UnjudgedError(
            f"its arguments hold {type(item).__name__}, which can't be looked through without using it up"
        )
    return None if isinstance(item, _BYTES) else _fields_of(item)


def _fields_of(item: Any) -> list[Any] | None:
    """What an object holds, and how it is written."""
    if isinstance(item, Enum):
        return [item.name, item.value]
    held = list(getattr(item, "__dict__", {}).values())
    if isinstance(item, BaseModel) or dataclasses.is_dataclass(item):
        return held or [str(item)]
    return [*held, str(item)] if held else None


def _written(item: Any) -> str:
    if isinstance(item, memoryview | array.array):
        item = item.tobytes()
    return item.decode("utf-8", "replace") if isinstance(item, bytes | bytearray) else str(item)


def _is_field(key: str) -> bool:
    """Whether a key says what stands under it, and is no name of a thing itself."""
    return announced_by(key) is Announces.IDENTIFIER


def _has_digit(name: str) -> bool:
    return any(character.isdigit() for character in name)

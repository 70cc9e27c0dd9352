"""The texts in a tool call's arguments in which an entity may be named; how they are written hides none."""

from __future__ import annotations

import array
import dataclasses
from collections.abc import Collection, Iterator, Mapping
from enum import Enum
from typing import Any

from pydantic import BaseModel

from langgraph_memory.entities.keys import Announces, announced_by
from langgraph_memory.retrieval.encodings import MAX_PARTS, UnjudgedError, decoded, text_in

MAX_CHARACTERS = 200_000
"""Arguments with more text than this are not looked through."""

_PRINTABLE = range(0x20, 0x7F)
_BYTES = (bytes, bytearray, memoryview, array.array)


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


def _texts(args: Mapping[str, Any]) -> Iterator[str]:
    if not isinstance(args, Mapping):
        args = {"": args}
    pending: list[Any] = list(args.values())
    yield from (str(name) for name in args if not str(name).isidentifier() or _has_digit(str(name)))
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
        return [*item, *_spelled(item)]
    if isinstance(item, Iterator) or hasattr(item, "read"):
        raise UnjudgedError(
            f"its arguments hold {type(item).__name__}, which can't be looked through without using it up"
        )
    return None if isinstance(item, _BYTES) else _fields_of(item)


def _spelled(item: Collection[Any]) -> list[str]:
    """The word that a list of character codes spells."""
    codes = [each for each in item if type(each) is int and each in _PRINTABLE]
    return ["".join(map(chr, codes))] if len(codes) == len(item) > 1 else []


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
    if isinstance(item, bytes | bytearray):
        return text_in(bytes(item)) or item.decode("utf-8", "replace")
    return str(item)


def _is_field(key: str) -> bool:
    """Whether a key says what stands under it, and is no name of a thing itself."""
    return announced_by(key) is Announces.IDENTIFIER


def _has_digit(name: str) -> bool:
    return any(character.isdigit() for character in name)

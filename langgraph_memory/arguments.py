"""Arguments as callers give them: what they have to be, or one clear error."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from langgraph_memory.errors import ConfigurationError, InvalidArgumentError, InvalidEventError

_SHOWN = 200
_HALF = re.compile("[\ud800-\udfff]")
_MOST = 2**63 - 1
Member = TypeVar("Member", bound=StrEnum)


def expect(kind: type[Any], /, **given: object) -> None:
    """Refuse what isn't of a type.

    Raises:
        InvalidArgumentError: one of them isn't.

    >>> expect(str, query=5)
    Traceback (most recent call last):
    ...
    langgraph_memory.errors.InvalidArgumentError: query=5 is int: give str
    """
    for name, value in given.items():
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise refusal(name, value, kind.__name__)


def refusal(name: str, value: object, wanted: str) -> InvalidArgumentError:
    """The error for an argument of another type than the one that is wanted."""
    return InvalidArgumentError(f"{name}={shown(value)} is {type(value).__name__}: give {wanted}")


def keepable(name: str, text: str) -> str:
    r"""A text that a database can keep, and thus one that something stored can be called.

    Raises:
        InvalidArgumentError: no text.
        ConfigurationError: one with NUL or half a surrogate pair.

    >>> keepable("fact_id", "f\ud800")
    Traceback (most recent call last):
    ...
    langgraph_memory.errors.ConfigurationError: fact_id='f\ud800' has half a character: leave it out
    """
    expect(str, **{name: text})
    if not text.isascii() and _HALF.search(text):
        raise ConfigurationError(f"{name}={shown(text)} has half a character: leave it out")
    if "\x00" in text:
        raise ConfigurationError(f"{name}={shown(text)} has the character NUL: leave it out")
    return text


def count(name: str, number: int) -> int:
    """How many of something: from 0 on, and no more than a database counts.

    Raises:
        InvalidArgumentError: no int.
        ConfigurationError: below 0, or beyond what a database counts.
    """
    expect(int, **{name: number})
    if number < 0:
        raise ConfigurationError(f"{name}={shown(number)} is negative: give 0 or more")
    if number > _MOST:
        raise ConfigurationError(f"{name}={shown(number)} is beyond {_MOST}: give less")
    return number


def amount(name: str, number: float) -> float:
    """How much of something: a finite number from 0 on.

    Raises:
        InvalidArgumentError: no number.
        ConfigurationError: below 0, or not finite.
    """
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise refusal(name, number, "a number")
    if not (math.isfinite(number) and number >= 0):
        raise ConfigurationError(f"{name}={shown(number)} is no amount: give a number from 0 on")
    return number


def one_of(name: str, value: object, choices: Iterable[object]) -> object:
    """A member of a small set of values.

    Raises:
        ConfigurationError: it is none of them.
    """
    wanted = tuple(choices)
    if not any(type(value) is type(choice) and value == choice for choice in wanted):
        raise ConfigurationError(f"{name}={shown(value)}: give one of {', '.join(map(str, wanted))}")
    return value


def place(name: str, path: str | Path) -> Path:
    """A path that a file system can have.

    Raises:
        InvalidArgumentError: neither text nor path.
        ConfigurationError: an empty one, or one with a character that no file system takes.
    """
    if not isinstance(path, str | Path):
        raise refusal(name, path, "str or Path")
    if not str(path).strip():
        raise ConfigurationError(f"{name}={shown(path)} names no place: give a path")
    return Path(keepable(name, str(path)))


def first_wrong(error: ValidationError) -> str:
    """The first thing that pydantic found wrong, on one line: where, what, and the value.

    >>> from pydantic import TypeAdapter
    >>> try:
    ...     TypeAdapter(dict[str, int]).validate_python({"files": "many"})
    ... except ValidationError as error:
    ...     first_wrong(error)
    "files='many': Input should be a valid integer, unable to parse string as an integer"
    """
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    given = f"{where}={shown(first['input'])}" if where else shown(first["input"])
    return f"{given}: {first['msg'].removeprefix('Value error, ')}"


def texts(name: str, values: Iterable[str]) -> tuple[str, ...]:
    """The texts of a collection, each once; a single text in place of a collection is refused.

    Raises:
        InvalidArgumentError: no collection of texts.

    >>> texts("entities", ["host:i-1", "host:i-1", "i-2"])
    ('host:i-1', 'i-2')
    """
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InvalidArgumentError(f"{name}={shown(values)} is no collection of texts: give a list")
    found: dict[str, None] = {}
    for value in values:  # the first that is none ends it, however many would come
        expect(str, **{name: value})
        found[value] = None
    return tuple(found)


def storable(text: str) -> str:
    """A text without what no database keeps: NUL and half surrogate pairs."""
    return text.replace("\x00", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def plain_text(name: str, text: str) -> str:
    """A text that says something, without what no database keeps.

    Raises:
        InvalidArgumentError: no text.
        InvalidEventError: it says nothing.
    """
    expect(str, **{name: text})
    plain = storable(text)
    if not plain.strip():
        raise InvalidEventError(f"a fact can't be asserted with {name}={shown(text)}: give a text")
    return plain


def member(kinds: type[Member], name: str, value: str) -> Member:
    """The member of a closed set that a value names.

    Raises:
        ConfigurationError: it names none of them.
    """
    try:
        return kinds(value)
    except ValueError as error:
        raise ConfigurationError(f"{name}={shown(value)}: give one of {', '.join(kinds)}") from error


def aware(name: str, moment: datetime) -> datetime:
    """A moment with its time zone.

    Raises:
        InvalidArgumentError: no moment.
        ConfigurationError: one without a time zone.
    """
    expect(datetime, **{name: moment})
    if moment.tzinfo is None:
        raise ConfigurationError(f"{name}={moment.isoformat()} has no time zone: give one, such as UTC")
    return moment


def shown(value: object) -> str:
    """A value as messages show it: described, and cut where it is long."""
    text = described(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def described(value: object) -> str:
    """A value's repr; of one that has none, its type.

    >>> class Odd:
    ...     def __repr__(self) -> str:
    ...         raise RuntimeError("not loaded")
    >>> described(Odd())
    '<Odd that repr() fails on>'
    """
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 - a class of others, or too deep a nesting: the text says that it failed
        return f"<{type(value).__name__} that repr() fails on>"

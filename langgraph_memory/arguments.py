"""Arguments as callers give them: what they have to be, or one clear error."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from langgraph_memory.errors import ConfigurationError, InvalidArgumentError, InvalidEventError

_SHOWN = 200
Member = TypeVar("Member", bound=StrEnum)


def expect(kind: type[Any], **given: object) -> None:
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
            raise InvalidArgumentError(
                f"{name}={_shown(value)} is {type(value).__name__}: give {kind.__name__}"
            )


def texts(name: str, values: Iterable[str]) -> tuple[str, ...]:
    """The texts of a collection, each once; a single text in place of a collection is refused.

    Raises:
        InvalidArgumentError: no collection of texts.

    >>> texts("entities", ["host:i-1", "host:i-1", "i-2"])
    ('host:i-1', 'i-2')
    """
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InvalidArgumentError(f"{name}={_shown(values)} is no collection of texts: give a list")
    found = tuple(values)
    for value in found:
        expect(str, **{name: value})
    return tuple(dict.fromkeys(found))


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
        raise InvalidEventError(f"a fact can't be asserted with {name}={text!r}: give a text")
    return plain


def member(kinds: type[Member], name: str, value: str) -> Member:
    """The member of a closed set that a value names.

    Raises:
        ConfigurationError: it names none of them.
    """
    try:
        return kinds(value)
    except ValueError as error:
        raise ConfigurationError(f"{name}={_shown(value)}: give one of {', '.join(kinds)}") from error


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


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"

"""What a caller gives is held against a function's own type hints, before anything of the call happens."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, wraps
from types import NoneType, UnionType
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

from langgraph_memory.arguments import amount, aware, count, expect, keepable, one_of, refusal, texts

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")
_Check = Callable[[str, Any], Any]
"""Takes an argument's name and value; gives the value to go on with, or raises."""


def checked(*own: str) -> Callable[[Callable[_Given, _Answer]], Callable[_Given, _Answer]]:
    """Refuse arguments that a function's hints don't admit, each by its name and value, with the remedy.

    Texts have to be such as a database keeps, counts begin at 0, moments have a time zone, and of a
    collection, which is taken as a tuple, every element is looked at.

    Args:
        own: parameters that the function itself looks at, since it takes more than their hints say.

    >>> @checked()
    ... def read(fact_id: str, limit: int | None = None) -> str:
    ...     return fact_id
    >>> read("f-1", limit=-1)
    Traceback (most recent call last):
    ...
    langgraph_memory.errors.ConfigurationError: limit=-1 is negative: give 0 or more

    Raises:
        InvalidArgumentError: an argument of another type.
        ConfigurationError: one of the type, but with a value that can't be meant.
    """

    def around(work: Callable[_Given, _Answer]) -> Callable[_Given, _Answer]:
        names = tuple(inspect.signature(work).parameters)

        @wraps(work)
        def call(*args: _Given.args, **options: _Given.kwargs) -> _Answer:
            checks = _checks(work, own)
            placed: Any = [_admitted(checks, *each) for each in zip(names, args, strict=False)]
            named: Any = {name: _admitted(checks, name, value) for name, value in options.items()}
            beyond: Any = args[len(names) :]  # too many: the function says so
            return work(*placed, *beyond, **named)

        return call

    return around


def _admitted(checks: Mapping[str, _Check], name: str, value: Any) -> Any:
    check = checks.get(name)
    return value if check is None else check(name, value)


@cache
def _checks(work: Callable[..., Any], own: tuple[str, ...]) -> Mapping[str, _Check]:
    """The checks of a function by parameter; they are made when it is first called."""
    hints = get_type_hints(work)
    return {
        name: _check(hints[name])
        for name, parameter in inspect.signature(work).parameters.items()
        if name in hints and name not in own and parameter.kind not in _OPEN
    }


def _check(hint: Any) -> _Check:
    """The check that a type hint asks for."""
    kind, parts = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, UnionType):
        return _any_of(parts)
    if kind is Literal:
        return lambda name, value: one_of(name, value, parts)
    if kind in (Iterable, Sequence):
        return _texts if kind is Iterable and _textual(parts[0]) else _each(parts[0])
    if kind in _BY_KIND:
        return _BY_KIND[kind]
    kind = Mapping if is_typeddict(kind) else kind
    return _instance(kind) if isinstance(kind, type) and kind is not Any else _anything


def _any_of(parts: tuple[Any, ...]) -> _Check:
    """One of several types: the first whose class fits says whether it takes the value."""
    kinds = [get_origin(part) or part for part in parts if part is not NoneType]
    checks = [_check(part) for part in parts if part is not NoneType]
    optional = NoneType in parts
    if len(checks) == 1:
        return lambda name, value: None if optional and value is None else checks[0](name, value)
    wanted = " or ".join([*(kind.__name__ for kind in kinds), *["None"] * optional])

    def check(name: str, value: Any) -> Any:
        if optional and value is None:
            return None
        for kind, inner in zip(kinds, checks, strict=True):
            if isinstance(value, kind):
                return inner(name, value)
        raise refusal(name, value, wanted)

    return check


def _texts(name: str, values: Any) -> Any:
    return tuple(keepable(name, value) for value in texts(name, values))


def _each(element: Any) -> _Check:
    inner = _check(element)

    def check(name: str, values: Any) -> Any:
        if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
            raise refusal(name, values, f"a list of {getattr(element, '__name__', str(element))}")
        return tuple(inner(name, value) for value in values)

    return check


def _textual(element: Any) -> bool:
    return element is str or get_origin(element) is Literal or str in get_args(element)


def _instance(kind: Any) -> _Check:
    """A value of a class; of a protocol, one that has what it asks for."""
    protocol = getattr(kind, "_is_protocol", False)
    asked = [each for each in vars(kind) if each == "__call__" or not each.startswith("_")]

    def check(name: str, value: Any) -> Any:
        if not protocol:
            expect(kind, **{name: value})
        elif not all(hasattr(value, each) for each in asked):
            raise refusal(name, value, f"{kind.__name__}, with {', '.join(asked)}")
        return value

    return check


def _function(name: str, value: Any) -> Any:
    if not callable(value):
        raise refusal(name, value, "a function")
    return value


def _anything(_name: str, value: Any) -> Any:
    return value


_OPEN = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_BY_KIND: Mapping[Any, _Check] = {
    str: keepable,
    int: count,
    float: amount,
    datetime: aware,
    Callable: _function,
}

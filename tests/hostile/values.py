"""Values that nobody means, and what every call may make of them."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from langgraph.store.base import InvalidNamespaceError

from langgraph_memory.arguments import described
from langgraph_memory.errors import MemoryRuntimeError


class Silent:
    """Fails whoever shows it, as rows of a closed database session do."""

    def __repr__(self):
        raise RuntimeError("not loaded")


def nested(depth):
    """Lists in lists, deeper than Python can show."""
    whole = []
    for _ in range(depth):
        whole = [whole]
    return whole


HOSTILE = (
    None,
    b"x",
    3,
    math.nan,
    math.inf,
    [],
    {},
    object(),
    "",
    " ",
    "\ud800",
    "a" * 10**5,
    "a\x00b",
    "\u202egnp.exe",
    "👩‍👩‍👧",
    "\u0301",
    datetime(2026, 11, 30),  # noqa: DTZ001 - the case
    -1,
    10**30,
    True,
    ["\ud800"],
    [None],
    {"a": "\ud800"},
    ("x",),
    int,
    Silent(),
    [Silent()],
    nested(5_000),
)


class Call(NamedTuple):
    """Something public, with arguments that it takes."""

    name: str
    work: Callable[..., Any]
    given: dict[str, Any]

    def hostile(self, parameter: str) -> Iterator[Any]:
        """What nobody means by a parameter: all but its default."""
        default = inspect.signature(self.work).parameters[parameter].default
        yield from (value for value in HOSTILE if value is not default)

    def arguments(self) -> dict[str, Any]:
        """Arguments that it takes; of those that are made for each call, new ones."""
        return {n: a() if inspect.isfunction(a) and n in MADE else a for n, a in self.given.items()}

    def parameters(self) -> Iterator[str]:
        """The names of all its parameters, without those that are open to any."""
        for name, parameter in inspect.signature(self.work).parameters.items():
            if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                yield name


MADE = {"fact_id"}
"""Arguments of which a call uses one up."""


def offer(call: Call, parameter: str, arguments: dict[str, Any]) -> tuple[bool, str | None]:
    """Whether a call took a hostile argument, and what is wrong with how it was refused."""
    value = arguments[parameter]
    shown = f"{call.name}({parameter}={described(value)[:60]})"
    try:
        call.work(**arguments)
    except (MemoryRuntimeError, InvalidNamespaceError) as error:
        told = str(error)
        members = value if isinstance(value, tuple | list | dict) else ()
        if parameter in told or any(described(each)[:60] in told for each in (value, *members)):
            return False, None
        return False, f"{shown}: {type(error).__name__} names neither: {told[:150]!r}"
    except Exception as error:  # noqa: BLE001 - whatever gets out is what is looked for
        return False, f"{shown}: {type(error).__name__}: {str(error)[:150]!r}"
    return True, None

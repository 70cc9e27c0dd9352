"""Filters on values: equality and `$eq $ne $gt $gte $lt $lte`, the same on every database.

- A key names a top-level key of the value, or a path to a nested one: `{"meta.lang": "en"}` says the same
  as `{"meta": {"lang": "en"}}`. A key that is literally there comes before the path.
- A plain dict is a filter on the nested dict, which may have more keys; `{"$eq": {…}}` wants it equal.
- Lists are equal element by element. A number equals a number, exactly; true is not 1.
- A missing key counts as null: `{"k": None}` and `{"k": {"$ne": 1}}` match where `k` is missing. An
  ordering never does. Orderings compare numbers with numbers and texts (dates too) with texts.
- NaN equals nothing, itself neither, and compares to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langgraph_memory.arguments import refusal
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.store import values

Filter = Mapping[str, Any]


def check(condition: Filter | None) -> None:
    """Refuse a filter that can't be meant.

    Raises:
        ConfigurationError: an unknown operator, or operators beside plain keys.
        InvalidArgumentError: a value that JSON has no form for.
    """
    if condition is not None and not isinstance(condition, Mapping):
        raise refusal("filter", condition, "dict or None")
    if condition:
        values.plain(
            condition, bounded=False
        )  # infinity is a fine limit, although nothing stored is infinite
        _check_operators(condition)


def matches(value: Mapping[str, Any], condition: Filter | None) -> bool:
    """Whether the value meets every part of the filter.

    >>> matches({"n": 3, "meta": {"lang": "en"}}, {"n": {"$gte": 3}, "meta.lang": "en"})
    True
    """
    return all(_meets(_at(value, key), wanted) for key, wanted in (condition or {}).items())


def equal(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same, deeply; true and 1 are not.

    >>> equal([1, {"a": 2.0}], (1.0, {"a": 2})), equal(True, 1)
    (True, False)
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(equal(one[k], other[k]) for k in one)
    if _is_list(one) and _is_list(other):
        return len(one) == len(other) and all(map(equal, one, other))
    return bool(one == other)


def _check_operators(condition: Any) -> None:
    if isinstance(condition, Mapping):
        unknown = [key for key in condition if key.startswith("$") and key not in _OPERATORS]
        if unknown:
            there = ", ".join(_OPERATORS)
            raise ConfigurationError(f"unknown filter operator {unknown[0]!r}: there are {there}")
        operators = sum(key.startswith("$") for key in condition)
        if operators and operators < len(condition):
            raise ConfigurationError(f"the filter {condition!r} mixes operators and keys: write them apart")
        for part in () if operators else condition.values():
            _check_operators(part)


def _at(value: Any, key: str) -> Any:
    """What lies at a key or dotted path; None where nothing does."""
    if not isinstance(value, Mapping):
        return None
    if key in value:
        return value[key]
    first, dot, rest = key.partition(".")
    while dot:
        if first in value:
            return _at(value[first], rest)
        label, dot, rest = rest.partition(".")
        first = f"{first}.{label}"
    return None


def _meets(found: Any, wanted: Any) -> bool:
    if not isinstance(wanted, Mapping):
        return equal(found, wanted)
    if any(key.startswith("$") for key in wanted):
        return all(_OPERATORS[operator](found, operand) for operator, operand in wanted.items())
    return isinstance(found, Mapping) and matches(found, wanted)


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def both(found: Any, operand: Any) -> bool:
        return _comparable(found, operand) and compare(found, operand)

    return both


def _comparable(one: Any, other: Any) -> bool:
    return (isinstance(one, str) and isinstance(other, str)) or (_is_number(one) and _is_number(other))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": equal,
    "$ne": lambda found, operand: not equal(found, operand),
    "$gt": _ordered(lambda a, b: bool(a > b)),
    "$gte": _ordered(lambda a, b: bool(a >= b)),
    "$lt": _ordered(lambda a, b: bool(a < b)),
    "$lte": _ordered(lambda a, b: bool(a <= b)),
}

"""Operations that can't be meant are refused before anything of their batch happens."""

from __future__ import annotations

from typing import NamedTuple

from langgraph.store.base import GetOp, ListNamespacesOp, MatchCondition, Op, PutOp, SearchOp

from langgraph_memory.arguments import count, expect, keepable, refusal, shown, texts
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.store import filters

_LONGEST = 1_000_000_000
"""Minutes; 1,900 years."""


class RankOp(SearchOp):
    """A search whose answer is `Ranked` items: for one who has the values already, or wants few of them."""

    __slots__ = ()


class Ranked(NamedTuple):
    """What a search found, without its value; the score is None for an item that isn't indexed."""

    namespace: tuple[str, ...]
    key: str
    score: float | None


def check(op: Op) -> None:
    """Refuse an operation that can't be meant; its namespace is `Territory.admit`'s to judge.

    Raises:
        ConfigurationError: no operation at all, a negative limit or offset, an unknown filter operator, a bad
            time to live, a character that no database stores.
        InvalidArgumentError: an argument of another type, a filter value that JSON has no form for.
    """
    match op:
        case GetOp():
            _check_key(op.key)
        case PutOp():
            _check_key(op.key)
            _check_ttl(op.ttl)
            _check_index(op.index)
        case SearchOp():
            _check_page(op.limit, op.offset)
            filters.check(op.filter)
            if op.query is not None:
                expect(str, query=op.query)
        case ListNamespacesOp():
            _check_page(op.limit, op.offset)
            _check_conditions(op.match_conditions)
            if op.max_depth is not None:
                count("max_depth", op.max_depth)
        case _:
            raise ConfigurationError(f"{shown(op)} is no operation of a store")


def _check_key(key: object) -> None:
    if not isinstance(key, str):
        raise refusal("key", key, "str")
    keepable("key", key)


def _check_ttl(ttl: object) -> None:
    if ttl is None:
        return
    if isinstance(ttl, bool) or not isinstance(ttl, int | float):
        raise refusal("ttl", ttl, "a number of minutes")
    if not 0 <= ttl <= _LONGEST:
        raise ConfigurationError(f"the ttl {shown(ttl)} is not a number of minutes from 0 to {_LONGEST:,}")


def _check_page(limit: int, offset: int) -> None:
    count("limit", limit)
    count("offset", offset)


def _check_conditions(conditions: object) -> None:
    if conditions is None:
        return
    if not isinstance(conditions, tuple | list):
        raise refusal("match_conditions", conditions, "a list of MatchCondition")
    for condition in conditions:
        expect(MatchCondition, match_conditions=condition)


def _check_index(index: object) -> None:
    if index is None or index is False:
        return
    if index is True:
        raise refusal("index", index, "a list of paths, False for none, or None for those of the store")
    texts("index", index)  # type: ignore[arg-type]

"""Operations that can't be meant are refused before anything of their batch happens."""

from __future__ import annotations

import math

from langgraph.store.base import GetOp, ListNamespacesOp, Op, PutOp, SearchOp

from langgraph_memory.store import filters


def check(op: Op) -> None:
    """Refuse an operation that can't be meant; its namespace is `Territory.admit`'s to judge.

    Raises:
        ValueError: no operation at all, a negative limit or offset, an unknown filter operator, a bad time
            to live, a character that no database stores.
        TypeError: a key that is no string, a filter value that JSON has no form for.
    """
    match op:
        case GetOp():
            _check_key(op.key)
        case PutOp():
            _check_key(op.key)
            _check_ttl(op.ttl)
        case SearchOp():
            _check_page(op.limit, op.offset)
            filters.check(op.filter)
        case ListNamespacesOp():
            _check_page(op.limit, op.offset)
            _check_depth(op.max_depth)
        case _:
            raise ValueError(f"{op!r} is no operation of a store")


def _check_key(key: object) -> None:
    if not isinstance(key, str):
        raise TypeError(f"the key {key!r} is not a string")
    if "\x00" in key or any("\ud800" <= character <= "\udfff" for character in key):
        raise ValueError(f"the key {key!r} has a character that no database stores: leave it out")


def _check_ttl(ttl: object) -> None:
    if ttl is None:
        return
    if isinstance(ttl, bool) or not isinstance(ttl, int | float):
        raise TypeError(f"the ttl {ttl!r} is not a number of minutes")
    if not (math.isfinite(ttl) and ttl >= 0):
        raise ValueError(f"the ttl {ttl!r} is not a number of minutes from 0 on")


def _check_page(limit: int, offset: int) -> None:
    if limit < 0 or offset < 0:
        raise ValueError(f"limit {limit!r} and offset {offset!r}: neither may be negative")


def _check_depth(max_depth: int | None) -> None:
    if max_depth is not None and max_depth < 0:
        raise ValueError(f"max_depth {max_depth!r} is negative: leave it out for no limit")

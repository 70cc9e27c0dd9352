"""How the space of a recall is divided: a share for each kind, and a shorter form for constraints."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

_Part = TypeVar("_Part")


def within_shares(
    parts: Iterable[tuple[_Part, str, int]], shares: Mapping[str, float], budget: int
) -> list[_Part]:
    """The parts in order, but those beyond the share of their kind go behind all that are within theirs.

    So no kind drives out another, and what a kind leaves over goes to the others.

    Args:
        parts: best first; each with its kind and size.
        shares: by kind, the part of the budget that it gets first; a kind that isn't named has no limit.
        budget: the whole space, in the unit of the sizes.

    Example:
        >>> told = [("long story", "episode", 60), ("another", "episode", 50), ("rule", "fact", 30)]
        >>> within_shares(told, {"episode": 0.6}, 100)
        ['long story', 'rule', 'another']
    """
    within: list[_Part] = []
    beyond: list[_Part] = []
    used: dict[str, int] = {}
    for part, kind, size in parts:
        filled = used.get(kind, 0) + size
        if kind in shares and filled > shares[kind] * budget:
            beyond.append(part)
        else:
            used[kind] = filled
            within.append(part)
    return [*within, *beyond]


def to_shorten(ids: Sequence[str], fits: Callable[[frozenset[str]], bool]) -> frozenset[str]:
    """Which of what must be shown takes its shorter form, so that all of it fits: the fewest, from the last.

    Args:
        ids: the most important first.
        fits: whether all of them fit with these in the shorter form.

    Returns:
        All of them if even that does not fit: then some have to be left out.

    Example:
        >>> sorted(to_shorten(["a", "b", "c"], lambda short: 30 - 5 * len(short) <= 20))
        ['b', 'c']
    """
    counts = range(len(ids))
    enough = bisect_left(counts, True, key=lambda number: fits(frozenset(ids[len(ids) - number :])))
    return frozenset(ids[len(ids) - enough :])

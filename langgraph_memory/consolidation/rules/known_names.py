"""The names that are known, and where a phrase has one: as a whole, the longest first, in any spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from langgraph_memory.consolidation.rules.words import Word, spelled

_PART = re.compile(r"[^\W_]+")
MAX_NAME = 12
"""The longest known name that is looked for, in parts."""

_MANY = 64
"""Of more things than these no list is made: what is said of all others is said of the scope."""


class _Index:
    """Names by the parts of their spellings, in the order in which they were given."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names: dict[tuple[str, ...], list[str]] = {}
        self.longest: dict[str, int] = {}
        self.with_part: dict[str, set[str]] = {}
        for name in names:
            for parts in dict.fromkeys(map(_parts, (name, name.partition(":")[2]))):
                if 0 < len(parts) <= MAX_NAME:
                    self._add(name, parts)

    def _add(self, name: str, parts: tuple[str, ...]) -> None:
        self.names.setdefault(parts, []).append(name)
        self.longest[parts[0]] = max(len(parts), self.longest.get(parts[0], 0))
        for part in parts:
            self.with_part.setdefault(part, set()).add(name)


class KnownNames(Mapping[str, str]):
    """The entity that each known name stands for; names are found in phrases as whole words, longest first.

    Args:
        known: entity ids by name.
        below: names that are known as well, where these don't say otherwise.
        without: names of `below` that stand for no entity any more.

    Attributes:
        indexes: of the names below, and of these.

    >>> known = KnownNames({"bench": "i-7"}, below=KnownNames({"bench": "i-9", "web": "i-1"}))
    >>> dict(known)
    {'bench': 'i-7', 'web': 'i-1'}
    """

    def __init__(
        self, known: Mapping[str, str], *, below: KnownNames | None = None, without: Iterable[str] = ()
    ) -> None:
        self._known, self._without = known, frozenset(without)
        self._below: Mapping[str, str] = {} if below is None else below
        self.indexes: tuple[_Index, ...] = (*(below.indexes if below else ()), _Index(known))

    @classmethod
    def of(cls, known: Mapping[str, str]) -> KnownNames:
        """The names of any mapping."""
        return known if isinstance(known, KnownNames) else cls(dict(known))

    def __getitem__(self, name: str) -> str:
        if name in self._known:
            return self._known[name]
        if name in self._without:
            raise KeyError(name)
        return self._below[name]

    def __iter__(self) -> Iterator[str]:
        yield from (name for name in self._below if name in self._known or name not in self._without)
        yield from (name for name in self._known if name not in self._below)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def find(self, words: Sequence[Word]) -> tuple[str, int] | None:
        """The longest name that begins with the first of `words`, and how many words it takes."""
        parts: list[str] = []
        ends: dict[int, int] = {}
        first = _PART.search(words[0].norm)
        longest = self._longest(first.group()) if first else 0
        if not longest:
            return None
        for count, word in enumerate(words[:longest], 1):
            parts.extend(_PART.findall(word.norm))
            ends[len(parts)] = count
        for length in sorted(ends, reverse=True):
            if name := self._spelled(tuple(parts[:length])):
                return name, ends[length]
        return None

    def begins(self, norm: str) -> bool:
        """Whether one of the names begins with a word."""
        return self._longest(norm) > 0

    def described_by(self, words: Iterable[str]) -> str | None:
        """The one known entity in whose name all these words occur; None where several or none fit."""
        named = [
            set[str]().union(*(index.with_part.get(word, ()) for index in self.indexes)) for word in words
        ]
        fitting = [name for name in set.intersection(*named) if name in self] if named else []
        return min(fitting, key=len) if len({self[name] for name in fitting}) == 1 else None

    def knows(self, name: str) -> bool:
        """Whether this is a known name, in whatever spelling."""
        return self._spelled(_parts(name)) is not None

    def others(self, left_out: Iterable[str]) -> list[str]:
        """One name of each known entity but of those left out; none where there are very many."""
        taken = {self.get(name, name).casefold() for name in left_out}
        by_id = {entity: name for name, entity in self.items() if _parts(name)}
        found = [name for entity, name in by_id.items() if entity.casefold() not in taken]
        return found if len(found) <= _MANY else []

    def same(self, one: str, other: str) -> bool:
        """Whether two mentions name the same entity."""
        return self.get(one, one).casefold() == self.get(other, other).casefold()

    def _longest(self, first: str) -> int:
        """How many parts the longest name takes that begins with one."""
        return max(index.longest.get(first, 0) for index in self.indexes)

    def _spelled(self, parts: tuple[str, ...]) -> str | None:
        """The first name of this spelling."""
        named = (name for index in self.indexes for name in index.names.get(parts, ()))
        return next((name for name in named if name in self), None)


def _parts(name: str) -> tuple[str, ...]:
    return tuple(_PART.findall(spelled(name).lower()))

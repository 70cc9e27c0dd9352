"""A tool call as the guard reads it: its name, the entries of its arguments, and all texts in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from langgraph_memory.entities.keys import key_words
from langgraph_memory.entities.numbered import called
from langgraph_memory.retrieval.encodings import MAX_PARTS, structure_in
from langgraph_memory.retrieval.mentions import texts_of

_BETWEEN = re.compile(r"(?<=[a-z])(?=[A-Z])|[\W_]+")


class Entry(NamedTuple):
    """A value in arguments, with the words of the key that it stands under."""

    key: tuple[str, ...]
    value: Any

    @property
    def words(self) -> frozenset[str]:
        """The words of the key, in no order."""
        return frozenset(self.key)


class Call:
    """A call of a tool.

    Args:
        action: the tool's name.
        args: its arguments, of any form; JSON in a string counts as what it holds.

    Example:
        >>> call = Call("stop", {"spec": '{"names": ["web-1"]}'})
        >>> [(sorted(entry.words), entry.value) for entry in call.entries if entry.value == "web-1"]
        [(['name'], 'web-1')]
        >>> call.texts
        ['{"names": ["web-1"]}', 'names', 'web-1']
    """

    def __init__(self, action: str, args: Any) -> None:
        self.action = action
        self.args = args if isinstance(args, Mapping) else {"": args}

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The entries at any depth; what stands in a list, under the key of the list."""
        return tuple(islice(_entries(self.args, ()), MAX_PARTS))

    @cached_property
    def texts(self) -> tuple[str, ...] | list[str]:
        """All texts, also as they read once they are decoded; see `texts_of`."""
        return texts_of(self.args)

    @cached_property
    def numbered(self) -> list[str]:
        """What numbers in the arguments are called: `order_id=4411` is also "order 4411"."""
        tool = key_words(self.action)
        return [text for entry in self.entries for text in called(entry.value, entry.key, tool)]

    @property
    def spoken(self) -> str:
        """The tool's name as running words: `stopGpu_bench.01` is "stop Gpu bench 01"."""
        return _BETWEEN.sub(" ", self.action)


def _entries(value: Any, key: tuple[str, ...]) -> Iterator[Entry]:
    if isinstance(value, Mapping):
        for name, held in value.items():
            yield from _entry(held, key_words(str(name)))
    elif isinstance(value, list | tuple | set | frozenset):
        for held in value:
            yield from _entry(held, key)


def _entry(held: Any, key: tuple[str, ...]) -> Iterator[Entry]:
    yield Entry(key, held)
    yield from _entries(structure_in(held) if isinstance(held, str) else held, key)

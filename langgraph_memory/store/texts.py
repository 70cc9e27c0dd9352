"""The texts of a value: which of its parts are searched, and as what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from langgraph.store.base import get_text_at_path, tokenize_path

WHOLE = "$"
"""The path of the value as a whole."""


class Texts(NamedTuple):
    """What is embedded, one vector each, and what is cut into words."""

    meant: list[str]
    said: list[str]


class Fields:
    """Paths into values, as LangGraph's `IndexConfig.fields` writes them.

    What lies at a path is embedded as LangGraph's own stores embed it: texts as they are, objects as JSON.
    Its words are those of the plain texts and keys, without JSON's quotes and escapes.

    >>> Fields(["title", "notes[*]"]).texts({"title": "A", "notes": ["B", "C"]}).meant
    ['A', 'B', 'C']
    >>> Fields(["$"]).texts({"food": "rye bread"})
    Texts(meant=['{"food": "rye bread"}'], said=['food: rye bread'])
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = tuple(paths)
        self._steps = [WHOLE if path in (WHOLE, "") else tokenize_path(path) for path in self.paths]

    def texts(self, value: Mapping[str, Any]) -> Texts:
        """The texts at the paths; a path that leads nowhere gives none."""
        meant = [text for steps in self._steps for text in get_text_at_path(value, steps) if text.strip()]
        return Texts(meant, [*self._said(value)])

    def _said(self, value: Mapping[str, Any]) -> Iterator[str]:
        for steps in self._steps:
            if steps == WHOLE:
                yield "\n".join(_lines(value))
            else:
                yield from get_text_at_path(value, steps)


def _lines(value: Any, key: str = "") -> Iterator[str]:
    """Each leaf of a value as a line with the key before it."""
    match value:
        case Mapping():
            for name, part in value.items():
                yield from _lines(part, name)
        case list() | tuple():
            for part in value:
                yield from _lines(part, key)
        case None:
            return
        case _:
            yield f"{key}: {value}" if key else str(value)

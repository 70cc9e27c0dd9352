"""What the author of a tool declares about the entities in its data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from langgraph_memory.errors import ConfigurationError
from langgraph_memory.records import Record


class EntityRule(Record):
    """One place of a tool's data where entities stand.

    Attributes:
        path: where: `instances[*].id`; `$` is the whole, `[*]` and `.*` every member, `['a.b']` any key.
        source: the arguments, the output, or the artifact that a tool returns beside its output.
        pattern: a regular expression for the texts found there; its first group, or all of it, is the id.
        type: makes the entity `type:id`.
        name: a path to the display name, from the object that holds the id.

    Raises:
        ConfigurationError: a path or pattern that can't be read.

    Example:
        >>> rule = EntityRule(path="instances[*].id", type="cloud-instance", name="name")
        >>> list(rule.entities({"instances": [{"id": "i-09a8f", "name": "gpu-bench-01"}]}))
        [('cloud-instance:i-09a8f', 'gpu-bench-01')]
    """

    path: str = "$"
    source: Literal["args", "output", "artifact"] = "output"
    pattern: str | None = None
    type: str | None = None
    name: str | None = None

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        for path in (self.path, self.name or "$"):
            _steps(path)
        try:
            re.compile(self.pattern or "")
        except re.error as error:
            raise ConfigurationError(f"pattern {self.pattern!r} is no regular expression: {error}") from error

    def entities(self, value: Any) -> Iterator[tuple[str, str | None]]:
        """The entities that stand in a value, each with its display name or None."""
        steps = _steps(self.path)
        for holder in _at(value, steps[:-1]):
            name = next((n for n in _texts(_at(holder, _steps(self.name)))), None) if self.name else None
            for text in _texts(_at(holder, steps[-1:])):
                for found in self._ids(text):
                    yield f"{self.type}:{found}" if self.type else found, name

    def _ids(self, text: str) -> Iterator[str]:
        if self.pattern is None:
            yield text
            return
        for match in re.finditer(self.pattern, text):
            found = match.group(1) if match.re.groups else match.group()
            if found:
                yield found


class EntityDeclaration(Record):
    """Where the entities of one tool stand.

    Attributes:
        rules: the places.
        generic: whether the general rules for identifiers apply besides.
    """

    rules: tuple[EntityRule, ...] = ()
    generic: bool = False


_STEP = re.compile(r"\.?(?P<key>[^.\[\]$*]+)|\.?\*|\[\*\]|\[(?P<index>-?\d+)\]|\['(?P<quoted>[^']+)'\]")
_ALL = object()


def _steps(path: str) -> tuple[Any, ...]:
    rest = path.removeprefix("$")
    steps: list[Any] = []
    while rest:
        match = _STEP.match(rest)
        if match is None:
            raise ConfigurationError(f"path {path!r} can't be read from {rest!r} on: write $.items[*].id")
        rest = rest[match.end() :]
        steps.append(_step(match))
    return tuple(steps)


def _step(match: re.Match[str]) -> Any:
    if match["index"] is not None:
        return int(match["index"])
    return match["key"] or match["quoted"] or _ALL


def _at(value: Any, steps: tuple[Any, ...]) -> Iterator[Any]:
    if not steps:
        yield value
        return
    for member in _members(value, steps[0]):
        yield from _at(member, steps[1:])


def _members(value: Any, step: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        if step is _ALL:
            yield from value.values()
        elif step in value:
            yield value[step]
    elif isinstance(value, list | tuple):
        if step is _ALL:
            yield from value
        elif isinstance(step, int) and -len(value) <= step < len(value):
            yield value[step]


def _texts(values: Iterator[Any]) -> Iterator[str]:
    """The texts and whole numbers among values; lists give their members."""
    for value in values:
        if isinstance(value, list | tuple):
            yield from _texts(iter(value))
        elif isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            yield str(value).strip()

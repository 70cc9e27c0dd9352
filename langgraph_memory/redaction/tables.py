"""Secrets in columns: a table whose head says what stands below, and a value on the lines after its name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from langgraph_memory.redaction.names import bar_of
from langgraph_memory.redaction.spans import Span
from langgraph_memory.redaction.values import Bar, holds_secret

_SEPARATORS = ("|", "\t", ";", ",")
_HEAD = 512
"""A longer line is no head of a table."""
_ROWS = 1_000
_COLUMNS = 64
_RULE = re.compile(r"[\s|:+-]*")
_BLOCK = re.compile(
    r"^(?P<indent>[ \t]*)(?:- )?[\"']?(?P<name>[\w.-]{2,64})[\"']?:[ \t]*[|>][+-]?\d?[ \t]*$", re.MULTILINE
)
_LINE = re.compile(r"\n(?P<indent>[ \t]+)(?P<value>[^\s]{4,4096}+)[ \t]*(?=\n|$)")


def find_in_columns(text: str, names: Sequence[int]) -> Iterator[Span]:
    """Secrets below a head that names them; `names` is where names have letters that tell them."""
    if "\n" not in text:
        return
    past = 0
    for position in names:
        if position < past:
            continue
        start, end = text.rfind("\n", 0, position) + 1, text.find("\n", position)
        if end < 0:
            break
        past, separator = end, _separator(text, start, end)
        if separator is not None:
            past, found = _below(text, start, end, separator)
            yield from found
    if ": |" in text or ": >" in text:
        yield from _in_blocks(text)


def _separator(text: str, start: int, end: int) -> str | None:
    """What parts the columns of a head: it stands as often in the line below."""
    if end - start > _HEAD:
        return None
    below = text.find("\n", end + 1)
    below = len(text) if below < 0 else below
    for each in _SEPARATORS:
        if count := text.count(each, start, end):
            return each if count < _COLUMNS and text.count(each, end, below) == count else None
    return None


def _below(text: str, start: int, end: int, separator: str) -> tuple[int, list[Span]]:
    """Where the table below a head ends, whose rows are no heads, and the secrets in it."""
    names, found = text[start:end].split(separator), list[Span]()
    if any(":" in name or "=" in name for name in names):
        return end, found
    bars = {number: bar_of(name.strip(" \t\"'`*")) for number, name in enumerate(names)}
    secret = {number: bar for number, bar in bars.items() if bar is not None}
    bottom, rows = end, 0
    while secret and bottom < len(text) and rows < _ROWS:
        line, stop = bottom + 1, text.find("\n", bottom + 1)
        stop = len(text) if stop < 0 else stop
        cells = list(_cells(text, line, stop, separator))
        if len(cells) != len(names):
            break
        if not _RULE.fullmatch(text, line, stop):
            found += _row(text, cells, secret)
        bottom, rows = stop, rows + 1
    return bottom, found


def _cells(text: str, start: int, end: int, separator: str) -> Iterator[tuple[int, int]]:
    while (stop := text.find(separator, start, end)) >= 0:
        yield start, stop
        start = stop + 1
    yield start, end


def _row(text: str, cells: Sequence[tuple[int, int]], secret: dict[int, Bar]) -> Iterator[Span]:
    for number, bar in secret.items():
        start, end = cells[number]
        while start < end and text[start] in " \t\"'`":
            start += 1
        while end > start and text[end - 1] in " \t\"'`\r":
            end -= 1
        if holds_secret(text[start:end], bar, quoted=True):
            yield Span(start, end, bar.kind)


def _in_blocks(text: str) -> Iterator[Span]:
    """YAML's block scalars of one word."""
    for match in _BLOCK.finditer(text):
        bar, line = bar_of(match["name"]), _LINE.match(text, match.end())
        deeper = line is not None and len(line["indent"]) > len(match["indent"])
        if bar is not None and line and deeper and holds_secret(line["value"], bar, quoted=True):
            yield Span(*line.span("value"), bar.kind)

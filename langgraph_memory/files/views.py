"""How notes are shown to a model: marked as its own, numbered, and never longer than it can take."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph_memory.arguments import shown
from langgraph_memory.errors import MemoryFileError
from langgraph_memory.files.paths import ROOT

MAX_VIEW = 16_000
"""The longest a view is, in characters, without its first and last line."""

_MARK = "your own note, not a verified fact"
_LEVELS = 2
_KILO = 1024


def numbered(path: str, text: str, view_range: Sequence[int] | None) -> str:
    """The lines of a file in a range, each with its number, and how to read on where they are too many."""
    lines = text.removesuffix("\n").split("\n") if text else []
    rows = [f"{number:6}\t{line}" for number, line in enumerate(lines, 1)]
    head = f"Here's the content of {path} with line numbers ({_MARK}):"
    if not rows:
        return f"The file {path} is empty ({_MARK})."
    return _window(head, rows, view_range, "line")


def directory(path: str, sizes: Sequence[tuple[str, int]], view_range: Sequence[int] | None) -> str:
    """What lies in a directory, two levels deep, with sizes; deeper files count for their directory."""
    shown: dict[str, int] = {}
    start = len(path) + 1
    for file, size in sizes:
        if file.startswith(f"{path}/"):
            parts = file[start:].split("/")
            for depth in range(1, min(len(parts), _LEVELS) + 1):
                name = "/".join(parts[:depth]) + ("/" if depth < len(parts) else "")
                shown[name] = shown.get(name, 0) + size
    head = f"Here are the files and directories up to 2 levels deep in {path} (your own notes, not verified):"
    total = sum(size for name, size in shown.items() if "/" not in name.removesuffix("/"))
    rows = [f"{_size(size)}\t{path}/{name}" for name, size in shown.items()]
    if not rows:
        return f"{path} is empty: no note has been written" if path == ROOT else f"{path} is empty"
    return _window(f"{head}\n{_size(total)}\t{path}", rows, view_range, "entry")


def _window(head: str, rows: Sequence[str], view_range: Sequence[int] | None, what: str) -> str:
    """As many rows of the range as fit, and a line that says how to read on."""
    first, last = _range(view_range, len(rows), what)
    kept: list[str] = []
    room = MAX_VIEW
    for row in rows[first - 1 : last]:
        room -= len(row) + 1
        if room < 0 and kept:
            break
        kept.append(row if room >= 0 else _cut(row, first, what))
    end = first + len(kept) - 1
    if end < last:
        kept.append(
            f"[{_plural(what)} {first} to {end} of {len(rows)} are shown; read on with "
            f"view_range [{end + 1}, {last}]]"
        )
    return "\n".join([head, *kept])


def _cut(row: str, number: int, what: str) -> str:
    shown = f"[{what} {number} has {len(row):,} characters, the first {MAX_VIEW:,} are shown]"
    return f"{row[:MAX_VIEW]}…\n{shown}"


def _range(view_range: Sequence[int] | None, count: int, what: str) -> tuple[int, int]:
    if view_range is None:
        return 1, count
    pair = isinstance(view_range, list | tuple) and len(view_range) == 2  # noqa: PLR2004
    if not pair or not all(isinstance(n, int) for n in view_range):
        raise MemoryFileError(f"view_range {shown(view_range)} is not [first, last]: give two numbers")
    first, last = view_range
    last = count if last == -1 else min(last, count)
    if not 1 <= first <= last:
        raise MemoryFileError(
            f"view_range {list(view_range)!r} shows nothing: there are {_plural(what)} 1 to {count}, "
            "and -1 is the end"
        )
    return first, last


def _plural(what: str) -> str:
    return "entries" if what == "entry" else f"{what}s"


def _size(size: int) -> str:
    if size < _KILO:
        return str(size)
    if size < _KILO**2:
        return f"{size / _KILO:.1f}K"
    return f"{size / _KILO**2:.1f}M"

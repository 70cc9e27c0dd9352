"""The few pieces of HTML that displays are made of. Every text that goes in is escaped here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from html import escape

COLOURS = {
    "current": "#2e7d32",
    "completed": "#2e7d32",
    "allow": "#2e7d32",
    "candidate": "#b26a00",
    "unverified": "#b26a00",
    "unresolved": "#b26a00",
    "draft": "#b26a00",
    "defer": "#b26a00",
    "superseded": "#6b6b6b",
    "retired": "#6b6b6b",
    "deprecated": "#6b6b6b",
    "rejected": "#b3261e",
    "failed": "#b3261e",
    "block": "#b3261e",
}
"""By status or outcome: holds, waits, is over, is refused."""

_PLAIN = "#4a6fa5"
_LONGEST = 400


def colour(status: str) -> str:
    """The colour of a status; a neutral one for what has none."""
    return COLOURS.get(status, _PLAIN)


def text(value: object, limit: int = _LONGEST) -> str:
    """A value as escaped text of a bounded length; times as ISO dates and minutes.

    >>> text("<b>")
    '&lt;b&gt;'
    """
    plain = f"{value:%Y-%m-%d %H:%M}" if isinstance(value, datetime) else str(value)
    return escape(printable(plain if len(plain) <= limit else f"{plain[: limit - 1]}…"))


def printable(words: str) -> str:
    r"""A text on its lines without what can't be seen: terminals and browsers obey such characters.

    >>> printable("paid\u202e: 001\x1b[2J")
    'paid : 001 [2J'
    """
    return "\n".join("".join(c if c.isprintable() else " " for c in line) for line in words.split("\n"))


def counted(number: int, noun: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "memory", "memories"), counted(2, "seed")
    ('1 memory', '2 seeds')
    """
    return f"{number} {noun if number == 1 else many or f'{noun}s'}"


def badge(status: str) -> str:
    """A status in its colour."""
    style = f"background:{colour(status)};color:#fff;border-radius:.6em;padding:0 .5em;font-size:85%"
    return f'<span style="{style}">{text(status, 40)}</span>'


def small(parts: Iterable[str]) -> str:
    """A line of remarks, already escaped, in small letters; nothing for none."""
    shown = [part for part in parts if part]
    return f'<div style="opacity:.7;font-size:85%">{" · ".join(shown)}</div>' if shown else ""


def card(title: str, *body: str, status: str = "") -> str:
    """A box with an escaped title, a status and pieces that are HTML already."""
    style = (
        f"border:1px solid rgba(128,128,128,.35);border-left:4px solid {colour(status)};border-radius:4px;"
        "padding:.4em .8em;margin:.3em 0;max-width:60em;line-height:1.45"
    )
    head = f"<b>{text(title)}</b> {badge(status) if status else ''}"
    return f'<div style="{style}"><div>{head}</div>{"".join(body)}</div>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already; nothing for no rows."""
    shown = ["".join(f'<td style="text-align:left">{cell}</td>' for cell in row) for row in rows]
    if not shown:
        return ""
    names = "".join(f'<th style="text-align:left">{text(name)}</th>' for name in head)
    return f"<table><tr>{names}</tr>{''.join(f'<tr>{row}</tr>' for row in shown)}</table>"


def folded(title: str, body: str) -> str:
    """A part that opens on a click; nothing for an empty one."""
    return f"<details><summary>{text(title)}</summary>{body}</details>" if body else ""


def bar(share: float) -> str:
    """A share from 0 to 1 as a bar with its number."""
    width = round(100 * min(max(share, 0.0), 1.0))
    style = f"display:inline-block;height:.6em;width:{width / 20:.2f}em;background:{_PLAIN};margin-right:.4em"
    return f'<span style="white-space:nowrap"><span style="{style}"></span>{share:.2f}</span>'

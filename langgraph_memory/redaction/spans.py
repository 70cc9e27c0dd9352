"""A place in a text, and how places that overlap become one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple


class Span(NamedTuple):
    """What stands at `text[start:end]`, by its kind; `quote` goes around the replacement of what had none."""

    start: int
    end: int
    kind: str
    quote: str = ""


def apart(spans: Iterable[Span]) -> list[Span]:
    """The spans in order; those that overlap joined, named after the one that starts first, then the longest.

    >>> apart([Span(4, 9, "secret"), Span(0, 6, "jwt"), Span(12, 14, "password")])
    [Span(start=0, end=9, kind='jwt', quote=''), Span(start=12, end=14, kind='password', quote='')]
    """
    joined: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if joined and span.start < joined[-1].end:
            joined[-1] = joined[-1]._replace(end=max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined


def replaced(text: str, spans: Iterable[Span]) -> str:
    """The text with each span, in order and apart, replaced by `[redacted:<kind>]`.

    >>> replaced("pin 12345", [Span(4, 9, "pin")])
    'pin [redacted:pin]'
    """
    pieces, end = [], 0
    for span in spans:
        pieces += [text[end : span.start], f"{span.quote}[redacted:{span.kind}]{span.quote}"]
        end = span.end
    return "".join([*pieces, text[end:]])


def cleaned(text: str, find: Callable[[str], Sequence[Span]], kinds: set[str]) -> str:
    """The text with all that `find` finds replaced; adds what was found to `kinds`.

    Searched until nothing is found any more, so that cleaning the result again changes nothing.

    >>> cleaned("code 17", lambda text: [Span(5, 7, "code")] if "17" in text else [], set())
    'code [redacted:code]'
    """
    while spans := find(text):
        kinds.update(span.kind for span in spans)
        text = replaced(text, spans)
    return text

"""What a text says about a machine: keep it running, or it may go. Read as a careful reader would, no more.

A rule that is labelled as a current constraint settles the question. Without one, the latest remark on the
machine does: a reader who sees only what was said, and not by what right, has nothing better to go by.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from langgraph_memory.records import Record

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_SENTENCE = re.compile(r"(?<=[.!?;\"])\s+")
_CONSTRAINT = re.compile(r"^\W*CONSTRAINT \(current\b")
_KEEP = re.compile(
    r"\b(?:keep|leave)\b.*\b(?:running|up|on|online|alive|reserved)\b"
    r"|\b(?:do not|don't|never|must not)\b.*\b(?:stop|shut|terminate|switch)"
    r"|\bmust (?:stay|remain)\b|\brules out\b.*\bstop\b",
    re.IGNORECASE,
)
_FREE = re.compile(
    r"\b(?:can|may|could|should)\b.*\b(?:go|stop|stopped|shut|terminated|switched)\b"
    r"|\b(?:not|isn't|no longer)\b.*\b(?:used|needed|in use)\b",
    re.IGNORECASE,
)


class Remark(Record):
    """A sentence on a machine: what it says, in which words, on which day, and whether it is a rule."""

    says: Literal["keep", "free"]
    words: str
    date: str
    ruling: bool


def verdict(text: str, machine: Sequence[str], others: Collection[str] = ()) -> Remark | None:
    """The remark that decides about a machine; None if the text doesn't speak of stopping it.

    Args:
        text: lines, each with its date; the oldest of equal dates first.
        machine: the names of the machine.
        others: the names of other machines: a sentence on one of them is not on this one.

    Example:
        >>> said = "- 2026-11-02 ana: Restart gpu-1. Keep the instance running until QA has moved."
        >>> verdict(said, ["gpu-1"]).words
        'Keep the instance running until QA has moved.'
    """
    remarks = [remark for line in text.splitlines() for remark in _remarks(line, machine, others)]
    return max(remarks, key=lambda remark: (remark.ruling, remark.date), default=None)


def _remarks(line: str, machine: Sequence[str], others: Collection[str]) -> Iterator[Remark]:
    """The remarks of a line; a sentence that names no machine is on the one that was named before it."""
    date = _DATE.search(line)
    ruling = _CONSTRAINT.match(line) is not None
    on_it = False
    for sentence in _SENTENCE.split(line):
        if _names(sentence, machine):
            on_it = True
        elif _names(sentence, others):
            on_it = False
        says = _stance(sentence) if on_it else None
        if says is not None:
            yield Remark(says=says, words=_plain(sentence), date=date.group() if date else "", ruling=ruling)


def _plain(sentence: str) -> str:
    """The words alone, without the label before them and the quotes around them."""
    return sentence.rpartition(": ")[2].strip('"[]')


def _stance(sentence: str) -> Literal["keep", "free"] | None:
    if _KEEP.search(sentence):
        return "keep"
    return "free" if _FREE.search(sentence) else None


def _names(sentence: str, names: Collection[str]) -> bool:
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", sentence) for name in names)

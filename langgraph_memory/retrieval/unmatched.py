"""What a question asks that nothing found mentions: a recall says so, instead of passing for an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable

from langgraph_memory.store.tokens import tokenize

QUESTION_MARKS = ("?", "\uff1f", "\u061f")

_MEASURE = re.compile(r"\bhow\s+\w+", re.IGNORECASE)
"""`how much` and its like ask for an answer, and are no part of one."""

_ENOUGH = 0.15
"""From this share of the question's words on, what was found may not hold the answer."""


def unmatched(query: str, texts: Iterable[str]) -> tuple[str, ...]:
    """The words of a question that occur in none of the texts; none where only few of many are missing.

    A task is no question: what it needs is not what its words say.

    >>> unmatched("What is Ana's salary?", ["Ana met Bo in Lisbon"])
    ('salary',)
    """
    if not query.rstrip().endswith(QUESTION_MARKS):
        return ()
    asked = set(tokenize(_MEASURE.sub(" ", query)))
    spelled = {token: word for word in query.split() for token in tokenize(word) if token in asked}
    missing = set(spelled)
    for text in texts:
        if not missing:
            break
        missing -= set(tokenize(text))
    if len(missing) < _ENOUGH * len(spelled):
        return ()
    words = (word.strip(".,;:!?\"'()[]") for token, word in spelled.items() if token in missing)
    return tuple(dict.fromkeys(word for word in words if word))

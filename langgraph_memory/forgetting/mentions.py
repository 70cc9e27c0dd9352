"""What is to be forgotten, told from texts: names of an entity, or the words of a statement."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pydantic import JsonValue

from langgraph_memory.log.erasure import BLANK
from langgraph_memory.name_index import NameIndex
from langgraph_memory.store.tokens import tokenize

_SENTENCE = re.compile(r"(?<=[.!?;。\uff01\uff1f])\s+|\n+")
_OVERLAP = 0.6
_FEWEST_WORDS = 3


class Mentions:
    """Finds and blanks what names an entity, or says what was stated.

    >>> mentions = Mentions(names=["db-1"])
    >>> mentions.without({"text": "Keep db-1 running. Lunch is at noon."})
    {'text': '[forgotten] Lunch is at noon.'}

    Args:
        names: of the entity.
        texts: statements.
    """

    def __init__(self, names: Iterable[str] = (), texts: Iterable[str] = ()) -> None:
        self.needles = tuple(dict.fromkeys([*names, *texts]))
        self._index = NameIndex((needle, needle) for needle in self.needles)
        self._wordings = [frozenset(tokenize(text)) for text in texts]

    def within(self, value: Any) -> bool:
        """Whether a text, or a string at any depth of a value, holds a name or the words of a statement."""
        return bool(self._index.find(value))

    def without(self, value: JsonValue) -> JsonValue:
        """The value without it: sentences are blanked, entries of lists that are about it are left out.

        A sentence that holds most words of a statement is taken for it: people word things in their own way.
        """
        if isinstance(value, str):
            return self._blanked(value)
        if isinstance(value, list):
            return [self.without(item) for item in value if not self._is_about(item)]
        if isinstance(value, dict):
            kept = {key: item for key, item in value.items() if not self.within(key)}
            return {key: BLANK if self._is_entry(item) else self.without(item) for key, item in kept.items()}
        return BLANK if self.within(value) else value

    def _is_about(self, item: JsonValue) -> bool:
        return self._is_entry(item) or (not isinstance(item, list | dict) and self.within(item))

    def _is_entry(self, item: JsonValue) -> bool:
        """Whether an object names it in one of its own fields: then all of it is about it."""
        if not isinstance(item, dict):
            return False
        return any(self.within(value) for value in item.values() if not isinstance(value, list | dict))

    def _blanked(self, text: str) -> str:
        if text.lstrip()[:1] in ("{", "["):
            return BLANK if self.within(text) else text
        parts = [BLANK if self._is_meant(part) else part for part in _SENTENCE.split(text)]
        if BLANK not in parts:
            return BLANK if self.within(text) else text
        told = " ".join(part for i, part in enumerate(parts) if part != BLANK or BLANK not in parts[:i])
        return BLANK if self.within(told) else told

    def _is_meant(self, sentence: str) -> bool:
        if self.within(sentence):
            return True
        words = frozenset(tokenize(sentence)) if self._wordings else frozenset[str]()
        return any(_says(words, wording) for wording in self._wordings)


def _says(words: frozenset[str], wording: frozenset[str]) -> bool:
    """Whether a sentence words a statement: most of its words, and all that hold a digit."""
    exact = {word for word in wording if any(map(str.isdigit, word))}
    shared = words & wording
    return len(wording) >= _FEWEST_WORDS and exact <= words and len(shared) >= _OVERLAP * len(wording)

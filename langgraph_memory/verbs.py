"""Verbs that no class of actions has ("sell", "irrigate"): kept as people say them, compared by their stems.

A constraint may rule out such a verb beside classes of actions or in their place. It covers the tools whose
names have the verb in whatever form, as `export_item` and `start_exportation` have "export".
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from functools import lru_cache

import snowballstemmer

from langgraph_memory.actions import ActionClass, action_classes, is_reading, verbs_in
from langgraph_memory.inflections import LONGEST_WORD, base_form

_CLASSES = frozenset(ActionClass)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@lru_cache(maxsize=4096)
def stem_of(word: str) -> str:
    """What the forms of a verb, and the nouns made of it, have in common.

    >>> {stem_of(word) for word in ("irrigate", "irrigation", "Irrigating")}
    {'irrig'}
    """
    if len(word) > LONGEST_WORD:
        return word.casefold()
    with _one_at_a_time:
        stem = str(_stemmer.stemWord(base_form(word)))
    return stem[:-1] if stem[-2:-1] == stem[-1:] else stem


_stemmer = snowballstemmer.stemmer("english")
_one_at_a_time = threading.Lock()


def free(forbids: Iterable[str]) -> frozenset[str]:
    """The verbs among what a constraint rules out: single words that are no class and have none."""
    return frozenset(each for each in forbids if each not in _CLASSES and _is_free(each))


@lru_cache(maxsize=1024)
def _is_free(name: str) -> bool:
    return name.isalpha() and not (action_classes(name) or verbs_in(name))


def are_among(forbids: Iterable[str], stems: frozenset[str]) -> bool:
    """Whether a verb that is ruled out is one of these, given by their stems.

    >>> are_among(("delete", "sell"), said_in("sell_animal")), are_among(("sell",), said_in("rename_animal"))
    (True, False)
    """
    return bool(stems) and any(stem_of(verb) in stems for verb in free(forbids))


@lru_cache(maxsize=4096)
def said_in(name: str) -> frozenset[str]:
    """The stems of the words in a tool's name, or in a short text, that no class of actions has.

    >>> sorted(said_in("bulkExport_items")), sorted(said_in("stop_instance"))
    (['bulk', 'export', 'item'], ['instanc'])
    """
    words = [word.casefold() for word in _WORD.findall(name)]
    return frozenset(stem_of(word) for word in words if not verbs_in(word) and not is_reading(word))

"""The telling words of a phrase by their stems, so that "migrated" meets "migrates"."""

from __future__ import annotations

from functools import lru_cache

import snowballstemmer

from langgraph_memory.consolidation.rules.words import Phrase, word_set

_NO_CONTENT = word_set("""
    the a an of to in on for at by with from and or is are was were be been has have had it its that this they
    we i you he she there their our your my all any some every each both as so now then end time
""")
_IRREGULAR = {
    "gone": "go",
    "went": "go",
    "left": "leave",
    "sent": "send",
    "paid": "pay",
    "gave": "give",
    "given": "give",
    "came": "come",
    "said": "say",
    "done": "do",
    "held": "hold",
    "built": "build",
    "migration": "migrate",
    "approval": "approve",
    "approved": "approve",
    "completion": "complete",
    "finished": "finish",
}


def stems(phrase: Phrase) -> frozenset[str]:
    """The stems of the words that tell something.

    >>> sorted(stems(Phrase.of("QA has migrated the suites")))
    ['migrat', 'qa', 'suit']
    """
    words = (word.norm for word in phrase.words if word.norm not in _NO_CONTENT and word.norm[-1:].isalnum())
    return frozenset(stem(word) for word in words)


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """A word's stem, also of forms that its spelling doesn't tell."""
    return str(_stemmer().stemWord(_IRREGULAR.get(word, word)))


@lru_cache(maxsize=1)
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")

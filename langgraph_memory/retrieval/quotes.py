"""What to quote: excerpts of an episode that is recalled for its entity, and the best part of a long text."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import pairwise

from langgraph_memory.name_index import NameIndex
from langgraph_memory.records import Episode
from langgraph_memory.repository.passages import SUMMARY
from langgraph_memory.store.tokens import tokenize

_MOST = 6
_SENTENCE = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\n+")


def quotes(episode: Episode, words: AbstractSet[str], names: NameIndex, relevance: float) -> dict[int, float]:
    """The summary, and the excerpts that share most words with the query or name an active entity.

    Args:
        episode: about an active entity.
        words: of the query, as the index spells them.
        names: the active entities by all their names.
        relevance: of the episode; an excerpt has at most as much.

    Returns:
        Relevance by passage.
    """
    shares: dict[int, float] = {}
    for position, excerpt in enumerate(episode.excerpts, SUMMARY + 1):
        shared = len(words & set(tokenize(excerpt.text))) / len(words) if words else 0.0
        shares[position] = (shared + bool(names.find_text(excerpt.text))) / 2
    best = sorted(shares, key=lambda position: (-shares[position], position))[:_MOST]
    return {SUMMARY: relevance} | {at: relevance * shares[at] for at in best if shares[at]}


@lru_cache(maxsize=1_024)
def part(text: str, words: frozenset[str], limit: int) -> str:
    """The run of whole sentences of at most `limit` characters that holds most words of the query.

    >>> part("We met at noon. The deadline is now April 5. Then we had lunch.", frozenset({"deadlin"}), 35)
    'The deadline is now April 5.'
    """
    if len(text) <= limit:
        return text
    ends = [0, *(match.end() for match in _SENTENCE.finditer(text)), len(text)]
    held = [words & set(tokenize(text[start:end])) for start, end in pairwise(ends)]
    best, chosen = -1, (0, limit)
    for first in range(len(held)):
        last = first + 1
        while last < len(held) and ends[last + 1] - ends[first] <= limit:
            last += 1
        found = len(set().union(*held[first:last]))
        if found > best:
            best, chosen = found, (ends[first], min(ends[last], ends[first] + limit))
    return text[slice(*chosen)].strip()

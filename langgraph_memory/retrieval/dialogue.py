"""What was said is understood from what stands beside it: how relevance spreads within a conversation.

A turn rarely repeats the words of the question that it answers. The turn before it does, the talk as a whole
is about the matter, and what a person did is mostly told by that person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from langgraph_memory.names import normalise
from langgraph_memory.records import ActorKind, Episode
from langgraph_memory.repository.passages import SUMMARY
from langgraph_memory.retrieval.unmatched import QUESTION_MARKS

_TO_NEXT = 0.3
_TO_ANSWER = 0.5
_TO_PREVIOUS = 0.2
_TALK = 1.0
_TALKED_ABOUT = 5
_SPEAKER_ASKED_FOR = 0.2
_QUESTION = 0.8
_OF_AN_AGENT = 0.7


def spread(
    found: Sequence[tuple[Episode, Mapping[int, float]]], words: AbstractSet[str]
) -> list[dict[int, float]]:
    """The relevance of each episode's passages, seen in their conversation.

    Args:
        found: episodes with the relevance of those passages that fit the query by their own words.
        words: of the query, normalised.

    Returns:
        For each episode the relevance by passage; neighbours of what was found come in, and the best passage
        of all stays as relevant as it was.
    """
    raised = [_raised(episode, passages, words) for episode, passages in found]
    best = max((score for passages in raised for score in passages.values()), default=0.0)
    before = max((score for _, passages in found for score in passages.values()), default=0.0)
    scale = before / best if best else 0.0
    return [{at: score * scale for at, score in passages.items()} for passages in raised]


def _raised(episode: Episode, passages: Mapping[int, float], words: AbstractSet[str]) -> dict[int, float]:
    near = dict(passages)
    for at, score in passages.items():
        if at != SUMMARY:
            _add(near, episode, at + 1, score * (_TO_ANSWER if _asks(episode, at) else _TO_NEXT))
            _add(near, episode, at - 1, score * _TO_PREVIOUS)
    talk = _TALK * sum(sorted(near.values(), reverse=True)[:_TALKED_ABOUT]) / _TALKED_ABOUT
    return {at: _weight(episode, at, score + talk, words) for at, score in near.items()}


def _add(near: dict[int, float], episode: Episode, at: int, score: float) -> None:
    if SUMMARY < at <= len(episode.excerpts):
        near[at] = near.get(at, 0.0) + score


def _weight(episode: Episode, at: int, score: float, words: AbstractSet[str]) -> float:
    if at == SUMMARY:
        return score
    excerpt = episode.excerpts[at - 1]
    raised = score + _SPEAKER_ASKED_FOR * bool(words & _names_of(excerpt.speaker))
    if excerpt.kind is not ActorKind.USER:
        raised *= _OF_AN_AGENT
    return raised * _QUESTION if _asks(episode, at) else raised


@lru_cache(maxsize=1_024)
def _names_of(speaker: str) -> frozenset[str]:
    return frozenset(normalise(speaker).split())


def _asks(episode: Episode, at: int) -> bool:
    return episode.excerpts[at - 1].text.rstrip().endswith(QUESTION_MARKS)

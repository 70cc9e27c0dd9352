"""An episode's passages: its summary and each thing said, the parts by which a search finds it.

A long conversation is about many things, so its one text fits no question well; each passage is an item of
the store of its own, and a recall shows those that answer.
"""

from __future__ import annotations

from collections.abc import Iterable

from langgraph.store.base import Item, PutOp

from langgraph_memory.log.ledger import Entry
from langgraph_memory.records import Episode
from langgraph_memory.repository.bodies import id_of, key_of
from langgraph_memory.scope import Scope, encode_label
from langgraph_memory.store import RESERVED_ROOT

SUMMARY = 0
"""The position of the summary; excerpt n has position n + 1."""

_LABEL = "passage"


def texts_of(episode: Episode) -> list[str]:
    """The texts of an episode's passages, by position; one that another covers is not found by its own."""
    if episode.archived_into is not None:
        return []
    return [_text(episode, position) for position in range(len(episode.excerpts) + 1)]


def has(episode: Episode, position: int) -> bool:
    """Whether the episode has a passage at a position."""
    return episode.archived_into is None and 0 <= position <= len(episode.excerpts)


def text_at(episode: Episode, position: int) -> str | None:
    """The text of the passage at a position; None where the episode has none."""
    return _text(episode, position) if has(episode, position) else None


def _text(episode: Episode, position: int) -> str:
    if position == SUMMARY:
        return "\n".join(part for part in (episode.summary, episode.resolution) if part)
    excerpt = episode.excerpts[position - 1]
    return f"{excerpt.speaker}: {excerpt.text}"


def place_of(scope: Scope) -> tuple[str, ...]:
    """The namespace of a scope's passages."""
    return (RESERVED_ROOT, *scope.labels, _LABEL)


def place_under(entry: Entry) -> tuple[str, ...]:
    """The namespace of the passages of one episode, by its entry."""
    return (*entry.namespace[:-1], _LABEL, encode_label(entry.record_id))


def place_beside(body: Item) -> tuple[str, ...]:
    """The namespace of the passages that were written with an episode's body."""
    return (*body.namespace[:-1], _LABEL, encode_label(id_of(body.key)))


def put_operations(entry: Entry, episode: Episode) -> list[PutOp]:
    """The operations that write an episode's passages, under the key of its body."""
    place = place_under(entry)
    body = key_of(entry.record_id, entry.digest)
    return [
        PutOp(place, f"{body}~{position}", {"text": text}, ["text"])
        for position, text in enumerate(texts_of(episode))
        if text.strip()
    ]


def delete_operations(entry: Entry, items: Iterable[Item]) -> list[PutOp]:
    """The operations that delete those of the passages that belong to the body of an entry."""
    body = key_of(entry.record_id, entry.digest)
    return [PutOp(item.namespace, item.key, None) for item in items if owner_of(item) == body]


def owner_of(item: Item) -> str:
    """The key of the body to which a stored item belongs: its own, or a passage's episode's."""
    return body_of(item.key)[0] if _LABEL in item.namespace else item.key


def body_of(key: str) -> tuple[str, int]:
    """The key of the episode's body, and the position, of the passage under a key.

    >>> body_of("ep_monday~0f3a~2")
    ('ep_monday~0f3a', 2)
    """
    body, _, position = key.rpartition("~")
    return body, int(position) if position.isascii() and position.isdigit() else -1

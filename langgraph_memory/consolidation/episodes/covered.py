"""Episodes behind a digest: which they are, and how they come back to the fore when it goes."""

from __future__ import annotations

from collections.abc import Collection

from langgraph_memory.records import Episode
from langgraph_memory.repository import Change, Repository


def behind(digest: Episode, repository: Repository) -> list[Episode]:
    """The episodes that stand behind a digest now."""
    covered = [repository.record(episode_id) for episode_id in digest.covers]
    return [each for each in covered if isinstance(each, Episode) and each.archived_into == digest.episode_id]


def released(digest: Episode, repository: Repository, *, but: Collection[str] = ()) -> list[Change]:
    """What brings them back to the fore, but for those with some ids."""
    return [
        Change(record=forward(episode), expected=repository.digest(episode))
        for episode in behind(digest, repository)
        if episode.episode_id not in but
    ]


def forward(episode: Episode) -> Episode:
    """The episode, behind no digest."""
    return episode.model_copy(update={"archived_into": None})

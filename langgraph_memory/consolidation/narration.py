"""How an activity becomes an episode: whether it is worth one, its place in line, and who tells it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from langgraph_memory.consolidation.episodes.building import Narrator, build_episode, is_worth_keeping
from langgraph_memory.consolidation.facts.name_book import names_of
from langgraph_memory.consolidation.facts.statements import Statement
from langgraph_memory.consolidation.model import ModelFailureError
from langgraph_memory.consolidation.work import Work, made_by_others, version_of
from langgraph_memory.entities import identifiers_in
from langgraph_memory.log.claims import Claim
from langgraph_memory.names import normalise
from langgraph_memory.records import ActorKind, Episode, Event
from langgraph_memory.repository import Repository


class Narration:
    """Builds the episodes of activities.

    Args:
        repository: the episodes that there are already, and the policy.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def carried(self, work: Work, narrator: Narrator | None) -> Work:
        """The work with its episode, if it is worth one; without the model's words if that fails."""
        if not (work.statements or is_worth_keeping(work.events, self._repository.policy)):
            return work
        with self._repository.reading():
            episode_id, follows = self._place_in_line(work)
            events = self._named(work)
        narrator = narrator if work.failure is None else None  # a model that just failed is left alone
        try:
            episode = made_by_others(
                lambda: build_episode(events, episode_id, follows=follows, narrator=narrator)
            )
        except ModelFailureError as error:
            episode = build_episode(events, episode_id, follows=follows)
            return work.failed(error).model_copy(update={"episode": episode})
        made_with = (*work.made_with, *version_of(narrator))
        return work.model_copy(update={"episode": episode, "made_with": made_with})

    def _place_in_line(self, work: Work) -> tuple[str, str | None]:
        """The id of the episode of these events, and of the one that it follows."""
        episode_id, earlier = self._first_of(work.claim), None
        first, number = episode_id, 1
        while self._repository.ledger.entries([episode_id]):
            number += 1
            episode_id, earlier = f"{first}_{number}", episode_id
        if earlier and work.claim.attempts:
            last = self._repository.record(earlier)
            if isinstance(last, Episode) and work.events[0].source in last.sources:
                return last.episode_id, last.follows
        return episode_id, earlier

    def _first_of(self, claim: Claim) -> str:
        """`ep_<activity>`, told apart where another scope has an activity of the same name."""
        base = f"ep_{claim.activity_id}"
        entry = self._repository.ledger.entries([base]).get(base)
        if entry is not None and entry.scope != claim.scope.key:
            return f"{base}_{hashlib.sha256(claim.scope.key.encode()).hexdigest()[:8]}"
        return base

    def _named(self, work: Work) -> list[Event]:
        """The events, each with the entities that its words name: exact lookup finds talk too."""
        scopes = list(work.claim.scope.ancestors())
        mentions = {normalise(m) for event in work.events for m in identifiers_in(event.text)}
        known = self._repository.ledger.aliases.related(scopes, sorted(mentions)) if mentions else []
        names = names_of([*known, *work.observed])
        return [
            event.model_copy(update={"entities": tuple(dict.fromkeys((*event.entities, *named)))})
            if (named := [*_mentioned(event, names), *_stated(event, work.statements)])
            else event
            for event in work.events
        ]


def _mentioned(event: Event, names: Mapping[str, frozenset[str]]) -> list[str]:
    """The entities whose names stand in an event's words, where a name means one of them.

    An id that nobody has seen yet names a thing all the same where a person says it.
    """
    by_person = event.actor.kind is ActorKind.USER
    mentions = list(identifiers_in(event.text))
    found = [names.get(normalise(m), frozenset({m} if by_person else ())) for m in mentions]
    return [next(iter(ids)) for ids in found if len(ids) == 1]


def _stated(event: Event, statements: Sequence[Statement]) -> list[str]:
    """The entities that a person's statements in an event name."""
    return [each.entity for each in statements if each.named_as is not None and event.source in each.sources]

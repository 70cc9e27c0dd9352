"""Consolidation across episodes: repeated ones are abstracted, duplicates merged, old ones compressed.

Only what is alike is put together: one scope, one entity, one kind of action. What is merged or compressed
keeps its record and its sources, so that it can be taken apart again. What this finds is a candidate; nothing
here makes a fact current or ends what people set.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime

from langgraph_memory.consolidation.episodes.covered import released
from langgraph_memory.consolidation.episodes.digests import abstracted, alike, compressed, same_thing, uses
from langgraph_memory.consolidation.facts.lifecycle import merged
from langgraph_memory.errors import UnknownRecordError
from langgraph_memory.log.staleness import StaleReadError
from langgraph_memory.lookalikes import skeleton
from langgraph_memory.records import Episode, EpisodeStatus, Fact, FactStatus, Record
from langgraph_memory.repository import Change, Note, Repository
from langgraph_memory.scope import Scope

LATEST = 50
"""How many episodes, or facts, about an entity are looked at together, newest first."""
_AT_ONCE = 2_000
_LARGEST = 100
_OPEN = tuple(EpisodeStatus)


class Tidied(Record):
    """What one tidying did: candidates found, facts merged, episodes compressed and into how many digests."""

    candidates: int = 0
    merged: int = 0
    compressed: int = 0
    digests: int = 0


class Across:
    """Consolidation across the episodes of all scopes, over a repository.

    Args:
        repository: where records are.
        clock: the time that tells old episodes from young ones.
    """

    def __init__(self, repository: Repository, clock: Callable[[], datetime]) -> None:
        self._repository = repository
        self._clock = clock

    def tidy_if_due(self) -> Tidied | None:
        """Tidy if the policy's interval has passed; the first time only starts the interval."""
        ledger, now = self._repository.ledger, self._clock()
        last = ledger.counters.tidied()
        if last is not None and now - last < self._repository.policy.tidy_every:
            return None
        done = self.tidy(since=last) if last is not None else None
        ledger.counters.note_tidied(now)  # not before: a crash in between would lose what it was to look at
        return done

    def tidy(self, since: datetime | None = None) -> Tidied:
        """Abstract what repeats, merge duplicates, compress what is old.

        Args:
            since: only episodes that ended after it are looked at for repetitions; all by default.
        """
        episodes = self._repository.episodes_between(since, None, limit=_AT_ONCE)
        candidates = self._abstract(episodes)
        merged_ = self._merge(
            {(e.scope.key, entity): (e.scope, entity) for e in episodes for entity in e.entities}
        )
        digests, covered = self._compress()
        return Tidied(candidates=candidates, merged=merged_, compressed=covered, digests=digests)

    def _abstract(self, episodes: Sequence[Episode]) -> int:
        """A candidate for each tool that was used on an entity often enough."""
        pairs = {(e.scope.key, *pair): e.scope for e in episodes for pair in uses(e)}
        enough = self._repository.policy.abstract_at
        found = 0
        for (_, entity, tool), scope in pairs.items():
            latest = self._repository.find("episode", [scope], entities=[entity], limit=LATEST)
            fact = abstracted(scope, entity, tool, [e for e in latest if not e.covers])
            if fact is not None and len(fact.corroboration) >= enough:
                found += self._keep(fact)
        return found

    def _keep(self, fact: Fact) -> bool:
        """Write an abstraction, over the one before; what a person decided about it stands."""
        known = self._repository.record(fact.fact_id)
        tombstone = self._repository.tombstone(fact.scope, fact.entity, fact.value)
        decided = isinstance(known, Fact) and known.status is not FactStatus.CANDIDATE
        if tombstone is not None or decided or (isinstance(known, Fact) and known.value == fact.value):
            return False
        expected = self._repository.digest(known) if known else None
        return self._write(
            fact.scope, [Change(record=fact, expected=expected)], "abstracted", fact.fact_id, fact.value
        )

    def _merge(self, about: dict[tuple[str, str], tuple[Scope, str]]) -> int:
        """Make current facts of one entity that say the same under several attributes into one."""
        count = 0
        for scope, entity in about.values():
            facts: list[Fact] = self._repository.find(
                "fact", [scope], entities=[entity], status=[FactStatus.CURRENT], limit=LATEST
            )
            said: defaultdict[str, list[Fact]] = defaultdict(list)
            for fact in sorted(facts, key=lambda each: (each.asserted_at, each.fact_id)):
                said[skeleton(fact.value)].append(fact)
            for first, *others in said.values():
                count += sum(self._put_together(first, other) for other in others if same_thing(first, other))
        return count

    def _put_together(self, first: Fact, other: Fact) -> bool:
        stored = self._repository.record(first.fact_id)
        if not isinstance(stored, Fact) or stored.status is not FactStatus.CURRENT:
            return False
        before = (stored, other)
        if any(self._was_parted(each) for each in before):
            return False
        changes = [
            Change(record=after, expected=self._repository.digest(fact))
            for fact, after in zip(before, merged(stored, (other,), at=self._clock()), strict=True)
        ]
        reason = f"says the same as {first.fact_id}"
        return self._write(first.scope, changes, "merged", other.fact_id, reason)

    def _was_parted(self, fact: Fact) -> bool:
        """Whether a person has taken it apart from one that it was merged with."""
        return any(entry.decision == "restored" for entry in self._repository.ledger.audit.of(fact.fact_id))

    def _compress(self) -> tuple[int, int]:
        """Put old, alike episodes behind one digest each; how many digests, and how many episodes."""
        policy = self._repository.policy
        if policy.compress_after is None:
            return 0, 0
        old = self._repository.episodes_between(None, self._clock() - policy.compress_after, limit=_AT_ONCE)
        digests = covered = 0
        for group in alike(old).values():
            for start in range(0, len(group), _LARGEST):
                part = group[start : start + _LARGEST]
                if len(part) >= policy.compress_at and self._archive(part):
                    digests, covered = digests + 1, covered + len(part)
        return digests, covered

    def _archive(self, episodes: Sequence[Episode]) -> bool:
        digest = compressed(episodes)
        changes = [
            Change(
                record=episode.model_copy(update={"archived_into": digest.episode_id}),
                expected=self._repository.digest(episode),
            )
            for episode in episodes
        ]
        reason = f"covers {len(episodes)} episodes"
        return self._write(
            digest.scope, [Change(record=digest), *changes], "compressed", digest.episode_id, reason
        )

    def restore(self, digest_id: str) -> int:
        """Bring the episodes that a digest covers back to the fore; how many there were.

        Raises:
            UnknownRecordError: no digest has this id.
        """
        digest = self._repository.record(digest_id)
        if not isinstance(digest, Episode) or not digest.covers:
            raise UnknownRecordError(
                f"no digest has the id {digest_id!r}: Memory.episodes lists those there are"
            )
        changes = released(digest, self._repository)
        behind = Change(
            record=digest.model_copy(update={"archived_into": digest.episode_id}),
            expected=self._repository.digest(digest),
        )
        done = self._write(
            digest.scope, [*changes, behind], "restored", digest.episode_id, "taken apart again"
        )
        return len(changes) if done else 0

    def _write(
        self, scope: Scope, changes: Sequence[Change], decision: str, record_id: str, reason: str
    ) -> bool:
        note = Note(decision=decision, record_id=record_id, reason=reason)
        with suppress(StaleReadError):  # someone changed one of them just now: the next tidying sees it
            self._repository.commit(
                changes, scope=scope, actor="consolidation", at=self._clock(), notes=[note]
            )
            return True
        return False

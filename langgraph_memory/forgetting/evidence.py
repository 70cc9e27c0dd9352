"""From what is to be forgotten to the events that hold it: which go as a whole, which are blanked in part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import ConfigDict

from langgraph_memory.consolidation.facts.decisions import DECISIONS
from langgraph_memory.consolidation.facts.name_book import names_of
from langgraph_memory.errors import UnknownRecordError
from langgraph_memory.forgetting.mentions import Mentions
from langgraph_memory.forgetting.target import Selector, Target
from langgraph_memory.log import CHECKPOINTS, EventLog
from langgraph_memory.log.erasure import Erasure
from langgraph_memory.log.ledger import Entry
from langgraph_memory.names import bare, canonical, normalise
from langgraph_memory.records import ActorKind, Episode, Event, Fact, Record
from langgraph_memory.repository import Repository

_LONG = 12
"""A value of so many characters is looked for in all events of a scope; shorter ones occur by chance."""


class Evidence(Record):
    """What holds the target.

    Attributes:
        gone: events that go as a whole.
        changed: events of which a part goes, as they will be.
        direct: the entries of the records that were meant.
        entities: all forms of the entity.
        mentions: finds the target in texts; None where it is not told by words.
        sources: what was asked to be forgotten as a source.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    gone: tuple[Event, ...] = ()
    changed: tuple[Event, ...] = ()
    direct: tuple[Entry, ...] = ()
    entities: tuple[str, ...] = ()
    mentions: Mentions | None = None
    sources: tuple[str, ...] = ()


class Search:
    """Finds the evidence of a target in the log and the ledger."""

    def __init__(self, log: EventLog, repository: Repository) -> None:
        self._log = log
        self._repository = repository
        self._erasure = Erasure(repository.ledger)

    def find(self, target: Target) -> Evidence:
        """The evidence of a target.

        Raises:
            UnknownRecordError: no such fact or episode in the scope, and none that was forgotten there.
        """
        ways: Mapping[Selector, Callable[[Target], Evidence]] = {
            "scope": self._of_scope,
            "entity": self._of_entity,
            "fact_id": self._of_fact,
            "episode_id": self._of_episode,
            "source": self._of_source,
            "actor_id": self._of_actor,
        }
        found = ways[target.by](target)
        return found.model_copy(update={"gone": (*found.gone, *self._empty(found))})

    def _empty(self, found: Evidence) -> list[Event]:
        """The checkpoints of activities of which nothing else is left."""
        gone = {event.event_id for event in found.gone}
        activities = dict.fromkeys((event.scope, event.activity_id) for event in found.gone)
        empty: list[Event] = []
        for scope, activity_id in activities:
            events = self._log.of_activity(scope, activity_id)
            left = [event for event in events if event.event_id not in gone]
            empty += left if all(_is_bare_checkpoint(event) for event in left) else []
        return empty

    def _of_scope(self, target: Target) -> Evidence:
        events = self._log.since(0, scope=target.scope)
        return Evidence(gone=tuple(events), direct=tuple(self._erasure.entries_below(target.scope)))

    def _of_entity(self, target: Target) -> Evidence:
        ids, names = self._forms(target)
        forms = tuple(dict.fromkeys([*ids, *names]))
        direct = self._erasure.entries_below(target.scope, entities=forms)
        facts = [each for each in self._repository.load(direct) if isinstance(each, Fact)]
        mentions = Mentions(forms, self._telling(target, facts))
        cited = self._log.from_sources([s for fact in facts for s in fact.sources], below=target.scope)
        held = {event.seq: event for event in self._log.holding(mentions.needles, below=target.scope)}
        concerned = [
            event
            for event in held.values()
            if not set(forms).isdisjoint(event.entities) or mentions.within([event.data, event.evidence_ref])
        ]
        own = [entry for entry in direct if entry.kind == "fact"]
        gone, changed = self._parted([*cited, *concerned], own, mentions, forms)
        return Evidence(gone=gone, changed=changed, direct=tuple(direct), entities=forms, mentions=mentions)

    def _telling(self, target: Target, facts: Sequence[Fact]) -> list[str]:
        """Those values of an entity's facts that tell of it wherever they stand: no others have them, too."""
        values = {canonical(fact.value): fact.value for fact in facts if len(fact.value) >= _LONG}
        if not values:
            return []
        own = {fact.fact_id for fact in facts}
        held = self._log.holding(list(values.values()), below=target.scope)
        others = [e for e in self._erasure.citing([event.source for event in held]) if e.record_id not in own]
        found = [each for each in self._repository.load(others) if isinstance(each, Fact)]
        of_others = {canonical(fact.value) for fact in found}
        return [value for plain, value in values.items() if plain not in of_others]

    def _of_fact(self, target: Target) -> Evidence:
        entry = self._entry(target, "fact")
        if entry is None:
            return Evidence()
        fact: Fact = self._repository.load([entry])[0]
        same = self._repository.find("fact", [fact.scope], entities=[fact.entity])
        twins = [each for each in same if canonical(each.value) == canonical(fact.value)]
        entries = self._repository.ledger.entries([each.fact_id for each in twins])
        mentions = Mentions(texts=[fact.value])
        sources = [source for each in twins for source in each.sources]
        events = self._log.from_sources(sources, below=target.scope)
        ids = {each.fact_id for each in twins}
        events += [
            event
            for event in self._log.holding(sorted(ids), below=target.scope)
            if event.event_type in DECISIONS and event.data.get("fact") in ids
        ]
        if len(fact.value) >= _LONG:
            events += self._log.holding([fact.value], below=target.scope)
        gone, changed = self._parted(events, list(entries.values()), mentions, ())
        return Evidence(gone=gone, changed=changed, direct=tuple(entries.values()), mentions=mentions)

    def _of_episode(self, target: Target) -> Evidence:
        entry = self._entry(target, "episode")
        if entry is None:
            return Evidence()
        episode: Episode = self._repository.load([entry])[0]
        events = self._log.of_activity(episode.scope, episode.activity_id)
        gone = tuple(event for event in events if event.source in episode.sources)
        return Evidence(gone=gone, direct=(entry,), sources=episode.sources if not gone else ())

    def _of_source(self, target: Target) -> Evidence:
        events = self._log.from_sources([target.value], below=target.scope)
        return Evidence(gone=tuple(events), sources=(target.value,))

    def _of_actor(self, target: Target) -> Evidence:
        held = self._log.holding([target.value], below=target.scope)
        said = tuple(event for event in held if event.actor.id == target.value)
        proposed = self._erasure.decided_by(target.value, "proposed", below=target.scope)
        playbooks = tuple(self._repository.ledger.entries(proposed).values())
        return Evidence(gone=said, direct=playbooks, mentions=Mentions([target.value]))

    def _entry(self, target: Target, kind: str) -> Entry | None:
        """The entry of a record under the scope; None where it was forgotten before."""
        entry = self._repository.ledger.entries([target.value]).get(target.value)
        inside = entry is not None and f"{entry.scope}.".startswith(f"{target.scope.key}.")
        if entry is not None and inside and entry.kind == kind:
            return entry
        audited = self._repository.ledger.audit.of(target.value)
        if entry is None and any(each.decision == "forgotten" for each in audited):
            return None
        raise UnknownRecordError(
            f"there is no {kind} {target.value!r} in {target.scope} or below it: name one that "
            f"Memory.{kind}s lists there"
        )

    def _forms(self, target: Target) -> tuple[list[str], list[str]]:
        """The ids under which the entity is known, and those names that mean nothing else.

        A name of several things is not taken for one of them.
        """
        given = {target.value, normalise(target.value), normalise(bare(target.value))}
        pairs = self._erasure.names(target.scope, sorted(given))
        known = names_of(pairs)
        meant = known.get(normalise(target.value), frozenset())
        ids = {target.value} | (set(meant) if len(meant) == 1 else set())
        ids |= {entity for _, entity in pairs if normalise(bare(entity)) == normalise(bare(target.value))}
        forms = sorted(ids | {normalise(bare(each)) for each in ids} | {bare(each) for each in ids})
        pairs = self._erasure.names(target.scope, forms)
        own = {normalise(bare(each)) for each in ids}
        names = [name for name, entity in pairs if normalise(bare(entity)) in own]
        of_others = {
            name
            for name, entity in self._erasure.names(target.scope, sorted(set(names)))
            if normalise(bare(entity)) not in own
        }
        return forms, sorted(set(names) - of_others)

    def _parted(
        self, events: Sequence[Event], own: Sequence[Entry], mentions: Mentions, forms: Sequence[str]
    ) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
        """Events that go, and those that others need: they stay, without the part that is meant."""
        each = {event.seq: event for event in events}
        needed = self._needed([event.source for event in each.values()], own)
        gone, changed = [], []
        for seq in sorted(each):
            event = each[seq]
            others = [entity for entity in event.entities if entity not in forms]
            less = event.model_copy(
                update={"entities": tuple(others), "data": mentions.without(dict[str, Any](event.data))}
            )
            kept = (forms and others) or event.source in needed
            if kept and less != event and not mentions.within([less.data, less.evidence_ref]):
                changed.append(less)
            else:
                gone.append(event)
        return tuple(gone), tuple(changed)

    def _needed(self, sources: Sequence[str], own: Sequence[Entry]) -> set[str]:
        """Those sources that facts other than the own ones cite."""
        meant = {entry.record_id for entry in own}
        others = [e for e in self._erasure.citing(sources) if e.kind == "fact" and e.record_id not in meant]
        facts: list[Fact] = self._repository.load(others)
        return {source for fact in facts for source in fact.sources}


def _is_bare_checkpoint(event: Event) -> bool:
    return event.actor.kind is ActorKind.SYSTEM and event.event_type in CHECKPOINTS

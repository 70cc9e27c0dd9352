"""What becomes of every record that rests on forgotten evidence: it goes, or is made anew without it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from langgraph_memory.answers import record_id
from langgraph_memory.consolidation.episodes.building import build_episode, is_worth_keeping
from langgraph_memory.consolidation.episodes.covered import behind, forward
from langgraph_memory.consolidation.episodes.digests import experienced_tool
from langgraph_memory.consolidation.facts import lifecycle
from langgraph_memory.consolidation.facts.decisions import DECISIONS
from langgraph_memory.consolidation.facts.testimony import Testimony, heard
from langgraph_memory.forgetting import merges, playbooks
from langgraph_memory.forgetting.evidence import Evidence
from langgraph_memory.forgetting.support import evidenced, restored, supported, unlinked
from langgraph_memory.forgetting.target import Target
from langgraph_memory.log import EventLog
from langgraph_memory.log.erasure import BLANK, Erasure
from langgraph_memory.log.ledger import Entry
from langgraph_memory.name_index import touches
from langgraph_memory.records import Episode, Event, Fact, FactStatus, Procedure, ProcedureStatus
from langgraph_memory.repository import Change, Repository
from langgraph_memory.repository.bodies import Stored

_HOSTILE = ("source", "actor_id")
"""Whoever forgets one of these takes back what came from it; its effects on others are undone."""


class Plan:
    """The records that go and those that change, decided on one state of what is held.

    Attributes:
        removed: entries of records that go, by id.
        facts: the facts among them, by id.
        rebuilt: records as they will be, by id.
        exhumed: facts whose rejection is taken back.
        gone: sources that nothing holds any more.
    """

    def __init__(self, target: Target, evidence: Evidence, log: EventLog, repository: Repository) -> None:
        self.target = target
        self.evidence = evidence
        self.removed: dict[str, Entry] = {}
        self.facts: dict[str, Fact] = {}
        self.rebuilt: dict[str, Stored] = {}
        self.exhumed: list[Fact] = []
        self._log = log
        self._repository = repository
        self._erasure = Erasure(repository.ledger)
        self._before: dict[str, Stored] = {}
        self._testimony: dict[str, Testimony] = {}
        self._apart: dict[str, Fact] = {}
        self._fallen: dict[str, Fact] = {}
        self._lost_playbooks: list[Procedure] = []
        self._gone_rulings = [event for event in evidence.gone if event.event_type in DECISIONS]
        self._gone_events = {event.event_id for event in evidence.gone}
        self._as_changed = {event.event_id: event for event in evidence.changed}
        self.gone = self._gone_sources()
        self._decide()

    def changes(self) -> list[Change]:
        """The records to write, each with the digest on which it was decided."""
        return [
            Change(record=record, expected=self._repository.digest(self._before[name]))
            for name, record in self.rebuilt.items()
            if record != self._before[name]
        ]

    def _gone_sources(self) -> set[str]:
        """The sources of the events that go; a reference that other events share stays."""
        sources = {event.event_id for event in self.evidence.gone} | set(self.evidence.sources)
        shared = {event.evidence_ref for event in self.evidence.gone if event.evidence_ref}
        for event in self._log.from_sources(sorted(shared)):
            if event.event_id not in self._gone_events:
                shared.discard(event.evidence_ref)
        return sources | shared

    def _decide(self) -> None:
        if self.target.by == "scope":
            self._remove(list(self.evidence.direct))
            return
        touched = self.gone | {event.source for event in self.evidence.changed}
        waiting = {entry.record_id: entry for entry in self.evidence.direct}
        waiting |= {entry.record_id: entry for entry in self._erasure.citing(touched)}
        ruled = [str(event.data.get("fact")) for event in self._gone_rulings]
        waiting |= self._repository.ledger.entries([*ruled, *self._approved()])
        waiting |= self._repository.ledger.entries(self._take_apart(touched))
        while waiting:
            gone = self._decide_each(list(waiting.values()))
            self.gone |= gone
            waiting = {entry.record_id: entry for entry in self._erasure.citing(gone)}
        self._release()
        self._mend_links()
        self._bring_back()

    def _approved(self) -> list[str]:
        """The ids of the procedures that the one who is forgotten put in use."""
        if self.target.by != "actor_id":
            return []
        by, below = self.target.value, self.target.scope
        return [each for how in playbooks.IN_USE for each in self._erasure.decided_by(by, how, below=below)]

    def _bring_back(self) -> None:
        """Put those procedures in use again that a lost one of someone hostile had replaced."""
        audit = self._repository.ledger.audit
        for lost in self._lost_playbooks if self.target.by in _HOSTILE else ():
            versions: list[Procedure] = self._repository.find("procedure", [lost.scope])
            left = [each for each in versions if record_id(each) not in self.removed]
            standing = [self.rebuilt.get(record_id(each), each) for each in left]
            back = playbooks.replaced(
                lost,
                [each for each in standing if isinstance(each, Procedure)],
                lambda each: [entry.decision for entry in audit.of(record_id(each))],
                self.target.value,
            )
            if back is not None:
                held = next(each for each in versions if record_id(each) == record_id(back))
                self._before.setdefault(record_id(back), held)
                self.rebuilt[record_id(back)] = back

    def _release(self) -> None:
        """Bring back to the fore what stands behind a digest that goes; the next tidying sums it up anew."""
        gone = [entry for entry in self.removed.values() if entry.kind == "episode"]
        for _, digest in self._loaded(gone):
            for episode in behind(digest, self._repository) if isinstance(digest, Episode) else ():
                if episode.episode_id not in self.removed:
                    after = self.rebuilt.get(episode.episode_id, episode)
                    self._before.setdefault(episode.episode_id, episode)
                    self.rebuilt[episode.episode_id] = forward(after) if isinstance(after, Episode) else after

    def _take_apart(self, touched: Collection[str]) -> list[str]:
        """Undo merges that can't stand; the ids of the facts that stand apart again."""
        if self.target.by not in _HOSTILE:
            return []
        cited = [entry.record_id for entry in self._erasure.citing(touched) if entry.kind == "fact"]
        stand = [event for event in self._log.holding(cited) if event.event_id not in self._gone_events]
        for event in (*self._gone_rulings, *stand):
            if event.event_type == merges.MERGED:
                hostile = event.event_id in self._gone_events
                facts = self._stand_now(merges.named_in(event))
                parted = merges.apart(facts, self.gone, self._repository.clock(), hostile=hostile)
                self._apart |= {fact.fact_id: fact for fact in parted}
        return list(self._apart)

    def _stand_now(self, fact_ids: Iterable[str]) -> list[Fact]:
        records = (self._apart.get(each) or self._repository.record(each) for each in fact_ids)
        return [record for record in records if isinstance(record, Fact)]

    def _decide_each(self, entries: Sequence[Entry]) -> set[str]:
        """Decide these; the ids of those that go."""
        records = {entry.record_id: record for entry, record in self._loaded(entries)}
        facts = [record for record in records.values() if isinstance(record, Fact)]
        self._hear([self._apart.get(fact.fact_id, fact) for fact in facts])
        gone = []
        for entry in entries:
            record = records.get(entry.record_id)
            after = self._after(self._apart.get(entry.record_id, record)) if record is not None else None
            if record is not None:
                self._note_fall(record, after)
            if after is None:
                gone.append(entry)
            elif record is not None:
                self._before.setdefault(entry.record_id, record)
                self.rebuilt[entry.record_id] = after
        self._remove(gone)
        return {entry.record_id for entry in gone} | self._drop_confirmations(gone)

    def _note_fall(self, record: Stored, after: Stored | None) -> None:
        """Remember what was in force and is no longer: it gives back the place that it had taken."""
        if isinstance(record, Procedure):
            kept = isinstance(after, Procedure) and after.status is ProcedureStatus.CURRENT
            self._lost_playbooks += [record] if record.status is ProcedureStatus.CURRENT and not kept else []
        if isinstance(record, Fact) and isinstance(after, Fact):
            fell = record.status is FactStatus.CURRENT and after.status is FactStatus.UNVERIFIED
            self._fallen |= {record.fact_id: record} if fell else {}

    def _drop_confirmations(self, removed: Sequence[Entry]) -> set[str]:
        """Let go the confirmations of facts that go, and with them what they carried; their sources."""
        heard = [self._testimony.get(entry.record_id, Testimony()).rulings for entry in removed]
        dropped = [event for each in heard for event in each if event.event_type == "fact.confirmed"]
        self._gone_events |= {event.event_id for event in dropped}
        self.evidence = self.evidence.model_copy(update={"gone": (*self.evidence.gone, *dropped)})
        return {event.source for event in dropped}

    def _hear(self, facts: Sequence[Fact]) -> None:
        """Read what speaks for the facts, all at once."""
        new = [fact for fact in facts if fact.fact_id not in self._testimony]
        self._testimony |= heard(self._log, new, gone=self.evidence.gone)

    def _loaded(self, entries: Sequence[Entry]) -> list[tuple[Entry, Stored]]:
        found = {record_id(record): record for record in self._repository.load(entries)}
        return [(entry, found[entry.record_id]) for entry in entries if entry.record_id in found]

    def _remove(self, entries: Sequence[Entry]) -> None:
        self.removed |= {entry.record_id: entry for entry in entries}
        for entry, record in self._loaded([entry for entry in entries if entry.kind == "fact"]):
            if isinstance(record, Fact):
                self.facts[entry.record_id] = record
        for entry in entries:
            self.rebuilt.pop(entry.record_id, None)

    def _after(self, record: Stored) -> Stored | None:
        match record:
            case Fact():
                return self._fact(record)
            case Episode():
                return self._episode(record)
            case Procedure():
                kept = None if self._is_meant(record) else evidenced(record, self.gone)
                if kept is not None and self.target.by == "actor_id":
                    kept = playbooks.unapproved(kept, self.target.value)
                told = kept is not None and kept.origin == "learned" and self._mentioned(*kept.steps)
                return None if told else kept

    def _is_meant(self, record: Stored) -> bool:
        return any(entry.record_id == record_id(record) for entry in self.evidence.direct)

    def _fact(self, fact: Fact) -> Fact | None:
        if self._is_meant(fact) or (
            self.evidence.entities and self._mentioned(fact.value, fact.ends_when or "")
        ):
            return None
        if experienced_tool(fact) and not self.gone.isdisjoint((*fact.sources, *fact.counterexamples)):
            return None  # it counts what is gone, and may quote it
        fact = self._behind_holder(fact)
        testimony = self._testimony.get(fact.fact_id, Testimony())
        before = self._undone(fact, testimony) if self.target.by in _HOSTILE else fact
        return supported(before, self.gone, testimony, self._repository.policy)

    def _behind_holder(self, fact: Fact) -> Fact:
        """A fact that was taken apart, behind the one that has taken its place meanwhile."""
        if fact.fact_id not in self._apart or fact.status is not FactStatus.CURRENT:
            return fact
        holder = self._repository.current(fact.scope, fact.entity, fact.attribute, fact.value)
        if holder is None or holder.fact_id in {fact.fact_id, *self.facts}:
            return fact
        return lifecycle.superseded(fact, by=holder.fact_id, at=self._repository.clock())

    def _undone(self, fact: Fact, testimony: Testimony) -> Fact:
        """The fact as it was before something hostile ended it, where its place is free."""
        undone = self.facts.keys() | self._fallen.keys()
        after = restored(fact, self.gone, undone, testimony, self._repository.policy)
        if after.status is FactStatus.CURRENT and fact.status is not FactStatus.CURRENT:
            holder = self._repository.current(fact.scope, fact.entity, fact.attribute, fact.value)
            if holder is not None and holder.fact_id not in undone:
                return fact
        if fact.status is FactStatus.REJECTED and after is not fact:
            self.exhumed.append(fact)
        return after

    def _mend_links(self) -> None:
        """Let what the removed facts replaced, and what replaced them, point past them."""
        for fact_id in self._fallen:
            fallen = self.rebuilt.get(fact_id)
            if isinstance(fallen, Fact) and self.target.by in _HOSTILE:
                self.rebuilt[fact_id] = fallen.model_copy(update={"supersedes": None})
        near = {
            linked
            for fact in (*self.facts.values(), *self._fallen.values())
            for linked in (fact.supersedes, fact.superseded_by)
            if linked and linked not in self.removed
        }
        entries = self._repository.ledger.entries(sorted(near))
        for entry, record in self._loaded(list(entries.values())):
            fact = self.rebuilt.get(entry.record_id, record)
            if isinstance(fact, Fact) and isinstance(record, Fact):
                self._before.setdefault(entry.record_id, record)
                undone = self._undone(fact, Testimony()) if self.target.by in _HOSTILE else fact
                self.rebuilt[entry.record_id] = unlinked(undone, self.facts)

    def _episode(self, episode: Episode) -> Episode | None:
        """The episode of the events that are left, in plain words; None if they are worth none."""
        if self.target.by == "episode_id" and self._is_meant(episode):
            return None
        events = [
            self._as_changed.get(event.event_id, event)
            for event in self._log.of_activity(episode.scope, episode.activity_id)
            if event.source in episode.sources and event.event_id not in self._gone_events
        ]
        if not any(map(_is_telling, events)) and not is_worth_keeping(events, self._repository.policy):
            return None
        follows = episode.follows if episode.follows not in self.removed else None
        made = build_episode(events, episode.episode_id, follows=follows)
        if self.evidence.entities and self._mentioned(made.summary):
            return None
        return self._named(made, episode, events)

    def _named(self, made: Episode, before: Episode, events: Sequence[Event]) -> Episode:
        """With the other entities that the words left in the episode still name."""
        said = [event.data for event in events]
        entities = [*made.entities, *(entity for entity in before.entities if touches([entity], said))]
        kept = [entity for entity in entities if entity not in self.evidence.entities]
        return made.model_copy(update={"entities": tuple(dict.fromkeys(kept))})

    def _mentioned(self, *texts: str) -> bool:
        return self.evidence.mentions is not None and self.evidence.mentions.within(list(texts))


def _is_telling(event: Event) -> bool:
    """Whether somebody says something in an event."""
    return event.text not in ("", BLANK)

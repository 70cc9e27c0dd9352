"""Takes the records of an export, as far as evidence, authority and tombstones of the receiver admit them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

from langgraph_memory.answers import ImportReport, Omission, record_id
from langgraph_memory.consolidation.episodes.covered import forward
from langgraph_memory.consolidation.episodes.digests import experienced_tool
from langgraph_memory.consolidation.facts import lifecycle
from langgraph_memory.consolidation.facts.assertions import ASSERTED, asserted
from langgraph_memory.consolidation.facts.overlay import Overlay
from langgraph_memory.consolidation.facts.statements import Statement, restated
from langgraph_memory.consolidation.facts.testimony import Testimony, heard
from langgraph_memory.consolidation.pipeline import Pipeline
from langgraph_memory.errors import InvalidEventError, PersonalDataError
from langgraph_memory.log import EventLog
from langgraph_memory.log.erasure import Erasure
from langgraph_memory.log.staleness import decided_anew
from langgraph_memory.publishing.drafts import without_secrets
from langgraph_memory.records import Episode, Event, Fact, FactStatus, Procedure
from langgraph_memory.redaction import Redactor
from langgraph_memory.redaction.personal import PersonalRules
from langgraph_memory.repository import Change, Note, Repository
from langgraph_memory.repository.bodies import Stored
from langgraph_memory.scope import Scope
from langgraph_memory.transfer.admission import Admission
from langgraph_memory.transfer.claims import as_draft, told_last
from langgraph_memory.transfer.derivation import CORRECTED, Derived
from langgraph_memory.transfer.export_lines import TOLD, Exported, read
from langgraph_memory.transfer.unaccounted import Unaccounted

_AT_ONCE = 200
_OVER = (FactStatus.RETIRED, FactStatus.REJECTED)


class Importer:
    """Reads a file twice: first to see that all of it can be read, then to take it.

    Args:
        publish: writes an event, redacted; one that was forgotten is not written.
        log: where events are.
        repository: where records go.
        pipeline: settles statements.
        redactor: takes secrets out of records.
        personal: which personal data is refused.
    """

    def __init__(
        self,
        publish: Callable[..., Event],
        log: EventLog,
        repository: Repository,
        pipeline: Pipeline,
        redactor: Redactor,
        personal: PersonalRules,
    ) -> None:
        self._publish = publish
        self._log = log
        self._repository = repository
        self._pipeline = pipeline
        self._redactor = redactor
        self._personal = personal
        self._counts = {"events": 0, "episodes": 0, "facts": 0, "procedures": 0, "unverified": 0, "known": 0}
        self._left_out: list[Omission] = []
        self._archived: list[Episode] = []
        self._admission = Admission(log, repository)
        self._erasure = Erasure(repository.ledger)
        self._told: dict[str, tuple[Scope, str]] = {}
        self._anew: dict[tuple[Scope, str], None] = {}
        self._settled: dict[tuple[Scope, str], None] = {}

    def take(self, path: Path) -> ImportReport:
        """Take a file.

        Raises:
            IngestError: a line that is no record; nothing was taken.
        """
        for each in read(path):
            if isinstance(each, Fact):
                self._told[each.fact_id] = (each.scope, each.entity)
        fresh = self._events(each for each in read(path) if isinstance(each, Event))
        for batch in _batches(each for each in read(path) if not isinstance(each, Event)):
            self._records(batch)
        self._bring_forward()
        self._state(fresh)
        untold = Unaccounted(self._log, self._repository, self._pipeline.names)
        self._anew |= dict.fromkeys(untold.among(self._settled))
        self._log.activities.reread(self._anew)
        return ImportReport(**self._counts, left_out=tuple(self._left_out))

    def _events(self, events: Iterable[Event]) -> list[Event]:
        """Write events; the statements among those that are new."""
        statements = []
        for event in events:
            new = self._log.get(event.event_id) is None
            written = self._written(event)
            if written is None:
                continue
            self._counts["events" if new else "known"] += 1
            if new and written.event_type in (ASSERTED, CORRECTED):
                statements.append(written)
        return statements

    def _written(self, event: Event) -> Event | None:
        fields = event.model_dump(exclude={"seq", "trust", "schema_version", "scope", "actor"})
        try:
            written = self._publish(**fields, scope=event.scope, actor=event.actor)
        except InvalidEventError as error:
            self._leave_out(event.event_id, str(error))
            return None
        if not written.seq:
            self._leave_out(event.event_id, "it was forgotten here")
            return None
        return written

    def _state(self, statements: Sequence[Event]) -> None:
        """Settle the statements of which the file has no fact, by the rules of this memory."""
        for event in statements:
            if not self._erasure.citing([event.source], kind="fact"):
                statement = self._stated(event)
                if statement is None:
                    continue
                verdict = self._pipeline.settle(statement)
                self._counts["facts"] += verdict.fact is not None
                unverified = verdict.fact is not None and verdict.fact.status is FactStatus.UNVERIFIED
                self._counts["unverified"] += unverified

    def _stated(self, event: Event) -> Statement | None:
        """The statement of an event that keeps one; None for a correction of what isn't here."""
        policy = self._repository.policy
        if event.event_type == ASSERTED:
            return asserted(event, policy)
        before, value = self._repository.record(str(event.data.get("fact"))), event.data.get("value")
        if not isinstance(before, Fact) or not isinstance(value, str) or before.scope != event.scope:
            return None
        role = policy.authority_of(event.actor, before.scope, before.attribute)
        return restated(before, value, event, role)

    def _records(self, batch: Sequence[Exported]) -> None:
        """Take records that are not events, again if someone changes what they meet."""
        stored = self._repository.ledger.entries([record_id(each) for each in batch])
        unknown = [each for each in batch if record_id(each) not in stored]
        self._counts["known"] += len(batch) - len(unknown)
        new = [self._clean(each) for each in unknown if self._is_admitted(each)]
        over = [f for f in batch if isinstance(f, Fact) and f.status in _OVER and f.fact_id in stored]
        counts, left_out = self._counts, self._left_out

        def take() -> None:
            self._counts, self._left_out = counts.copy(), list(left_out)
            self._commit(new, over)

        decided_anew(take, about=", ".join(record_id(each) for each in new[:3]))

    def _is_admitted(self, record: Exported) -> bool:
        fields = record.model_dump(mode="json")
        try:
            self._personal.admit([fields[name] for name in TOLD[type(record)]])
        except PersonalDataError as error:
            self._leave_out(record_id(record), str(error))
            return False
        return True

    def _bring_forward(self) -> None:
        """Let no episode of the file stand behind a digest that is not here."""
        here = self._repository.ledger.entries(sorted({str(each.archived_into) for each in self._archived}))
        lost = [each for each in self._archived if each.archived_into not in here]
        for episode in lost:
            held = self._repository.record(episode.episode_id)
            if isinstance(held, Episode) and held.archived_into == episode.archived_into:
                self._repository.commit(
                    [Change(record=forward(held), expected=self._repository.digest(held))],
                    scope=episode.scope,
                    actor="import",
                    at=self._repository.clock(),
                )

    def _clean(self, record: Exported) -> Exported:
        fields = record.model_dump(mode="json")
        words = {name: without_secrets(self._redactor, fields[name]) for name in TOLD[type(record)]}
        return type(record).model_validate(fields | words)

    def _commit(self, records: Sequence[Exported], over: Sequence[Fact]) -> None:
        overlay = Overlay(self._repository)
        at = self._repository.clock()
        facts = sorted((f for f in records if isinstance(f, Fact)), key=lambda f: (f.asserted_at, f.fact_id))
        testimony = heard(self._log, [*facts, *over]) if facts or over else {}
        buried = [fact for fact in facts if self._fact(fact, testimony[fact.fact_id], overlay)]
        buried += [fact for fact in over if self._is_over(fact, testimony[fact.fact_id], overlay)]
        episodes = [each for each in records if isinstance(each, Episode) and self._episode(each)]
        playbooks = [each for each in records if isinstance(each, Procedure) and self._procedure(each)]
        procedures = [as_draft(each) for each in playbooks]
        self._counts["episodes"] += len(episodes)
        self._settled |= {(each.scope, each.activity_id): None for each in episodes if not each.covers}
        self._archived += [each for each in episodes if each.archived_into is not None]
        self._counts["procedures"] += len(procedures)
        others: list[Stored] = [*episodes, *procedures]
        changes = [*overlay.changes(), *(Change(record=each) for each in others)]
        for scope in {change.record.scope for change in changes}:
            inside = [change for change in changes if change.record.scope == scope]
            notes = [
                Note(decision="imported", record_id=record_id(each.record), reason="from a file")
                for each in inside
            ]
            done = [each for each in episodes if each.scope == scope]
            self._repository.commit(
                inside,
                scope=scope,
                actor="import",
                at=at,
                notes=notes,
                also=partial(self._also, done, [fact for fact in buried if fact.scope == scope], at),
            )

    def _also(
        self, episodes: Sequence[Episode], rejected: Sequence[Fact], at: datetime, connection: Connection
    ) -> None:
        """What belongs to the records: cursors behind their events, tombstones of rejected values."""
        for episode in (each for each in episodes if not each.covers):
            events = self._log.of_activity(episode.scope, episode.activity_id)
            last = max(event.seq for event in events if event.source in episode.sources)
            self._log.activities.settle(connection, episode.scope, episode.activity_id, last)
        for fact in rejected:
            self._repository.ledger.tombstones.bury(
                connection, fact.scope, fact.entity, fact.value, reason="rejected", at=at
            )

    def _procedure(self, procedure: Procedure) -> bool:
        """Whether it is written by people, or may be made of what happens in its scope."""
        admitted = procedure.origin != "learned" or self._repository.policy.may_remember(procedure.scope)
        if not admitted:
            self._leave_out(record_id(procedure), f"there is no consent to remember in {procedure.scope}")
        return admitted

    def _episode(self, episode: Episode) -> bool:
        """Whether all that an episode cites is here, and its quotations stand there."""
        events = {event.source: event for event in self._evidence(episode)}
        why = None
        if not self._repository.policy.may_remember(episode.scope):
            why = f"there is no consent to remember in {episode.scope}"
        elif not episode.sources or not set(episode.sources) <= events.keys():
            why = "events that it cites are not here"
        elif any(excerpt.text not in events[excerpt.source].text for excerpt in episode.excerpts):
            why = "it quotes what its events don't say"
        if why is not None:
            self._leave_out(episode.episode_id, why)
        return why is None

    def _evidence(self, episode: Episode) -> list[Event]:
        """The events of its activity; of a digest, those that it cites."""
        if not episode.covers:
            return self._log.of_activity(episode.scope, episode.activity_id)
        cited = self._log.from_sources(episode.sources, below=episode.scope)
        return [event for event in cited if event.scope == episode.scope]

    def _fact(self, fact: Fact, testimony: Testimony, overlay: Overlay) -> bool:
        """Put a fact on top of what is held, as it counts here; whether its value is to be buried."""
        derived = self._admission.derived(fact, testimony)
        why = self._why_not(fact, testimony, derived)
        if derived is None or why is not None:
            self._leave_out(fact.fact_id, why or "what it cites doesn't say so")
            self._anew |= dict.fromkeys((fact.scope, activity_id) for activity_id in fact.corroboration)
            self._anew |= dict.fromkeys((event.scope, event.activity_id) for event in testimony.said)
            return False
        here = self._as_held_here(fact, testimony, derived)
        self._counts["facts"] += 1
        self._counts["unverified"] += here.status is FactStatus.UNVERIFIED
        held = overlay.holder(here) if here.status is FactStatus.CURRENT else None
        ended = overlay.end_of(told_last(here, testimony)) if here.status is FactStatus.CURRENT else None
        if ended is not None and ended.valid_until is not None:
            here = lifecycle.retired(here, at=ended.valid_until, sources=ended.sources)
        elif held is not None and held.fact_id != here.fact_id:
            if here.confirmed_at > held.confirmed_at:
                overlay.put(lifecycle.superseded(held, by=here.fact_id, at=here.asserted_at))
                here = here.model_copy(update={"supersedes": held.fact_id})
            else:
                here = lifecycle.superseded(here, by=held.fact_id, at=max(held.asserted_at, here.asserted_at))
        overlay.put(here)
        return here.status is FactStatus.REJECTED and bool(self._admission.endings(fact, testimony))

    def _is_over(self, fact: Fact, testimony: Testimony, overlay: Overlay) -> bool:
        """End a fact that is held here and was ended there since; whether its value is to be buried."""
        here, at = overlay.fact(fact.fact_id), fact.valid_until
        if here is None or at is None or here.status in _OVER or at < here.confirmed_at:
            return False
        ending = self._admission.endings(fact, testimony)
        if not any(here.confirmed_at <= event.occurred_at <= at for event in ending):
            return False
        retired = lifecycle.retired(here, at=at, sources=tuple(e.source for e in ending))
        overlay.put(retired if fact.status is FactStatus.RETIRED else lifecycle.rejected(here, at=at))
        return fact.status is FactStatus.REJECTED

    def _why_not(self, fact: Fact, testimony: Testimony, derived: Derived | None) -> str | None:
        """Why a fact is not taken as it stands; None if it is."""
        if not self._repository.policy.may_remember(fact.scope):
            return f"there is no consent to remember in {fact.scope}"
        if not testimony.said:
            return "nothing that it cites is here"
        if derived is None:
            return "what it cites doesn't say so"
        buried = self._repository.tombstone(fact.scope, fact.entity, fact.value)
        if buried is not None and fact.status is not FactStatus.REJECTED:
            return f"the value was {buried} here"
        return self._admission.why_not(fact, derived, testimony, self._told)

    def _as_held_here(self, fact: Fact, testimony: Testimony, derived: Derived) -> Fact:
        """The fact with those of its sources that are here, and the authority of this memory's policy."""
        policy = self._repository.policy
        here = {event.source for event in testimony.said}
        role = self._admission.role(fact, testimony, derived)
        found = fact.status is FactStatus.CANDIDATE and experienced_tool(fact) is not None
        held = fact.status in (FactStatus.CURRENT, FactStatus.CANDIDATE) and not found
        sensitivity = policy.sensitivity_of(fact.attribute, fact.value)
        again = lifecycle.revalidation(fact.kind, fact.confirmation, fact.confirmed_at, policy, sensitivity)
        return fact.model_copy(
            update={
                "sources": tuple(source for source in fact.sources if source in here),
                "authority_role": role,
                "status": FactStatus.UNVERIFIED if held and role is None else fact.status,
                "revalidate_after": None if found else again,
                "sensitivity": sensitivity,
            }
        )

    def _leave_out(self, name: str, reason: str) -> None:
        self._left_out.append(Omission(id=name, reason=reason))


def _batches(records: Iterable[Exported]) -> Iterable[list[Exported]]:
    batch: list[Exported] = []
    for record in records:
        if len(batch) == _AT_ONCE or (batch and type(batch[-1]) is not type(record)):
            yield batch
            batch = []
        batch.append(record)
    if batch:
        yield batch

"""What statements do to what is held: reconciled, and written together with the cursor of their activity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from sqlalchemy import Connection

from langgraph_memory.answers import ConsolidationReport, Outcome, Reconciled
from langgraph_memory.consolidation.facts import lifecycle
from langgraph_memory.consolidation.facts.conditions import Endings, met_already
from langgraph_memory.consolidation.facts.grounding import supported
from langgraph_memory.consolidation.facts.overlay import Overlay
from langgraph_memory.consolidation.facts.reliance import is_renewed_by_use, relied_on
from langgraph_memory.consolidation.facts.statements import Statement, Verdict
from langgraph_memory.consolidation.learning.learner import Learned, Learner
from langgraph_memory.consolidation.work import Work
from langgraph_memory.log import EventLog
from langgraph_memory.log.claims import LostLeaseError
from langgraph_memory.log.staleness import decided_anew
from langgraph_memory.records import Fact, FactStatus
from langgraph_memory.repository import Change, Note, Repository
from langgraph_memory.repository.bodies import Stored


class Settlement:
    """Reconciles statements and commits what comes of them.

    Args:
        log: where cursors are.
        repository: what is held.
        learner: turns an activity into counts, routines and drafts of playbooks.
        endings: of rules that people don't name.
        clock: the time of records.
    """

    def __init__(
        self,
        log: EventLog,
        repository: Repository,
        learner: Learner,
        endings: Endings,
        clock: Callable[[], datetime],
    ) -> None:
        self._log = log
        self._repository = repository
        self._learner = learner
        self._endings = endings
        self._clock = clock

    def commit(self, work: Work) -> ConsolidationReport:
        """Reconcile the statements with what is held, and write it all with the cursor."""
        return decided_anew(lambda: self._decided(work), about=work.claim.activity_id)

    def _decided(self, work: Work) -> ConsolidationReport:
        overlay = Overlay(self._repository)
        with self._repository.reading():  # decided on one state, checked when written
            verdicts = self._heard(work, overlay)
            learned = self._learner.learn(work.events, work.episode) if work.episode else Learned()
            used = self._renewed(work, overlay)
            told = [self._repository.over(work.episode)] if work.episode else []
        try:
            self._write(
                work,
                [*told, *overlay.changes(), *learned.changes],
                [*_notes(work, verdicts), *used, *learned.notes],
                partial(self._finish, work, overlay, learned),
            )
        except LostLeaseError:
            self._take_back(work, overlay.changes())
            return ConsolidationReport()
        return _report(work, verdicts)

    def _heard(self, work: Work, overlay: Overlay) -> list[Verdict]:
        """The verdicts on all statements, and on reports that crossed with the rules that they end."""
        verdicts = [verdict for statement in work.statements for verdict in overlay.hear(statement)]
        if work.revision != self._repository.ledger.counters.revision():
            crossed = self._endings.crossing(work.events, work.statements, work.claim.scope)
            verdicts += map(overlay.settle, crossed)
        verdicts += map(overlay.settle, met_already(verdicts, self._log, self._repository.policy))
        return verdicts

    def _take_back(self, work: Work, changes: Sequence[Change]) -> None:
        """Leave nothing in the store of events that were forgotten while they were worked on.

        Records that the events of now support as well are left alone: another worker may be writing them.
        """
        held = {event.source: event for event in self._log.events([e.event_id for e in work.events])}
        if list(held.values()) == list(work.events):
            return
        facts = [change.record for change in changes if isinstance(change.record, Fact)]
        unwanted = [
            fact
            for fact in facts
            if not supported(fact.value, " ".join(held[s].text for s in fact.sources if s in held))
        ]
        self._repository.contents.abandon([*unwanted, *([work.episode] if work.episode else [])])

    def _renewed(self, work: Work, overlay: Overlay) -> tuple[Note, ...]:
        """Renew the facts that the activity relied on and that served it well."""
        scopes = list(work.claim.scope.ancestors())
        notes = []
        for fact_id in relied_on(work.events, self._repository.ledger.explanations.get):
            fact = overlay.fact(fact_id)
            if fact is None or fact.scope not in scopes or not is_renewed_by_use(fact):
                continue
            if overlay.holder(fact) in (None, fact):
                at = work.events[-1].occurred_at
                overlay.put(lifecycle.used(fact, at=at, policy=self._repository.policy))
                reason = f"used successfully in {work.claim.activity_id}"
                notes.append(Note(decision="used", record_id=fact_id, reason=reason))
        return tuple(notes)

    def _finish(self, work: Work, overlay: Overlay, learned: Learned, connection: Connection) -> None:
        """What belongs to the records: names that people used, counts, and the cursor behind the events."""
        overlay.check(connection)
        aliases = self._repository.ledger.aliases
        aliases.vouch(connection, work.claim.scope, work.vouched, work.claim.activity_id)
        if work.episode is not None:
            self._learner.note(connection, learned, work.episode)
        upto = work.events[-1].seq if work.events else work.claim.done_seq
        self._log.activities.complete(connection, work.claim, upto)

    def _write(
        self,
        work: Work,
        changes: Sequence[Change],
        notes: Sequence[Note],
        also: Callable[[Connection], None],
    ) -> None:
        self._repository.commit(
            changes,
            scope=work.claim.scope,
            actor="consolidation",
            at=self._clock(),
            notes=notes,
            also=also,
            durable=False,  # the events are: what was made of them is made again, and is the same
        )

    def settle(self, statement: Statement) -> Reconciled:
        """Reconcile one statement and write what it does; without consent, nothing."""
        if not self._repository.policy.may_remember(statement.scope):
            return self._not_remembered(statement)
        return decided_anew(lambda: self._settled(statement), about=statement.founding)

    def _settled(self, statement: Statement) -> Reconciled:
        overlay = Overlay(self._repository)
        verdict = overlay.settle(statement)
        for ending in met_already([verdict], self._log, self._repository.policy):
            verdict = overlay.settle(ending)
        about = verdict.fact or verdict.previous
        subject = about.fact_id if about else statement.founding
        self._repository.commit(
            overlay.changes(),
            scope=statement.scope,
            actor=statement.speaker_id,
            at=self._clock(),
            notes=[
                Note(decision=_decision(verdict), record_id=subject, reason=verdict.reason),
                *_superseding(verdict),
            ],
            also=overlay.check,
        )
        return Reconciled(
            outcome=verdict.outcome, fact=verdict.fact, previous=verdict.previous, reason=verdict.reason
        )

    def _not_remembered(self, statement: Statement) -> Reconciled:
        reason = f"there is no consent to remember in {statement.scope}"
        note = Note(decision="skipped", record_id=statement.founding, reason="no consent to remember")
        self._repository.commit(
            [], scope=statement.scope, actor=statement.speaker_id, at=self._clock(), notes=[note]
        )
        return Reconciled(outcome=Outcome.IGNORED, fact=None, reason=reason)


def _notes(work: Work, verdicts: Sequence[Verdict]) -> list[Note]:
    subject = work.episode.episode_id if work.episode else work.claim.activity_id
    kept = Note(decision="kept", record_id=subject, reason="consolidated")
    skipped = Note(decision="skipped", record_id=subject, reason=work.why_skipped)
    notes = [kept if work.episode else skipped]
    for verdict in verdicts:
        about: Stored | None = verdict.fact or verdict.previous
        record_id = about.fact_id if isinstance(about, Fact) else subject
        notes.append(Note(decision=_decision(verdict), record_id=record_id, reason=verdict.reason))
        notes += _superseding(verdict)
    told = "the model was shown the beginning and the end of a long activity, not all of this"
    notes += [Note(decision="shortened", record_id=event_id, reason=told) for event_id in work.left_out]
    if work.made_with:
        notes.append(Note(decision="modelled", record_id=subject, reason=", ".join(work.made_with)))
    return notes + [Note(decision="dropped", record_id=subject, reason=d.reason) for d in work.dropped]


def _decision(verdict: Verdict) -> str:
    """The outcome; what waited as a candidate and holds from now on is promoted."""
    waited = verdict.fact is not None and verdict.fact.history[-1:]
    lifted = waited and waited[0].status is FactStatus.CANDIDATE
    return "promoted" if verdict.outcome is Outcome.ESTABLISHED and lifted else verdict.outcome.value


def _superseding(verdict: Verdict) -> tuple[Note, ...]:
    """The note about a fact that gave way to another, for whoever asks what became of it."""
    old, new = verdict.previous, verdict.fact
    if (
        old is None
        or old.status is not FactStatus.SUPERSEDED
        or (new is not None and new.fact_id == old.fact_id)
    ):
        return ()
    reason = f"superseded by {old.superseded_by}: {verdict.reason}"
    return (Note(decision=Outcome.SUPERSEDED.value, record_id=old.fact_id, reason=reason),)


def _report(work: Work, verdicts: Sequence[Verdict]) -> ConsolidationReport:
    outcomes: defaultdict[Outcome, int] = defaultdict(int)
    for verdict in verdicts:
        outcomes[verdict.outcome] += 1
    return ConsolidationReport(
        activities=1,
        episodes=int(work.episode is not None),
        skipped=int(work.episode is None),
        outcomes=dict(outcomes),
        unresolved=len(work.dropped),
    )

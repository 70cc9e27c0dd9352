"""Consolidation, step by step: claim, keep?, episode, candidates, ground, reconcile, commit.

Effectively once: every id is derived from the events, a commit moves the cursor together with the records,
and a decision made on a record that changed meanwhile is made again. Killed at any point and run again, it
ends in the same state.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import Connection

from langgraph_memory.answers import ConsolidationReport, Outcome, Reconciled
from langgraph_memory.consolidation import lifecycle
from langgraph_memory.consolidation.account import Account
from langgraph_memory.consolidation.across import Across
from langgraph_memory.consolidation.candidates import Candidate, Extractor
from langgraph_memory.consolidation.conditions import reported
from langgraph_memory.consolidation.episodes import Narrator, build_episode, is_worth_keeping
from langgraph_memory.consolidation.grounding import Ungrounded, ground, said, supported
from langgraph_memory.consolidation.heartbeat import Heartbeat
from langgraph_memory.consolidation.known import NameBook, names_of
from langgraph_memory.consolidation.learning import Learned, Learner
from langgraph_memory.consolidation.lookups import Conditions, Lookup
from langgraph_memory.consolidation.model import ModelFailureError
from langgraph_memory.consolidation.naming import is_doubtful, names_of_entity, vouched_by
from langgraph_memory.consolidation.overlay import Overlay
from langgraph_memory.consolidation.reconcile import Statement, Verdict
from langgraph_memory.consolidation.reliance import is_renewed_by_use, relied_on
from langgraph_memory.consolidation.retention import Retention
from langgraph_memory.entities import discover_event, identifiers_in
from langgraph_memory.errors import StorageError
from langgraph_memory.log import SPOKEN, EventLog
from langgraph_memory.log.activities import Claim, LostLeaseError
from langgraph_memory.log.leases import new_owner
from langgraph_memory.log.ledger import StaleReadError
from langgraph_memory.names import normalise
from langgraph_memory.records import Episode, Event, Fact, FactStatus, Record
from langgraph_memory.redaction import redact
from langgraph_memory.repository import Change, Note, Repository
from langgraph_memory.repository.bodies import Stored
from langgraph_memory.scope import Scope

BATCH = 64
"""How many activities one claim takes."""

_ATTEMPTS_ON_STALE_READS = 20
_RULES = 500
_BACKOFF = timedelta(seconds=30)
_LONGEST_FAILURE = 500
_LONGEST_BACKOFF = timedelta(hours=6)

_Made = TypeVar("_Made")
Clock = Callable[[], datetime]


class Work(Record):
    """One claimed activity and what has been made of it so far."""

    claim: Claim
    events: tuple[Event, ...]
    episode: Episode | None = None
    statements: tuple[Statement, ...] = ()
    vouched: tuple[tuple[str, str], ...] = ()
    dropped: tuple[Ungrounded, ...] = ()
    failure: str | None = None
    retry_after: timedelta | None = None
    made_with: tuple[str, ...] = ()

    def failed(self, error: ModelFailureError) -> Work:
        """The same work, put off; the first failure counts."""
        if self.failure is not None:
            return self
        told = str(redact(str(error)).value)[:_LONGEST_FAILURE]
        return self.model_copy(update={"failure": told, "retry_after": error.retry_after})

    why_skipped: str = "consolidated"


class Pipeline:
    """The steps of consolidation over a log and a repository.

    Args:
        log: where events, cursors and leases are.
        repository: where records are.
        extractor: proposes candidates.
        narrator: tells episodes; None for the plain rendering.
        learner: turns activities into counts, routines and drafts of playbooks.
        clock: the time of records.
        account: adds up what the model calls take.
    """

    def __init__(
        self,
        log: EventLog,
        repository: Repository,
        *,
        extractor: Extractor,
        narrator: Narrator | None,
        learner: Learner,
        clock: Clock,
        account: Account | None = None,
        lookup: Lookup | None = None,
    ) -> None:
        self.account = account
        self.conditions = Conditions(log, repository, lookup, clock)
        self.across = Across(repository, clock)
        self.log = log
        self.repository = repository
        self.extractor = extractor
        self.narrator = narrator
        self.learner = learner
        self.clock = clock
        self.owner = new_owner()
        self.names = NameBook(repository)
        self.retention = Retention(log, repository, clock)

    def run(self, limit: int | None = None, *, below: Scope | None = None) -> ConsolidationReport:
        """Consolidate what is due until nothing is left, at most `limit` activities, or only in a scope."""
        self.revalidate()
        self.conditions.look_up_due()
        report = ConsolidationReport()
        while limit is None or report.activities + report.failed < limit:
            size = BATCH if limit is None else min(BATCH, limit - report.activities)
            claims = self.claim(size, below=below)
            if not claims:
                if limit is None and below is None:
                    self.across.tidy_if_due()
                return report
            report = report.plus(self._processed(claims))
        return report

    def _processed(self, claims: Sequence[Claim]) -> ConsolidationReport:
        """All steps for each claim, while the leases on those that wait are kept."""
        report = ConsolidationReport()
        with self.holding(claims) as heartbeat:
            for claim in claims:
                report = report.plus(self.process(claim))
                heartbeat.done(claim)
        return report

    def holding(self, claims: Iterable[Claim]) -> Heartbeat:
        """Keeps the leases on claims for as long as it is entered."""
        return Heartbeat(self.log.activities, claims)

    def is_idle(self) -> bool:
        """Whether there is nothing to claim, to ask about or to delete. Only reads."""
        now = self.clock()
        idle_before = now - self.repository.policy.idle_after
        if self.log.activities.ready(now=now, idle_before=idle_before):
            return False
        return not self.retention.is_due() and not self.repository.overdue(now, limit=1)

    def revalidate(self) -> int:
        """Demote or ask about facts whose interval has passed unconfirmed; how many there were.

        What the policy keeps no longer is deleted first.
        """
        self.retention.expire()
        total = 0
        while facts := self.repository.overdue(self.clock(), limit=BATCH):
            for fact in facts:
                self._demote(fact)
            total += len(facts)
        return total

    def _demote(self, fact: Fact) -> None:
        after = lifecycle.revalidated(fact, self.clock())
        asked = after.status is FactStatus.CURRENT
        note = Note(
            decision="asked" if asked else "demoted",
            record_id=fact.fact_id,
            reason=f"not confirmed since {fact.confirmed_at:%Y-%m-%d}",
        )
        with suppress(StaleReadError):  # someone confirmed or changed it just now: it is not overdue
            self.repository.commit(
                [Change(record=after, expected=self.repository.digest(fact))],
                scope=fact.scope,
                actor="consolidation",
                at=self.clock(),
                notes=[note],
            )

    def run_one(self, scope: Scope, activity_id: str) -> ConsolidationReport:
        """Consolidate one activity now, if it is due and nobody else is at it."""
        return self._processed(self.claim(1, only=(scope, activity_id)))

    def process(self, claim: Claim) -> ConsolidationReport:
        """All steps for one claim; one whose store is down is put back."""
        work = self.read(claim)
        try:
            return self.commit(self.narrate(self.extract(work)))
        except StorageError as error:
            return self._put_back(work.model_copy(update={"failure": str(error)}))
        except LostLeaseError:  # another worker has taken it over; it has the events too
            return ConsolidationReport()

    def claim(
        self, limit: int = BATCH, *, only: tuple[Scope, str] | None = None, below: Scope | None = None
    ) -> list[Claim]:
        """Lease activities that are due or have gone quiet; or only the one named, or those of a scope."""
        now = self.clock()
        idle_before = now - self.repository.policy.idle_after
        return self.log.activities.claim(
            self.owner, limit=limit, now=now, idle_before=idle_before, only=only, below=below
        )

    def read(self, claim: Claim) -> Work:
        """The events of the activity that no consolidation has read."""
        events = self.log.of_activity(claim.scope, claim.activity_id, after=claim.done_seq)
        return Work(claim=claim, events=tuple(events))

    def narrate(self, work: Work) -> Work:
        """Build the episode, if the activity is worth one; without the model's words if it fails."""
        if not work.events or not self._may_remember(work):
            return work
        if not (work.statements or is_worth_keeping(work.events, self.repository.policy)):
            return work
        episode_id, follows = self._place_in_line(work)
        events = self._named(work)
        narrator = self.narrator if work.failure is None else None  # a model that just failed is left alone
        try:
            episode = _of_others(
                lambda: build_episode(events, episode_id, follows=follows, narrator=narrator)
            )
        except ModelFailureError as error:
            episode = build_episode(events, episode_id, follows=follows)
            return work.failed(error).model_copy(update={"episode": episode})
        made_with = (*work.made_with, *_version(narrator))
        return work.model_copy(update={"episode": episode, "made_with": made_with})

    def extract(self, work: Work) -> Work:
        """Propose candidates and ground them; what does not stand is noted with its reason."""
        if not work.events:
            return work
        if not self._may_remember(work):
            return work.model_copy(update={"why_skipped": "no consent to remember"})
        names = self._names(work)
        unambiguous = {name: next(iter(ids)) for name, ids in names.items() if len(ids) == 1}
        try:
            candidates = _of_others(lambda: _proposed(self.extractor.extract(work.events, unambiguous)))
        except ModelFailureError as error:
            return work.failed(error)
        statements, dropped = self._grounded(candidates, work, names)
        statements, vouched = self._by_names_of_people(statements, work.events)
        statements += self._conditions_met(work, statements)
        made = {"statements": statements, "dropped": dropped, "vouched": vouched}
        return work.model_copy(update={**made, "made_with": _version(self.extractor)})

    def _may_remember(self, work: Work) -> bool:
        return self.repository.policy.may_remember(work.claim.scope)

    def commit(self, work: Work) -> ConsolidationReport:
        """Reconcile the statements with what is held and write it all, or put the activity back."""
        if self.account is not None:
            self.account.settle()
        if work.failure is not None:
            return self._put_back(work)
        if not work.events:
            return self._finish(work, (), (), Learned())
        for _ in range(_ATTEMPTS_ON_STALE_READS):
            overlay = Overlay(self.repository)
            with self.repository.reading():  # decided on one state, checked when written
                verdicts = [verdict for statement in work.statements for verdict in overlay.hear(statement)]
                learned = self.learner.learn(work.events, work.episode) if work.episode else Learned()
                used = self._renewed(work, overlay)
            try:
                return self._finish(work, overlay.changes(), tuple(verdicts), learned, used)
            except StaleReadError:
                continue
            except LostLeaseError:
                self._take_back(work, overlay.changes())
                return ConsolidationReport()
        raise StaleReadError(work.claim.activity_id)

    def _take_back(self, work: Work, changes: Sequence[Change]) -> None:
        """Leave nothing in the store of events that were forgotten while they were worked on.

        Records that the events of now support as well are left alone: another worker may be writing them.
        """
        held = {event.source: event for event in self.log.events([e.event_id for e in work.events])}
        if list(held.values()) == list(work.events):
            return
        facts = [change.record for change in changes if isinstance(change.record, Fact)]
        unwanted = [
            fact
            for fact in facts
            if not supported(fact.value, " ".join(said(held[s]) for s in fact.sources if s in held))
        ]
        self.repository.abandon([*unwanted, *([work.episode] if work.episode else [])])

    def _renewed(self, work: Work, overlay: Overlay) -> tuple[Note, ...]:
        """Renew the facts that the activity relied on and that served it well."""
        scopes = list(work.claim.scope.ancestors())
        notes = []
        for fact_id in relied_on(work.events, self.repository.ledger.receipt):
            fact = overlay.fact(fact_id)
            if fact is None or fact.scope not in scopes or not is_renewed_by_use(fact):
                continue
            if overlay.holder(fact) in (None, fact):
                at = work.events[-1].occurred_at
                overlay.put(lifecycle.used(fact, at=at, policy=self.repository.policy))
                reason = f"used successfully in {work.claim.activity_id}"
                notes.append(Note(decision="used", record_id=fact_id, reason=reason))
        return tuple(notes)

    def settle(self, statement: Statement) -> Reconciled:
        """Reconcile one statement and write what it does; without consent, nothing."""
        if not self.repository.policy.may_remember(statement.scope):
            return self._not_remembered(statement)
        for _ in range(_ATTEMPTS_ON_STALE_READS):
            overlay = Overlay(self.repository)
            verdict = overlay.settle(statement)
            about = verdict.fact or verdict.previous
            subject = about.fact_id if about else statement.founding
            try:
                self.repository.commit(
                    overlay.changes(),
                    scope=statement.scope,
                    actor=statement.speaker_id,
                    at=self.clock(),
                    notes=[Note(decision=verdict.outcome, record_id=subject, reason=verdict.reason)],
                )
            except StaleReadError:
                continue
            return Reconciled(
                outcome=verdict.outcome, fact=verdict.fact, previous=verdict.previous, reason=verdict.reason
            )
        raise StaleReadError(statement.founding)

    def _not_remembered(self, statement: Statement) -> Reconciled:
        reason = f"there is no consent to remember in {statement.scope}"
        note = Note(decision="skipped", record_id=statement.founding, reason="no consent to remember")
        self.repository.commit(
            [], scope=statement.scope, actor=statement.speaker_id, at=self.clock(), notes=[note]
        )
        return Reconciled(outcome=Outcome.IGNORED, fact=None, reason=reason)

    def _finish(
        self,
        work: Work,
        changes: Sequence[Change],
        verdicts: tuple[Verdict, ...],
        learned: Learned,
        used: Sequence[Note] = (),
    ) -> ConsolidationReport:
        upto = work.events[-1].seq if work.events else work.claim.done_seq

        def move_cursor(connection: Connection) -> None:
            self.repository.ledger.vouch(connection, work.claim.scope, work.vouched, work.claim.activity_id)
            if work.episode is not None:
                self.learner.note(connection, learned, work.episode)
            self.log.activities.complete(connection, work.claim, upto)

        episodes = [self._change(work.episode)] if work.episode else []
        self.repository.commit(
            [*episodes, *changes, *learned.changes],
            scope=work.claim.scope,
            actor="consolidation",
            at=self.clock(),
            notes=[*_notes(work, verdicts), *used, *learned.notes],
            also=move_cursor,
        )
        return _report(work, verdicts)

    def _put_back(self, work: Work) -> ConsolidationReport:
        """Wait longer after each failure; after the policy's number of attempts it is a dead letter."""
        if work.episode is not None:
            self._keep_episode(work)
        attempts = work.claim.attempts + 1
        wait = min(max(_BACKOFF * 2 ** (attempts - 1), work.retry_after or timedelta()), _LONGEST_BACKOFF)
        self.log.activities.fail(
            work.claim,
            work.failure or "",
            not_before=self.clock() + wait,
            dead=attempts >= self.repository.policy.max_attempts,
        )
        return ConsolidationReport(failed=1)

    def _keep_episode(self, work: Work) -> None:
        """Write the plain episode of an activity whose model failed; the next attempt tells it better."""
        if work.episode is not None:
            note = Note(decision="kept", record_id=work.episode.episode_id, reason="without the model")
            self.repository.commit(
                [self._change(work.episode)],
                scope=work.claim.scope,
                actor="consolidation",
                at=self.clock(),
                notes=[note],
            )

    def _change(self, episode: Episode) -> Change:
        """An episode to write, over the one of an attempt that failed before."""
        stored = self.repository.record(episode.episode_id)
        return Change(record=episode, expected=self.repository.digest(stored) if stored else None)

    def _place_in_line(self, work: Work) -> tuple[str, str | None]:
        """The id of the episode of these events, and of the one that it follows."""
        earlier = self._episodes_of(work.claim)
        if earlier and work.claim.attempts:
            last = self.repository.record(earlier[-1])
            if isinstance(last, Episode) and work.events[0].source in last.sources:
                return last.episode_id, last.follows
        return self._episode_id(work.claim, len(earlier) + 1), earlier[-1] if earlier else None

    def _episodes_of(self, claim: Claim) -> list[str]:
        """The ids of the episodes that the activity has already, in order."""
        found: list[str] = []
        while self.repository.ledger.entries([episode_id := self._episode_id(claim, len(found) + 1)]):
            found.append(episode_id)
        return found

    def _episode_id(self, claim: Claim, number: int) -> str:
        """`ep_<activity>`, told apart where another scope has an activity of the same name."""
        base = f"ep_{claim.activity_id}"
        entry = self.repository.ledger.entries([base]).get(base)
        if entry is not None and entry.scope != claim.scope.key:
            base = f"{base}_{hashlib.sha256(claim.scope.key.encode()).hexdigest()[:8]}"
        return base if number == 1 else f"{base}_{number}"

    def _names(self, work: Work) -> Mapping[str, frozenset[str]]:
        """Entity ids by normalised name: what the scope knows and what the activity observed."""
        return self.names.of(work.claim.scope).along_with(self._observed(work))

    @staticmethod
    def _observed(work: Work) -> list[tuple[str, str]]:
        """Names and ids in the data of the activity's events."""
        own = [(entity, entity) for event in work.events for entity in event.entities]
        return own + [pair for event in work.events for pair in discover_event(event).names]

    def _by_names_of_people(
        self, statements: Sequence[Statement], events: Sequence[Event]
    ) -> tuple[tuple[Statement, ...], tuple[tuple[str, str], ...]]:
        """Statements, endings that reach their entity by a tool's name hedged; and names that people used."""
        spoken = " ".join(said(event) for event in events if event.event_type in SPOKEN)
        checked: list[Statement] = []
        vouched: list[tuple[str, str]] = []
        overlay = Overlay(self.repository)
        for statement in map(overlay.bound, statements):
            cited = " ".join(said(event) for event in events if event.source in statement.sources)
            names = names_of_entity(self.repository, statement)
            vouched += vouched_by(statement, names, cited)
            doubted = statement.intent != "assert" and is_doubtful(statement, names, (cited, spoken))
            checked.append(statement.model_copy(update={"certainty": "hedged"}) if doubted else statement)
        return tuple(checked), tuple(vouched)

    def _conditions_met(self, work: Work, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Endings that people report without naming the rule; one that they named is not ended twice."""
        if not any(event.event_type in SPOKEN for event in work.events):
            return ()
        facts = self.repository.find("fact", [work.claim.scope], status=[FactStatus.CURRENT], limit=_RULES)
        named = {(each.entity, each.founding) for each in statements if each.intent != "assert"}
        endings = reported(work.events, facts, self.repository.policy)
        return tuple(each for each in endings if (each.entity, each.founding) not in named)

    def _named(self, work: Work) -> list[Event]:
        """The events, each with the known entities that its words name: exact lookup finds talk too."""
        scopes = list(work.claim.scope.ancestors())
        mentions = {normalise(m) for event in work.events for m in identifiers_in(said(event))}
        known = self.repository.ledger.related_names(scopes, sorted(mentions)) if mentions else []
        names = names_of([*known, *self._observed(work)])
        return [
            event.model_copy(update={"entities": tuple(dict.fromkeys((*event.entities, *mentioned)))})
            if (mentioned := _mentioned(said(event), names))
            else event
            for event in work.events
        ]

    def _grounded(
        self, candidates: Sequence[Candidate], work: Work, names: Mapping[str, frozenset[str]]
    ) -> tuple[tuple[Statement, ...], tuple[Ungrounded, ...]]:
        results = [
            ground(c, work.events, names, scope=work.claim.scope, policy=self.repository.policy)
            for c in candidates
        ]
        statements = tuple(result for result in results if isinstance(result, Statement))
        return statements, tuple(result for result in results if isinstance(result, Ungrounded))


def _of_others(work: Callable[[], _Made]) -> _Made:
    """What an extractor or a narrator makes; whatever theirs raises is a failure that is tried again."""
    try:
        return work()
    except ModelFailureError:
        raise
    except Exception as error:
        raise ModelFailureError(f"{type(error).__name__}: {error}") from error


def _version(maker: object) -> tuple[str, ...]:
    """The version of the prompts that a maker uses, where it has one."""
    version = getattr(maker, "version", None)
    return (version,) if isinstance(version, str) else ()


def _proposed(candidates: object) -> list[Candidate]:
    """What an extractor gave, if it is a list of candidates.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(candidates, list | tuple):
        raise TypeError(f"the extractor gave {candidates!r:.80} and not a list of candidates")
    wrong = [each for each in candidates if not isinstance(each, Candidate)]
    if wrong:
        raise TypeError(f"the extractor gave {wrong[0]!r:.80} among its candidates, which is none")
    return list(candidates)


def _mentioned(text: str, names: Mapping[str, frozenset[str]]) -> list[str]:
    """The known entities whose names stand in a text, where a name means one of them."""
    found = (names.get(normalise(mention), frozenset()) for mention in identifiers_in(text))
    return [next(iter(ids)) for ids in found if len(ids) == 1]


def _notes(work: Work, verdicts: Sequence[Verdict]) -> list[Note]:
    subject = work.episode.episode_id if work.episode else work.claim.activity_id
    notes = [Note(decision="kept" if work.episode else "skipped", record_id=subject, reason=work.why_skipped)]
    for verdict in verdicts:
        about: Stored | None = verdict.fact or verdict.previous
        record_id = about.fact_id if isinstance(about, Fact) else subject
        notes.append(Note(decision=verdict.outcome.value, record_id=record_id, reason=verdict.reason))
    if work.made_with:
        notes.append(Note(decision="modelled", record_id=subject, reason=", ".join(work.made_with)))
    return notes + [Note(decision="dropped", record_id=subject, reason=d.reason) for d in work.dropped]


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

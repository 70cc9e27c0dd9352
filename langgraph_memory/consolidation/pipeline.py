"""Consolidation, step by step: claim, keep?, episode, candidates, ground, reconcile, commit.

Effectively once: every id is derived from the events, a commit moves the cursor together with the records,
and a decision made on a record that changed meanwhile is made again. Killed at any point and run again, it
ends in the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from langgraph_memory.answers import ConsolidationReport, Reconciled
from langgraph_memory.consolidation.across import Across
from langgraph_memory.consolidation.candidates import Extractor
from langgraph_memory.consolidation.episodes import Narrator
from langgraph_memory.consolidation.extraction import Extraction
from langgraph_memory.consolidation.facts.conditions import Endings
from langgraph_memory.consolidation.facts.lookups import Conditions, Lookup
from langgraph_memory.consolidation.facts.name_book import NameBook
from langgraph_memory.consolidation.facts.statements import Statement
from langgraph_memory.consolidation.heartbeat import Heartbeat
from langgraph_memory.consolidation.learning import Learner
from langgraph_memory.consolidation.model.account import Account
from langgraph_memory.consolidation.narration import Narration
from langgraph_memory.consolidation.retention import Retention
from langgraph_memory.consolidation.revalidation import Revalidation
from langgraph_memory.consolidation.setbacks import Setbacks
from langgraph_memory.consolidation.settlement import Settlement
from langgraph_memory.consolidation.work import Work
from langgraph_memory.errors import StorageError
from langgraph_memory.log import SPOKEN, EventLog
from langgraph_memory.log.claims import Claim, LostLeaseError
from langgraph_memory.log.leases import new_owner
from langgraph_memory.repository import Repository
from langgraph_memory.scope import Scope

BATCH = 64
"""How many activities one claim takes."""

_TURNS_BEFORE = 4


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
        lookup: see `Memory`.
    """

    def __init__(
        self,
        log: EventLog,
        repository: Repository,
        *,
        extractor: Extractor,
        narrator: Narrator | None,
        learner: Learner,
        clock: Callable[[], datetime],
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
        self._revalidation = Revalidation(repository, clock)
        endings = Endings(repository)
        self._extraction = Extraction(repository, self.names, endings)
        self._narration = Narration(repository)
        self._settlement = Settlement(log, repository, learner, endings, clock)
        self._setbacks = Setbacks(log, repository, clock)

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
        return not self.retention.is_due() and not self._revalidation.is_due()

    def revalidate(self) -> None:
        """Delete what the policy keeps no longer, demote or ask about what is overdue."""
        self.retention.expire()
        self._revalidation.run()

    def run_one(self, scope: Scope, activity_id: str) -> ConsolidationReport:
        """Consolidate one activity now, if it is due and nobody else is at it."""
        return self._processed(self.claim(1, only=(scope, activity_id)))

    def process(self, claim: Claim) -> ConsolidationReport:
        """All steps for one claim; one whose store is down is put back."""
        work = self.read(claim)
        try:
            return self.commit(self.narrate(self.extract(work)))
        except StorageError as error:
            return self._setbacks.put_back(work.model_copy(update={"failure": str(error)}))
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
        """The events of the activity that no consolidation has read, and the turns before them."""
        with self.repository.reading():
            events = self.log.of_activity(claim.scope, claim.activity_id, after=claim.done_seq)
            spoken = next((event for event in events if event.event_type in SPOKEN), None)
            earlier = self.log.talk_before(spoken, limit=_TURNS_BEFORE) if spoken else []
        own = {event.event_id for event in events}
        before = tuple(event for event in earlier if event.event_id not in own)
        return Work(claim=claim, events=tuple(events), earlier=before)

    def extract(self, work: Work) -> Work:
        """Propose candidates and ground them; what does not stand is noted with its reason."""
        if not work.events:
            return work
        if not self._may_remember(work):
            return work.model_copy(update={"why_skipped": "no consent to remember"})
        return self._extraction.carried(work, self.extractor)

    def narrate(self, work: Work) -> Work:
        """Build the episode, if the activity is worth one; without the model's words if it fails."""
        if not work.events or not self._may_remember(work):
            return work
        return self._narration.carried(work, self.narrator)

    def commit(self, work: Work) -> ConsolidationReport:
        """Reconcile the statements with what is held and write it all, or put the activity back."""
        if self.account is not None:
            self.account.settle()
        return self._setbacks.put_back(work) if work.failure else self._settlement.commit(work)

    def settle(self, statement: Statement) -> Reconciled:
        """Reconcile one statement and write what it does; without consent, nothing."""
        return self._settlement.settle(statement)

    def _may_remember(self, work: Work) -> bool:
        return self.repository.policy.may_remember(work.claim.scope)

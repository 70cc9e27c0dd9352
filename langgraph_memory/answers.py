"""What memory answers: recalls, guard decisions, outcomes of a statement, reports. Frozen values."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Literal

from pydantic import Field, JsonValue

from langgraph_memory.records import Episode, Event, Fact, FactStatus, Moment, Procedure, Record
from langgraph_memory.scope import Scope

MemoryKind = Literal["fact", "episode", "procedure", "event"]
"""The kinds of memories that a recall brings; `event` is one that waits for consolidation."""


class Outcome(StrEnum):
    """What a statement did to what was held true."""

    ESTABLISHED = "established"
    RESTATED = "restated"
    IGNORED = "ignored"
    UNVERIFIED = "unverified"
    SUPERSEDED = "superseded"
    RETIRED = "retired"
    REJECTED = "rejected"


class Reconciled(Record):
    """The outcome of one statement: the fact it is about now, and the one that it changed, if any."""

    outcome: Outcome
    fact: Fact | None
    previous: Fact | None = None
    reason: str

    @property
    def fact_id(self) -> str | None:
        """The id of the fact that it is about now."""
        return self.fact.fact_id if self.fact else None

    @property
    def status(self) -> FactStatus | None:
        """The status of that fact."""
        return self.fact.status if self.fact else None


class Question(Record):
    """Something that memory would like a person to decide.

    Attributes:
        fact: what waits: a candidate, an unverified statement, or a current fact to be confirmed again.
        held: the current fact that it would replace or end, if any.
        why: why it waits.
        text: the question, in one line.
        may_answer: whether the one who asks for the questions has the authority to decide this one.
    """

    fact: Fact
    held: Fact | None = None
    why: str
    text: str
    may_answer: bool


@dataclass(frozen=True)
class RecallItem:
    """One memory that was recalled.

    `reasons` says by which arm and why: `entity`, `text`, `waiting`. Of an episode, `passages` are the parts
    that are shown, with their scores: 0 is the summary, n the n-th excerpt.
    """

    kind: MemoryKind
    record: Fact | Episode | Procedure | Event
    score: float
    reasons: tuple[str, ...]
    passages: Mapping[int, float] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The id of the record."""
        return record_id(self.record)


class Omission(Record):
    """A memory that stayed out, and why: `budget`, `floor`, `faded`, `superseded`, `scope`, `tampered`."""

    id: str
    reason: str


class Recall(Record):
    """The memories for one planner step.

    Attributes:
        items: what goes into the prompt, constraints first.
        constraints: the active constraints among them.
        omitted: what was found and stayed out, with the reason.
        degraded: notices of parts that could not be searched; empty when all is well.
        deferred: ids of active constraints that did not fit the budget; mutating calls that touch their
            entities are held.
        unmatched: words of the query that nothing found mentions; where there are any, memory may not hold
            the answer, and the text says so.
        receipt_id: `Memory.explain(receipt_id)` tells the story of this recall.
        text: what `render()` returns.
        tokens: its size, as the injected counter counts.
    """

    items: tuple[RecallItem, ...] = ()
    constraints: tuple[Fact, ...] = ()
    omitted: tuple[Omission, ...] = ()
    degraded: tuple[str, ...] = ()
    deferred: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()
    receipt_id: str
    text: str
    tokens: int = 0

    def render(self) -> str:
        """The fenced, dated text for a prompt, within the token budget; empty when nothing was recalled."""
        return self.text


class GuardDecision(Record):
    """Whether a tool call may run.

    `message` names the facts (or waiting events) that decide, each with source and date. `facts` are those
    that the principal may read; `grounds` are the ids of all facts and events that decide, `authority_over`
    their scopes and attributes: who approves has to be one whom the policy lets set every one of them.
    """

    id: str
    outcome: Literal["allow", "block", "defer"]
    action: str
    facts: tuple[Fact, ...] = ()
    events: tuple[str, ...] = ()
    grounds: tuple[str, ...] = ()
    authority_over: tuple[tuple[Scope, str], ...] = ()
    message: str = ""


class ConsolidationReport(Record):
    """What one run of consolidation did."""

    activities: int = 0
    episodes: int = 0
    skipped: int = 0
    outcomes: dict[Outcome, int] = Field(default_factory=dict)
    unresolved: int = 0
    failed: int = 0

    def plus(self, other: ConsolidationReport) -> ConsolidationReport:
        """Both reports as one."""
        counts = dict(self.outcomes)
        for outcome, count in other.outcomes.items():
            counts[outcome] = counts.get(outcome, 0) + count
        return ConsolidationReport(
            activities=self.activities + other.activities,
            episodes=self.episodes + other.episodes,
            skipped=self.skipped + other.skipped,
            outcomes=counts,
            unresolved=self.unresolved + other.unresolved,
            failed=self.failed + other.failed,
        )


class ForgetReceipt(Record):
    """What was forgotten, and what is still to be done.

    Attributes:
        receipt_id: under which the audit has it.
        scope: where, and below.
        at: when.
        by: who asked.
        events: ids of the events that went; nothing published under them is taken again.
        changed: ids of the events that stay for the sake of others, without what was forgotten.
        facts: ids of the facts that went; so for `episodes` and `procedures`.
        rebuilt: ids of the records that rest on other evidence now.
        names: how many names of entities went.
        receipts: how many receipts of recalls and decisions went.
        notes: how many of the agent's own notes went.
        threads: LangGraph threads whose checkpoints may still hold the words; pass `saver=` to delete them.
        left: ids of what was still found on reading again; empty when all is gone.
        pending: what has to wait, each with the reason; `close` does it at the latest.
    """

    receipt_id: str
    scope: Scope
    at: Moment
    by: str
    events: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    episodes: tuple[str, ...] = ()
    procedures: tuple[str, ...] = ()
    rebuilt: tuple[str, ...] = ()
    names: int = 0
    receipts: int = 0
    notes: int = 0
    threads: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()

    @property
    def removed(self) -> tuple[str, ...]:
        """The ids of all that went: facts, episodes, procedures and events."""
        return (*self.facts, *self.episodes, *self.procedures, *self.events)

    @property
    def proven(self) -> bool:
        """Whether reading again found nothing of it."""
        return not self.left


class ExportReport(Record):
    """How many records of each type a file got."""

    path: str
    events: int = 0
    episodes: int = 0
    facts: int = 0
    procedures: int = 0


class ImportReport(Record):
    """What an import took, and what it left out.

    Attributes:
        events: how many events are new.
        episodes: how many episodes are new; so for `facts` and `procedures`.
        unverified: how many of the facts nobody with authority here has said.
        known: how many records were here already.
        left_out: ids of records that were not taken, each with the reason.
    """

    events: int = 0
    episodes: int = 0
    facts: int = 0
    procedures: int = 0
    unverified: int = 0
    known: int = 0
    left_out: tuple[Omission, ...] = ()


class AuditEntry(Record):
    """One decision of memory: what was decided about which record, by whom, when and why."""

    seq: int
    at: Moment
    decision: str
    record_id: str
    scope: str
    actor: str
    reason: str


class Explanation(Record):
    """The story of a recall or of a guard decision."""

    id: str
    kind: Literal["recall", "decision"]
    at: Moment
    body: Mapping[str, JsonValue]


def procedure_key(scope: Scope, procedure_id: str, version: int) -> str:
    """The id of one version of a procedure; two scopes may have procedures of the same name.

    >>> procedure_key(Scope.of(org="acme"), "cleanup", 2)
    'cleanup@2.eb05710e'
    """
    return f"{procedure_id}@{version}.{_short(scope.key)}"


@lru_cache(maxsize=1_024)
def _short(scope_key: str) -> str:
    return hashlib.sha256(scope_key.encode()).hexdigest()[:8]


def record_id(record: Fact | Episode | Procedure | Event) -> str:
    """The id under which a record is known."""
    match record:
        case Fact():
            return record.fact_id
        case Episode():
            return record.episode_id
        case Procedure():
            return procedure_key(record.scope, record.procedure_id, record.version)
        case Event():
            return record.event_id

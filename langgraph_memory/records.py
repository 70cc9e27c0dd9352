"""The records of memory: frozen, typed, plain data. No store, no model and no clock reaches into them."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, JsonValue, ValidationError

from langgraph_memory.arguments import first_wrong, keepable, shown
from langgraph_memory.display import html
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.scope import Scope

SCHEMA_VERSION = 1
"""Version of the records' stored form; a later one is refused, an earlier one is migrated on read."""


def _in_utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]
"""An aware time, kept in UTC so that stored texts of it sort."""


class ActorKind(StrEnum):
    """Who or what acted. Only a user can carry a person's authority."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"
    SYSTEM = "system"


class FactKind(StrEnum):
    """What a fact is about; decides ranking, revalidation and whether a guard enforces it."""

    FACT = "fact"
    PREFERENCE = "preference"
    CONSTRAINT = "constraint"
    IDENTITY = "identity"
    PROJECT = "project"


class FactStatus(StrEnum):
    """Where a fact stands. Only `current` ones are recalled and enforced."""

    CANDIDATE = "candidate"
    CURRENT = "current"
    UNVERIFIED = "unverified"
    SUPERSEDED = "superseded"
    RETIRED = "retired"
    REJECTED = "rejected"


class EpisodeStatus(StrEnum):
    """How the activity ended, as the recorded events say; not whether it was right."""

    COMPLETED = "completed"
    FAILED = "failed"
    UNRESOLVED = "unresolved"


class ProcedureStatus(StrEnum):
    """Lifecycle of a playbook version."""

    DRAFT = "draft"
    CURRENT = "current"
    DEPRECATED = "deprecated"


class Record(BaseModel):
    """Base of all records: frozen, and closed to unknown fields. Notebooks show them as cards."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def _repr_html_(self) -> str:
        return html(self)


class Given(Record):
    """Base of what applications make themselves: one error says what is wrong with it.

    Raises:
        ConfigurationError: a field that is unknown or can't have its value.
    """

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise ConfigurationError(f"{type(self).__name__} with {first_wrong(error)}") from error


class Actor(Given):
    """Who did it. `roles` are those that the application authenticated; they count for users alone.

    >>> Actor("user", "ana", roles={"infra_lead"}).roles
    frozenset({'infra_lead'})
    """

    kind: ActorKind
    id: str = Field(min_length=1, max_length=256)
    roles: frozenset[str] = frozenset()

    def __init__(self, kind: str | None = None, id: str | None = None, **fields: Any) -> None:  # noqa: A002
        if kind is not None and not isinstance(kind, str):
            raise ConfigurationError(f"Actor with kind={shown(kind)}: give one of {', '.join(ActorKind)}")
        super().__init__(**{"kind": kind, "id": id, **fields})
        for name, text in (("id", self.id), *(("roles", role) for role in self.roles)):
            keepable(name, text)


class Event(Record):
    """One thing that happened, written when it happened and never changed.

    `seq` orders the events of one log; it is 0 until the log has assigned it. `evidence_ref` points to
    where the full payload can be found; without one the event id serves.
    """

    event_id: str = Field(min_length=1, max_length=256)
    seq: int = 0
    occurred_at: Moment
    scope: Scope
    activity_id: str = Field(min_length=1, max_length=256)
    thread_id: str | None = None
    actor: Actor
    event_type: str = Field(min_length=1, max_length=256)
    entities: tuple[str, ...] = ()
    evidence_ref: str | None = None
    data: dict[str, JsonValue] = Field(default_factory=dict)
    trust: Literal["user", "agent", "untrusted"] = "untrusted"
    schema_version: int = SCHEMA_VERSION

    @property
    def text(self) -> str:
        """What is said in it; empty where nothing is."""
        text = self.data.get("text")
        return text if isinstance(text, str) else ""

    @property
    def source(self) -> str:
        """What records cite: the evidence reference, or the event id."""
        return self.evidence_ref or self.event_id


class Excerpt(Record):
    """Exact words from an event, with the event they come from and whether a person said them."""

    text: str
    speaker: str
    source: str
    occurred_at: Moment
    kind: ActorKind = ActorKind.USER


class Observation(Record):
    """How a tool showed something to be at a moment: evidence about live state, never a fact."""

    entity: str
    attribute: str
    value: str
    source: str
    at: Moment


class Episode(Record):
    """What happened in one activity. Never edited; a later outcome is a later episode that `follows` it.

    Status, entities, actions, observations and sources come from the events; summary and resolution from the
    narrator.

    An episode that `covers` others tells them in short; those are `archived_into` it, and no longer recalled.
    """

    episode_id: str
    scope: Scope
    activity_id: str
    entities: tuple[str, ...] = ()
    status: EpisodeStatus
    summary: str
    resolution: str | None = None
    excerpts: tuple[Excerpt, ...] = ()
    importance: int = Field(default=3, ge=1, le=10)
    keywords: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    observed: tuple[Observation, ...] = ()
    outcome: str | None = None
    feedback: tuple[str, ...] = ()
    procedure: str | None = None
    follows: str | None = None
    covers: tuple[str, ...] = ()
    archived_into: str | None = None
    sources: tuple[str, ...] = ()
    started_at: Moment
    ended_at: Moment
    schema_version: int = SCHEMA_VERSION


class Standing(Record):
    """A status that a fact had, and until when it had it."""

    status: FactStatus
    until: Moment


class Merge(Record):
    """Into which fact one was merged, and what that lacked before: enough to take them apart again."""

    into: str
    sources: tuple[str, ...] = ()
    corroboration: tuple[str, ...] = ()
    counterexamples: tuple[str, ...] = ()
    confirmed_at: Moment


class Fact(Record):
    """Something held true, by whom and since when.

    `sources` cite events; `counterexamples` cite what spoke against it. `asserted_at` is when it was first
    said, `confirmed_at` when someone with authority last confirmed it. `ends_when` is a condition in words
    that only such a person, or a lookup the application supplies, can declare met. `would_end` names the
    fact that this one, if confirmed, would end: it holds nothing itself. `asks_first` marks a
    constraint that was heard but not read with certainty: while it is a candidate, the guard puts calls that
    change its entity to a person.
    `merge` tells of one that was merged away. `history` are the statuses that it had before, oldest first.
    """

    fact_id: str
    scope: Scope
    entity: str
    attribute: str
    value: str
    kind: FactKind = FactKind.FACT
    forbids: tuple[str, ...] = ()
    ends_when: str | None = None
    valid_from: Moment
    valid_until: Moment | None = None
    status: FactStatus
    revalidation_due: bool = False
    authority_role: str | None = None
    asserted_by: str | None = None
    confirmation: Literal["explicit", "corroborated", "single"] = "single"
    corroboration: tuple[str, ...] = ()
    confidence: float = Field(default=1.0, ge=0, le=1)
    sensitivity: Literal["normal", "personal", "sensitive"] = "normal"
    sources: tuple[str, ...] = ()
    counterexamples: tuple[str, ...] = ()
    asserted_at: Moment
    confirmed_at: Moment
    revalidate_after: Moment | None = None
    supersedes: str | None = None
    superseded_by: str | None = None
    would_end: str | None = None
    asks_first: bool = False
    merge: Merge | None = None
    history: tuple[Standing, ...] = ()
    schema_version: int = SCHEMA_VERSION


def has_lapsed(fact: Fact) -> bool:
    """Whether a candidate was held once and fell back because nobody confirmed it."""
    fell_back = bool(fact.history) and fact.history[-1].status is FactStatus.CURRENT
    return fell_back and fact.status is FactStatus.CANDIDATE


def is_asked_first(fact: Fact) -> bool:
    """Whether a fact waits for an answer, and calls that it would rule out wait with it.

    So does a rule that nobody has confirmed in time: it is asserted no longer, but time alone ends none.
    """
    lapsed_rule = fact.kind is FactKind.CONSTRAINT and has_lapsed(fact)
    return fact.status is FactStatus.CANDIDATE and (fact.asks_first or lapsed_rule)


def may_hold(fact: Fact) -> bool:
    """Whether a fact may hold calls: a rule that is in force, or waits for an answer and calls with it."""
    ruling = fact.kind is FactKind.CONSTRAINT and bool(fact.forbids)
    return ruling and (fact.status is FactStatus.CURRENT or is_asked_first(fact))


def is_unread(fact: Fact) -> bool:
    """Whether a fact waits that has force but no form, so that it rules out everything meanwhile."""
    return fact.asks_first and is_asked_first(fact) and "*" in fact.forbids


def is_early_ending(fact: Fact) -> bool:
    """Whether a fact holds only that something ended, kept in case what it ended is still on its way."""
    return fact.status is FactStatus.RETIRED and not fact.history


class Procedure(Record):
    """A versioned way of doing a class of tasks.

    Attributes:
        steps: in order, one line each; `step_sources` cites for each step who said it, where that is known.
        approved_by: the person who made it current; None for a routine that repeated success promoted.
        origin: `engineer` for what people wrote, `learned` for what was proposed from what happened.
        tool_fingerprints: of the tools it was made for, by name; empty where a tool was not known then.
        evidence: episodes that speak for it; `counterexamples` are those that speak against it.
        reason: why this version was proposed.
    """

    procedure_id: str
    version: int = Field(ge=1)
    scope: Scope
    trigger_intent: str
    steps: tuple[str, ...]
    checks: tuple[str, ...] = ()
    status: ProcedureStatus = ProcedureStatus.DRAFT
    approved_by: str | None = None
    origin: Literal["engineer", "learned"] = "engineer"
    tool_fingerprints: dict[str, str] = Field(default_factory=dict)
    step_sources: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    counterexamples: tuple[str, ...] = ()
    reason: str = ""
    successes: int = 0
    failures: int = 0
    created_at: Moment
    approved_at: Moment | None = None
    schema_version: int = SCHEMA_VERSION

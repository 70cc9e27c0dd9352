"""Statements that meet what is held true, what is around them, and the facts that they found."""

from __future__ import annotations

import hashlib
import json

from pydantic import Field

from langgraph_memory.answers import Outcome
from langgraph_memory.consolidation.candidates import Saying
from langgraph_memory.consolidation.facts.lifecycle import revalidation
from langgraph_memory.names import canonical
from langgraph_memory.policy import Confirmation, Policy
from langgraph_memory.records import ActorKind, Event, Fact, FactStatus, Moment, Record
from langgraph_memory.scope import Scope


class Statement(Saying):
    """A grounded, resolved candidate, ready to meet what is held true.

    Attributes:
        named_as: the name by which it speaks of the entity; None where it names none.
        speaker: what kind of actor said it; the lowest among the cited events.
        speaker_id: who.
        doubt: why it doesn't hold by itself, whoever says it (`reads like an injected instruction`).
        role: the authority by which the speaker may set this attribute here; None without it.
        founding: the id of the first event it cites.
        activity_id: where it was said.
        at: when.
    """

    scope: Scope
    entity: str
    named_as: str | None = None
    doubt: str | None = None
    speaker: ActorKind
    speaker_id: str
    role: str | None
    sources: tuple[str, ...]
    founding: str
    activity_id: str
    at: Moment


class Verdict(Record):
    """What a statement does: the outcome, why, and the facts to write (the changed one first)."""

    outcome: Outcome
    reason: str
    fact: Fact | None = None
    previous: Fact | None = None
    writes: tuple[Fact, ...] = Field(default=())


class Around(Record):
    """What is known about a statement's entity and attribute beside the fact that is current.

    Attributes:
        pending: a candidate or unverified fact that the same kind of statement left there before.
        lapsed: a fact that was held there and fell back because nobody confirmed it in time.
        ended: the fact that ended there last, or the ending that came before what it ends.
        asking: what waits about the entity and holds calls meanwhile, whatever its attribute.
    """

    pending: Fact | None = None
    lapsed: Fact | None = None
    ended: Fact | None = None
    asking: tuple[Fact, ...] = ()


NOTHING_AROUND = Around()


def restated(fact: Fact, value: str, event: Event, role: str | None) -> Statement:
    """A fact with this value, as one says who has a role and whose event it is."""
    return Statement(
        scope=fact.scope,
        entity=fact.entity,
        attribute=fact.attribute,
        value=value,
        kind=fact.kind,
        forbids=fact.forbids,
        ends_when=fact.ends_when,
        explicit=True,
        speaker=event.actor.kind,
        speaker_id=event.actor.id,
        role=role,
        sources=(event.source,),
        founding=event.event_id,
        activity_id=event.activity_id,
        at=event.occurred_at,
    )


def may_set(statement: Statement) -> bool:
    """Whether the speaker has authority: a role counts for a person alone, and for nothing in doubt."""
    return statement.speaker is ActorKind.USER and statement.role is not None and statement.doubt is None


def same(statement: Statement, fact: Fact) -> bool:
    """Whether the statement says what is held; one that adds no end condition leaves the old one alone."""
    if canonical(statement.value) != canonical(fact.value):
        return False
    return statement.ends_when is None or canonical(statement.ends_when) == canonical(fact.ends_when or "")


def waits_as(statement: Statement) -> FactStatus:
    """The status in which a statement waits that doesn't hold: a candidate needs only another word for it."""
    return FactStatus.CANDIDATE if may_set(statement) else FactStatus.UNVERIFIED


def fact_id(statement: Statement) -> str:
    """The id of the fact that a statement founds: the same statement always gives the same id."""
    parts = [
        statement.scope.key,
        statement.entity,
        statement.attribute,
        statement.value,
        statement.ends_when,
        statement.intent,
        statement.certainty,
        statement.founding,
    ]
    return f"fact_{hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]}"


def founded(statement: Statement, status: FactStatus, policy: Policy) -> Fact:
    """The fact that a statement founds, with a status."""
    confirmation: Confirmation = "explicit" if statement.explicit else "single"
    sensitivity = policy.sensitivity_of(statement.attribute, statement.value)
    return Fact(
        fact_id=fact_id(statement),
        scope=statement.scope,
        entity=statement.entity,
        attribute=statement.attribute,
        value=statement.value,
        kind=statement.kind,
        forbids=statement.forbids,
        ends_when=statement.ends_when,
        asks_first=statement.asks_first,
        valid_from=statement.at,
        status=status,
        authority_role=statement.role if statement.doubt is None else None,
        asserted_by=statement.speaker_id,
        confirmation=confirmation,
        corroboration=(statement.activity_id,),
        sensitivity=sensitivity,
        sources=statement.sources,
        asserted_at=statement.at,
        confirmed_at=statement.at,
        revalidate_after=revalidation(statement.kind, confirmation, statement.at, policy, sensitivity),
    )

"""How a statement meets what is held true: one pure function, decided by authority and evidence.

Time, repetition by a model or a louder remark change nothing; only someone with authority does.
"""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import Literal

from pydantic import Field

from langgraph_memory.answers import Outcome
from langgraph_memory.names import canonical
from langgraph_memory.policy import Confirmation, Policy
from langgraph_memory.records import ActorKind, Fact, FactKind, FactStatus, Moment, Record
from langgraph_memory.scope import Scope


class Statement(Record):
    """A grounded, resolved candidate, ready to meet what is held true.

    Attributes:
        speaker: what kind of actor said it; the lowest among the cited events.
        speaker_id: who.
        role: the authority by which the speaker may set this attribute here; None without it.
        founding: the id of the first event it cites.
        activity_id: where it was said.
        at: when.
    """

    scope: Scope
    entity: str
    attribute: str
    value: str
    kind: FactKind = FactKind.FACT
    forbids: tuple[str, ...] = ()
    ends_when: str | None = None
    intent: Literal["assert", "retire", "retract"] = "assert"
    certainty: Literal["stated", "hedged"] = "stated"
    explicit: bool = False
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


def reconcile(
    statement: Statement,
    current: Fact | None,
    *,
    tombstone: str | None = None,
    policy: Policy,
) -> Verdict:
    """Decide what a statement does to the current fact of its entity and attribute.

    Args:
        statement: what was said, by whom, with which authority.
        current: the fact it meets; None where nothing is held.
        tombstone: why this value may not come back (`rejected`, `forgotten`); None without one.
        policy: intervals of revalidation.

    Returns:
        `established`, `restated`, `ignored`, `unverified`, `superseded`, `retired` or `rejected`.
    """
    if statement.speaker in (ActorKind.TOOL, ActorKind.SYSTEM):
        return Verdict(outcome=Outcome.IGNORED, reason="an observation is not a rule", fact=current)
    if statement.intent != "assert":
        return _ended(statement, current, policy)
    if tombstone is not None and (tombstone == "rejected" or not _may(statement)):
        return Verdict(outcome=Outcome.REJECTED, reason=f"the value was {tombstone}", fact=current)
    if current is not None and _same(statement, current):
        return _restated(statement, current, policy)
    if not _may(statement) or statement.certainty == "hedged":
        return _unverified(statement, current, policy)
    return _set(statement, current, policy)


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


def revalidation(kind: FactKind, confirmation: Confirmation, at: datetime, policy: Policy) -> datetime | None:
    """When a fact that was confirmed now has to be confirmed again; None if the policy sets no interval."""
    interval = policy.revalidate.get(kind, {}).get(confirmation)
    return at + interval if interval is not None else None


def _may(statement: Statement) -> bool:
    """Whether the speaker has authority: a role counts for a person alone."""
    return statement.speaker is ActorKind.USER and statement.role is not None


def _same(statement: Statement, fact: Fact) -> bool:
    """Whether the statement says what is held; one that adds no end condition leaves the old one alone."""
    if canonical(statement.value) != canonical(fact.value):
        return False
    return statement.ends_when is None or canonical(statement.ends_when) == canonical(fact.ends_when or "")


def _restated(statement: Statement, current: Fact, policy: Policy) -> Verdict:
    """Evidence is added; only authority confirms, and only another activity corroborates."""
    if statement.speaker is not ActorKind.USER:
        return Verdict(outcome=Outcome.IGNORED, reason="an agent repeats what is held", fact=current)
    update: dict[str, object] = {"sources": _joined(current.sources, statement.sources)}
    if _may(statement) and statement.certainty == "stated":
        corroboration = _joined(current.corroboration, (statement.activity_id,))
        confirmation = _confirmation(statement, current, len(corroboration))
        update |= {
            "corroboration": corroboration,
            "confirmation": confirmation,
            "confirmed_at": max(current.confirmed_at, statement.at),
            "revalidate_after": revalidation(current.kind, confirmation, statement.at, policy),
            "revalidation_due": False,
        }
    fact = current.model_copy(update=update)
    writes = (fact,) if fact != current else ()
    return Verdict(outcome=Outcome.RESTATED, reason="says what is held", fact=fact, writes=writes)


def _confirmation(statement: Statement, current: Fact, activities: int) -> Confirmation:
    if statement.explicit or current.confirmation == "explicit":
        return "explicit"
    return "corroborated" if activities > 1 else current.confirmation


def _unverified(statement: Statement, current: Fact | None, policy: Policy) -> Verdict:
    if not _may(statement):
        status, reason = FactStatus.UNVERIFIED, f"{statement.speaker_id} may not set {statement.attribute}"
    else:
        status, reason = FactStatus.CANDIDATE, "said without certainty"
    fact = _founded(statement, status, policy)
    return Verdict(outcome=Outcome.UNVERIFIED, reason=reason, fact=fact, previous=current, writes=(fact,))


def _set(statement: Statement, current: Fact | None, policy: Policy) -> Verdict:
    fact = _founded(statement, FactStatus.CURRENT, policy)
    if current is None:
        reason = f"set by {statement.speaker_id} ({statement.role})"
        return Verdict(outcome=Outcome.ESTABLISHED, reason=reason, fact=fact, writes=(fact,))
    fact = fact.model_copy(update={"supersedes": current.fact_id})
    old = current.model_copy(
        update={
            "status": FactStatus.SUPERSEDED,
            "valid_until": statement.at,
            "superseded_by": fact.fact_id,
        }
    )
    reason = f"changed by {statement.speaker_id} ({statement.role})"
    return Verdict(outcome=Outcome.SUPERSEDED, reason=reason, fact=fact, previous=old, writes=(old, fact))


def _ended(statement: Statement, current: Fact | None, policy: Policy) -> Verdict:
    if current is None:
        return Verdict(outcome=Outcome.IGNORED, reason="nothing is held that could end")
    if not _may(statement) or statement.certainty == "hedged":
        return _unverified(statement, current, policy)
    reason = f"{'ended' if statement.intent == 'retire' else 'taken back'} by {statement.speaker_id}"
    fact = retired(current, at=statement.at, sources=statement.sources)
    return Verdict(outcome=Outcome.RETIRED, reason=reason, fact=fact, previous=current, writes=(fact,))


def retired(fact: Fact, *, at: datetime, sources: tuple[str, ...]) -> Fact:
    """The fact, no longer held; what ended it is noted among its counterexamples."""
    return fact.model_copy(
        update={
            "status": FactStatus.RETIRED,
            "valid_until": at,
            "revalidation_due": False,
            "counterexamples": _joined(fact.counterexamples, sources),
        }
    )


def as_it_was(fact: Fact, moment: datetime) -> Fact | None:
    """A fact with the status that it had at a moment; None before it was asserted."""
    if moment < fact.asserted_at:
        return None
    ended = fact.status in (FactStatus.SUPERSEDED, FactStatus.RETIRED)
    if not ended or fact.valid_until is None or fact.valid_until <= moment:
        return fact
    return fact.model_copy(update={"status": FactStatus.CURRENT, "valid_until": None, "superseded_by": None})


def revalidated(fact: Fact) -> Fact:
    """A current fact whose interval has passed unconfirmed.

    It becomes a candidate and is no longer asserted; a constraint whose end condition is open stays and is
    asked about, for time alone ends no rule.
    """
    if fact.kind is FactKind.CONSTRAINT and fact.ends_when is not None:
        return fact.model_copy(update={"revalidation_due": True})
    return fact.model_copy(update={"status": FactStatus.CANDIDATE})


def _founded(statement: Statement, status: FactStatus, policy: Policy) -> Fact:
    confirmation: Confirmation = "explicit" if statement.explicit else "single"
    return Fact(
        fact_id=fact_id(statement),
        scope=statement.scope,
        entity=statement.entity,
        attribute=statement.attribute,
        value=statement.value,
        kind=statement.kind,
        forbids=statement.forbids,
        ends_when=statement.ends_when,
        valid_from=statement.at,
        status=status,
        authority_role=statement.role,
        asserted_by=statement.speaker_id,
        confirmation=confirmation,
        corroboration=(statement.activity_id,),
        sources=statement.sources,
        asserted_at=statement.at,
        confirmed_at=statement.at,
        revalidate_after=revalidation(statement.kind, confirmation, statement.at, policy),
    )


def _joined(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))

"""What a decision does to the facts that it is about: ended, rejected, corrected, merged, taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from langgraph_memory.answers import Outcome
from langgraph_memory.consolidation.facts import lifecycle
from langgraph_memory.consolidation.facts.overlay import Overlay
from langgraph_memory.consolidation.facts.statements import restated
from langgraph_memory.records import Event, Fact, FactStatus, Record
from langgraph_memory.scope import Principal

ENDED = (FactStatus.SUPERSEDED, FactStatus.RETIRED)


class Ruling(Record):
    """Who decides about a fact, by which role, and the event of it."""

    principal: Principal
    role: str
    event: Event

    @property
    def at(self) -> datetime:
        """When it was decided."""
        return self.event.occurred_at


class Settled(Record):
    """What a decision does: the outcome, the fact afterwards, and values to bury or exhume."""

    outcome: Outcome
    fact: Fact
    previous: Fact | None = None
    reason: str
    decision: str
    bury: tuple[Fact, ...] = ()
    exhume: tuple[Fact, ...] = ()


def corrected(facts: Sequence[Fact], ruling: Ruling, overlay: Overlay) -> Settled:
    """Another value holds instead; it supersedes the fact."""
    fact = facts[0]
    value = str(ruling.event.data["value"])
    verdict = overlay.settle(restated(fact, value, ruling.event, ruling.role))
    new = verdict.fact
    if verdict.outcome is Outcome.REJECTED or new is None or new.fact_id == fact.fact_id:
        reason = verdict.reason if verdict.outcome is Outcome.REJECTED else "it says so already"
        return Settled(outcome=verdict.outcome, fact=fact, reason=reason, decision=verdict.outcome)
    old = overlay.fact(fact.fact_id) or fact
    if old.status not in (*ENDED, FactStatus.REJECTED):
        old = lifecycle.superseded(old, by=new.fact_id, at=ruling.at)
        new = new.model_copy(update={"supersedes": old.fact_id})
        overlay.put(old)
        overlay.put(new)
    reason = f"corrected by {ruling.principal.user_id} ({ruling.role})"
    return Settled(outcome=Outcome.SUPERSEDED, fact=new, previous=old, reason=reason, decision="corrected")


def retired(facts: Sequence[Fact], ruling: Ruling, overlay: Overlay) -> Settled:
    """The fact holds no longer, on the evidence of the decision."""
    fact = facts[0]
    after = lifecycle.retired(fact, at=ruling.at, sources=(ruling.event.source,))
    overlay.put(after)
    reason = f"ended by {ruling.principal.user_id} ({ruling.role}) on {ruling.event.source}"
    return Settled(outcome=Outcome.RETIRED, fact=after, previous=fact, reason=reason, decision="retired")


def rejected(facts: Sequence[Fact], ruling: Ruling, overlay: Overlay) -> Settled:
    """The fact was wrong; its value is buried."""
    fact = facts[0]
    after = lifecycle.rejected(fact, at=ruling.at)
    overlay.put(after)
    why = str(ruling.event.data["reason"])
    reason = f"rejected by {ruling.principal.user_id} ({ruling.role}): {why}"
    return Settled(
        outcome=Outcome.REJECTED, fact=after, previous=fact, reason=reason, decision="rejected", bury=(fact,)
    )


def merged(facts: Sequence[Fact], ruling: Ruling, overlay: Overlay) -> Settled:
    """One fact stays, the first that is current or else the first named; the others point to it."""
    first = next((fact for fact in facts if fact.status is FactStatus.CURRENT), facts[0])
    others = [fact for fact in facts if fact.fact_id != first.fact_id]
    together, *behind = lifecycle.merged(first, others, at=ruling.at)
    for fact in (*behind, together):
        overlay.put(fact)
    reason = f"merged by {ruling.principal.user_id} ({ruling.role})"
    return Settled(outcome=Outcome.RESTATED, fact=together, previous=first, reason=reason, decision="merged")


def parted(facts: Sequence[Fact], ruling: Ruling, overlay: Overlay) -> Settled:
    """The facts stand apart again; one whose place another has taken meanwhile stays behind that."""
    together, *behind = facts
    first, *back = lifecycle.parted(together, behind, at=ruling.at)
    overlay.put(first)
    for fact in back:
        held = overlay.holder(fact) if fact.status is FactStatus.CURRENT else None
        overlay.put(lifecycle.superseded(fact, by=held.fact_id, at=ruling.at) if held else fact)
    reason = f"taken apart by {ruling.principal.user_id} ({ruling.role})"
    return Settled(
        outcome=Outcome.RESTATED, fact=first, previous=together, reason=reason, decision="restored"
    )

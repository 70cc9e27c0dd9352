"""What a record rests on once some of its evidence is gone: pure decisions on values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from langgraph_memory.policy import Policy
from langgraph_memory.records import ActorKind, Event, Fact, FactStatus, Procedure


def supported(fact: Fact, gone: Collection[str], events: Sequence[Event], policy: Policy) -> Fact | None:
    """A fact without the sources that are gone; None where nothing supports it any more.

    It stays current only where someone with authority still says it: what is left is judged anew.

    Args:
        fact: as it is held.
        gone: the sources that went.
        events: those of its other sources that the log holds, in order.
        policy: says who may set what.
    """
    left = tuple(source for source in fact.sources if source not in gone)
    if not left:
        return None
    update: dict[str, Any] = {
        "sources": left,
        "counterexamples": tuple(each for each in fact.counterexamples if each not in gone),
    }
    if left != fact.sources:
        update |= _judged(fact, left, events, policy)
    return fact.model_copy(update=update)


def _judged(fact: Fact, left: Sequence[str], events: Sequence[Event], policy: Policy) -> dict[str, Any]:
    said = [event for event in events if event.source in left and event.actor.kind is ActorKind.USER]
    roles = [(event, policy.authority_of(event.actor, fact.scope, fact.attribute)) for event in said]
    entitled = [(event, role) for event, role in roles if role]
    if not entitled:
        held = fact.status in (FactStatus.CURRENT, FactStatus.CANDIDATE)
        return {
            "status": FactStatus.UNVERIFIED if held else fact.status,
            "authority_role": None,
            "asserted_by": said[0].actor.id if said else None,
            "corroboration": tuple(dict.fromkeys(event.activity_id for event in said)),
            "confirmation": "single",
            "revalidation_due": False,
        }
    first, role = entitled[0]
    activities = tuple(dict.fromkeys(event.activity_id for event, _ in entitled))
    founded = fact.sources[0] == left[0]
    single = "corroborated" if len(activities) > 1 else "single"
    return {
        "authority_role": role,
        "asserted_by": first.actor.id,
        "corroboration": activities,
        "confirmation": fact.confirmation if founded else single,
        "asserted_at": fact.asserted_at if founded else first.occurred_at,
        "valid_from": fact.valid_from if founded else first.occurred_at,
        "confirmed_at": max(event.occurred_at for event, _ in entitled),
    }


def restored(fact: Fact, gone: Collection[str], undone: Collection[str]) -> Fact:
    """A fact that something hostile had ended, as it was before: current again.

    Args:
        fact: a superseded or retired fact.
        gone: sources that went.
        undone: ids of facts that went.
    """
    replaced = fact.status is FactStatus.SUPERSEDED and fact.superseded_by in undone
    left = tuple(source for source in fact.counterexamples if source not in gone)
    ended = fact.status is FactStatus.RETIRED and fact.counterexamples and not left
    if not replaced and not ended:
        return fact
    return fact.model_copy(
        update={
            "status": FactStatus.CURRENT,
            "valid_until": None,
            "superseded_by": None,
            "counterexamples": left,
        }
    )


def unlinked(fact: Fact, removed: dict[str, Fact]) -> Fact:
    """A fact whose links pass over the facts that were removed."""
    before, after = fact.supersedes, fact.superseded_by
    while before in removed:
        before = removed[before].supersedes
    while after in removed:
        after = removed[after].superseded_by
    return fact.model_copy(update={"supersedes": before, "superseded_by": after})


def evidenced(procedure: Procedure, gone: Collection[str]) -> Procedure | None:
    """A procedure without the evidence that is gone; a learned one without any is given up."""
    left = tuple(each for each in procedure.evidence if each not in gone)
    if procedure.origin == "learned" and not left:
        return None
    return procedure.model_copy(update={"evidence": left})

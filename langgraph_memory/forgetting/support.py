"""What a record rests on once some of its evidence is gone: pure decisions on values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from langgraph_memory.consolidation.facts.testimony import AFFIRMING, Testimony
from langgraph_memory.policy import Policy
from langgraph_memory.records import ActorKind, Event, Fact, FactStatus, Procedure

_WITNESSES = (ActorKind.TOOL, ActorKind.SYSTEM)


def supported(fact: Fact, gone: Collection[str], testimony: Testimony, policy: Policy) -> Fact | None:
    """A fact without the sources that are gone; None where nothing supports it any more.

    It stays current only where someone with authority still says or confirms it: what is left is judged anew.

    Args:
        fact: as it is held.
        gone: the sources that went.
        testimony: what is left.
        policy: says who may set what.
    """
    left = tuple(source for source in fact.sources if source not in gone)
    if not left:
        return None
    update: dict[str, Any] = {
        "sources": left,
        "counterexamples": tuple(each for each in fact.counterexamples if each not in gone),
    }
    if fact.merge is not None:
        evidence = ("sources", "counterexamples")
        parts = {each: tuple(s for s in getattr(fact.merge, each) if s not in gone) for each in evidence}
        update["merge"] = fact.merge.model_copy(update=parts)
    if left != fact.sources or testimony.gone:
        update |= _judged(fact, left, testimony, policy)
    return fact.model_copy(update=update)


def _judged(fact: Fact, left: Sequence[str], testimony: Testimony, policy: Policy) -> dict[str, Any]:
    said = [event for event in testimony.said if event.actor.kind is ActorKind.USER]
    spoken = [*said, *(event for event in testimony.rulings if event.event_type in AFFIRMING)]
    roles = [(event, _role(event, fact, policy)) for event in spoken]
    entitled = [(event, role) for event, role in roles if role is not None]
    if not entitled:
        held = fact.status in (FactStatus.CURRENT, FactStatus.CANDIDATE)
        return {
            "status": FactStatus.UNVERIFIED if held else fact.status,
            "authority_role": None,
            "asserted_by": said[0].actor.id if said else None,
            "corroboration": _activities(said),
            "confirmation": "single",
            "revalidation_due": False,
        }
    first, role = entitled[0]
    activities = _activities(said)
    founded = fact.sources[0] == left[0]
    ruled = any(event in testimony.rulings for event, _ in entitled)
    anew = "explicit" if ruled else "corroborated" if len(activities) > 1 else "single"
    return {
        "authority_role": role,
        "asserted_by": first.actor.id,
        "corroboration": activities,
        "confirmation": fact.confirmation if founded and not testimony.gone else anew,
        "asserted_at": fact.asserted_at if founded else first.occurred_at,
        "valid_from": fact.valid_from if founded else first.occurred_at,
        "confirmed_at": max(event.occurred_at for event, _ in entitled),
    }


def _activities(said: Sequence[Event]) -> tuple[str, ...]:
    """The activities that corroborate: where each piece of evidence came up first."""
    first: dict[str, str] = {}
    for event in said:
        first.setdefault(event.source, event.activity_id)
    return tuple(dict.fromkeys(first.values()))


def _role(event: Event, fact: Fact, policy: Policy) -> str | None:
    """By which role someone may say the fact: as the policy has it, or the one by which it is held anyway."""
    held = fact.authority_role if fact.authority_role in event.actor.roles else None
    return policy.authority_of(event.actor, fact.scope, fact.attribute) or held


def restored(
    fact: Fact, gone: Collection[str], undone: Collection[str], testimony: Testimony, policy: Policy
) -> Fact:
    """A fact that something hostile had ended or rejected, as it was before.

    Args:
        fact: a superseded, retired or rejected fact; others are returned as they are.
        gone: sources that went.
        undone: ids of facts that went, or hold no longer.
        testimony: decisions about it, and what was said against it.
        policy: says who may end what.
    """
    left = tuple(source for source in fact.counterexamples if source not in gone)
    match fact.status:
        case FactStatus.SUPERSEDED:
            free = fact.superseded_by in undone
        case FactStatus.RETIRED:
            free = _only_went(testimony, "fact.confirmed") if fact.would_end else left != fact.counterexamples
            free = free and not _is_ended(fact, left, testimony, policy)
        case FactStatus.REJECTED:
            free = _only_went(testimony, "fact.rejected")
        case _:
            free = False
    if not free:
        return fact
    return fact.model_copy(
        update={
            "status": fact.history[-1].status if fact.history else FactStatus.CURRENT,
            "history": fact.history[:-1],
            "valid_until": None,
            "superseded_by": None,
            "counterexamples": left,
        }
    )


def _only_went(testimony: Testimony, decision: str) -> bool:
    """Whether only people whose words go decided so."""
    still = any(event.event_type == decision for event in testimony.rulings)
    return not still and any(event.event_type == decision for event in testimony.gone)


def _is_ended(fact: Fact, left: Collection[str], testimony: Testimony, policy: Policy) -> bool:
    """Whether what is left against a fact ends it: the word of someone who may, or evidence that is nobody's.

    What others only proposed ended nothing by itself.
    """
    told = {event.source for event in testimony.against}
    against = [event for event in testimony.against if event.source in left]
    return any(source not in told for source in left) or any(
        event.actor.kind in _WITNESSES or _role(event, fact, policy) is not None for event in against
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
    """A procedure without the evidence and the words that are gone; a learned one without any is given up."""
    steps = [(s, _left(cited, gone)) for s, cited in zip(procedure.steps, _cited(procedure), strict=True)]
    kept = [(step, cited) for step, cited in steps if cited is not None]
    left = tuple(each for each in procedure.evidence if each not in gone)
    if not kept or (procedure.origin == "learned" and procedure.evidence and not left):
        return None
    against = tuple(each for each in procedure.counterexamples if each not in gone)
    update: dict[str, object] = {"evidence": left, "counterexamples": against}
    if procedure.step_sources:
        update |= {"steps": tuple(step for step, _ in kept), "step_sources": tuple(c or "" for _, c in kept)}
    return procedure.model_copy(update=update)


def _cited(procedure: Procedure) -> Sequence[str]:
    """For each step, the sources that it rests on, as one text."""
    return procedure.step_sources or ("",) * len(procedure.steps)


def _left(cited: str, gone: Collection[str]) -> str | None:
    """What is left of a step's sources; None where all are gone."""
    sources = [each for each in cited.split(", ") if each]
    left = [each for each in sources if each not in gone]
    return ", ".join(left) if left or not sources else None

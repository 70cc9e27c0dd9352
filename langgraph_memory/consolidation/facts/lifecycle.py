"""How a fact moves from one status to another: pure steps, each of which remembers where it came from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from langgraph_memory.intervals import moved
from langgraph_memory.policy import Confirmation, Policy, Sensitivity
from langgraph_memory.records import Fact, FactKind, FactStatus, Merge

_EVIDENCE = ("sources", "corroboration", "counterexamples")


def confirmed(fact: Fact, *, role: str, at: datetime, policy: Policy) -> Fact:
    """The fact as one that someone with authority confirms: current, whatever it was.

    When it was first said stays as it is; only the time of its confirmation moves.
    """
    return moved(
        fact,
        FactStatus.CURRENT,
        at,
        authority_role=fact.authority_role or role,
        confirmation="explicit",
        confirmed_at=max(fact.confirmed_at, at),
        revalidate_after=revalidation(fact.kind, "explicit", at, policy, fact.sensitivity),
        revalidation_due=False,
        valid_until=None,
        superseded_by=None,
    )


def used(fact: Fact, *, at: datetime, policy: Policy) -> Fact:
    """The fact after an activity that relied on it went well: asserted for another interval.

    Nobody confirmed it, so the time of its confirmation stays.
    """
    return moved(
        fact,
        FactStatus.CURRENT,
        at,
        revalidate_after=revalidation(fact.kind, fact.confirmation, at, policy, fact.sensitivity),
        revalidation_due=False,
    )


def retired(fact: Fact, *, at: datetime, sources: tuple[str, ...]) -> Fact:
    """The fact, no longer held; what ended it is noted among its counterexamples."""
    return moved(
        fact,
        FactStatus.RETIRED,
        at,
        valid_until=at,
        revalidation_due=False,
        counterexamples=joined(fact.counterexamples, sources),
    )


def rejected(fact: Fact, *, at: datetime) -> Fact:
    """The fact as one that never should have been held."""
    return moved(fact, FactStatus.REJECTED, at, valid_until=fact.valid_until or at, revalidation_due=False)


def superseded(fact: Fact, *, by: str, at: datetime) -> Fact:
    """The fact after another one took its place."""
    return moved(fact, FactStatus.SUPERSEDED, at, valid_until=at, superseded_by=by, revalidation_due=False)


def merged(first: Fact, others: Sequence[Fact], *, at: datetime) -> tuple[Fact, ...]:
    """Facts that say the same, as one: the first with the evidence of all, then the others, behind it.

    Each of the others keeps its own, and notes what it brought.
    """
    together, behind = first, []
    for other in others:
        brought = {name: _lacking(getattr(together, name), getattr(other, name)) for name in _EVIDENCE}
        merge = Merge(into=first.fact_id, confirmed_at=together.confirmed_at, **brought)
        gone = superseded(other, by=first.fact_id, at=at)
        behind.append(gone.model_copy(update={"merge": merge}))
        evidence = {name: (*getattr(together, name), *brought[name]) for name in _EVIDENCE}
        confirmed_at = max(together.confirmed_at, other.confirmed_at)
        together = together.model_copy(update={**evidence, "confirmed_at": confirmed_at})
    return together, *behind


def parted(first: Fact, behind: Sequence[Fact], *, at: datetime) -> tuple[Fact, ...]:
    """Merged facts, apart again: the first without what the others brought, then those, as they stood before.

    What the first was given since stays with it.
    """
    back = []
    for other in reversed(behind):
        if (merge := other.merge) is None:
            continue
        evidence = {name: _lacking(getattr(merge, name), getattr(first, name)) for name in _EVIDENCE}
        since = first.confirmed_at > other.confirmed_at
        confirmed_at = first.confirmed_at if since else merge.confirmed_at
        first = first.model_copy(update={**evidence, "confirmed_at": confirmed_at})
        before = other.history[-1].status if other.history else FactStatus.CURRENT
        apart = {"valid_until": None, "superseded_by": None, "merge": None}
        back.append(moved(other, before, at, **apart))
    return first, *reversed(back)


def as_it_was(fact: Fact, moment: datetime) -> Fact | None:
    """A fact with the status that it had at a moment; None before it was asserted."""
    if moment < fact.asserted_at:
        return None
    then = next((standing.status for standing in fact.history if moment < standing.until), None)
    if then is None:
        return fact
    update = {"status": then, "valid_until": None, "superseded_by": None, "revalidation_due": False}
    return fact.model_copy(update=update)


def revalidation(
    kind: FactKind,
    confirmation: Confirmation,
    at: datetime,
    policy: Policy,
    sensitivity: Sensitivity = "normal",
) -> datetime | None:
    """When a fact that was confirmed now has to be confirmed again; None if the policy sets no interval.

    What is personal or sensitive is due sooner.
    """
    interval = policy.revalidate.get(kind, {}).get(confirmation)
    share = policy.sensitivity_share.get(sensitivity, 1.0)
    return _after(at, interval * share) if interval is not None else None


def _after(at: datetime, interval: timedelta) -> datetime:
    """A moment later, at most the last one that there is."""
    end = datetime.max.replace(tzinfo=UTC)
    return at + interval if end - at > interval else end


def joined(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Both, in order, each once."""
    return tuple(dict.fromkeys((*first, *second)))


def _lacking(known: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    """What of the one is not in the other."""
    return tuple(dict.fromkeys(each for each in more if each not in known))

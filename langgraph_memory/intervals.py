"""Intervals: what nobody has confirmed in time is asserted no longer, by the clock alone."""

from __future__ import annotations

from datetime import datetime

from langgraph_memory.records import Fact, FactKind, FactStatus, Standing


def moved(fact: Fact, status: FactStatus, at: datetime, **update: object) -> Fact:
    """The fact with another status from a moment on; the status that it had is kept in its history."""
    history = fact.history
    if status is not fact.status:
        history = (*history, Standing(status=fact.status, until=at))
    return fact.model_copy(update={"status": status, "history": history, **update})


def revalidated(fact: Fact, at: datetime) -> Fact:
    """A current fact whose interval has passed unconfirmed.

    It becomes a candidate and is no longer asserted; a constraint whose end condition is open stays and is
    asked about, for time alone ends no rule.
    """
    if fact.kind is FactKind.CONSTRAINT and fact.ends_when is not None:
        return fact.model_copy(update={"revalidation_due": True})
    return moved(fact, FactStatus.CANDIDATE, at)


def by_the_clock(fact: Fact, now: datetime) -> Fact:
    """The fact as it stands at a moment, whether or not a consolidation has come to write that down."""
    due = fact.revalidate_after
    if fact.status is not FactStatus.CURRENT or fact.revalidation_due or due is None or due >= now:
        return fact
    return revalidated(fact, due)

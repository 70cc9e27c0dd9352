"""How a statement meets what is held true: one pure function, decided by authority and evidence.

Time, repetition by a model or a louder remark change nothing; only someone with authority does.
"""

from __future__ import annotations

from datetime import datetime

from langgraph_memory.answers import Outcome
from langgraph_memory.consolidation.facts.classes import touches
from langgraph_memory.consolidation.facts.lifecycle import joined, retired, revalidation, superseded
from langgraph_memory.consolidation.facts.statements import (
    NOTHING_AROUND,
    Around,
    Statement,
    Verdict,
    founded,
    may_set,
    same,
    waits_as,
)
from langgraph_memory.intervals import moved
from langgraph_memory.policy import Confirmation, Policy
from langgraph_memory.records import ActorKind, Fact, FactStatus, is_early_ending, is_unread


def reconcile(
    statement: Statement,
    current: Fact | None,
    *,
    around: Around = NOTHING_AROUND,
    tombstone: str | None = None,
    policy: Policy,
) -> Verdict:
    """Decide what a statement does to the current fact of its entity and attribute.

    What was said earlier yields to what was said later, in whatever order they arrive: a statement that is
    older than the last confirmation of what is held, or than the end of what was held, changes nothing. An
    ending by authority that finds nothing is kept, and ends what was said before it and arrives after it.

    Args:
        statement: what was said, by whom, with which authority.
        current: the fact it meets; None where nothing is held.
        around: what waits or ended there.
        tombstone: why this value may not come back (`rejected`, `forgotten`); None without one.
        policy: intervals of revalidation.

    Returns:
        `established`, `restated`, `ignored`, `unverified`, `superseded`, `retired` or `rejected`.
    """
    if statement.speaker in (ActorKind.TOOL, ActorKind.SYSTEM):
        return Verdict(outcome=Outcome.IGNORED, reason="an observation is not a rule", fact=current)
    if statement.intent != "assert":
        return _ended(statement, current, around, policy)
    return _asserted(statement, current, around, tombstone, policy)


def _asserted(
    statement: Statement, current: Fact | None, around: Around, tombstone: str | None, policy: Policy
) -> Verdict:
    if tombstone is not None and (tombstone == "rejected" or not may_set(statement)):
        return Verdict(outcome=Outcome.REJECTED, reason=f"the value was {tombstone}", fact=current)
    if current is not None and same(statement, current):
        return _restated(statement, current, policy)
    if not may_set(statement) or statement.certainty == "hedged":
        return _unverified(statement, current, around.pending, policy)
    later = _said_later(statement, current, around.ended)
    if later is not None:
        return _too_late(statement, current, later, around, policy)
    return _set(statement, current, around, policy)


def _restated(statement: Statement, current: Fact, policy: Policy) -> Verdict:
    """Evidence is added; only authority confirms; other evidence, in another activity, corroborates."""
    if statement.speaker is not ActorKind.USER:
        return Verdict(outcome=Outcome.IGNORED, reason="an agent repeats what is held", fact=current)
    update: dict[str, object] = {"sources": joined(current.sources, statement.sources)}
    if may_set(statement) and statement.certainty == "stated":
        corroboration = _corroborated(current, statement)
        confirmation = _confirmation(statement, current, len(corroboration))
        update |= {
            "corroboration": corroboration,
            "confirmation": confirmation,
            "confirmed_at": (at := max(current.confirmed_at, statement.at)),
            "revalidate_after": revalidation(current.kind, confirmation, at, policy, current.sensitivity),
            "revalidation_due": False,
        }
    fact = current.model_copy(update=update)
    writes = (fact,) if fact != current else ()
    return Verdict(outcome=Outcome.RESTATED, reason="says what is held", fact=fact, writes=writes)


def _confirmation(statement: Statement, current: Fact, activities: int) -> Confirmation:
    if statement.explicit or current.confirmation == "explicit":
        return "explicit"
    return "corroborated" if activities > 1 else current.confirmation


def _unverified(statement: Statement, current: Fact | None, pending: Fact | None, policy: Policy) -> Verdict:
    """What does not hold waits; said again in another activity by one who may, it is corroborated."""
    reason = (
        "said without certainty"
        if may_set(statement)
        else statement.doubt or f"{statement.speaker_id} may not set {statement.attribute}"
    )
    if pending is None:
        fact = founded(statement, waits_as(statement), policy)
        if statement.intent != "assert" and current is not None:
            fact = fact.model_copy(update={"would_end": current.fact_id, "forbids": ()})
    elif statement.speaker is not ActorKind.USER:  # an agent that repeats itself adds no evidence
        fact = pending
    else:
        fact = _heard_again(statement, pending)
        if current is None and _is_corroborated(fact):
            return _promoted(statement, fact, policy)
    writes = (fact,) if fact != pending else ()
    return Verdict(outcome=Outcome.UNVERIFIED, reason=reason, fact=fact, previous=current, writes=writes)


def _heard_again(statement: Statement, pending: Fact) -> Fact:
    return pending.model_copy(
        update={
            "sources": joined(pending.sources, statement.sources),
            "corroboration": _corroborated(pending, statement),
        }
    )


def _corroborated(fact: Fact, statement: Statement) -> tuple[str, ...]:
    """The activities in which it was said; the same piece of evidence, named once more, adds none."""
    if set(statement.sources) <= set(fact.sources):
        return fact.corroboration
    return joined(fact.corroboration, (statement.activity_id,))


def _is_corroborated(fact: Fact) -> bool:
    """Whether people with authority said it in several activities.

    An ending is never guessed together, nor is a rule out of what could not be read.
    """
    waits = fact.status is FactStatus.CANDIDATE and fact.would_end is None and not is_unread(fact)
    return waits and len(fact.corroboration) > 1


def _promoted(statement: Statement, fact: Fact, policy: Policy) -> Verdict:
    lifted = _lifted(statement, fact, "corroborated", policy)
    reason = f"said in {len(fact.corroboration)} activities"
    return Verdict(outcome=Outcome.ESTABLISHED, reason=reason, fact=lifted, writes=(lifted,))


def _lifted(statement: Statement, fact: Fact, confirmation: Confirmation, policy: Policy) -> Fact:
    at = max(fact.confirmed_at, statement.at)
    return moved(
        fact,
        FactStatus.CURRENT,
        statement.at,
        confirmation=confirmation,
        confirmed_at=at,
        revalidate_after=revalidation(fact.kind, confirmation, at, policy, fact.sensitivity),
    )


def _said_later(statement: Statement, current: Fact | None, ended: Fact | None) -> Fact | None:
    """The fact by which people said something else after this statement was made."""
    if current is not None:
        return current if statement.at < current.confirmed_at else None
    if ended is not None and ended.valid_until is not None and statement.at < ended.valid_until:
        return ended
    return None


def _too_late(
    statement: Statement, current: Fact | None, later: Fact, around: Around, policy: Policy
) -> Verdict:
    """It is kept as what it was, overtaken before it arrived."""
    if is_early_ending(later):
        return _ended_before_it_came(statement, later, policy)
    until = _held_until(statement, later, around)
    was = FactStatus.CURRENT if until > statement.at else FactStatus.SUPERSEDED
    fact = superseded(founded(statement, was, policy), by=later.fact_id, at=until)
    return Verdict(
        outcome=Outcome.IGNORED,
        reason=f"said before what people said on {max(later.confirmed_at, statement.at):%Y-%m-%d}",
        fact=current,
        previous=fact,
        writes=(fact,),
    )


def _held_until(statement: Statement, later: Fact, around: Around) -> datetime:
    """Until when it held, as far as nothing else did: until the later one was said; else not for a moment."""
    ended = around.ended.valid_until if around.ended is not None else None
    free = later.asserted_at > statement.at and (ended is None or ended <= statement.at)
    return later.asserted_at if free else statement.at


def _ended_before_it_came(statement: Statement, ending: Fact, policy: Policy) -> Verdict:
    """It held from when it was said until it was ended."""
    held = founded(statement, FactStatus.CURRENT, policy)
    fact = retired(held, at=ending.confirmed_at, sources=ending.sources)
    reason = f"ended by {ending.asserted_by} on {ending.confirmed_at:%Y-%m-%d}, before it arrived"
    return Verdict(outcome=Outcome.RETIRED, reason=reason, fact=fact, previous=held, writes=(fact,))


def _set(statement: Statement, current: Fact | None, around: Around, policy: Policy) -> Verdict:
    fact = founded(statement, FactStatus.CURRENT, policy)
    if around.pending is not None:
        heard = _heard_again(statement, around.pending)
        fact = _lifted(statement, heard, _confirmation(statement, heard, len(heard.corroboration)), policy)
    replaced = current or (around.lapsed if around.lapsed != around.pending else None)
    by = f"{statement.speaker_id} ({statement.role})"
    if replaced is None:
        reason = f"set by {by}"
        return Verdict(outcome=Outcome.ESTABLISHED, reason=reason, fact=fact, writes=(fact,))
    fact = fact.model_copy(update={"supersedes": replaced.fact_id})
    old = superseded(replaced, by=fact.fact_id, at=statement.at)
    outcome = Outcome.SUPERSEDED if current else Outcome.ESTABLISHED
    reason = f"changed by {by}" if current else f"set by {by} in place of one that nobody confirmed"
    return Verdict(outcome=outcome, reason=reason, fact=fact, previous=old, writes=(old, fact))


def _ended(statement: Statement, current: Fact | None, around: Around, policy: Policy) -> Verdict:
    sure = may_set(statement) and statement.certainty == "stated"
    answered = _answered(statement, around.asking) if sure else ()
    if current is None:
        early = _early(statement, around.ended, policy) if sure else ()
        return _answer(statement, answered, early)
    if not sure:
        return _unverified(statement, current, around.pending, policy)
    if statement.at < current.confirmed_at:
        reason = f"said before it was confirmed on {current.confirmed_at:%Y-%m-%d}"
        return Verdict(outcome=Outcome.IGNORED, reason=reason, fact=current)
    reason = f"{'ended' if statement.intent == 'retire' else 'taken back'} by {statement.speaker_id}"
    fact = retired(current, at=statement.at, sources=statement.sources)
    writes = (fact, *answered)
    return Verdict(outcome=Outcome.RETIRED, reason=reason, fact=fact, previous=current, writes=writes)


def _answered(statement: Statement, asking: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """What was asked about and is answered by a release that came after it."""
    allowed = frozenset(statement.forbids)
    before = [
        fact
        for fact in asking
        if fact.asserted_at <= statement.at and (not allowed or touches(allowed, fact.forbids))
    ]
    return tuple(retired(fact, at=statement.at, sources=statement.sources) for fact in before)


def _answer(statement: Statement, answered: tuple[Fact, ...], early: tuple[Fact, ...]) -> Verdict:
    """A release where nothing is held: it answers what was asked, if anything was."""
    if not answered:
        return Verdict(outcome=Outcome.IGNORED, reason="nothing is held that could end", writes=early)
    reason = f"answered by {statement.speaker_id}"
    return Verdict(outcome=Outcome.RETIRED, reason=reason, fact=answered[0], writes=(*answered, *early))


def _early(statement: Statement, ended: Fact | None, policy: Policy) -> tuple[Fact, ...]:
    """The ending as a fact that was never held; one a place is enough, the latest."""
    if ended is not None and ended.valid_until is not None and statement.at <= ended.valid_until:
        return ()
    if ended is None or not is_early_ending(ended):
        never_held = founded(statement, FactStatus.RETIRED, policy)
        return (never_held.model_copy(update={"valid_until": statement.at, "revalidate_after": None}),)
    later = {"valid_from": statement.at, "valid_until": statement.at, "confirmed_at": statement.at}
    sources = joined(ended.sources, statement.sources)
    return (ended.model_copy(update={**later, "sources": sources, "asserted_by": statement.speaker_id}),)

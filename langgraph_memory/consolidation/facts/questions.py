"""What memory would like a person to decide: candidates that would matter, and rules long unconfirmed."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph_memory.answers import Question
from langgraph_memory.intervals import by_the_clock
from langgraph_memory.policy import Policy
from langgraph_memory.records import Actor, Fact, FactKind, FactStatus, has_lapsed, is_asked_first, is_unread
from langgraph_memory.repository import Repository
from langgraph_memory.scope import Principal, Scope

_WAITING = (FactStatus.CANDIDATE, FactStatus.UNVERIFIED)
_LOOKED_AT = 500
_MATTERS = (FactKind.CONSTRAINT, FactKind.IDENTITY, FactKind.PREFERENCE, FactKind.PROJECT, FactKind.FACT)
_SHOWN = 240


class Questions:
    """Reads what waits for a decision from a repository."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def of(self, scope: Scope, principal: Principal, entities: Sequence[str], limit: int) -> list[Question]:
        """The questions of a scope and its readable ancestors, what matters most first.

        Raises:
            AccessDeniedError: no grant covers the scope.
        """
        scopes = principal.readable(scope)
        about = entities or None
        found: list[Fact] = []
        for status in (_WAITING, (FactStatus.CURRENT,)):
            found += self._repository.find("fact", scopes, entities=about, status=status, limit=_LOOKED_AT)
        now = self._repository.clock()
        standing = (by_the_clock(fact, now) for fact in found)
        asked = [question for fact in standing if (question := self._question(fact, principal))]
        return sorted(asked, key=_order)[:limit]

    def _question(self, fact: Fact, principal: Principal) -> Question | None:
        if fact.status is FactStatus.CURRENT and not fact.revalidation_due:
            return None
        held = self._held(fact)
        if fact.would_end is not None and held is None:
            return None  # what it would end has ended by another word
        return Question(
            fact=fact,
            held=held,
            why=why(fact),
            text=wording(fact, held),
            may_answer=may_decide(fact, principal, self._repository.policy),
        )

    def _held(self, fact: Fact) -> Fact | None:
        if fact.status is FactStatus.CURRENT:
            return None
        if fact.would_end is None:
            held = self._repository.current(fact.scope, fact.entity, fact.attribute, fact.value)
            return held if held is not None and held.fact_id != fact.fact_id else None
        found = self._repository.record(fact.would_end)
        return found if isinstance(found, Fact) and found.status is FactStatus.CURRENT else None


def may_decide(fact: Fact, principal: Principal, policy: Policy) -> bool:
    """Whether a principal has the authority to decide about a fact."""
    actor = Actor("user", principal.user_id, roles=principal.roles)
    return principal.may_read(fact.scope) and bool(policy.authority_of(actor, fact.scope, fact.attribute))


def why(fact: Fact) -> str:
    """Why a fact waits."""
    by = fact.asserted_by or "someone"
    if fact.status is FactStatus.CURRENT:
        return f"not confirmed since {fact.confirmed_at:%Y-%m-%d}"
    if fact.status is FactStatus.UNVERIFIED:
        return f"{by} may not decide this"
    if fact.asks_first:
        why = "not understood in full" if is_unread(fact) else "said without certainty"
        return f"{why}; calls on it wait for an answer"
    if has_lapsed(fact):
        wait = "; calls on it wait for an answer" if is_asked_first(fact) else ""
        return f"not confirmed since {fact.confirmed_at:%Y-%m-%d}{wait}"
    return "said without certainty"


def wording(fact: Fact, held: Fact | None) -> str:
    """The question in words; what it quotes is stored text, to be escaped where it is shown."""
    value, about = fact.value[:_SHOWN], f"{fact.entity}, {fact.attribute.replace('_', ' ')}"
    said = f"said {fact.asserted_at:%Y-%m-%d} by {fact.asserted_by or 'someone'}"
    if fact.would_end is not None and held is not None:
        return f'Has "{held.value[:_SHOWN]}" ({about}) ended? "{value}", {said}.'
    if fact.status is FactStatus.CURRENT:
        until = f" until {fact.ends_when}" if fact.ends_when else ""
        return f'Does "{value}" ({about}) still hold{until}? {said.capitalize()}.'
    instead = f' instead of "{held.value[:_SHOWN]}"' if held else ""
    return f'Does "{value}" ({about}) hold{instead}? {said.capitalize()}.'


def _order(question: Question) -> tuple[object, ...]:
    fact = question.fact
    newest = -fact.confirmed_at.timestamp()
    return (
        not question.may_answer,
        _MATTERS.index(fact.kind),
        -len(fact.corroboration),
        newest,
        fact.fact_id,
    )

"""What people decide about facts by name: confirm, retire, reject, correct, merge.

Each decision needs a grant for the fact's scope and the authority to set its attribute there. It is an event
of its own, so that what it rests on can be cited and exported, and it is audited, as is one that is refused.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Literal, get_args

from sqlalchemy import Connection

from langgraph_memory.answers import Outcome, Reconciled
from langgraph_memory.consolidation.facts import effects, lifecycle
from langgraph_memory.consolidation.facts.effects import ENDED, Ruling, Settled
from langgraph_memory.consolidation.facts.overlay import Overlay
from langgraph_memory.errors import AccessDeniedError, DecisionError, UnknownRecordError
from langgraph_memory.log.staleness import decided_anew
from langgraph_memory.names import bare, normalise
from langgraph_memory.records import Actor, Event, Fact, FactStatus
from langgraph_memory.repository import Note, Repository
from langgraph_memory.scope import Principal

Decision = Literal["confirmed", "retired", "rejected", "corrected", "merged", "restored"]

DECISIONS = frozenset(f"fact.{decision}" for decision in get_args(Decision))
"""The types of the events of decisions; they are settled when they are written."""

_VERBS: Mapping[Decision, str] = {
    "confirmed": "confirm",
    "retired": "retire",
    "rejected": "reject",
    "corrected": "correct",
    "merged": "merge",
    "restored": "restore",
}


class Decisions:
    """Decisions about facts, over a repository.

    Args:
        repository: where facts are.
        publish: writes an event, redacted.
        clock: the time of audit entries.
    """

    def __init__(
        self, repository: Repository, publish: Callable[..., Event], clock: Callable[[], datetime]
    ) -> None:
        self._repository = repository
        self._publish = publish
        self._clock = clock

    def confirm(self, fact_id: str, principal: Principal) -> Reconciled:
        """Lift a fact to current, or renew one that is."""
        fact = self._decidable([fact_id], principal, "confirmed")[0]
        ruling = self._ruled(fact, principal, "confirmed")
        return self._settle(ruling, [fact_id], self._confirmed)

    def retire(self, fact_id: str, principal: Principal, evidence_ref: str | None) -> Reconciled:
        """End a fact, on evidence."""
        fact = self._decidable([fact_id], principal, "retired")[0]
        ruling = self._ruled(fact, principal, "retired", evidence_ref=evidence_ref)
        return self._settle(ruling, [fact_id], effects.retired)

    def reject(self, fact_id: str, principal: Principal, reason: str) -> Reconciled:
        """Put a value out for good, until someone confirms it."""
        fact = self._decidable([fact_id], principal, "rejected", ended=True)[0]
        ruling = self._ruled(fact, principal, "rejected", reason=reason)
        return self._settle(ruling, [fact_id], effects.rejected)

    def correct(self, fact_id: str, principal: Principal, value: str) -> Reconciled:
        """Put another value in the place of a fact."""
        fact = self._decidable([fact_id], principal, "corrected")[0]
        ruling = self._ruled(fact, principal, "corrected", value=value)
        return self._settle(ruling, [fact_id], effects.corrected)

    def merge(self, fact_ids: Sequence[str], principal: Principal) -> Reconciled:
        """Make facts that say the same into one, with all their evidence."""
        distinct = list(dict.fromkeys(fact_ids))
        facts = self._decidable(distinct, principal, "merged")
        self._check_alike(facts)
        ruling = self._ruled(facts[0], principal, "merged", others=[f.fact_id for f in facts[1:]])
        return self._settle(ruling, distinct, effects.merged)

    def part(self, fact_id: str, principal: Principal) -> int:
        """Take a fact apart from the one that it was merged into, or from all merged into it; how many.

        Raises:
            UnknownRecordError: nothing was merged there.
        """
        fact = self._fact(fact_id)
        first = self._fact(fact.merge.into) if fact.merge else fact
        behind = [fact.fact_id] if fact.merge else self._merged_into(first)
        if not behind:
            raise UnknownRecordError(f"nothing was merged into fact {fact_id!r}: there is nothing to restore")
        self._decidable([first.fact_id], principal, "restored")
        self._decidable(behind, principal, "restored", ended=True)
        ruling = self._ruled(first, principal, "restored", others=behind)
        self._settle(ruling, [first.fact_id, *behind], effects.parted)
        return len(behind)

    def _merged_into(self, first: Fact) -> list[str]:
        """The ids of the facts that were merged into one, in the order in which they were."""
        facts: list[Fact] = self._repository.find("fact", [first.scope], status=[FactStatus.SUPERSEDED])
        there = [fact for fact in facts if fact.merge is not None and fact.merge.into == first.fact_id]
        in_turn = sorted(there, key=lambda fact: (fact.history[-1].until, fact.asserted_at))
        return [fact.fact_id for fact in in_turn]

    def _decidable(
        self, fact_ids: Sequence[str], principal: Principal, decision: Decision, *, ended: bool = False
    ) -> list[Fact]:
        """The facts, if this principal may decide about every one of them and they haven't ended.

        Raises:
            UnknownRecordError: no fact has the id.
            AccessDeniedError: no grant, or no authority.
            DecisionError: it was superseded or retired.
        """
        facts = [self._fact(fact_id) for fact_id in fact_ids]
        for fact in facts:
            self._check(fact, principal, decision)
            if fact.status in ENDED and not ended:
                raise DecisionError(
                    f"fact {fact.fact_id!r} was {fact.status.value} and can't be {decision}: "
                    "say anew what holds, with assert_fact"
                )
        return facts

    def _fact(self, fact_id: str) -> Fact:
        found = self._repository.record(fact_id)
        if not isinstance(found, Fact):
            raise UnknownRecordError(
                f"no fact has the id {fact_id!r}: Memory.facts lists them with their ids"
            )
        return found

    def _check(self, fact: Fact, principal: Principal, decision: Decision) -> str:
        """The role by which the principal may decide; a refusal is audited.

        Raises:
            AccessDeniedError: no grant covers the fact's scope, or no rule gives authority.
        """
        verb = _VERBS[decision]
        if not principal.may_read(fact.scope):
            why = f"has no grant for its scope {str(fact.scope)!r}: add a Scope that covers it to grants"
            raise self._denied(fact, principal, verb, why)
        role = self._repository.policy.authority_of(_actor(principal), fact.scope, fact.attribute)
        if role is None:
            why = (
                f"may not set {fact.attribute!r} in {str(fact.scope)!r} (roles: {sorted(principal.roles)}): "
                "an AuthorityRule in Policy.authority gives that to a role"
            )
            raise self._denied(fact, principal, verb, why)
        return role

    def _denied(self, fact: Fact, principal: Principal, verb: str, why: str) -> AccessDeniedError:
        reason = f"{principal.user_id!r} can't {verb} fact {fact.fact_id!r}: {principal.user_id!r} {why}"
        self._repository.denials.note(verb, principal, fact.scope, reason=why, about=fact.fact_id)
        return AccessDeniedError(reason)

    def _check_alike(self, facts: Sequence[Fact]) -> None:
        """Refuse to merge facts about different things.

        Raises:
            DecisionError: fewer than two facts, or of several scopes or entities.
        """
        if len(facts) < 2:  # noqa: PLR2004 - two are needed to merge
            raise DecisionError(
                f"fact_ids={[f.fact_id for f in facts]} can't be merged: name two facts or more"
            )
        about = {(fact.scope.key, _plain(fact.entity)) for fact in facts}
        if len(about) > 1:
            told = ", ".join(
                f"{fact.fact_id!r} about {fact.entity!r} in {str(fact.scope)!r}" for fact in facts
            )
            raise DecisionError(f"facts about different things are never merged: {told}")

    def _ruled(
        self,
        fact: Fact,
        principal: Principal,
        decision: Decision,
        evidence_ref: str | None = None,
        **data: Any,
    ) -> Ruling:
        event = self._publish(
            scope=fact.scope,
            activity_id=f"decided_{uuid.uuid4().hex}",
            event_type=f"fact.{decision}",
            actor=_actor(principal),
            entities=(fact.entity,),
            evidence_ref=evidence_ref,
            data={"fact": fact.fact_id, **data},
        )
        return Ruling(principal=principal, role=self._check(fact, principal, decision), event=event)

    def _settle(
        self,
        ruling: Ruling,
        fact_ids: Sequence[str],
        decide: Callable[[Sequence[Fact], Ruling, Overlay], Settled],
    ) -> Reconciled:
        """Decide on what is stored now and write it, again if someone changed it meanwhile."""

        def settle() -> Reconciled:
            overlay = Overlay(self._repository)
            settled = decide([self._fact(fact_id) for fact_id in fact_ids], ruling, overlay)
            ids = dict.fromkeys((*fact_ids, settled.fact.fact_id))
            note = settled.reason
            self._repository.commit(
                overlay.changes(),
                scope=settled.fact.scope,
                actor=ruling.principal.user_id,
                at=self._clock(),
                notes=[
                    *(Note(decision=settled.decision, record_id=each, reason=note) for each in ids),
                    *(
                        Note(decision=Outcome.SUPERSEDED, record_id=change.record.fact_id, reason=note)
                        for change in overlay.changes()
                        if change.record.status is FactStatus.SUPERSEDED and change.record.fact_id not in ids
                    ),
                ],
                also=partial(self._finish, overlay, settled, ruling.at),
            )
            return Reconciled(
                outcome=settled.outcome, fact=settled.fact, previous=settled.previous, reason=settled.reason
            )

        return decided_anew(settle, about=fact_ids[0])

    def _finish(self, overlay: Overlay, settled: Settled, at: datetime, connection: Connection) -> None:
        overlay.check(connection)
        ledger = self._repository.ledger
        for fact in settled.bury:
            ledger.tombstones.bury(connection, fact.scope, fact.entity, fact.value, reason="rejected", at=at)
        for fact in settled.exhume:
            names = ledger.aliases.vouched([fact.scope], [fact.entity])
            for form in (fact.entity, *names):
                ledger.tombstones.exhume(connection, fact.scope, form, fact.value)

    def _confirmed(self, facts: Sequence[Fact], ruling: Ruling, overlay: Overlay) -> Settled:
        fact = facts[0]
        if fact.would_end is not None:
            return self._end_confirmed(fact, ruling, overlay)
        after = lifecycle.confirmed(fact, role=ruling.role, at=ruling.at, policy=self._repository.policy)
        held = overlay.holder(fact)
        if held is not None and held.fact_id != fact.fact_id:
            after = after.model_copy(update={"supersedes": held.fact_id})
            overlay.put(lifecycle.superseded(held, by=fact.fact_id, at=ruling.at))
        overlay.put(after)
        return Settled(
            outcome=Outcome.RESTATED if fact.status is FactStatus.CURRENT else Outcome.ESTABLISHED,
            fact=after,
            previous=held if held is not None and held.fact_id != fact.fact_id else None,
            reason=f"confirmed by {ruling.principal.user_id} ({ruling.role})",
            decision="confirmed",
            exhume=(fact,),
        )

    def _end_confirmed(self, proposal: Fact, ruling: Ruling, overlay: Overlay) -> Settled:
        """Confirming that something has ended ends it; the proposal itself holds nothing."""
        target = self._fact(proposal.would_end or "")
        sources = (*proposal.sources, ruling.event.source)
        ended = target
        if target.status not in ENDED:
            ended = lifecycle.retired(target, at=ruling.at, sources=sources)
            overlay.put(ended)
        overlay.put(lifecycle.retired(proposal, at=ruling.at, sources=()))
        reason = f"its end was confirmed by {ruling.principal.user_id} ({ruling.role})"
        return Settled(
            outcome=Outcome.RETIRED, fact=ended, previous=target, reason=reason, decision="retired"
        )


def _actor(principal: Principal) -> Actor:
    return Actor("user", principal.user_id, roles=principal.roles)


def _plain(entity: str) -> str:
    return normalise(bare(entity))

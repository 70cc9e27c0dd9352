"""How a call is checked: judged by the constraints, looked up where one may have ended, and noted down."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from langgraph_memory.answers import GuardDecision
from langgraph_memory.arguments import expect
from langgraph_memory.consolidation.facts.lookups import Conditions
from langgraph_memory.receipts import Receipts, of_decision
from langgraph_memory.retrieval.guard import Guard
from langgraph_memory.retrieval.verdicts import Verdict, authority_over, message
from langgraph_memory.scope import Principal, Scope


class Checks:
    """Decides on calls.

    Args:
        guard: judges by the constraints.
        conditions: asks whether what they wait for has come about.
        receipts: keep what was decided.
        clock: when.
    """

    def __init__(
        self, guard: Guard, conditions: Conditions, receipts: Receipts, clock: Callable[[], datetime]
    ) -> None:
        self._guard, self._conditions = guard, conditions
        self._receipts, self._clock = receipts, clock

    def check(
        self,
        action: str,
        args: Mapping[str, Any],
        *,
        principal: Principal,
        scope: Scope,
        unread: frozenset[str],
        recall_id: str | None,
    ) -> GuardDecision:
        """Whether a call may run; see `Memory.check`."""
        expect(str, action=action)
        expect(Principal, principal=principal)
        expect(Scope, scope=scope)
        verdict = self._judged(action, args, scope, principal, unread)
        decision = GuardDecision(
            id=f"guard_{uuid.uuid4().hex}",
            outcome=verdict.outcome,
            action=action,
            facts=tuple(fact for fact in verdict.facts if principal.may_read(fact.scope)),
            events=tuple(dict.fromkeys(waiting.event.event_id for waiting in verdict.waiting)),
            grounds=verdict.grounds,
            authority_over=authority_over(verdict, principal, scope),
            message=message(action, _once(verdict), principal),
        )
        at = self._clock()
        self._receipts.hold(of_decision(decision, verdict, args, principal, scope, at, recall_id))
        return decision

    def _judged(
        self,
        action: str,
        args: Mapping[str, Any],
        scope: Scope,
        principal: Principal,
        unread: frozenset[str],
    ) -> Verdict:
        """The guard's verdict, anew if a condition has come about; a call that can't be judged is held."""
        try:
            verdict = self._guard.judge(action, args, scope, principal, unread)
            if self._conditions.look_up(verdict.facts):
                verdict = self._guard.judge(action, args, scope, principal, unread)
        except Exception as error:  # noqa: BLE001 - arguments are anybody's: what can't be judged is held
            why = f"memory can't be read, or the call not be judged ({type(error).__name__})"
            return Verdict(outcome="defer", reason=why)
        return verdict


def _once(verdict: Verdict) -> Verdict:
    """The verdict with each waiting statement once, though it names a thing that has an id and a name."""
    heard = {waiting.event.event_id: waiting for waiting in verdict.waiting}
    return verdict.model_copy(update={"waiting": tuple(heard.values())})

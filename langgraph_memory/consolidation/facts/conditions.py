"""Conditions that people report as met: what ends a rule without naming it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from langgraph_memory.answers import Outcome
from langgraph_memory.consolidation.facts.statements import Statement, Verdict
from langgraph_memory.consolidation.rules import reports_end
from langgraph_memory.log import SPOKEN, EventLog
from langgraph_memory.log.marks import ending_in
from langgraph_memory.policy import Policy
from langgraph_memory.records import Event, Fact, FactStatus
from langgraph_memory.repository import Repository
from langgraph_memory.repository.marked import MarkedFacts
from langgraph_memory.scope import Scope


def reported(events: Iterable[Event], facts: Sequence[Fact], policy: Policy) -> list[Statement]:
    """Endings of facts whose `ends_when` a person says is met; who may say so is decided by reconciling.

    Args:
        events: of one activity; only what people say counts, never a metric or a tool's word.
        facts: the current facts of the scope.
        policy: says who may set what.
    """
    conditional = [fact for fact in facts if fact.ends_when]
    heard = [event for event in events if event.event_type in SPOKEN and event.text]
    found = (
        (event, fact, reports_end(event.text, fact.ends_when or "", fact.value))
        for event in heard
        for fact in conditional
    )
    return [
        _ending(event, fact, certainty == "stated", policy) for event, fact, certainty in found if certainty
    ]


class Endings:
    """Endings that people report without naming the rule.

    Args:
        repository: has the rules that are in force.
    """

    def __init__(self, repository: Repository) -> None:
        self._policy = repository.policy
        self._rules = MarkedFacts(repository, ending_in, _ends)

    def crossing(
        self, events: Sequence[Event], statements: Sequence[Statement], scope: Scope
    ) -> tuple[Statement, ...]:
        """Those that events report of rules in force now; one that was named is not ended twice.

        Args:
            events: of one activity.
            statements: what it says.
            scope: of the activity.
        """
        if not any(event.event_type in SPOKEN for event in events):
            return ()
        named = {(each.entity, each.founding) for each in statements if each.intent != "assert"}
        endings = reported(events, list(self._rules.of(scope).facts.values()), self._policy)
        return tuple(each for each in endings if (each.entity, each.founding) not in named)


def met_already(verdicts: Iterable[Verdict], log: EventLog, policy: Policy) -> list[Statement]:
    """Endings of rules that came to hold just now, reported by people after the rule but read before it."""
    laid_down = [
        verdict.fact
        for verdict in verdicts
        if verdict.outcome in (Outcome.ESTABLISHED, Outcome.SUPERSEDED) and verdict.fact is not None
    ]
    conditional: defaultdict[tuple[Scope, datetime], list[Fact]] = defaultdict(list)
    for fact in laid_down:
        if fact.ends_when:
            conditional[fact.scope, fact.asserted_at].append(fact)
    said = {moment: log.said_after(*moment) for moment in conditional}
    return [
        ending
        for moment, facts in conditional.items()
        for fact in facts
        for ending in reported(said[moment], [fact], policy)
    ]


def _ends(fact: Fact) -> bool:
    return fact.status is FactStatus.CURRENT and bool(fact.ends_when)


def _ending(event: Event, fact: Fact, stated: bool, policy: Policy) -> Statement:
    return Statement(
        scope=fact.scope,
        entity=fact.entity,
        attribute=fact.attribute,
        value=fact.ends_when or fact.value,
        kind=fact.kind,
        intent="retire",
        certainty="stated" if stated else "hedged",
        speaker=event.actor.kind,
        speaker_id=event.actor.id,
        role=policy.authority_of(event.actor, fact.scope, fact.attribute),
        sources=(event.source,),
        founding=event.event_id,
        activity_id=event.activity_id,
        at=event.occurred_at,
    )

"""Conditions that people report as met: what ends a rule without naming it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from langgraph_memory.consolidation.grounding import said
from langgraph_memory.consolidation.reconcile import Statement
from langgraph_memory.consolidation.rules import reports_end
from langgraph_memory.log import SPOKEN
from langgraph_memory.policy import Policy
from langgraph_memory.records import Event, Fact


def reported(events: Iterable[Event], facts: Sequence[Fact], policy: Policy) -> list[Statement]:
    """Endings of facts whose `ends_when` a person says is met; who may say so is decided by reconciling.

    Args:
        events: of one activity; only what people say counts, never a metric or a tool's word.
        facts: the current facts of the scope.
        policy: says who may set what.
    """
    conditional = [fact for fact in facts if fact.ends_when]
    heard = [event for event in events if event.event_type in SPOKEN and said(event)]
    found = (
        (event, fact, reports_end(said(event), fact.ends_when or ""))
        for event in heard
        for fact in conditional
    )
    return [
        _ending(event, fact, certainty == "stated", policy) for event, fact, certainty in found if certainty
    ]


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

"""Statements that were made as structure: the event that keeps one, and the statement that it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from langgraph_memory.actions import ActionClass, ruled_out
from langgraph_memory.arguments import expect, member, plain_text
from langgraph_memory.consolidation.facts.statements import Statement
from langgraph_memory.names import attribute_name, normalise
from langgraph_memory.policy import Policy
from langgraph_memory.records import Event, FactKind

ASSERTED = "fact.asserted"
"""The event of a statement that was made as structure, and is settled when it is made."""


def assertion(
    policy: Policy,
    *,
    entity: str,
    named: str,
    attribute: str,
    value: str,
    kind: FactKind | str,
    ends_when: str | None,
    forbids: Iterable[str],
) -> dict[str, Any]:
    """The data of an `ASSERTED` event, with the name by which the entity was called where it isn't its id.

    Raises:
        InvalidEventError: a text that says nothing.
        ConfigurationError: an unknown kind, or an action that is no class of actions.
    """
    if ends_when is not None:
        expect(str, ends_when=ends_when)
    known, declared = member(FactKind, "kind", kind), policy.tools.values()
    actions = ruled_out(forbids, {each for tool in declared for each in tool.actions})
    if known is FactKind.CONSTRAINT and not actions:
        actions = (ActionClass.ANY.value,)  # whoever lays down a constraint means it to protect something
    return {
        "entity": entity,
        **({} if named == normalise(entity) else {"name": named}),
        "attribute": attribute_name(plain_text("attribute", attribute)),
        "value": plain_text("value", value),
        "ends_when": ends_when,
        "kind": known.value,
        "forbids": list(actions),
    }


def asserted(event: Event, policy: Policy) -> Statement:
    """The statement of an `ASSERTED` event, with the authority that the policy gives its actor."""
    data = event.data
    entity, attribute, value = (str(data[name]) for name in ("entity", "attribute", "value"))
    named, ends_when, forbids = (data.get(name) for name in ("name", "ends_when", "forbids"))
    return Statement(
        scope=event.scope,
        entity=entity,
        named_as=None if named is None else str(named),
        attribute=attribute,
        value=value,
        kind=FactKind(str(data.get("kind") or FactKind.FACT.value)),
        forbids=tuple(str(each) for each in forbids) if isinstance(forbids, list) else (),
        ends_when=None if ends_when is None else str(ends_when),
        explicit=True,
        speaker=event.actor.kind,
        speaker_id=event.actor.id,
        role=policy.authority_of(event.actor, event.scope, attribute),
        sources=(event.source,),
        founding=event.event_id,
        activity_id=event.activity_id,
        at=event.occurred_at,
    )

"""Canaries on a live memory: its own records are the secrets, and neighbours must not see them.

Nothing is planted, so nothing has to be cleaned away: some records of each scope are asked for by their own
words, once as somebody who may read their scope, who must find them, and once from each other scope, where
they must not turn up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import select

from langgraph_memory.log.tables import records
from langgraph_memory.memory import Memory
from langgraph_memory.records import Fact, Record
from langgraph_memory.scope import Principal, Scope

_FEW = 3
"""How many facts of each scope are asked for, and from how many other scopes."""
_NOWHERE = "canary-next-door"
_BUDGET = 4000


class Sighting(Record):
    """One question to a live memory.

    Attributes:
        record_id: what was asked for.
        asked_in: the scope from which it was asked for.
        seen: whether it came back.
        expected: whether it should.
    """

    record_id: str
    asked_in: str
    seen: bool
    expected: bool


def sightings(memory: Memory) -> list[Sighting]:
    """Ask for some current facts of each scope, from it and from scopes that may not see them.

    Args:
        memory: the live memory; it is only read, but for the receipts that every recall leaves.

    Example:
        >>> from langgraph_memory import Actor
        >>> with Memory.open(":memory:") as memory:
        ...     _ = memory.assert_fact(scope=Scope.of(user="bo"), entity="user:bo", attribute="city",
        ...                            value="lives in Oslo", actor=Actor("user", "bo"))
        ...     [(each.asked_in, each.seen, each.expected) for each in sightings(memory)]
        [('user=bo', True, True), ('user=canary-next-door', False, False)]
    """
    scopes = _scopes(memory)
    return [seen for number in range(len(scopes)) for seen in _of_scope(memory, scopes, number)]


def _scopes(memory: Memory) -> list[Scope]:
    """The scopes that hold current facts, in a fixed order."""
    holding = (
        select(records.c.scope).where(records.c.kind == "fact", records.c.status == "current").distinct()
    )
    with memory.log.database.read() as connection:
        keys = connection.execute(holding).scalars().all()
    return [Scope.from_key(key) for key in sorted(keys)]


def _of_scope(memory: Memory, scopes: Sequence[Scope], number: int) -> Iterator[Sighting]:
    scope = scopes[number]
    after = [*scopes[number + 1 :], *scopes[:number]]
    for fact in memory.facts(scope)[:_FEW]:
        for place in (scope, *after[:_FEW], _beside(scope)):
            seen, expected = _seen(memory, fact, place), place == scope
            yield Sighting(record_id=fact.fact_id, asked_in=str(place), seen=seen, expected=expected)


def _seen(memory: Memory, fact: Fact, place: Scope) -> bool:
    """Whether somebody who may read only this place gets the fact by its own words and entity."""
    stranger = Principal("canary", grants=(place,))
    recall = memory.recall(
        fact.value, principal=stranger, scope=place, entities=[fact.entity], token_budget=_BUDGET
    )
    return fact.fact_id in recall.model_dump_json()


def _beside(scope: Scope) -> Scope:
    """A scope next to this one, in which nobody has ever written."""
    level, _ = scope.levels[-1]
    return Scope(**(dict(scope.levels) | {level: _NOWHERE}))

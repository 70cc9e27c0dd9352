"""Probes that are part of every play: canaries in neighbouring scopes, and statements that no longer hold.

Each negative one ("the canary isn't seen") has a positive one beside it ("its owner does see it"), for an
empty store passes every test for leaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from langgraph_memory.evaluation.judging import cited, in_force, sources_of
from langgraph_memory.evaluation.scenario import EVERYTHING, Scenario
from langgraph_memory.evaluation.telling import Told
from langgraph_memory.memory import Memory
from langgraph_memory.records import Actor, Fact, FactStatus, Record
from langgraph_memory.scope import Principal, Scope

_WORDS = ("heron", "osprey", "kestrel", "plover", "avocet", "bittern", "curlew", "dunlin")


class Probe(Record):
    """One question to memory, and whether the answer was right.

    Attributes:
        kind: `canary`, or `stale` for what is no longer in force.
        obligation: whether something had to be there; else something had to be absent.
        passed: whether that was so.
        detail: what was asked about.
    """

    kind: Literal["canary", "stale"]
    obligation: bool
    passed: bool
    detail: str


class Canary(Record):
    """A made-up secret in a scope that the scenario's people may not read."""

    word: str
    scope: Scope
    owner: Principal


def plant(memory: Memory, scenario: Scenario, seed: int) -> tuple[Canary, ...]:
    """Put a secret about the first thing into the scope next door, and into another organisation."""
    levels = dict(scenario.scope.levels)
    last = scenario.scope.levels[-1][0]
    beside = Scope(**(levels | {last: f"{levels[last]}-next-door"}))
    elsewhere = Scope.of(org="elsewhere", user="canary")
    canaries = tuple(
        Canary(word=_word(seed, number), scope=scope, owner=_owner(scenario, scope))
        for number, scope in enumerate((beside, elsewhere))
    )
    for canary in canaries:
        _say(memory, scenario, canary)
    return canaries


def probe_canaries(memory: Memory, scenario: Scenario, canaries: Sequence[Canary]) -> list[Probe]:
    """Ask for each secret as its owner, and as somebody of the scenario."""
    stranger = Principal("stranger", grants=(scenario.scope,))
    found = []
    for canary in canaries:
        owners = _seen(memory, canary, scenario, canary.owner, canary.scope)
        leaked = _seen(memory, canary, scenario, stranger, scenario.scope)
        where = str(canary.scope)
        found.append(Probe(kind="canary", obligation=True, passed=owners, detail=where))
        found.append(Probe(kind="canary", obligation=False, passed=not leaked, detail=where))
    return found


def probe_stale(memory: Memory, scenario: Scenario, told: Sequence[Told]) -> list[Probe]:
    """Ask about each thing: what is in force has to come, and nothing else may come as current."""
    asker = Principal("stranger", grants=(scenario.scope,))
    found = []
    for name in dict.fromkeys(each.thing for each in told if each.here and each.thing != EVERYTHING):
        ruling = in_force(told, name)
        items = memory.recall(
            name, principal=asker, scope=scenario.scope, entities=[scenario.thing(name).id], token_budget=4000
        ).items
        if ruling is not None and ruling.statement.forbids:
            there = cited(items, ruling.sources)
            found.append(Probe(kind="stale", obligation=True, passed=there, detail=name))
        old = [each for each in told if each.thing == name and each is not ruling]
        if old:
            others = frozenset(s for each in old for s in each.sources)
            valid = ruling.sources if ruling is not None else frozenset()
            current = [item for item in items if _holds(item.record)]
            wrong = any(sources_of(i) & others and not sources_of(i) & valid for i in current)
            found.append(Probe(kind="stale", obligation=False, passed=not wrong, detail=name))
    return found


def _holds(record: object) -> bool:
    """Whether a recalled record stands there as a rule in force."""
    return isinstance(record, Fact) and record.status is FactStatus.CURRENT and bool(record.forbids)


def _owner(scenario: Scenario, scope: Scope) -> Principal:
    return Principal(scope.user or "neighbour", roles=scenario.authority, grants=(scope,))


def _say(memory: Memory, scenario: Scenario, canary: Canary) -> None:
    """Let the owner tell the secret, so that it reaches each kind of memory that the arm has."""
    thing = scenario.things.all()[0]
    for event_type, data in (
        ("message.user", {"text": f"Remember that the code word of {thing.name} is {canary.word}."}),
        ("activity.completed", {"status": "completed"}),
    ):
        memory.publish(
            scope=canary.scope,
            activity_id="canary",
            event_type=event_type,
            actor=Actor("user", canary.owner.user_id, roles=canary.owner.roles),
            entities=(thing.id,),
            data=data,
        )


def _seen(memory: Memory, canary: Canary, scenario: Scenario, asker: Principal, scope: Scope) -> bool:
    query = f"What is the code word of {scenario.things.all()[0].name}? {canary.word}"
    entities = [scenario.things.all()[0].id]
    recall = memory.recall(query, principal=asker, scope=scope, entities=entities)
    return canary.word in recall.model_dump_json()


def _word(seed: int, number: int) -> str:
    return f"{_WORDS[(2 * seed + number) % len(_WORDS)]}-{7919 * (seed + 1) % 9973}-{number}"

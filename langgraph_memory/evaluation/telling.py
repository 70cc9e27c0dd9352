"""Telling an agent what people lay down: as structure, or in their words. And when the talk takes place."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from langgraph_memory.evaluation.agent import Agent
from langgraph_memory.evaluation.amounts import Amount
from langgraph_memory.evaluation.loading import noise
from langgraph_memory.evaluation.scenario import EVERYTHING, Scenario, Session, Statement
from langgraph_memory.memory import Memory
from langgraph_memory.records import Actor, FactKind, Record
from langgraph_memory.scope import MemoryContext, Scope

_MOST_AT_ONCE = 3
"""How many statements a person puts into one message."""

_HOUR = timedelta(hours=1)


class Telling(StrEnum):
    """How statements reach the agent."""

    STRUCTURE = "structure"
    SPEECH = "speech"


class Told(Record):
    """A statement that has been made, on one thing.

    Attributes:
        statement: which.
        thing: the name of the thing, or `everything`.
        authorised: whether its speaker may lay it down.
        here: whether it was made in the scope where the scenario plays.
        sources: what records cite that rest on it; empty for an agent without a memory of ours.
    """

    statement: Statement
    thing: str
    authorised: bool
    here: bool
    sources: frozenset[str]


class Scheduled(Record):
    """A session with its moment; `number` is its place in the scenario, None for unrelated talk."""

    at: datetime
    session: Session
    number: int | None

    @property
    def thread(self) -> str:
        """The thread and activity of the session."""
        return f"session-{self.number}" if self.number is not None else f"talk-{self.at:%m%d%H%M%S}"


def schedule(scenario: Scenario, start: datetime, seed: int) -> list[Scheduled]:
    """The sessions with their moments, unrelated talk strewn in between by the seed."""
    chance = random.Random(seed)  # noqa: S311 - a reproducible choice, no secret
    planned: list[Scheduled] = []
    moment = start
    for number, session in enumerate(scenario.sessions):
        moment += max(session.after, _HOUR)
        planned.append(Scheduled(at=moment, session=session, number=number))
    return sorted([*planned, *_talk(scenario, start, moment, chance)], key=lambda each: each.at)


def _talk(scenario: Scenario, start: datetime, end: datetime, chance: random.Random) -> Iterator[Scheduled]:
    sayings = noise()["home" if scenario.scope.personal else "team"]
    people = [scenario.scope.user] if scenario.scope.user else sorted(scenario.people)
    for _ in range(scenario.noise):
        moment = start + chance.random() * (end - start - _HOUR)
        session = Session(by=str(chance.choice(people)), says=(chance.choice(sayings),))
        yield Scheduled(at=moment, session=session, number=None)


def context_of(scenario: Scenario, session: Session, thread: str) -> MemoryContext:
    """Who speaks in a session, and where."""
    scope = session.scope or scenario.scope
    return MemoryContext(scenario.principal(session.by, scope), scope, activity_id=thread)


def tell(
    agent: Agent, scenario: Scenario, scheduled: Scheduled, *, telling: Telling, seed: int
) -> list[Told]:
    """Let the person of a session lay down what it states, and say what became of it.

    Structure is asserted where facts are kept; other agents hear the same in a plain sentence.
    """
    session, thread = scheduled.session, scheduled.thread
    context = context_of(scenario, session, thread)
    pairs = [(statement, thing) for statement in session.states for thing in statement.about]
    facts = agent.memory if telling is Telling.STRUCTURE else None
    if facts is not None and getattr(facts, "amount", Amount.FULL) is Amount.FULL:
        sources = [_assert(facts, scenario, session, *pair) for pair in pairs]
    else:
        _say(agent, [_words(*pair, telling, seed) for pair in pairs], context, thread)
        heard = _heard(agent.memory, context.scope, thread) if agent.memory is not None else frozenset()
        sources = [heard] * len(pairs)
    return [
        Told(
            statement=statement,
            thing=thing,
            authorised=_may(scenario, session, context.scope),
            here=context.scope == scenario.scope,
            sources=cited,
        )
        for (statement, thing), cited in zip(pairs, sources, strict=True)
    ]


def chosen(sayings: Sequence[str], seed: int) -> str:
    """The saying that a seed chooses."""
    return sayings[seed % len(sayings)]


def _say(agent: Agent, words: Sequence[str], context: MemoryContext, thread: str) -> None:
    messages = [" ".join(words)] if len(words) <= _MOST_AT_ONCE else words
    for message in messages:
        agent.hear(message, context=context, thread_id=thread)


def _words(statement: Statement, thing: str, telling: Telling, seed: int) -> str:
    if telling is Telling.SPEECH:
        return chosen(statement.said, seed).format(thing=thing)
    return f"{thing}: {statement.value}."


def _assert(
    memory: Memory, scenario: Scenario, session: Session, statement: Statement, thing: str
) -> frozenset[str]:
    scope = session.scope or scenario.scope
    made = memory.assert_fact(
        scope=scope,
        entity=scope.entity if thing == EVERYTHING else scenario.thing(thing).id,
        attribute=f"{scenario.routine.act}_policy",
        value=statement.value,
        actor=Actor("user", session.by, roles=scenario.people[session.by]),
        kind=FactKind.CONSTRAINT if statement.forbids else FactKind.FACT,
        forbids=statement.forbids,
        ends_when=statement.until,
    )
    return frozenset(made.fact.sources if made.fact is not None else ())


def _heard(memory: Memory, scope: Scope, thread: str) -> frozenset[str]:
    events = memory.events(scope, activity_id=thread)
    return frozenset(event.source for event in events if event.event_type == "message.user")


def _may(scenario: Scenario, session: Session, scope: Scope) -> bool:
    actor = Actor("user", session.by, roles=scenario.people[session.by])
    return scenario.policy.authority_of(actor, scope, "*") is not None

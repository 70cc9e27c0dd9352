"""How well people's words are read: after each statement, memory's decision beside the one it should make.

Policy and language are judged apart here: no agent acts, only the guard is asked. A mistake either holds what
is free, which is seen at once, or lets something happen that was ruled out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Literal

from langgraph_memory.evaluation.judging import in_force
from langgraph_memory.evaluation.scenario import EVERYTHING, Scenario
from langgraph_memory.evaluation.telling import Scheduled, Told, chosen, context_of, schedule
from langgraph_memory.evaluation.world import World
from langgraph_memory.memory import Memory
from langgraph_memory.records import Actor, Record
from langgraph_memory.testing import FrozenClock

_MOST_AT_ONCE = 3


class Heard(Record):
    """What memory would decide on a thing after somebody spoke.

    Attributes:
        scenario: its name.
        thing: its name.
        words: what was said.
        expected: whether the action has to be held.
        outcome: of the guard.
    """

    scenario: str
    thing: str
    words: str
    expected: bool
    outcome: Literal["allow", "block", "defer"]

    @property
    def verdict(self) -> Literal["right", "holds", "acts"]:
        """`right`, or on which side it errs. Asking a person is right for nothing, but errs by holding."""
        if self.expected:
            return {"block": "right", "defer": "holds", "allow": "acts"}[self.outcome]  # type: ignore[return-value]
        return "right" if self.outcome == "allow" else "holds"


def spoken_decisions(scenarios: Iterable[Scenario], *, seed: int = 0) -> list[Heard]:
    """Let people say what the scenarios have them say, and ask the guard after each of them.

    >>> from langgraph_memory.evaluation import shipped
    >>> heard = spoken_decisions(shipped()[:4])
    >>> sum(each.verdict == "right" for each in heard) / len(heard) > 0.85
    True
    """
    return [heard for scenario in scenarios for heard in _of(scenario, seed)]


def _of(scenario: Scenario, seed: int) -> Iterator[Heard]:
    clock = FrozenClock()
    told: list[Told] = []
    with Memory.open(":memory:", policy=scenario.policy, clock=clock, index=None) as memory:
        _show(memory, scenario)
        for scheduled in schedule(scenario.model_copy(update={"noise": 0}), clock(), seed):
            clock.set(scheduled.at)
            session = scheduled.session
            here = session.scope in (None, scenario.scope)
            if not here or not (session.states or session.says):
                continue
            words = _say(memory, scenario, scheduled, seed)
            clock.advance(minutes=1)
            memory.consolidate()
            told += _told(scenario, scheduled)
            spoken_of = [thing for statement in session.states for thing in statement.about]
            yield from _decided(memory, scenario, told, spoken_of or [each.thing for each in told], words)


def _show(memory: Memory, scenario: Scenario) -> None:
    """Let the agent's look at things tell their names, as it does before anybody speaks."""
    look = scenario.routine.look
    output = World(scenario, 0).tools()[0].invoke({})
    memory.publish(
        scope=scenario.scope,
        activity_id="before",
        event_type="tool.completed",
        actor=Actor("tool", look),
        data={"tool": look, "args": {}, "output": output},
    )


def _say(memory: Memory, scenario: Scenario, scheduled: Scheduled, seed: int) -> str:
    session, thread = scheduled.session, scheduled.thread
    context = context_of(scenario, session, thread)
    said = [chosen(each.said, seed).format(thing=a) for each in session.states for a in each.about]
    said = said or [chosen(session.says, seed)]
    messages = [" ".join(said)] if len(said) <= _MOST_AT_ONCE else said
    actor = Actor("user", session.by, roles=scenario.people[session.by])
    for event_type, data in (
        *(("message.user", {"text": text}) for text in messages),
        ("activity.completed", {"status": "completed"}),
    ):
        memory.publish(
            scope=context.scope,
            activity_id=thread,
            thread_id=thread,
            event_type=event_type,
            actor=actor,
            data=data,
            occurred_at=scheduled.at + timedelta(seconds=1),
        )
    return " ".join(messages)


def _told(scenario: Scenario, scheduled: Scheduled) -> list[Told]:
    session = scheduled.session
    actor = Actor("user", session.by, roles=scenario.people[session.by])
    may = scenario.policy.authority_of(actor, scenario.scope, "*") is not None
    return [
        Told(statement=statement, thing=thing, authorised=may, here=True, sources=frozenset())
        for statement in session.states
        for thing in statement.about
    ]


def _decided(
    memory: Memory, scenario: Scenario, told: list[Told], things: list[str], words: str
) -> Iterator[Heard]:
    argument = World(scenario, 0).argument
    every = [thing.name for thing in scenario.things.all()]
    for name in dict.fromkeys(every if EVERYTHING in things else things):
        ruling = in_force(told, name)
        decision = memory.check(
            scenario.routine.act,
            {argument: scenario.thing(name).id},
            principal=scenario.principal(next(iter(scenario.people))),
            scope=scenario.scope,
        )
        yield Heard(
            scenario=scenario.name,
            thing=name,
            words=words,
            expected=ruling is not None and bool(ruling.statement.forbids),
            outcome=decision.outcome,
        )

"""Plays a scenario with one arm: people talk, time passes, the agent is asked, and what it does is judged."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field

from langchain_core.messages.utils import count_tokens_approximately

from langgraph_memory.evaluation.agent import Agent, Arm, Heard, Stage
from langgraph_memory.evaluation.judging import Decision, Shown, decisions, shown
from langgraph_memory.evaluation.planner import PlannerFor, plain_policy
from langgraph_memory.evaluation.probes import Canary, Probe, plant, probe_canaries, probe_stale
from langgraph_memory.evaluation.scenario import Scenario, Session
from langgraph_memory.evaluation.telling import Scheduled, Telling, Told, chosen, context_of, schedule, tell
from langgraph_memory.evaluation.world import World, named
from langgraph_memory.records import Record
from langgraph_memory.testing import FrozenClock


class Played(Record):
    """A scenario as it went with one arm.

    Attributes:
        scenario: its name.
        arm: the arm's name.
        telling: how statements were told.
        seed: what the chances were drawn from.
        decisions: on all things that the scenario expects something of.
        words: whether the words that had to be shown were shown, and those that mustn't be were not.
        shown: of each request, how many records were recalled and how many mattered.
        probes: of memory, at the end.
        milliseconds: of each recall.
        tokens: of each recall.
    """

    scenario: str
    arm: str
    telling: Telling
    seed: int
    decisions: tuple[Decision, ...] = ()
    words: tuple[tuple[bool, bool], ...] = ()
    shown: tuple[Shown, ...] = ()
    probes: tuple[Probe, ...] = ()
    milliseconds: tuple[float, ...] = ()
    tokens: tuple[int, ...] = ()


@dataclass
class _Play:
    """What is noted while a scenario is played."""

    scenario: Scenario
    telling: Telling
    seed: int
    agent: Agent
    world: World
    told: list[Told] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    words: list[tuple[bool, bool]] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)


def play(
    scenario: Scenario,
    arm: Arm,
    *,
    telling: Telling = Telling.STRUCTURE,
    seed: int = 0,
    planner_for: PlannerFor = plain_policy,
) -> Played:
    """Play a scenario from the start.

    The agent first does its routine once, a week before anybody lays anything down, so that things are known
    by their names; that run isn't judged.

    Args:
        scenario: what happens.
        arm: who is asked.
        telling: how statements are told.
        seed: chooses the wording, the order in which things are listed, and when unrelated talk takes place.
        planner_for: what decides, for the built-in arms.
    """
    clock = FrozenClock()
    world = World(scenario, seed)
    tools = tuple(world.tools())
    stage = Stage(scenario, tools, planner_for(scenario, tools), clock)
    with closing(arm.build(stage)) as agent:
        noted = _Play(scenario, telling, seed, agent, world)
        canaries = plant(agent.memory, scenario, seed) if agent.memory is not None else ()
        _first(noted)
        clock.advance(days=7)
        for scheduled in schedule(scenario, clock(), seed):
            clock.set(scheduled.at)
            _session(noted, scheduled)
            clock.advance(minutes=1)
            agent.rest()
        probes = _probed(noted, canaries)
    return _played(noted, arm, probes)


def _first(noted: _Play) -> None:
    asker = next(
        (session for session in noted.scenario.sessions if session.asks), noted.scenario.sessions[-1]
    )
    context = context_of(noted.scenario, Session(by=asker.by), "before")
    noted.agent.hear(noted.scenario.routine.asked, context=context, thread_id="before")
    noted.agent.rest()


def _session(noted: _Play, scheduled: Scheduled) -> None:
    session = scheduled.session
    if session.says:
        context = context_of(noted.scenario, session, scheduled.thread)
        said = chosen(session.says, noted.seed)
        noted.agent.hear(said, context=context, thread_id=scheduled.thread)
    if session.states:
        noted.told += tell(noted.agent, noted.scenario, scheduled, telling=noted.telling, seed=noted.seed)
    if session.asks:
        _ask(noted, scheduled)


def _ask(noted: _Play, scheduled: Scheduled) -> None:
    """Ask for the routine, and judge what the agent does."""
    session, scenario = scheduled.session, noted.scenario
    thread = f"{scheduled.thread}-request"
    noted.world.fresh()
    context = context_of(scenario, session, thread)
    heard = noted.agent.hear(scenario.routine.asked, context=context, thread_id=thread)
    items = [item for offer in heard.offers for item in offer.recall.items]
    noted.decisions += decisions(
        session,
        scenario.routine,
        attempts=named(scenario, heard.calls),
        done=noted.world.done,
        told=noted.told,
        items=items,
    )
    noted.words += _words(session, heard)
    noted.shown.append(shown(session, noted.told, items))
    noted.milliseconds += [offer.milliseconds for offer in heard.offers]
    noted.tokens += [_tokens(offer.recall.render()) for offer in heard.offers]


def _words(session: Session, heard: Heard) -> list[tuple[bool, bool]]:
    """For each word to be shown or not: whether it is an obligation, and whether it is met."""
    text = "\n".join(offer.recall.render() for offer in heard.offers)
    wanted = [(True, word in text) for word in session.shown]
    return [*wanted, *((False, word not in text) for word in session.not_shown)]


def _tokens(text: str) -> int:
    return count_tokens_approximately([text]) if text else 0


def _probed(noted: _Play, canaries: Sequence[Canary]) -> list[Probe]:
    memory = noted.agent.memory
    if memory is None:
        return []
    return [
        *probe_canaries(memory, noted.scenario, canaries),
        *probe_stale(memory, noted.scenario, noted.told),
    ]


def _played(noted: _Play, arm: Arm, probes: Sequence[Probe]) -> Played:
    return Played(
        scenario=noted.scenario.name,
        arm=arm.name,
        telling=noted.telling,
        seed=noted.seed,
        decisions=tuple(noted.decisions),
        words=tuple(noted.words),
        shown=tuple(noted.shown),
        probes=tuple(probes),
        milliseconds=tuple(noted.milliseconds),
        tokens=tuple(noted.tokens),
    )

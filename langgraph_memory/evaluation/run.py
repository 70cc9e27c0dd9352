"""Runs scenarios with all arms, told in both ways, over several seeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from langgraph_memory.errors import ConfigurationError
from langgraph_memory.evaluation.agent import ARMS, Arm
from langgraph_memory.evaluation.planner import PlannerFor, plain_policy
from langgraph_memory.evaluation.play import play
from langgraph_memory.evaluation.report import Report
from langgraph_memory.evaluation.scenario import Scenario
from langgraph_memory.evaluation.telling import Telling

CONTROL = ARMS[0]
"""The arm without memory: part of every run, to tell what the scenario needs no memory for."""


def evaluate(
    scenarios: Iterable[Scenario],
    *,
    arms: Sequence[Arm] = ARMS,
    tellings: Sequence[Telling | str] = tuple(Telling),
    seeds: int = 3,
    planner_for: PlannerFor = plain_policy,
) -> Report:
    """Play each scenario with each arm, and score them.

    Args:
        scenarios: what is played.
        arms: who is compared; the control without memory is added where it is missing.
        tellings: how statements are told: `structure`, `speech`, or both.
        seeds: how many times, each with other words, another order and other talk in between.
        planner_for: what decides for the built-in arms: the plain policy, or `chat_planner(model)`.

    Raises:
        ConfigurationError: no scenario, two arms of one name, or no seed.
    """
    played, compared = list(scenarios), _with_control(arms)
    if not played or seeds < 1:
        raise ConfigurationError(
            f"{len(played)} scenarios with {seeds} seeds can't be played: give one at least"
        )
    return Report(
        plays=tuple(
            play(scenario, arm, telling=Telling(telling), seed=seed, planner_for=planner_for)
            for scenario, seed, telling, arm in product(played, range(seeds), tellings, compared)
        )
    )


def _with_control(arms: Sequence[Arm]) -> list[Arm]:
    compared = list(arms) if any(arm.name == CONTROL.name for arm in arms) else [CONTROL, *arms]
    names = [arm.name for arm in compared]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ConfigurationError(f"two arms are called {twice!r}: give each a name of its own")
    return compared

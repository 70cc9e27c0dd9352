"""Plays the script with one arm: time passes, jobs run or fail, people talk to the agent."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph

from langgraph_memory.answers import ConsolidationReport, GuardDecision
from langgraph_memory.demo.cloud import Cloud, Job
from langgraph_memory.demo.judgement import Judgement, Law, judge
from langgraph_memory.demo.planner import TOKEN_BUDGET, plan
from langgraph_memory.demo.script import Session
from langgraph_memory.demo.staging import POLICY, STAGING, staging_cloud
from langgraph_memory.demo.steps import Step
from langgraph_memory.demo.tools import cloud_tools
from langgraph_memory.evaluation.amounts import Amount, MeasuredMemory
from langgraph_memory.evaluation.graph import Planner, agent_graph
from langgraph_memory.log import event_ids
from langgraph_memory.records import Actor
from langgraph_memory.scope import MemoryContext
from langgraph_memory.testing import FrozenClock


@dataclass(frozen=True)
class Played:
    """A session as it went.

    Attributes:
        session: what was planned.
        steps: what the agent did.
        incidents: jobs that failed since the session before, because their machine was stopped.
        judgements: of the decisions on machines, in a cleanup.
        tried: what the guard says when asked about stopping what was rightly left running.
        report: of the consolidation afterwards.
    """

    session: Session
    steps: tuple[Step, ...]
    incidents: tuple[Job, ...]
    judgements: tuple[Judgement, ...]
    tried: tuple[GuardDecision, ...]
    report: ConsolidationReport


@dataclass(frozen=True)
class Story:
    """The whole script with one arm."""

    arm: Amount
    sessions: tuple[Played, ...]
    seconds: float


@dataclass
class Stage:
    """What a play needs at hand."""

    clock: FrozenClock
    cloud: Cloud
    memory: MeasuredMemory
    graph: CompiledStateGraph[Any, Any, Any, Any]
    law: Law = field(default_factory=Law)


def play(
    arm: Amount,
    sessions: Sequence[Session],
    *,
    folder: str | Path = ":memory:",
    planner_for: Callable[[Sequence[BaseTool]], Planner] = lambda _: plan,
) -> Story:
    """Play the sessions with one arm.

    Args:
        arm: how much memory the agent has.
        sessions: the script.
        folder: where its memory is kept.
        planner_for: from the tools to what decides for the agent; the plain policy by default.
    """
    started = time.perf_counter()
    clock = FrozenClock(sessions[0].at)
    memory = MeasuredMemory.open(folder, policy=POLICY, clock=clock, amount=arm)
    with staging_cloud(clock) as cloud, memory:
        tools = cloud_tools(cloud)
        graph = agent_graph(
            lambda: memory,
            tools,
            planner_for(tools),
            token_budget=TOKEN_BUDGET,
            name="costguard",
            guarded=arm is Amount.FULL,
            checkpointer=InMemorySaver(),
        )
        stage = Stage(clock, cloud, memory, graph)
        played = tuple(_play(stage, session) for session in sessions)
    return Story(arm=arm, sessions=played, seconds=time.perf_counter() - started)


def _play(stage: Stage, session: Session) -> Played:
    incidents = _pass_time(stage, session)
    stage.law.read(session)
    before = {machine.id: stage.cloud.state(machine.id) for machine in stage.cloud.machines()}
    steps = tuple(step for number in range(len(session.says)) for step in _run(stage, session, number))
    judgements = judge(stage.cloud, stage.law, before, steps) if session.cleanup else ()
    return Played(
        session=session,
        steps=steps,
        incidents=incidents,
        judgements=judgements,
        tried=_tried(stage, session, judgements),
        report=_consolidate(stage),
    )


def _pass_time(stage: Stage, session: Session) -> tuple[Job, ...]:
    """Move to the session; jobs that fail are reported, and put right where the session is not about that."""
    failed = stage.cloud.failed_jobs(stage.clock(), session.at)
    for job in failed:
        stage.clock.set(job.starts_at)
        _report(stage, job)
        if not session.repairs:
            stage.cloud.set_state(job.machine_id, "running")
    stage.clock.set(session.at)
    _consolidate(stage)
    return tuple(failed)


def _consolidate(stage: Stage) -> ConsolidationReport:
    """Episodes and facts are made for those arms that read them."""
    return stage.memory.consolidate()


def _report(stage: Stage, job: Job) -> None:
    name = stage.cloud.machine(job.machine_id).name
    activity = f"{job.name} {job.starts_at:%Y-%m-%d}"
    stage.memory.publish(
        scope=STAGING,
        activity_id=activity,
        event_id=event_ids.of_other("pipeline", "", activity, "verification.failed"),
        event_type="verification.failed",
        actor=Actor("system", "pipeline"),
        entities=(job.machine_id,),
        data={"text": f"The {job.name} of {job.team} failed: {name} was offline.", "status": "failed"},
    )


def _run(stage: Stage, session: Session, number: int) -> list[Step]:
    """One run of the graph for one message of a session."""
    config: RunnableConfig = {"configurable": {"thread_id": session.thread}}
    context = MemoryContext(session.principal, STAGING, activity_id=session.thread)
    message = HumanMessage(session.says[number], id=f"{session.thread}-{number}")
    steps: list[Step] = []
    for update in stage.graph.stream({"messages": [message]}, config, context=context, stream_mode="updates"):
        if "planner" in update:
            steps.append(
                Step(offer=stage.memory.take_offers()[-1], message=update["planner"]["messages"][-1])
            )
        elif "guard" in update:
            steps[-1] = Step(steps[-1].offer, steps[-1].message, stage.memory.take_decisions())
    return steps


def _tried(stage: Stage, session: Session, judgements: Sequence[Judgement]) -> tuple[GuardDecision, ...]:
    """What the guard would have said to the stops that the planner did not even ask for."""
    if stage.memory.amount is not Amount.FULL:
        return ()
    kept = [judgement.machine for judgement in judgements if judgement.outcome == "right hold"]
    for machine in kept:
        stage.memory.check(
            "stop_instance", {"instance_id": machine.id}, principal=session.principal, scope=STAGING
        )
    return stage.memory.take_decisions()

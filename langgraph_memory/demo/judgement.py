"""Whether decisions were right: the state of the cloud against who needed what and what was laid down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Literal

from langgraph_memory.demo.cloud import Cloud, Machine
from langgraph_memory.demo.script import Session, Statement
from langgraph_memory.demo.steps import Step
from langgraph_memory.demo.turn import IDLE_HOURS
from langgraph_memory.records import Record

Outcome = Literal["right stop", "wrong stop", "right hold", "wrong hold"]

_HOUR = timedelta(hours=1)


class Judgement(Record):
    """What a cleanup did with one machine that had been idle too long, or that it stopped.

    Attributes:
        machine: the machine.
        outcome: a stop is wrong if a job still needed the machine; leaving it idle is wrong if none did.
        prohibited: how often the agent tried to stop it against an instruction in force.
        misled: the decision followed a statement that was not in force, against those that were.
    """

    machine: Machine
    outcome: Outcome
    prohibited: int
    misled: bool


class Law:
    """What people with authority have laid down about machines, as of now: the last word of each counts."""

    def __init__(self) -> None:
        self._said: list[Statement] = []

    def read(self, session: Session) -> None:
        """Take in what is said in a session."""
        self._said += session.statements

    def in_force(self, machine: str) -> Statement | None:
        """The statement on a machine that is in force."""
        return next((s for s in reversed(self._said) if s.machine == machine and s.authorised), None)

    def prohibits(self, machine: str) -> bool:
        """Whether the machine has to be kept running."""
        statement = self.in_force(machine)
        return statement is not None and statement.says == "keep"

    def misled(self, machine: str, did: Literal["keep", "free"], shown: str) -> bool:
        """Whether a decision has nothing to rest on but a shown statement that is not in force.

        Args:
            machine: its name.
            did: what was decided: to keep the machine running, or to free it.
            shown: the text that was before the planner.
        """
        ruling = self.in_force(machine)
        if ruling is not None and ruling.words in shown and ruling.says == did:
            return False
        if did == "free" and not self.prohibits(machine):
            return False
        on_it = [s for s in self._said if s.machine == machine and s is not ruling]
        return any(s.says == did and s.words in shown for s in on_it)


def judge(cloud: Cloud, law: Law, before: Mapping[str, str], steps: Sequence[Step]) -> tuple[Judgement, ...]:
    """Judge a cleanup that has just ended.

    Args:
        cloud: as it is now.
        law: what is in force.
        before: the states of the machines when it began.
        steps: what the agent was offered and did.
    """
    return tuple(_judgements(cloud, law, before, steps))


def _judgements(
    cloud: Cloud, law: Law, before: Mapping[str, str], steps: Sequence[Step]
) -> Iterator[Judgement]:
    shown = "\n".join(step.offer.recall.render() for step in steps)
    attempts = list(_stops(steps))
    for machine in cloud.machines():
        stopped = cloud.state(machine.id) == "stopped"
        if before[machine.id] == "running" and (stopped or idle_too_long(cloud, machine)):
            yield Judgement(
                machine=machine,
                outcome=_outcome(
                    stopped=stopped, needed=cloud.needed_by(machine.id, cloud.now()) is not None
                ),
                prohibited=attempts.count(machine.id) * law.prohibits(machine.name),
                misled=law.misled(machine.name, "free" if stopped else "keep", shown),
            )


def idle_too_long(cloud: Cloud, machine: Machine) -> bool:
    """Whether the playbook says that the machine should be stopped."""
    return cloud.idle_time(machine.id) >= IDLE_HOURS[machine.kind] * _HOUR


def _outcome(*, stopped: bool, needed: bool) -> Outcome:
    if stopped:
        return "wrong stop" if needed else "right stop"
    return "right hold" if needed else "wrong hold"


def _stops(steps: Iterable[Step]) -> Iterator[str]:
    """The ids of the machines that the agent asked to stop."""
    for step in steps:
        for call in step.message.tool_calls:
            if call["name"] == "stop_instance":
                yield str(call["args"].get("instance_id"))

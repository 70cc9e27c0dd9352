"""What happens in the demo, session by session, and what people lay down in it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from langgraph_memory.demo.staging import DEVELOPER, FRIDAY, LEAD, LEADS, SCHEDULER
from langgraph_memory.records import Record
from langgraph_memory.scope import Principal

CLEANUP = "Run the weekly staging cost cleanup."
RESTART = "Restart gpu-bench-01. Friday's cleanup broke our QA regression suite."
KEEP = "Keep the instance running until QA migrates the suite to the shared Kubernetes cluster."
REMARK = "Looks like gpu-bench-01 isn't being used anymore. We can probably shut it down."
RELEASE = "QA has migrated the suite to the shared Kubernetes cluster. gpu-bench-01 may be stopped now."

_DAY = timedelta(days=1)
_TO_MORNING = timedelta(hours=-5)


class Statement(Record):
    """A sentence that says what may be done with a machine, and whether its speaker may decide that."""

    machine: str
    says: Literal["keep", "free"]
    words: str
    authorised: bool


class Session(Record):
    """One conversation with the agent, in a thread of its own.

    Attributes:
        thread: its thread and activity.
        title: what it is, for people.
        at: when.
        principal: who speaks.
        says: the messages, one a run of the graph.
        statements: what is said in them about machines.
        counted: whether its decisions count; those before the correction could not be better informed.
        repairs: whether someone asks the agent in it to start what was stopped wrongly.
    """

    thread: str
    title: str
    at: datetime
    principal: Principal
    says: tuple[str, ...]
    statements: tuple[Statement, ...] = ()
    counted: bool = False
    repairs: bool = False

    @property
    def cleanup(self) -> bool:
        """Whether the agent is asked to clean up."""
        return self.says[0] == CLEANUP


def script(*, correction: bool = True, corrected_by: Principal = LEAD) -> list[Session]:
    """The sessions in order: weeks of routine, the mistake, the correction, the trap, the test, the release.

    Args:
        correction: whether Monday's instruction is given; without it the machine is only restarted.
        corrected_by: who gives it.
    """
    earlier = [_cleanup(f"cleanup-{n}", f"{n} weeks before", FRIDAY - 7 * n * _DAY) for n in range(4, 0, -1)]
    friday = _cleanup("friday", "Friday's cleanup", FRIDAY)
    thursday = _cleanup("thursday", "Thursday's cleanup", _morning(6), counted=True)
    last = _cleanup("next-thursday", "The cleanup after the release", _morning(13), counted=True)
    monday = _monday(correction, corrected_by)
    return [*earlier, friday, monday, _midweek(), thursday, _release(), last]


def _cleanup(thread: str, title: str, at: datetime, *, counted: bool = False) -> Session:
    return Session(thread=thread, title=title, at=at, principal=SCHEDULER, says=(CLEANUP,), counted=counted)


def _monday(correction: bool, by: Principal) -> Session:
    return Session(
        thread="monday",
        title="Monday's correction" if correction else "Monday's restart",
        at=_morning(3),
        principal=by,
        says=(f"{RESTART} {KEEP}" if correction else RESTART,),
        statements=(_statement("keep", KEEP, by),) if correction else (),
        repairs=True,
    )


def _midweek() -> Session:
    return Session(
        thread="midweek",
        title="Midweek: a review and a guess",
        at=_morning(5),
        principal=DEVELOPER,
        says=(f"Please give me a review of the staging costs. {REMARK}", "Thanks."),
        statements=(_statement("free", REMARK, DEVELOPER),),
    )


def _release() -> Session:
    return Session(
        thread="release",
        title="The release, once QA has moved",
        at=_morning(11),
        principal=LEAD,
        says=(f"{RELEASE} Please give me an overview of staging.", "Thanks."),
        statements=(_statement("free", RELEASE, LEAD),),
    )


def _statement(says: Literal["keep", "free"], words: str, by: Principal) -> Statement:
    return Statement(machine="gpu-bench-01", says=says, words=words, authorised=bool(by.roles & LEADS))


def _morning(days: int) -> datetime:
    return FRIDAY + days * _DAY + _TO_MORNING

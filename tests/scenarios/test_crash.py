"""A crash in any step of the pipeline: run again, it ends in the same records, each once."""

import pytest

from langgraph_memory.consolidation.facts.overlay import Overlay
from langgraph_memory.consolidation.pipeline import Pipeline
from langgraph_memory.log import EventLog, leases
from langgraph_memory.repository import Repository
from langgraph_memory.repository.contents import Contents

from .cast import DEVELOPER, EVERY_STATUS, GPU, LEAD, TEAM, Session

STEPS = {
    "claim": (Pipeline, "claim"),
    "read": (Pipeline, "read"),
    "extract": (Pipeline, "extract"),
    "narrate": (Pipeline, "narrate"),
    "settle": (Overlay, "settle"),
    "commit": (Pipeline, "commit"),
    "write": (Repository, "commit"),
    "clean up": (Contents, "drop_old"),
    "events": (EventLog, "of_activity"),
}


class PowerCutError(BaseException):
    """Nothing catches it, as nothing catches a power cut."""


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_a_crash_is_made_good_by_the_next_run(monkeypatch, step, when):
    expected = told(lambda session: session.memory.consolidate())

    def crash_and_go_on(session):
        with monkeypatch.context() as patched:
            cut(patched, *STEPS[step], when)
            with pytest.raises(PowerCutError):
                session.memory.consolidate()
        session.later(minutes=10)
        dead, session.memory.pipeline.owner = session.memory.pipeline.owner, leases.new_owner()
        with monkeypatch.context() as patched:
            patched.setattr(leases, "is_gone", lambda owner: owner == dead)
            session.memory.consolidate()

    assert told(crash_and_go_on) == expected
    assert len(expected["facts"]) == 2
    assert len(expected["episodes"]) == 3


def cut(patched, owner, name, when):
    """Let the power fail at the first call of a step, before it has done anything or when it has done all."""
    step = getattr(owner, name)

    def failing(*args, **kwargs):
        if when == "after":
            step(*args, **kwargs)
        raise PowerCutError(name)

    patched.setattr(owner, name, failing)


def told(consolidate):
    """What a memory holds after a small week, consolidated in one way or another."""
    session = Session()
    with session.memory as memory:
        session.says(LEAD, f"Keep {GPU} running until QA has migrated.", consolidate=False)
        session.later(hours=1)
        session.says(DEVELOPER, f"{GPU} can be stopped.", consolidate=False)
        session.later(hours=1)
        session.says(LEAD, f"{GPU} can be stopped now.", consolidate=False)
        consolidate(session)
        facts = memory.facts(TEAM, status=EVERY_STATUS)
        return {
            "facts": sorted((f.entity, f.value, f.status, len(f.sources)) for f in facts),
            "episodes": sorted((e.episode_id, e.summary) for e in memory.episodes(TEAM)),
            "backlog": memory.backlog().due,
        }

"""Notes of an agent, over the three ways to have a memory."""

import pytest
from langgraph.store.memory import InMemoryStore

from langgraph_memory import Memory, Principal, Scope
from langgraph_memory.log import EventLog
from langgraph_memory.policy import FileLimits, Policy
from langgraph_memory.testing import FrozenClock

TEAM = Scope.of(org="acme", workspace="web")
BOB = Principal("bob", grants=(TEAM,))
EVE = Principal("eve", grants=(TEAM,))
SMALL = Policy(files=FileLimits(files=3, file_bytes=100, total_bytes=150))


@pytest.fixture
def clock():
    return FrozenClock()


@pytest.fixture(params=["ephemeral", "folder", "foreign"])
def memory(request, clock, tmp_path):
    if request.param == "foreign":
        with (
            EventLog.open(":memory:") as log,
            Memory(store=InMemoryStore(), log=log, clock=clock) as opened,
        ):
            yield opened
    else:
        place = ":memory:" if request.param == "ephemeral" else tmp_path / "memory"
        with Memory.open(place, index=None, clock=clock) as opened:
            yield opened


@pytest.fixture
def notes(memory):
    return memory.files(principal=BOB, scope=TEAM)

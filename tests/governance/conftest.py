import pytest
from langgraph.store.memory import InMemoryStore

from langgraph_memory import Memory
from langgraph_memory.log import EventLog
from langgraph_memory.testing import FrozenClock

from .world import POLICY, START


@pytest.fixture
def clock():
    return FrozenClock(START)


@pytest.fixture
def memory(clock):
    with Memory.open(":memory:", policy=POLICY, clock=clock, index=None) as opened:
        yield opened


@pytest.fixture(params=["folder", "foreign"])
def any_memory(request, clock, tmp_path):
    """A memory in a folder, and one over a store of someone else."""
    if request.param == "folder":
        with Memory.open(tmp_path / "memory", policy=POLICY, clock=clock) as opened:
            yield opened
    else:
        with (
            EventLog.open(":memory:") as log,
            Memory(store=InMemoryStore(), log=log, policy=POLICY, clock=clock) as opened,
        ):
            yield opened

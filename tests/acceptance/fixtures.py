"""What the acceptance tests open: a clock and memories, embedded and over a store of someone else."""

from contextlib import contextmanager

import pytest
from langgraph.store.memory import InMemoryStore

from langgraph_memory import Memory
from langgraph_memory.log import EventLog
from langgraph_memory.testing import FrozenClock

from .world import FRIDAY, leads_policy

__all__ = ["any_memory", "clock", "foreign_memory", "foreign_store", "memory"]


@pytest.fixture
def clock():
    return FrozenClock(FRIDAY)


@pytest.fixture
def memory(clock):
    with Memory.open(":memory:", policy=leads_policy(), clock=clock) as opened:
        yield opened


@pytest.fixture
def foreign_store():
    return InMemoryStore()


@pytest.fixture
def foreign_memory(foreign_store, clock):
    with over(foreign_store, clock) as opened:
        yield opened


@pytest.fixture(params=["ephemeral", "folder", "foreign"])
def any_memory(request, clock, tmp_path):
    """The same memory in the three ways to have one."""
    if request.param == "foreign":
        opened = over(InMemoryStore(), clock)
    else:
        place = ":memory:" if request.param == "ephemeral" else tmp_path / "memory"
        opened = Memory.open(place, policy=leads_policy(), clock=clock)
    with opened as memory:
        yield memory


@contextmanager
def over(store, clock):
    """A memory over `store`, with an event log of its own."""
    with (
        EventLog.open(":memory:") as log,
        Memory(store=store, log=log, policy=leads_policy(), clock=clock) as opened,
    ):
        yield opened

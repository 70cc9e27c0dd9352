"""A personal memory, its user, and conversations that grow."""

import pytest

from langgraph_memory import Memory, MemoryContext, Principal, Scope
from langgraph_memory.testing import FrozenClock

BOB = Scope.of(org="acme", user="bob")
CONTEXT = MemoryContext(Principal("bob", grants=(BOB,)), BOB)


@pytest.fixture
def clock():
    return FrozenClock()


@pytest.fixture
def memory(clock):
    with Memory.open(":memory:", clock=clock) as opened:
        yield opened

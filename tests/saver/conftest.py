"""A memory, and savers of each kind for it to see."""

import pytest
from store.servers import postgres

from langgraph_memory import Memory

from .scenes import POLICY


@pytest.fixture
def memory():
    with Memory.open(":memory:", policy=POLICY, index=None) as opened:
        yield opened


@pytest.fixture(scope="session")
def postgres_url():
    with postgres() as url:
        yield url

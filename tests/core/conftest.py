import pytest

from langgraph_memory import Memory

from .cast import POLICY


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "memory"


@pytest.fixture
def one(folder):
    with Memory.open(folder, index=None, policy=POLICY) as memory:
        yield memory


@pytest.fixture
def other(one, folder):
    """The same folder as another process has it open."""
    with Memory.open(folder, index=None, policy=POLICY) as memory:
        yield memory

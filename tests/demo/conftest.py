"""The story, played once for each variant that a test asks for, and a place for the graphs' memory."""

from functools import cache

import pytest

from langgraph_memory.demo.script import script
from langgraph_memory.demo.serving import PATH_VARIABLE, served_memory
from langgraph_memory.demo.story import play


@cache
def _told(arm, variant):
    return play(arm, script(**dict(variant)))


@pytest.fixture
def told():
    """Gives the story of an arm; arguments go to the script."""
    return lambda arm, **variant: _told(arm, tuple(variant.items()))


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder for the memory of the served graphs, and a process that has none open."""
    monkeypatch.setenv(PATH_VARIABLE, str(tmp_path / "memory"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    served_memory.cache_clear()
    yield tmp_path / "memory"
    if served_memory.cache_info().currsize:
        served_memory().close()
    served_memory.cache_clear()

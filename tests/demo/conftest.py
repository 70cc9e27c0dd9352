"""The story, played once for each variant that a test asks for."""

from functools import cache

import pytest

from langgraph_memory.demo.script import script
from langgraph_memory.demo.story import play


@cache
def _told(arm, variant):
    return play(arm, script(**dict(variant)))


@pytest.fixture
def told():
    """Gives the story of an arm; arguments go to the script."""
    return lambda arm, **variant: _told(arm, tuple(variant.items()))

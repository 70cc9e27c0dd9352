"""A clock, a memory with a policy, and a run in both ways."""

import asyncio

import pytest
from acceptance.fixtures import clock, memory  # noqa: F401 - pytest finds them here
from acceptance.world import DAN, STAGING
from langchain_core.messages import HumanMessage

from langgraph_memory import MemoryContext


@pytest.fixture(params=["sync", "async"])
def play(request):
    """Runs a graph, by default as dan, in one of the two ways."""

    def run(graph, given="Please reduce our costs.", config=None, *, principal=DAN, activity="act-run"):
        given = {"messages": [HumanMessage(given)]} if isinstance(given, str) else given
        context = MemoryContext(principal=principal, scope=STAGING, activity_id=activity)
        if request.param == "sync":
            return graph.invoke(given, config, context=context)
        return asyncio.run(graph.ainvoke(given, config, context=context))

    return run

"""Parallel tool calls are written as they end, each once, not when the last of them has ended."""

import time

from acceptance.agent import calls
from acceptance.world import STAGING
from langchain.agents import create_agent
from langchain_core.tools import tool

from langgraph_memory import MemoryContext, MemoryMiddleware
from langgraph_memory.testing import ScriptedChatModel

from .looking import of_type


def done(memory):
    return sorted(event.data["tool"] for event in of_type(memory, STAGING, "tool.completed"))


def test_a_call_is_written_while_its_sibling_still_runs(memory, play):
    seen = []

    @tool
    def quick() -> str:
        """Return at once."""
        return "quick"

    @tool
    def patient() -> str:
        """Wait until the other call is in the log."""
        deadline = time.monotonic() + 10
        while not (found := done(memory)) and time.monotonic() < deadline:
            time.sleep(0.002)
        seen.append(found)
        return "patient"

    agent = create_agent(
        ScriptedChatModel([calls(("patient", {}), ("quick", {})), "Done."]),
        [patient, quick],
        middleware=[MemoryMiddleware(memory)],
        context_schema=MemoryContext,
    )
    play(agent)
    assert seen == [["quick"]]
    assert done(memory) == ["patient", "quick"]


def test_many_calls_that_end_at_once_are_each_written_once(memory, play):
    @tool
    def count(number: int) -> int:
        """Give a number back."""
        return number

    agent = create_agent(
        ScriptedChatModel([calls(*[("count", {"number": n}) for n in range(12)]), "Done."]),
        [count],
        middleware=[MemoryMiddleware(memory)],
        context_schema=MemoryContext,
    )
    play(agent)
    written = of_type(memory, STAGING, "tool.completed")
    assert sorted(event.data["args"]["number"] for event in written) == list(range(12))

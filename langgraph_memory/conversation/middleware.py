"""The sliding window and compaction as middleware for `langchain.agents.create_agent`."""

from __future__ import annotations

import asyncio
from typing import Any, Required

from langchain.agents.middleware import AgentMiddleware, AgentState
from langgraph.config import get_config
from langgraph.runtime import Runtime
from typing_extensions import TypedDict, Unpack

from langgraph_memory.conversation.nodes import Node, compaction_node, window_node
from langgraph_memory.conversation.summaries import Summariser
from langgraph_memory.conversation.turns import MessageCounter
from langgraph_memory.memory import Memory
from langgraph_memory.runtime.identity import Identify


class WindowOptions(TypedDict, total=False):
    """The arguments of `window_node`."""

    max_tokens: Required[int]
    keep_tokens: int | None
    count: MessageCounter
    identify: Identify | None


class CompactionOptions(WindowOptions, total=False):
    """The arguments of `compaction_node`."""

    summariser: Summariser | None


class _Trimming(AgentMiddleware[AgentState[Any], Any, Any]):
    """Runs a trimming node before each model call."""

    def __init__(self, node: Node) -> None:
        super().__init__()
        self._node = node

    def before_model(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Shorten the conversation where it has outgrown its budget."""
        update = self._node(state, get_config(), runtime)
        return {"messages": update["messages"]} if "messages" in update else None

    async def abefore_model(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """The same, in a thread."""
        return await asyncio.to_thread(self.before_model, state, runtime)


class WindowMiddleware(_Trimming):
    """Drops the oldest turns before a model call that they would make too long.

    Args:
        memory: where dropped turns stay findable.
        options: `max_tokens` and the other arguments of `window_node`.
    """

    def __init__(self, memory: Memory, **options: Unpack[WindowOptions]) -> None:
        super().__init__(window_node(memory, **options))


class CompactionMiddleware(_Trimming):
    """Puts a summary in the place of old turns before a model call.

    Args:
        memory: where dropped turns stay findable.
        options: `max_tokens` and the other arguments of `compaction_node`.
    """

    def __init__(self, memory: Memory, **options: Unpack[CompactionOptions]) -> None:
        super().__init__(compaction_node(memory, **options))

"""The sliding window and compaction as middleware for `langchain.agents.create_agent`."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain.agents.middleware import AgentMiddleware, AgentState
from langgraph.config import get_config
from langgraph.runtime import Runtime

from langgraph_memory.conversation.nodes import Node, compaction_node, window_node
from langgraph_memory.conversation.summaries import Summariser
from langgraph_memory.conversation.turns import MessageCounter, count_messages
from langgraph_memory.memory import Memory
from langgraph_memory.runtime.identity import Identify


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
    """Drops the oldest turns before a model call that they would make too long; see `window_node`.

    Args:
        memory: where dropped turns stay findable.
        max_tokens: the size from which something is dropped.
        keep_tokens: the size to which the conversation is brought down; half by default.
        count: tokens of messages.
        identify: who is asking.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        max_tokens: int,
        keep_tokens: int | None = None,
        count: MessageCounter = count_messages,
        identify: Identify | None = None,
    ) -> None:
        node = window_node(
            memory, max_tokens=max_tokens, keep_tokens=keep_tokens, count=count, identify=identify
        )
        super().__init__(node)


class CompactionMiddleware(_Trimming):
    """Puts a summary in the place of old turns before a model call; see `compaction_node`.

    Args:
        memory: where dropped turns stay findable.
        max_tokens: the size from which turns are compacted.
        keep_tokens: the size to which the conversation is brought down; half by default.
        summariser: by rules when there is none.
        count: tokens of messages.
        identify: who is asking.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        max_tokens: int,
        keep_tokens: int | None = None,
        summariser: Summariser | None = None,
        count: MessageCounter = count_messages,
        identify: Identify | None = None,
    ) -> None:
        node = compaction_node(
            memory,
            max_tokens=max_tokens,
            keep_tokens=keep_tokens,
            summariser=summariser,
            count=count,
            identify=identify,
        )
        super().__init__(node)

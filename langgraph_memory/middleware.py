"""Memory for LangChain's agents: `create_agent`, and deepagents, which are made of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AnyMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config
from langgraph.errors import GraphBubbleUp
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import Runtime
from langgraph.types import Command

from langgraph_memory.memory import Memory
from langgraph_memory.nodes import open_calls
from langgraph_memory.runtime.identity import Identify
from langgraph_memory.runtime.payloads import new_messages
from langgraph_memory.runtime.recalling import Query
from langgraph_memory.runtime.rulings import Ruling, refused
from langgraph_memory.runtime.steps import Steps
from langgraph_memory.signature import checked

_KEY = "messages"

_BRANCH, _HOOK = "branch:to:", ".before_agent"
_NO_HUMANS = frozenset(
    {
        "langgraph_memory",
        "ModelRouterMiddleware",
        "PatchToolCallsMiddleware",
        "ShellToolMiddleware",
        "SkillsMiddleware",
    }
)
"""Middleware of LangChain and deepagents of which it is known that its hook writes no human messages."""


class MemoryMiddleware(AgentMiddleware[Any, Any, Any]):
    """Recall before each model call, the guard before tools run, and capture of what happens.

    The memories stand after the stable system prompt, behind the conversation, in the request to the model
    alone: no state and no checkpoint holds them. All tool calls of a step are decided before one of them
    runs; a person is asked about the deferred ones in one interrupt, and answers by tool call id. Each call
    is published with its arguments, result or error, and latency. A run ends its activity when the agent has
    answered, when a model or tool raises, and when it stops to ask. Memory is told of the tools that the
    model is given, so that procedures made for other ones are offered no more.

    Args:
        memory: what is recalled, and whose constraints count.
        identify: who is acting; by default the run's `MemoryContext`, on a server the authenticated user.
        guard: whether tool calls have to pass the guard.
        query: the text to search by; by default the latest message of a person.
        token_budget: the size of the memories in the prompt.

    Example:
        >>> from langchain.agents import create_agent
        >>> from langgraph_memory import MemoryContext
        >>> from langgraph_memory.testing import ScriptedChatModel
        >>> with Memory.open(":memory:") as memory:
        ...     model = ScriptedChatModel(["Hello."])
        ...     agent = create_agent(
        ...         model, middleware=[MemoryMiddleware(memory)], context_schema=MemoryContext
        ...     )
        ...     agent.invoke({"messages": [("user", "Hi")]})["messages"][-1].text
        'Hello.'
    """

    @checked()
    def __init__(
        self,
        memory: Memory,
        *,
        identify: Identify | None = None,
        guard: bool = True,
        query: Query | None = None,
        token_budget: int = 800,
    ) -> None:
        super().__init__()
        self.tools = []
        self._guards = guard
        self._steps = Steps(memory, identify=identify, query=query, token_budget=token_budget)

    @property
    def name(self) -> str:
        """A name of its own: deepagents merges middleware by name, and has a `MemoryMiddleware` itself."""
        return "langgraph_memory"

    def before_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Publish what the run was given; other middleware's hooks may have run before this one."""
        config = get_config()
        self._steps.capture(state["messages"], config, runtime, entered=_hooks(config) <= _NO_HUMANS)
        return None

    async def abefore_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """See `before_agent`."""
        return await asyncio.to_thread(self.before_agent, state, runtime)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Show the model the memories for this step."""
        config = get_config()
        try:
            return handler(self._shown(request, config))
        except BaseException as error:  # a run that is cancelled has ended, too
            self._steps.stopped(error, request.state["messages"], request.runtime)
            raise

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """See `wrap_model_call`."""
        shown = await asyncio.to_thread(self._shown, request, get_config())
        try:
            return await handler(shown)
        except BaseException as error:  # a run that is cancelled has ended, too
            await asyncio.to_thread(self._steps.stopped, error, request.state["messages"], request.runtime)
            raise

    def after_model(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Decide all calls of the step; those that may not run are answered here."""
        messages, calls = state["messages"], open_calls(state["messages"])
        if not self._guards or not calls:
            return None
        rulings = self._steps.rule(calls, messages, get_config(), runtime, consult=False)
        refusals = [refused(ruling) for ruling in rulings if ruling.refusal is not None]
        return {"messages": refusals} if refusals else None

    async def aafter_model(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """See `after_model`."""
        return await asyncio.to_thread(self.after_model, state, runtime)

    def wrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]],
    ) -> ToolMessage | Command[Any]:
        """Check once more, since the call may have come by another way; run it and publish the result."""
        ruling = self._ruling(request)
        if ruling is not None and ruling.refusal is not None:
            return self._answered(request, ruling)
        started = time.perf_counter()
        try:
            result = handler(request)
        except BaseException as error:  # a run that is cancelled has ended, too
            self._raised(request, error, started)
            raise
        self._ran(request, ruling, result, started)
        return result

    async def awrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]],
    ) -> ToolMessage | Command[Any]:
        """See `wrap_tool_call`."""
        ruling = await asyncio.to_thread(self._ruling, request)
        if ruling is not None and ruling.refusal is not None:
            return await asyncio.to_thread(self._answered, request, ruling)
        started = time.perf_counter()
        try:
            result = await handler(request)
        except BaseException as error:  # a run that is cancelled has ended, too
            await asyncio.to_thread(self._raised, request, error, started)
            raise
        await asyncio.to_thread(self._ran, request, ruling, result, started)
        return result

    def after_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Publish the agent's last word, and that the run has ended, which may be without one."""
        self._steps.finished(state["messages"], get_config(), runtime)
        return None

    async def aafter_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """See `after_agent`."""
        return await asyncio.to_thread(self.after_agent, state, runtime)

    def _shown(self, request: ModelRequest[Any], config: RunnableConfig) -> ModelRequest[Any]:
        self._steps.see(request.tools)
        memories = self._steps.recall(request.state["messages"], config, request.runtime)
        if memories is None:
            return request
        return request.override(messages=[*request.messages, memories])

    def _ruling(self, request: ToolCallRequest) -> Ruling | None:
        if not self._guards:
            return None
        messages, runtime = _messages(request), request.runtime
        return self._steps.rule([request.tool_call], messages, runtime.config, _run(request), consult=True)[0]

    def _answered(self, request: ToolCallRequest, ruling: Ruling) -> ToolMessage:
        refusal = refused(ruling)
        self._publish(request, [refusal], {})
        return refusal

    def _ran(self, request: ToolCallRequest, ruling: Ruling | None, result: Any, started: float) -> None:
        if ruling is not None:
            self._steps.spend([ruling])
        answers = [message for message in new_messages(result, _KEY) if isinstance(message, ToolMessage)]
        self._publish(request, answers, _since(request, started))

    def _raised(self, request: ToolCallRequest, error: BaseException, started: float) -> None:
        if isinstance(error, Exception) and not isinstance(error, GraphBubbleUp):
            call = request.tool_call
            told = f"{type(error).__name__}: {error}"
            failed = ToolMessage(told, tool_call_id=call["id"], name=call["name"], status="error")
            self._publish(request, [failed], _since(request, started))
        self._steps.stopped(error, _messages(request), _run(request))

    def _publish(
        self, request: ToolCallRequest, answers: Sequence[ToolMessage], latencies: dict[str, float]
    ) -> None:
        known = [*_messages(request), *answers]
        config = request.runtime.config
        self._steps.publish(known, len(answers), config, _run(request), latencies)


def _hooks(config: RunnableConfig) -> frozenset[str]:
    """The middleware of the agent that does something before it begins."""
    read = config["configurable"].get("__pregel_read")
    nodes = [
        name.removeprefix(_BRANCH) for name in (read.args[1] if read else ()) if name.startswith(_BRANCH)
    ]
    return frozenset(name.removesuffix(_HOOK) for name in nodes if name.endswith(_HOOK))


def _messages(request: ToolCallRequest) -> list[AnyMessage]:
    state = request.state
    found = state.get(_KEY) if isinstance(state, dict) else getattr(state, _KEY, None)
    return list(found or [])


def _run(request: ToolCallRequest) -> Any:
    """The runtime of a tool: it tells who is acting, and in which task, as that of a node does."""
    return request.runtime


def _since(request: ToolCallRequest, started: float) -> dict[str, float]:
    return {request.tool_call["id"] or "": (time.perf_counter() - started) * 1000}

"""What memory does around the steps of an agent, by whatever way it was put in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.errors import GraphBubbleUp, GraphInterrupt
from langgraph.runtime import Runtime

from langgraph_memory.memory import Memory
from langgraph_memory.runtime.capture import capture
from langgraph_memory.runtime.desk import Desk
from langgraph_memory.runtime.identity import Callers, Identify
from langgraph_memory.runtime.notices import Notices, attempt
from langgraph_memory.runtime.payloads import last_ai
from langgraph_memory.runtime.recalling import Query, Recalling, Shown, remembered
from langgraph_memory.runtime.rulings import Hearing, Ruling, reads, rule
from langgraph_memory.runtime.stops import completed, ended


class Steps:
    """Recall before a planner's step, rulings on its calls, and what has to be written down after them.

    None of it fails a run: what memory could not do is told to the planner, or holds a call.

    Args:
        memory: what is recalled, and whose constraints count.
        identify: who is acting; by default the run's `MemoryContext`, on a server the authenticated user.
        query: the text to search by; by default the latest message of a person.
        token_budget: the size of the memories in a prompt.
        key: under which the graph's state holds the messages.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        identify: Identify | None = None,
        query: Query | None = None,
        token_budget: int = 800,
        key: str = "messages",
    ) -> None:
        self._memory, self._key = memory, key
        self._callers = Callers(memory, identify)
        self._recalling = Recalling(memory, query=query, token_budget=token_budget)
        self._tools: dict[str, BaseTool] = {}
        self._desk = Desk(memory.log.database)
        memory.log.attend(self._desk, words=False)
        self._notices = Notices()

    def see(self, tools: Iterable[object]) -> None:
        """Note the tools that the agent has: procedures made for others are offered no more.

        Agents that share a memory and have tools that differ under one name say so by scope, with
        `memory.procedures.use_tools`; what is said of a scope goes before what is seen here.
        """
        new = [
            each for each in tools if isinstance(each, BaseTool) and self._tools.get(each.name) is not each
        ]
        if not new:
            return

        def note() -> None:
            _, failure = attempt(lambda: self._memory.procedures.use_tools(new))
            if failure is None:  # else it is tried again; the recall tells what fails
                self._tools |= {each.name: each for each in new}

        self._desk.leave(note)  # agents are made in event loops, too, where nothing may block

    def recall(
        self, messages: Sequence[AnyMessage], config: RunnableConfig, runtime: Runtime[Any]
    ) -> HumanMessage | None:
        """The message that brings the memories for the next step; what has been said is published first."""
        self._desk.settle()
        context, unknown = self._callers.of(runtime)
        state = {"messages": messages}
        if context is None:
            found = remembered(None, [unknown], ())
        else:
            notices = self._notices.told(
                capture(self._memory, state, config, runtime, context, key=self._key)
            )
            found = self._recalling.remember(state, runtime, context, notices)
        return found.message(len(messages)) if found.text else None

    def capture(
        self,
        messages: Sequence[AnyMessage],
        config: RunnableConfig,
        runtime: Runtime[Any],
        *,
        entered: bool = False,
    ) -> None:
        """Publish what has been said and done so far; see `capture.capture`."""
        self._desk.settle()
        context, _ = self._callers.of(runtime)
        if context is not None:
            state = {"messages": messages}
            notices = capture(self._memory, state, config, runtime, context, key=self._key, entered=entered)
            self._notices.told(notices)

    def finished(self, messages: Sequence[AnyMessage], config: RunnableConfig, runtime: Runtime[Any]) -> None:
        """Publish what has been said and done, and that it is all: an agent may end by a tool's result."""
        self.capture(messages, config, runtime)
        context, _ = self._callers.of(runtime)
        if context is not None and messages:
            self._notices.told(completed(self._memory, messages, runtime, context))

    def rule(
        self,
        calls: Sequence[Any],
        messages: Sequence[AnyMessage],
        config: RunnableConfig,
        runtime: Runtime[Any],
        *,
        consult: bool,
    ) -> list[Ruling]:
        """The rulings on calls of the last AI message; see `rulings.rule`."""
        context, unknown = self._callers.of(runtime)
        shown = Shown()
        if context is not None and not all(reads(self._memory, call) for call in calls):
            before = {"messages": list(messages[: last_ai(messages)])}
            shown = self._recalling.shown(before, runtime, context)
        hearing = Hearing(self._memory, context, unknown, config, shown.unread, consult, shown.recall_id)
        try:
            return rule(hearing, calls)
        except GraphInterrupt as question:
            self.stopped(question, messages, runtime)
            raise

    def publish(
        self,
        messages: Sequence[AnyMessage],
        new: int,
        config: RunnableConfig,
        runtime: Runtime[Any],
        latencies: Mapping[str, float] | None = None,
    ) -> None:
        """Publish the last `new` messages; those before them tell the activity and the calls they answer.

        Tool results are written a moment later, those of parallel calls together, and at the latest when
        memory is asked something or the run goes on; an agent's word is written at once.
        """
        context, _ = self._callers.of(runtime)
        if context is None:
            return
        state, fresh = {"messages": messages}, range(len(messages) - new, len(messages))

        def publish() -> None:
            given = self._memory, state, config, runtime, context, latencies
            self._notices.told(capture(*given, key=self._key, fresh=fresh))

        self._desk.leave(publish)
        if isinstance(messages[-1], AIMessage):
            self._desk.settle()

    def spend(self, rulings: Sequence[Ruling]) -> None:
        """Note that the calls have run for which a person was asked."""
        used = [ruling.approval for ruling in rulings if ruling.approval]
        attempt(lambda: self._memory.approvals.spend(used))

    def stopped(self, error: BaseException, messages: Sequence[AnyMessage], runtime: Runtime[Any]) -> None:
        """Note that a run has failed, or that it waits for someone; control flow of graphs is neither."""
        self._desk.settle()
        context, _ = self._callers.of(runtime)
        if context is None:
            return
        if isinstance(error, GraphInterrupt):
            ended(self._memory, messages, runtime, context)
        elif isinstance(error, Exception) and not isinstance(error, GraphBubbleUp):
            ended(self._memory, messages, runtime, context, error=error)

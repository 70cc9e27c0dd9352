"""What is run: any agent that can be told something and asked something, and a LangGraph graph as one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from langgraph_memory.answers import GuardDecision
from langgraph_memory.evaluation.amounts import Amount, MeasuredMemory, Offer
from langgraph_memory.evaluation.graph import Planner, agent_graph
from langgraph_memory.evaluation.scenario import Scenario
from langgraph_memory.memory import Memory
from langgraph_memory.scope import MemoryContext
from langgraph_memory.testing import FrozenClock

INTERRUPT = "__interrupt__"
"""Under this key a graph's stream tells what it asks of a person."""


@dataclass(frozen=True)
class Heard:
    """What an agent did with one message.

    Attributes:
        calls: the tools it asked for, refused ones too, each with its arguments.
        said: its last words.
        offers: what was recalled for its steps.
        decisions: of its guard.
    """

    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    said: str = ""
    offers: tuple[Offer, ...] = ()
    decisions: tuple[GuardDecision, ...] = ()


class Agent(Protocol):
    """An agent under evaluation.

    `memory` is the `Memory` that it uses: statements are asserted there, and probes look there. None for an
    agent that remembers in its own way: statements are told to it in words, and probes are left out.
    """

    @property
    def memory(self) -> Memory | None:
        """The memory that it uses, if it is one of ours."""

    def hear(self, message: str, *, context: MemoryContext, thread_id: str) -> Heard:
        """Take a message from the person that `context` names, act on it, and tell what was done."""

    def rest(self) -> None:
        """Work in the background, as between two conversations."""

    def close(self) -> None:
        """Let go of what it holds."""


@dataclass(frozen=True)
class Stage:
    """What an agent is built from, for one play of a scenario.

    Attributes:
        scenario: what is played; its `policy` says who may lay something down.
        tools: over the scripted world; what they do is noted, whoever calls them.
        planner: decides, for those who want what the other arms have.
        clock: the scenario's time.
    """

    scenario: Scenario
    tools: tuple[BaseTool, ...]
    planner: Planner
    clock: FrozenClock


@dataclass(frozen=True)
class Arm:
    """One of the agents that are compared.

    Example:
        >>> mine = Arm("mine", lambda stage: GraphAgent(my_graph(stage.tools)))
        >>> mine.name
        'mine'
    """

    name: str
    build: Callable[[Stage], Agent]


def _nobody(asked: Any) -> dict[str, str]:
    """Answers no question, which approves nothing; LangGraph takes an empty mapping for no answer at all."""
    del asked
    return {"": "deny"}


@dataclass
class GraphAgent:
    """A compiled LangGraph graph with a `messages` channel as an agent.

    The graph is run with a thread of its own for each conversation and with `MemoryContext` as context.

    Args:
        graph: compiled, with a checkpointer if it shall know the conversation's earlier messages.
        memory: the memory that it uses, if any.
        answer: replies to what the graph asks of a person in an interrupt; by default nobody approves.
    """

    graph: Any
    memory: Memory | None = None
    answer: Callable[[Any], Any] = _nobody
    _heard: int = field(default=0, init=False)

    def hear(self, message: str, *, context: MemoryContext, thread_id: str) -> Heard:
        """Run the graph on a message; see `Agent`."""
        config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
        self._heard += 1  # an id that is the same in each play, since ids stand in what is retrieved
        given: Any = {"messages": [HumanMessage(message, id=f"{thread_id}-{self._heard}")]}
        said: list[AIMessage] = []
        while given is not None:
            asked = None
            for update in self.graph.stream(given, config, context=context, stream_mode="updates"):
                said += _said(update)
                asked = update.get(INTERRUPT, asked)
            given = Command(resume=self.answer(asked[0].value)) if asked else None
        measured = self.memory if isinstance(self.memory, MeasuredMemory) else None
        return Heard(
            calls=tuple((call["name"], call["args"]) for each in said for call in each.tool_calls),
            said=said[-1].text if said else "",
            offers=measured.take_offers() if measured else (),
            decisions=measured.take_decisions() if measured else (),
        )

    def rest(self) -> None:
        """Consolidate."""
        if self.memory is not None:
            self.memory.consolidate()

    def close(self) -> None:
        """Close the memory."""
        if self.memory is not None:
            self.memory.close()


def arm_of(amount: Amount, *, guarded: bool | None = None) -> Arm:
    """An arm with the built-in agent and an amount of memory; only with all of it its calls are guarded."""
    guard = amount is Amount.FULL if guarded is None else guarded

    def build(stage: Stage) -> Agent:
        memory = MeasuredMemory.open(
            ":memory:", policy=stage.scenario.policy, clock=stage.clock, amount=amount
        )
        graph = agent_graph(
            lambda: memory,
            stage.tools,
            stage.planner,
            token_budget=stage.scenario.token_budget,
            guarded=guard,
            checkpointer=InMemorySaver(),
        )
        return GraphAgent(graph, memory)

    return Arm(amount.value, build)


ARMS = tuple(arm_of(amount) for amount in Amount)
"""No memory, raw-log retrieval, episodes only, and full."""


def _said(update: Mapping[str, Any]) -> Iterator[AIMessage]:
    """The agent's messages in an update of the graph's stream; an interrupt holds none."""
    for change in update.values():
        changes = change if isinstance(change, list | tuple) else [change]
        for each in changes:
            if isinstance(each, Mapping):
                yield from (m for m in each.get("messages") or () if isinstance(m, AIMessage))

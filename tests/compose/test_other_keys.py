"""Messages under another key of the state: who spoke is told there as it is under `messages`."""

from dataclasses import dataclass, field
from typing import Annotated

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from pydantic import BaseModel
from typing_extensions import TypedDict

from langgraph_memory import AuthorityRule, Memory, MemoryContext, Policy, Principal, Scope, attach

TEAM = Scope.of(org="acme", workspace="w")
ANA = MemoryContext(Principal("ana", roles={"lead"}, grants=(TEAM,)), TEAM)
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
RULE = "Keep gpu-1 running until May."

Chat = Annotated[list[AnyMessage], add_messages]


class Mapped(TypedDict):
    chat: Chat


class Model(BaseModel):
    chat: Chat = []


@dataclass
class Record:
    chat: Chat = field(default_factory=list)


@pytest.fixture
def memory():
    with Memory.open(":memory:", policy=POLICY, index=None) as opened:
        yield opened


def talk(memory, schema, saver, writer=None):
    builder = StateGraph(schema, context_schema=MemoryContext)
    builder.add_node("talk", lambda _: {"chat": [AIMessage("Noted.")]})
    if writer is None:
        builder.add_edge(START, "talk")
    else:
        builder.add_node("writer", lambda _: {"chat": [HumanMessage(writer)]})
        builder.add_edge(START, "writer")
        builder.add_edge("writer", "talk")
    graph = attach(builder, memory, planner="talk", tools=None, messages_key="chat").compile(
        checkpointer=saver
    )
    said = [HumanMessage(RULE if writer is None else "Go on.")]
    graph.invoke({"chat": said}, {"configurable": {"thread_id": "t"}}, context=ANA)
    memory.consolidate()
    return [fact.value for fact in memory.facts(TEAM)]


@pytest.mark.parametrize("schema", [Mapped, Model, Record])
@pytest.mark.parametrize("stored", [False, True])
def test_a_person_is_heard(memory, schema, stored):
    assert talk(memory, schema, InMemorySaver() if stored else None) == ["Keep gpu-1 running until May"]


@pytest.mark.parametrize("schema", [Mapped, Model, Record])
def test_what_a_node_wrote_is_nobodys_rule(memory, schema):
    assert talk(memory, schema, InMemorySaver(), writer=RULE) == []
    assert [e.actor.kind for e in memory.events(TEAM) if e.data.get("text") == RULE] == ["agent"]

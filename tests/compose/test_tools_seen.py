"""Tools are seen where memory is put in: procedures made for others are offered no more."""

import pytest
from acceptance.world import ANA, STAGING
from langchain.agents import create_agent
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from langgraph_memory import Actor, MemoryContext, MemoryMiddleware, attach, guard_tools
from langgraph_memory.testing import ScriptedChatModel

LEAD = Actor("user", ANA.user_id, roles=ANA.roles)


@tool
def stop_instance(name: str) -> str:
    """Stop an instance."""
    return name


@tool("stop_instance")
def stop_by_id(instance_id: str, force: bool) -> str:
    """Stop an instance."""
    return instance_id if force else ""


def attached(memory, used):
    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("agent", lambda _: {"messages": [("ai", "Done.")]})
    builder.add_node("tools", ToolNode([used]))
    builder.add_edge(START, "agent")
    return attach(builder, memory)


def with_middleware(memory, used):
    agent = create_agent(
        ScriptedChatModel(["Done."]),
        [used],
        middleware=[MemoryMiddleware(memory)],
        context_schema=MemoryContext,
    )
    agent.invoke({"messages": [("user", "Hello")]}, context=MemoryContext(principal=ANA, scope=STAGING))


def guarded(memory, used):
    return guard_tools([used], memory)


@pytest.fixture
def procedure(memory):
    memory.procedures.propose(
        scope=STAGING,
        procedure_id="cleanup",
        trigger_intent="weekly cleanup of idle compute",
        steps=["Stop what is idle."],
        tools=[stop_instance],
        actor=LEAD,
    )
    return memory.procedures.approve("cleanup", scope=STAGING, principal=ANA)


def offered(memory):
    found = memory.recall("weekly cleanup of idle compute", principal=ANA, scope=STAGING, kinds=["procedure"])
    return [item.record.procedure_id for item in found.items], [each.reason for each in found.omitted]


@pytest.mark.parametrize("put_in", [attached, with_middleware, guarded])
def test_a_procedure_for_a_tool_that_takes_other_arguments_now_is_offered_no_more(memory, procedure, put_in):
    put_in(memory, stop_instance)
    assert offered(memory) == (["cleanup"], [])
    put_in(memory, stop_by_id)
    names, (reason,) = offered(memory)
    assert names == []
    assert "argument 'name' is gone" in reason
    put_in(memory, stop_instance)
    assert offered(memory) == (["cleanup"], [])


def test_what_was_said_of_a_scope_goes_before_what_is_seen(memory, procedure):
    memory.procedures.use_tools([stop_instance], scope=STAGING)
    guarded(memory, stop_by_id)
    assert offered(memory) == (["cleanup"], [])


def test_tools_that_are_known_are_not_written_again(memory):
    guarded(memory, stop_instance)
    memory.log.settle()
    before = memory.log.database.write
    written = []
    memory.log.database.write = lambda: written.append(1) or before()
    guarded(memory, stop_instance)
    memory.log.settle()
    assert written == []
    guarded(memory, stop_by_id)
    memory.log.settle()
    assert written


def test_a_memory_that_can_not_be_written_keeps_no_graph_from_being_built(memory):
    memory.close()
    (tool,) = guarded(memory, stop_instance)
    assert tool.name == stop_instance.name
    assert "tools" in attached(memory, stop_instance).nodes

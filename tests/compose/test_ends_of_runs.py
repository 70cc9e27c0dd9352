"""A run of an agent ends its activity, also where the agent has no last word; and it ends it once."""

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, hook_config
from langchain.agents.structured_output import ToolStrategy
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel

from langgraph_memory import (
    AuthorityRule,
    CapturingSaver,
    Memory,
    MemoryContext,
    MemoryMiddleware,
    Policy,
    Principal,
    Scope,
)
from langgraph_memory.testing import ScriptedChatModel

TEAM = Scope.of(org="acme", workspace="support")
CARLA = MemoryContext(Principal("carla", roles={"lead"}, grants=(TEAM,)), TEAM)
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
RULE = "Never refund ORD-4411 until the fraud check is complete."


class Answer(BaseModel):
    """The agent's answer."""

    summary: str


@tool(return_direct=True)
def hand_over(reason: str) -> str:
    """Hand over to a person."""
    return f"handed over: {reason}"


class EndsSilently(AgentMiddleware):
    """Ends the run before the model is asked."""

    @hook_config(can_jump_to=["end"])
    def before_model(self, state, runtime):
        return {"jump_to": "end"}


def called(name, **args):
    return AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"{name}-1"}])


ENDINGS = {
    "a word": ([AIMessage("Noted.")], {}),
    "a structured answer": ([called("Answer", summary="Noted.")], {"response_format": ToolStrategy(Answer)}),
    "a tool's result": ([called("hand_over", reason="fraud")], {}),
    "nothing": ([], {"middleware": [EndsSilently()]}),
}


@pytest.fixture
def memory():
    with Memory.open(":memory:", policy=POLICY, index=None) as opened:
        yield opened


@pytest.mark.parametrize("ending", sorted(ENDINGS))
@pytest.mark.parametrize("saver", ["none", "plain", "capturing"])
def test_a_run_ends_its_activity_once(memory, ending, saver):
    script, more = ENDINGS[ending]
    savers = {"none": None, "plain": InMemorySaver(), "capturing": CapturingSaver(InMemorySaver(), memory)}
    agent = create_agent(
        ScriptedChatModel(list(script)),
        [hand_over],
        middleware=[*more.get("middleware", ()), MemoryMiddleware(memory)],
        context_schema=MemoryContext,
        checkpointer=savers[saver],
        response_format=more.get("response_format"),
    )
    agent.invoke({"messages": [HumanMessage(RULE)]}, {"configurable": {"thread_id": "t"}}, context=CARLA)
    told = [event.event_type for event in memory.events(TEAM)]
    assert told.count("activity.completed") == 1
    assert told.count("message.user") == 1
    assert memory.consolidate().activities == 1
    assert [fact.entity for fact in memory.facts(TEAM)] == ["ORD-4411"]

"""Who said what in which run: history, several messages, nodes that write, graphs that keep nothing."""

import logging

import pytest
from acceptance.agent import CLEANUP, Cloud, agent
from acceptance.world import ANA, DAN, GPU, SANDBOX, STAGING
from deepagents import create_deep_agent
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Send

from langgraph_memory import CapturingSaver, MemoryContext, MemoryMiddleware, attach
from langgraph_memory.testing import ScriptedChatModel

from .looking import of_type

CONFIG = {"configurable": {"thread_id": "t"}}
RULE = f"Never stop {GPU}."


def plain(*before, answer="Noted."):
    """A graph of one planner, behind nodes that write these messages."""
    builder, last = StateGraph(MessagesState, context_schema=MemoryContext), START
    for number, message in enumerate(before):
        builder.add_node(f"before{number}", lambda _, m=message: {"messages": [m.model_copy()]})
        builder.add_edge(last, f"before{number}")
        last = f"before{number}"
    builder.add_node("agent", lambda _: {"messages": [AIMessage(answer)]})
    return builder.add_edge(last, "agent")


def attached(memory, *before, saver=None):
    return attach(plain(*before), memory, tools=None).compile(checkpointer=saver)


def captured(memory):
    return plain().compile(checkpointer=CapturingSaver(InMemorySaver(), memory))


def spoken(memory):
    return [(e.actor.id, e.data["text"]) for e in of_type(memory, STAGING, "message.user")]


def turn(play, graph, messages, principal=ANA, config=CONFIG):
    return play(graph, {"messages": messages}, config, principal=principal, activity=None)


WAYS = {
    "attach": attached,
    "attach and checkpointer": lambda memory: attached(memory, saver=InMemorySaver()),
    "nodes": lambda memory: agent(memory, ["Noted."] * 3).graph,
    "middleware": lambda memory: create_agent(
        ScriptedChatModel(["Noted."] * 3),
        middleware=[MemoryMiddleware(memory)],
        context_schema=MemoryContext,
    ),
    "saver": captured,
}


@pytest.mark.parametrize("way", WAYS)
def test_history_in_the_input_is_not_what_the_present_person_says(memory, play, way):
    history = [HumanMessage(RULE), AIMessage("Noted."), HumanMessage("Thanks.")]
    turn(play, WAYS[way](memory), history)
    memory.consolidate()
    assert spoken(memory) == [("ana", "Thanks.")]
    assert memory.facts(STAGING) == []
    other = {"configurable": {"thread_id": "u"}}
    turn(play, WAYS[way](memory), [AIMessage("Hello."), HumanMessage(RULE)], config=other)
    memory.consolidate()
    assert [fact.entity for fact in memory.facts(STAGING)] == [GPU]


@pytest.mark.parametrize("identified", [True, False])
def test_a_history_that_is_handed_in_every_time_is_told_once(memory, play, identified):
    graph, history = attached(memory), []
    for number, text in enumerate([RULE, "Thanks.", "Bye."]):
        history = [*history, HumanMessage(text, id=f"h{number}" if identified else None)]
        said = turn(play, graph, history)["messages"][-1]
        history = [*history, said if identified else AIMessage(said.text)]
    assert [text for _, text in spoken(memory)] == [RULE, "Thanks.", "Bye."]
    assert len(of_type(memory, STAGING, "message.agent")) == 3


@pytest.mark.parametrize("way", WAYS)
def test_what_one_input_says_is_one_activity_that_ends_with_the_run(memory, play, way):
    turn(play, WAYS[way](memory), [HumanMessage(RULE), HumanMessage(f"And never stop {SANDBOX}.")])
    assert len(spoken(memory)) == 2
    assert len({event.activity_id for event in memory.events(STAGING)}) == 1
    memory.consolidate()
    assert {fact.entity for fact in memory.facts(STAGING)} == {GPU, SANDBOX}


@pytest.mark.parametrize("kept_by", ["attach", "saver"])
def test_a_node_that_rewrites_the_request_leaves_the_activity_whole(memory, play, kept_by):
    rewritten = HumanMessage("Which machines are idle? (rewritten)")
    if kept_by == "attach":
        graph = attached(memory, rewritten, saver=InMemorySaver())
    else:
        graph = plain(rewritten).compile(checkpointer=CapturingSaver(InMemorySaver(), memory))
    turn(play, graph, [HumanMessage(RULE)])
    assert spoken(memory) == [("ana", RULE)]
    turn(play, graph, [HumanMessage("And now?")])
    assert len({event.activity_id for event in of_type(memory, STAGING, "activity.completed")}) == 2
    assert len({event.activity_id for event in memory.events(STAGING)}) == 2
    assert len(of_type(memory, STAGING, "message.agent")) == 4
    memory.consolidate()
    assert [fact.entity for fact in memory.facts(STAGING)] == [GPU]


def script():
    """The cleanup, in messages that no other run has given ids."""
    return [m.model_copy(update={"id": None}) if isinstance(m, AIMessage) else m for m in CLEANUP]


class Fan:
    """A planner that sends each call of its own to the tools."""

    def __init__(self, memory):
        self.model, tools = ScriptedChatModel(script()), Cloud().tools()
        builder = StateGraph(MessagesState, context_schema=MemoryContext)
        builder.add_node("agent", lambda s: {"messages": [self.model.invoke(s["messages"])]})
        builder.add_node("tools", ToolNode(tools))
        builder.add_edge(START, "agent")
        builder.add_edge("tools", "agent")
        builder.add_conditional_edges("agent", self._sends, ["tools", END])
        self.graph = attach(builder, memory).compile()

    @staticmethod
    def _sends(state):
        return [Send("tools", [call]) for call in state["messages"][-1].tool_calls] or END


def test_without_a_checkpointer_each_message_and_result_is_one_event(memory, play):
    model = ScriptedChatModel(script())
    middleware = [MemoryMiddleware(memory)]
    agents = [
        Fan(memory).graph,
        create_agent(model, Cloud().tools(), middleware=middleware, context_schema=MemoryContext),
    ]
    for number, graph in enumerate(agents, 1):
        turn(play, graph, [HumanMessage("Please reduce our costs.")], DAN, None)
        assert len(of_type(memory, STAGING, "message.user")) == number
        assert len(of_type(memory, STAGING, "tool.completed")) == 3 * number
        assert len(of_type(memory, STAGING, "message.agent")) == number
        assert len({event.activity_id for event in memory.events(STAGING)}) == number


def test_a_deep_agent_that_keeps_nothing_hears_its_user(memory, play, caplog):
    model, middleware = ScriptedChatModel(["Noted."]), [MemoryMiddleware(memory)]
    turn(
        play,
        create_deep_agent(model, middleware=middleware, context_schema=MemoryContext),
        [HumanMessage(RULE)],
    )
    assert spoken(memory) == [("ana", RULE)]
    assert caplog.records == []


class Briefing(AgentMiddleware):
    """Middleware of somebody's own, which writes a human message before the agent begins."""

    def before_agent(self, state, runtime):
        return {"messages": [HumanMessage(f"Never stop {SANDBOX}.")]}


def test_where_a_person_cannot_be_told_from_a_node_memory_says_so(memory, play, caplog):
    def agent_of(*first, saver=None):
        return create_agent(
            ScriptedChatModel(["Noted."]),
            middleware=[*first, MemoryMiddleware(memory)],
            context_schema=MemoryContext,
            checkpointer=saver,
        )

    with caplog.at_level(logging.WARNING):
        turn(play, agent_of(Briefing(), saver=InMemorySaver()), [HumanMessage(RULE)])
        assert spoken(memory) == [("ana", RULE)]
        assert caplog.messages == []
        turn(play, agent_of(Briefing()), [HumanMessage(RULE)])
    assert spoken(memory) == [("ana", RULE)]
    assert "checkpointer" in caplog.text
    state = turn(play, agent(memory, ["Noted."], forge={"start": lambda _: {}}).graph, [HumanMessage(RULE)])
    assert "checkpointer" in state["notice"]

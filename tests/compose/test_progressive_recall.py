"""Recall that follows what a run comes upon: names in outputs, ids declared by a tool's author, artifacts."""

import json

from acceptance.agent import calls
from acceptance.world import DAN, GPU, KEEP, STAGING, constrain, leads_policy
from acceptance.world import LEAD as ANA
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from langgraph_memory import Memory, MemoryContext, attach
from langgraph_memory.entities import EntityDeclaration, EntityRule
from langgraph_memory.policy import ToolRule
from langgraph_memory.testing import ScriptedChatModel

from .looking import errors, of_type

TOPICS = ("invoices", "holidays", "coffee", "parking", "laptops", "badges", "travel", "lunch")


def agent(memory, tools, script):
    model = ScriptedChatModel(script)
    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("agent", lambda state: {"messages": [model.invoke(state["messages"])]})
    builder.add_node("tools", ToolNode(tools))
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", tools_condition)
    builder.add_edge("tools", "agent")
    return attach(builder, memory).compile(checkpointer=InMemorySaver()), model


def shown(model):
    return ["\n".join(message.text for message in call.messages) for call in model.calls]


def play(graph, text, thread="t"):
    config = {"configurable": {"thread_id": thread}}
    context = MemoryContext(principal=DAN, scope=STAGING)
    return graph.invoke({"messages": [("user", text)]}, config, context=context)


def test_the_second_recall_brings_the_constraint_that_the_first_could_not_know(memory):
    constrain(memory)
    for topic in TOPICS:
        for number in range(4):
            value = f"Please reduce our costs of {topic}, variant {number}"
            memory.assert_fact(
                scope=STAGING, entity=f"{topic}-{number}", attribute="note", value=value, actor=ANA
            )

    @tool
    def list_instances() -> dict:
        """List what runs."""
        return {"instances": [{"id": "i-09a8f", "name": GPU}]}

    graph, model = agent(memory, [list_instances], [calls(("list_instances", {})), "Done."])
    play(graph, "Please reduce our costs.")
    first, second = shown(model)
    assert "variant" in first
    assert KEEP not in first
    assert KEEP in second


def declared(clock, **tools):
    policy = leads_policy().model_copy(update={"tools": tools})
    return Memory.open(":memory:", policy=policy, clock=clock, index=None)


def test_a_tools_author_declares_where_entities_stand_by_path_and_pattern(clock):
    @tool
    def inspect_rack(rack: str) -> dict:
        """Look at a rack."""
        return {"rows": [{"what": "blade <<A7>> idle", "label": "Big Blade"}]}

    rules = (
        EntityRule(path="rows[*].what", pattern=r"<<(\w+)>>", type="blade", name="label"),
        EntityRule(path="rack", source="args", type="rack"),
    )
    rule = ToolRule(entities=EntityDeclaration(rules=rules))
    script = [calls(("inspect_rack", {"rack": "north"})), "Done."]
    with declared(clock, inspect_rack=rule) as memory:
        constrain(memory, entity="blade:A7", value="Leave the blade on")
        constrain(memory, entity="rack:north", value="Leave the rack alone")
        graph, model = agent(memory, [inspect_rack], script)
        play(graph, "Anything idle?")
        assert "Leave the blade on" in shown(model)[1]
        assert "Leave the rack alone" in shown(model)[1]
        (event,) = of_type(memory, STAGING, "tool.completed")
        assert set(event.entities) == {"blade:A7", "rack:north"}
        check = {"principal": DAN, "scope": STAGING}
        assert memory.check("stop", {"target": "Big Blade"}, **check).outcome == "block"
        assert memory.check("stop", {"target": "Small Blade"}, **check).outcome == "allow"
    with declared(clock) as undeclared:
        constrain(undeclared, entity="blade:A7", value="Leave the blade on")
        graph, model = agent(undeclared, [inspect_rack], script)
        play(graph, "Anything idle?")
        assert "Leave the blade on" not in shown(model)[1]


def test_entities_and_names_in_an_artifact_count(clock):
    @tool(response_format="content_and_artifact")
    def look() -> tuple[str, dict]:
        """Look around."""
        return "One machine.", {"found": [{"uid": "m-77", "title": "Old Faithful"}]}

    rules = (EntityRule(path="found[*].uid", source="artifact", name="title"),)
    with declared(clock, look=ToolRule(entities=EntityDeclaration(rules=rules))) as memory:
        constrain(memory, entity="m-77", value="Leave it on")
        stop = calls(("stop_machine", {"name": "Old Faithful"}))

        @tool
        def stop_machine(name: str) -> str:
            """Stop a machine."""
            raise AssertionError(name)

        graph, model = agent(memory, [look, stop_machine], [calls(("look", {})), stop, "Done."])
        state = play(graph, "Anything idle?")
        assert "Leave it on" in shown(model)[1]
        assert len(errors(state)) == 1
        (event,) = of_type(memory, STAGING, "tool.completed")
        assert "Old Faithful" in json.dumps(event.data["artifact"])


def test_what_was_named_in_an_earlier_turn_stays_active(memory):
    constrain(memory)

    @tool
    def list_instances() -> list:
        """List what runs."""
        return [{"id": "i-09a8f", "name": GPU}]

    graph, model = agent(memory, [list_instances], [calls(("list_instances", {})), "One.", "All well."])
    play(graph, "What runs?")
    play(graph, "And the weather?")
    assert KEEP in shown(model)[2]


def state_fact(memory, entity, value):
    memory.assert_fact(scope=STAGING, entity=entity, attribute="state", value=value, actor=ANA)


def test_what_a_tool_shows_now_wins_over_what_is_remembered(memory):
    state_fact(memory, "i-09a8f", "running")
    state_fact(memory, "i-1c77e", "running")

    @tool
    def get_instance(name: str) -> dict:
        """Look at an instance."""
        return {"id": "i-09a8f" if name == GPU else "i-1c77e", "name": name, "state": "stopped"}

    graph, model = agent(memory, [get_instance], [calls(("get_instance", {"name": GPU})), "Done."])
    play(graph, "Look at i-09a8f and i-1c77e.")
    before, after = (text[text.index("<memory") :] for text in shown(model))
    assert "Outdated" not in before
    marked = [line for line in after.splitlines() if "Outdated: a tool shows 'stopped' now" in line]
    assert len(marked) == 1
    assert "i-09a8f" in marked[0]


def test_how_a_thing_stands_takes_no_rule_away(memory):
    constrain(memory, attribute="state", value="running")

    @tool
    def get_instance(name: str) -> dict:
        """Look at an instance."""
        return {"id": name, "state": "stopped"}

    graph, model = agent(memory, [get_instance], [calls(("get_instance", {"name": GPU})), "Done."])
    play(graph, f"Look at {GPU}.")
    assert "Outdated" not in shown(model)[1]
    assert "CONSTRAINT" in shown(model)[1]

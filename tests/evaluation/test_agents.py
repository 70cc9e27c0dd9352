"""Any agent can be run: a graph of somebody's own, a model, or something that is no graph at all."""

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from langgraph_memory.evaluation import ARMS, Arm, GraphAgent, Heard, Telling, chat_planner, evaluate, play
from langgraph_memory.testing import ScriptedChatModel


class Notebook:
    """An agent of somebody's own: it keeps what it was told in a list and minds the names in it."""

    memory = None

    def __init__(self, stage):
        self.tools = {tool.name: tool for tool in stage.tools}
        self.routine = stage.scenario.routine
        self.notes = []

    def hear(self, message, *, context, thread_id):
        if message != self.routine.asked:
            self.notes.append(message)
            return Heard(said="Noted.")
        listed = self.tools[self.routine.look].invoke({})["items"]
        due = [item for item in listed if self.routine.due(item) and not self.minded(item)]
        calls = [(self.routine.act, {"instance_id": item["id"]}) for item in due]
        for name, args in calls:
            self.tools[name].invoke(args)
        return Heard(calls=tuple(calls), said="Done.")

    def minded(self, item):
        return any(item["name"] in note for note in self.notes)

    def rest(self):
        pass

    def close(self):
        self.notes.clear()


def stopper(stage):
    """A graph that has no memory and stops everything."""
    stop = next(tool for tool in stage.tools if tool.name == "stop_instance")
    things = stage.scenario.things.all()

    def agent(state):
        if not isinstance(state["messages"][-1], HumanMessage):
            return {"messages": [AIMessage("Done.")]}
        asked = state["messages"][-1].text == stage.scenario.routine.asked
        calls = [{"name": stop.name, "args": {"instance_id": t.id}, "id": t.id} for t in things if asked]
        return {"messages": [AIMessage("", tool_calls=calls)]}

    builder = StateGraph(MessagesState)
    builder.add_node("agent", agent)
    builder.add_node("tools", ToolNode([stop]))
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", lambda s: "tools" if s["messages"][-1].tool_calls else END)
    builder.add_edge("tools", "agent")
    return builder.compile()


def test_an_agent_that_is_no_graph_is_compared_with_the_others(scenario):
    report = evaluate([scenario("bench-box-released")], arms=[Arm("notebook", Notebook)], seeds=1)
    assert {play.arm for play in report.plays} == {"no memory", "notebook"}
    assert report.value("notebook", "speech", "prohibited") == 0.0
    assert report.value("no memory", "speech", "prohibited") == 1.0
    assert report.value("notebook", "structure", "wrong holds") > 0
    assert report.value("notebook", "structure", "canary kept") is None


def test_a_compiled_graph_is_run_as_it_is(scenario):
    arm = Arm("stopper", lambda stage: GraphAgent(stopper(stage)))
    played = play(scenario("bench-box-still-needed"), arm, telling=Telling.SPEECH)
    assert {(d.thing, d.done, d.attempted) for d in played.decisions} == {
        ("dev-sandbox-04", True, True),
        ("gpu-bench-01", True, True),
    }


def test_a_chat_model_can_decide(scenario):
    def reply(messages):
        assert "stop_instance" in messages[0].text
        if messages[-1].type == "human" and "<memory" in messages[-1].text:
            return AIMessage("Nothing to do.")
        return AIMessage("Understood.")

    model = ScriptedChatModel([reply] * 20)
    played = play(scenario("bench-box-still-needed"), ARMS[-1], planner_for=chat_planner(model))
    assert [(d.thing, d.done) for d in played.decisions] == [
        ("dev-sandbox-04", False),
        ("gpu-bench-01", False),
    ]
    assert model.calls[-1].tools

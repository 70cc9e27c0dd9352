"""Graphs in styles that nobody here would write, with memory attached: they go on as they were."""

import operator
from dataclasses import dataclass, field
from typing import Annotated, Literal

import pytest
from acceptance.world import ANA, DAN, GPU, KEEP, SANDBOX, STAGING, constrain
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.tools import InjectedToolCallId, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import InjectedState, ToolNode
from langgraph.types import Command, RetryPolicy, Send, interrupt
from pydantic import BaseModel
from typing_extensions import TypedDict

from langgraph_memory import MemoryContext, attach
from langgraph_memory.errors import ConfigurationError

from .looking import asked, errors, of_type, results

CONFIG = {"configurable": {"thread_id": "t"}}


def call(name, number, /, **args):
    return {"name": name, "args": args, "id": f"c{number}", "type": "tool_call"}


class Desk:
    """A router that goes where its `Command` says, a pydantic state, tools that take and change the state."""

    class State(BaseModel):
        messages: Annotated[list[AnyMessage], add_messages]
        tickets: Annotated[list[str], operator.add] = []
        rounds: int = 0

    def __init__(self, steps):
        self.ran, self.seen, steps = [], [], iter(steps)

        @tool
        def close_ticket(
            ticket: str,
            state: Annotated[object, InjectedState],
            call_id: Annotated[str, InjectedToolCallId],
        ) -> Command:
            """Close a ticket."""
            self.ran.append((ticket, state.rounds))
            answer = ToolMessage(f"closed {ticket}", tool_call_id=call_id, name="close_ticket")
            return Command(update={"tickets": [ticket], "messages": [answer]})

        @tool
        def escalate(ticket: str) -> str:
            """Escalate a ticket to a person."""
            return f"{ticket}: {interrupt({'escalated': ticket})}"

        def brain(state: Desk.State) -> Command[Literal["hands", "__end__"]]:
            self.seen.append([m.text for m in state.messages])
            calls = next(steps)
            if not calls:
                return Command(update={"messages": AIMessage("Done.")}, goto=END)
            said = {"messages": AIMessage("", tool_calls=calls), "rounds": state.rounds + 1}
            return Command(update=said, goto="hands")

        builder = StateGraph(Desk.State, context_schema=MemoryContext)
        builder.add_node("brain", brain)
        builder.add_node("hands", ToolNode([close_ticket, escalate]))
        builder.add_edge(START, "brain")
        builder.add_edge("hands", "brain")
        self.builder = builder

    def compile(self, memory):
        attach(self.builder, memory, planner="brain", tools="hands")
        return self.builder.compile(checkpointer=InMemorySaver())


def close(number, ticket):
    return call("close_ticket", number, ticket=ticket)


def test_commands_a_pydantic_state_and_tools_that_change_it(memory, play):
    constrain(memory, entity="OPS-17", value="Leave OPS-17 open", forbids=("close",))
    desk = Desk([[close(1, "OPS-17"), close(2, "OPS-18")], []])
    state = play(desk.compile(memory), config=CONFIG)
    assert desk.ran == [("OPS-18", 1)]
    assert state["tickets"] == ["OPS-18"]
    assert results(state) == {"c1": "error", "c2": "success"}
    assert any("Leave OPS-17 open" in text for text in desk.seen[1])
    completed = [e.data["args"] for e in of_type(memory, STAGING, "tool.completed")]
    assert completed == [{"ticket": "OPS-18"}]
    assert len(of_type(memory, STAGING, "activity.completed")) == 1


def test_a_tool_that_asks_for_itself_gets_its_own_answer(memory, play):
    constrain(memory, entity="OPS-17", value="Leave OPS-17 open", forbids=("close",))
    desk = Desk([[call("escalate", 1, ticket="OPS-99")], []])
    graph = desk.compile(memory)
    (question,) = play(graph, config=CONFIG)["__interrupt__"]
    assert question.value == {"escalated": "OPS-99"}
    state = play(graph, Command(resume="on it"), CONFIG)
    assert [m.text for m in state["messages"] if m.type == "tool"] == ["OPS-99: on it"]


def test_the_answer_to_the_guard_goes_to_no_question_of_a_tool(memory, play):
    """The rule is lifted while its question is open: the tool's own question comes next, unanswered."""
    fact = constrain(memory, entity="OPS-17", value="Leave OPS-17 open", forbids=("close",)).fact
    desk = Desk([[call("escalate", 1, ticket="OPS-17")], []])
    graph = desk.compile(memory)
    assert asked(play(graph, config=CONFIG)) == [["c1"]]
    memory.retire(fact.fact_id, principal=ANA)
    (question,) = play(graph, Command(resume={"c1": "approve"}), CONFIG, principal=ANA)["__interrupt__"]
    assert question.value == {"escalated": "OPS-17"}
    state = play(graph, Command(resume="on it"), CONFIG)
    assert results(state) == {"c1": "success"}


def test_after_an_approval_the_tool_asks_its_own_question(memory, play):
    constrain(memory, entity="OPS-17", value="Leave OPS-17 open", forbids=("close",))
    graph = Desk([[call("escalate", 1, ticket="OPS-17")], []]).compile(memory)
    assert asked(play(graph, config=CONFIG)) == [["c1"]]
    (question,) = play(graph, Command(resume={"c1": "approve"}), CONFIG, principal=ANA)["__interrupt__"]
    assert question.value == {"escalated": "OPS-17"}
    state = play(graph, Command(resume="on it"), CONFIG, principal=DAN)
    assert results(state) == {"c1": "success"}


class Crew:
    """Calls are sent out one by one to workers with a private input; the planner is a graph of its own."""

    @dataclass
    class State:
        messages: Annotated[list[AnyMessage], add_messages]
        done: Annotated[list[str], operator.add] = field(default_factory=list)

    class Job(TypedDict):
        job: dict
        reason: str

    def __init__(self, steps, payload="job"):
        self.seen, self.ran, self.tries, steps = [], [], [], iter(steps)

        def think(state: MessagesState):
            self.seen.append([m.text for m in state["messages"]])
            calls = next(steps)
            return {"messages": [AIMessage("" if calls else "Done.", tool_calls=calls or [])]}

        def work(job: Crew.Job) -> dict:
            self.tries.append(job["job"]["id"])
            if self.tries.count(job["job"]["id"]) == 1 and job["reason"] == "shaky":
                raise ConnectionError("broken")
            self.ran.append(job["job"]["args"]["name"])
            answer = ToolMessage("ok", tool_call_id=job["job"]["id"], name=job["job"]["name"])
            return {"messages": [answer], "done": [job["job"]["args"]["name"]]}

        def send_out(state):
            jobs = state.messages[-1].tool_calls
            return [Send("worker", {payload: job, "reason": "shaky"}) for job in jobs] or END

        mind = StateGraph(MessagesState)
        mind.add_node("think", think)
        mind.add_edge(START, "think")
        mind.add_edge("think", END)
        builder = StateGraph(Crew.State, context_schema=MemoryContext)
        builder.add_node("planner", mind.compile())
        retry = RetryPolicy(initial_interval=0.0, jitter=False, retry_on=ConnectionError)
        builder.add_node("worker", work, input_schema=Crew.Job, retry_policy=retry)
        builder.add_edge(START, "planner")
        builder.add_conditional_edges("planner", send_out, ["worker", END])
        builder.add_edge("worker", "planner")
        self.builder = builder

    def compile(self, memory, **options):
        attach(self.builder, memory, planner="planner", tools="worker")
        return self.builder.compile(**options)


STOPS = [call("stop_instance", 1, name=GPU), call("stop_instance", 2, name=SANDBOX)]


def test_a_fan_out_with_private_inputs_retries_and_a_graph_as_planner(memory, play):
    constrain(memory)
    crew = Crew([STOPS, []])
    graph = crew.compile(memory)
    state = play(graph)
    assert state["done"] == [SANDBOX]
    assert crew.tries == ["c2", "c2"]
    assert results(state) == {"c1": "error", "c2": "success"}
    assert any(KEEP in text for text in crew.seen[1])
    assert not any("<memory" in message.text for message in state["messages"])
    assert of_type(memory, STAGING, "activity.failed") == []
    completed = [e.data["args"] for e in of_type(memory, STAGING, "tool.completed")]
    assert completed == [{"name": SANDBOX}]


def test_each_task_of_a_fan_out_asks_for_its_own_call(memory, play):
    constrain(memory)
    first = call("frobnicate", 1, name=GPU)
    crew = Crew([[first, call("frobnicate", 2, name=f"x/{GPU}"), call("stop_instance", 3, name=SANDBOX)], []])
    graph = crew.compile(memory, checkpointer=InMemorySaver())
    questions = play(graph, config=CONFIG)["__interrupt__"]
    assert sorted(q.value["calls"][0]["id"] for q in questions) == ["c1", "c2"]
    assert crew.ran == [SANDBOX]
    answers = {
        q.id: {q.value["calls"][0]["id"]: "approve" if "'c1'" in str(q) else "deny"} for q in questions
    }
    state = play(graph, Command(resume=answers), CONFIG, principal=ANA)
    assert sorted(crew.ran) == [SANDBOX, GPU]
    assert results(state) == {"c1": "success", "c2": "error", "c3": "success"}


def test_a_payload_in_which_no_call_is_found_runs_nothing_and_names_the_node(memory, play):
    crew = Crew([STOPS, []])
    crew.builder.nodes["worker"].runnable.func = lambda _: {"done": ["anything"]}
    crew.builder.branches["planner"].clear()
    crew.builder.add_conditional_edges("planner", lambda _: [Send("worker", {"what": GPU})], ["worker"])
    with pytest.raises(ConfigurationError, match=r"'worker'.*guard_tools"):
        play(crew.compile(memory))


class Chain:
    """Messages as the whole state, reduced by addition; two planners; tools written by hand, in parallel."""

    def __init__(self, steps):
        self.ran, self.seen = [], []
        steps = iter(steps)

        def planner(state):
            self.seen.append([m.text for m in state["talk"]])
            calls = next(steps)
            return {"talk": [AIMessage("" if calls else "Done.", tool_calls=calls or [])]}

        def slow(state):
            return self.run(state, "slow")

        def fast(state):
            return self.run(state, "fast")

        class State(TypedDict):
            talk: Annotated[list[AnyMessage], operator.add]

        builder = StateGraph(State, context_schema=MemoryContext)
        builder.add_node("first", planner)
        builder.add_node("second", planner)
        builder.add_node("slow", slow)
        builder.add_node("fast", fast)
        builder.add_edge(START, "first")
        builder.add_edge("first", "slow")
        builder.add_edge("first", "fast")
        builder.add_edge(["slow", "fast"], "second")
        builder.add_edge("second", END)
        self.builder = builder

    def run(self, state, lane):
        last = state["talk"][-1]
        mine = [c for c in last.tool_calls if c["args"]["lane"] == lane]
        self.ran += [c["args"]["name"] for c in mine]
        return {"talk": [ToolMessage("ok", tool_call_id=c["id"], name=c["name"]) for c in mine]}


def test_two_planners_two_tool_nodes_and_a_key_of_another_name(memory, play):
    constrain(memory)
    chain = Chain(
        [[call("stop_vm", 1, name=GPU, lane="slow"), call("stop_vm", 2, name=SANDBOX, lane="fast")], []]
    )
    attach(chain.builder, memory, ["first", "second"], ["slow", "fast"], messages_key="talk")
    state = play(chain.builder.compile(), {"talk": [HumanMessage("Clean up.")]})
    assert chain.ran == [SANDBOX]
    assert any(KEEP in text for text in chain.seen[1])
    refused = [m for m in state["talk"] if m.type == "tool" and m.status == "error"]
    assert {m.tool_call_id for m in refused} == {"c1"}
    assert errors({"messages": refused})


def test_a_planner_that_takes_no_messages_is_named_with_what_it_takes(memory):
    chain = Chain([])
    with pytest.raises(ConfigurationError, match=r"'first' takes State, which has no 'messages'"):
        attach(chain.builder, memory, "first", None)

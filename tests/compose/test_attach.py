"""Memory attached to a graph that knows nothing of it: what the planner sees, what tools may do."""

import pytest
from acceptance.agent import CLEANUP, COMMANDS, OFF, REBOOT, Cloud, calls
from acceptance.world import ANA, GPU, KEEP, SANDBOX, STAGING, constrain, say
from acceptance.world import LEAD as ANA_SPEAKING
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import Command, RetryPolicy

from langgraph_memory import MemoryContext, attach
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.testing import ScriptedChatModel

from .looking import asked, errors, of_type, results, types

CONFIG = {"configurable": {"thread_id": "t"}}


class Agent:
    """The usual loop of a planner and its tools, written by somebody without memory in mind."""

    def __init__(self, script, **retries):
        self.cloud = Cloud()
        self.model = ScriptedChatModel(script)
        self.builder = StateGraph(MessagesState, context_schema=MemoryContext)
        self.builder.add_node("agent", lambda s: {"messages": [self.model.invoke(s["messages"])]}, **retries)
        self.builder.add_node("tools", ToolNode(self.cloud.tools(), handle_tool_errors=True))
        self.builder.add_edge(START, "agent")
        self.builder.add_conditional_edges("agent", tools_condition)
        self.builder.add_edge("tools", "agent")

    def compile(self, memory, *, checkpointer=None, **options):
        return attach(self.builder, memory, **options).compile(checkpointer=checkpointer)

    @property
    def seen(self):
        """What the planner was shown, a text for each step."""
        return ["\n".join(m.text for m in call.messages) for call in self.model.calls]


def test_the_planner_is_shown_the_rule_once_a_tool_has_named_the_machine(memory, play):
    constrain(memory, evidence_ref="trace://first")
    agent = Agent(CLEANUP)
    play(agent.compile(memory))
    assert KEEP in agent.seen[1]
    assert [message.type for message in agent.model.calls[1].messages] == ["human", "human", "ai", "tool"]
    assert agent.model.calls[1].messages[0].text.endswith("</memory>")


def test_a_blocked_call_gets_an_error_and_the_others_run(memory, play):
    constrain(memory, evidence_ref="trace://first")
    agent = Agent(CLEANUP)
    state = play(agent.compile(memory))
    assert agent.cloud.stopped == [SANDBOX]
    (error,) = errors(state)
    assert KEEP in error.text
    assert "trace://first" in error.text
    assert state["messages"][-1].text == CLEANUP[-1]


def test_without_a_rule_or_without_the_guard_all_calls_run(memory, play):
    free = Agent(CLEANUP)
    assert errors(play(free.compile(memory))) == []
    assert sorted(free.cloud.stopped) == [SANDBOX, GPU]
    constrain(memory)
    unguarded = Agent(CLEANUP)
    play(unguarded.compile(memory, guard=False), activity="act-unguarded")
    assert sorted(unguarded.cloud.stopped) == [SANDBOX, GPU]


def test_every_call_of_a_step_can_be_blocked(memory, play):
    constrain(memory)
    constrain(memory, entity=SANDBOX, value="Keep the sandbox for the trainees")
    agent = Agent(CLEANUP)
    assert len(errors(play(agent.compile(memory)))) == 2
    assert agent.cloud.stopped == []


def test_the_memories_of_a_step_are_in_no_state_and_no_checkpoint(memory, play):
    constrain(memory)
    agent, saver = Agent(CLEANUP), InMemorySaver()
    state = play(agent.compile(memory, checkpointer=saver), config=CONFIG)
    assert any("<memory" in shown for shown in agent.seen)
    assert not any("<memory" in message.text for message in state["messages"])
    assert "<memory" not in str(list(saver.list(CONFIG)))


def test_a_planner_that_returns_its_whole_input_keeps_no_memories(memory, play):
    constrain(memory)
    agent = Agent(CLEANUP)
    agent.builder.nodes.pop("agent")
    agent.builder.add_node(
        "agent", lambda s: {"messages": [*s["messages"], agent.model.invoke(s["messages"])]}
    )
    state = play(agent.compile(memory))
    assert any("<memory" in shown for shown in agent.seen)
    assert not any("<memory" in message.text for message in state["messages"])


def test_a_planner_that_looks_at_the_kind_of_the_last_message_still_sees_it(memory, play):
    constrain(memory)
    agent, kinds = Agent([]), []

    def look(state):
        kinds.append(state["messages"][-1].type)
        said = CLEANUP[0] if kinds[-1] == "human" else AIMessage("Done.")
        return {"messages": [*state["messages"], said]}

    agent.builder.nodes.pop("agent")
    agent.builder.add_node("agent", look)
    state = play(agent.compile(memory))
    assert kinds == ["human", "tool"]
    assert [m.type for m in state["messages"]] == ["human", "ai", "tool", "ai"]
    assert "<memory" not in str(state)


def test_each_event_is_written_once_with_its_latency_and_the_run_ends_its_activity(memory, play):
    play(Agent(CLEANUP).compile(memory))
    assert types(memory, STAGING) == [
        "activity.completed",
        "message.agent",
        "message.user",
        "tool.completed",
        "tool.completed",
        "tool.completed",
    ]
    stopped = [
        e.data for e in of_type(memory, STAGING, "tool.completed") if e.data["tool"] == "stop_instance"
    ]
    assert {data["args"]["instance"] for data in stopped} == {GPU, SANDBOX}
    assert all(data["latency_ms"] > 0 for data in stopped)
    assert {event.activity_id for event in memory.events(STAGING)} == {"act-run"}


def test_a_thread_that_goes_on_writes_only_what_is_new(memory, play):
    graph = Agent([*CLEANUP, "You are welcome."]).compile(memory, checkpointer=InMemorySaver())
    play(graph, config=CONFIG)
    before = types(memory, STAGING)
    play(graph, "Thanks.", config=CONFIG)
    assert sorted([*before, "message.user", "message.agent", "activity.completed"]) == types(memory, STAGING)


@pytest.mark.parametrize("failing", ["agent", "tools"])
def test_a_run_that_fails_ends_its_activity_as_failed(memory, play, failing):
    agent = Agent([calls(("no_such", {})), "Done."] if failing == "tools" else [])
    agent.builder.nodes.pop("tools")
    agent.builder.add_node("tools", lambda _: 1 / 0)
    with pytest.raises(Exception, match=r"division by zero|no answer is left"):
        play(agent.compile(memory))
    (failed,) = of_type(memory, STAGING, "activity.failed")
    assert ("ZeroDivisionError" in failed.data["error"]) == (failing == "tools")
    assert of_type(memory, STAGING, "activity.completed") == []


def test_a_step_that_is_tried_again_and_succeeds_is_no_failure(memory, play):
    retry = RetryPolicy(initial_interval=0.0, jitter=False, max_attempts=2, retry_on=ConnectionError)
    agent, tries = Agent(CLEANUP, retry_policy=retry), []

    def shaky(state):
        tries.append(state)
        if len(tries) == 1:
            raise ConnectionError("broken")
        return {"messages": [agent.model.invoke(state["messages"])]}

    agent.builder.nodes.pop("agent")
    agent.builder.add_node("agent", shaky, retry_policy=retry)
    play(agent.compile(memory))
    assert len(tries) == 4
    assert of_type(memory, STAGING, "activity.failed") == []
    assert len(of_type(memory, STAGING, "message.user")) == 1


def test_one_question_carries_all_held_calls_and_each_gets_its_own_answer(memory, play):
    constrain(memory)
    agent = Agent([COMMANDS, "Done."])
    graph = agent.compile(memory, checkpointer=InMemorySaver())
    assert asked(play(graph, config=CONFIG)) == [[OFF, REBOOT]]
    assert agent.cloud.ran == []
    assert len(of_type(memory, STAGING, "milestone.reached")) == 1
    state = play(graph, Command(resume={OFF: "deny", REBOOT: "approve"}), CONFIG, principal=ANA)
    assert sorted(agent.cloud.ran) == ["get_instance_metrics", "run_command"]
    assert (results(state)[OFF], results(state)[REBOOT]) == ("error", "success")


def test_a_correction_in_one_thread_holds_in_another_before_any_consolidation(memory, play):
    say(memory, ANA_SPEAKING, "Keep gpu-bench-01 running until Friday.", activity="act-said")
    agent = Agent(CLEANUP)
    play(agent.compile(memory, checkpointer=InMemorySaver()), config=CONFIG)
    assert agent.cloud.stopped == []  # the run waits for an answer about the one, so neither has run
    assert "until Friday" in agent.seen[1]


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ({"planner": "brain"}, r"no node 'brain' \(its nodes: 'agent', 'tools'\)"),
        ({"tools": "hands"}, "no node 'hands'"),
    ],
)
def test_a_wrong_name_is_named_with_those_that_there_are(memory, names, told):
    with pytest.raises(ConfigurationError, match=told):
        Agent([]).compile(memory, **names)
    assert Agent([]).compile(memory)


def test_attaching_twice_or_to_a_compiled_graph_is_refused(memory):
    agent = Agent([])
    compiled = agent.compile(memory)
    with pytest.raises(ConfigurationError, match="'agent' already"):
        attach(agent.builder, memory)
    with pytest.raises(ConfigurationError, match="before compile"):
        attach(compiled, memory)


def test_nobody_known_means_no_memories_and_no_changes(memory):
    constrain(memory)
    agent = Agent(CLEANUP)
    state = agent.compile(memory).invoke({"messages": [("user", "Clean up.")]})
    assert agent.cloud.stopped == []
    assert len(errors(state)) == 2
    assert not any(KEEP in shown for shown in agent.seen)
    assert isinstance(state["messages"][-1], AIMessage)

"""deepagents with memory beside its own: the guard holds in subagents, behind no middleware."""

import pytest
from acceptance.agent import CLEANUP, Cloud, calls
from acceptance.world import ANA, GPU, KEEP, SANDBOX, STAGING, constrain, leads_policy
from deepagents import create_deep_agent
from deepagents.backends import StoreBackend
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command

from langgraph_memory import Memory, MemoryContext, MemoryMiddleware, guard_tools
from langgraph_memory.policy import ToolRule
from langgraph_memory.testing import ScriptedChatModel

from .looking import asked, errors, of_type


@pytest.fixture
def memory(clock):
    """A memory that is told that `task` only hands on to tools, which are guarded themselves."""
    policy = leads_policy().model_copy(update={"tools": {"task": ToolRule(read_only=True)}})
    with Memory.open(":memory:", policy=policy, clock=clock) as opened:
        yield opened


TASK = calls(("task", {"description": f"Stop {GPU} and {SANDBOX}.", "subagent_type": "general-purpose"}))
STOPS = CLEANUP[1]
CONFIG = {"configurable": {"thread_id": "t"}}


class Deep:
    def __init__(self, memory, script, *, guarded=True, sources=None, **options):
        self.cloud, self.model = Cloud(), ScriptedChatModel(script)
        tools = self.cloud.tools()
        self.graph = create_deep_agent(
            model=self.model,
            tools=guard_tools(tools, memory) if guarded else tools,
            middleware=[MemoryMiddleware(memory)],
            context_schema=MemoryContext,
            memory=sources,
            **options,
        )


def shown(model, number):
    return "\n".join(message.text for message in model.calls[number].messages)


def test_a_forbidden_call_through_a_subagent_is_caught(memory, play):
    constrain(memory)
    script = [TASK, STOPS, "I stopped what I could.", "Done."]
    unguarded = Deep(memory, script, guarded=False)
    play(unguarded.graph, activity="act-unguarded")
    assert sorted(unguarded.cloud.stopped) == [SANDBOX, GPU]
    guarded = Deep(memory, script)
    state = play(guarded.graph)
    assert guarded.cloud.stopped == [SANDBOX]
    assert KEEP in shown(guarded.model, 2)
    assert state["messages"][-1].text == "Done."


def test_the_main_agent_is_shown_the_memories_and_guarded(memory, play):
    constrain(memory)
    deep = Deep(memory, CLEANUP)
    (error,) = errors(play(deep.graph))
    assert KEEP in error.text
    assert deep.cloud.stopped == [SANDBOX]
    assert KEEP in deep.model.calls[1].messages[-1].text


def test_it_stands_beside_the_memory_of_deepagents_and_its_store(memory, play):
    constrain(memory)
    store = InMemoryStore()
    write = calls(("write_file", {"file_path": "/memories/note.md", "content": "hello"}))
    deep = Deep(
        memory,
        [write, *CLEANUP],
        store=store,
        backend=StoreBackend(namespace=lambda _: ("files",)),
        sources=["/memories/AGENTS.md"],
        checkpointer=InMemorySaver(),
    )
    state = play(deep.graph, config=CONFIG)
    assert deep.cloud.stopped == [SANDBOX]
    assert len(errors(state)) == 1
    assert len(store.search(("files",))) == 1
    assert "<memory note" not in str(state["messages"])


def test_what_a_subagent_is_told_is_not_a_persons_word(memory, play):
    rule = "Keep gpu-bench-01 running until Friday."
    task = calls(("task", {"description": rule, "subagent_type": "general-purpose"}))
    deep = Deep(memory, [task, "Noted.", "Done."], checkpointer=InMemorySaver())
    play(deep.graph, "Delegate it.", CONFIG, principal=ANA)
    spoken = {e.data["text"] for e in of_type(memory, STAGING, "message.user")}
    assert spoken == {"Delegate it."}
    memory.consolidate()
    assert memory.facts(STAGING) == []


def test_a_subagent_asks_and_goes_on_with_the_answer(memory, play):
    constrain(memory)
    command = calls(("run_command", {"command": f"poweroff {GPU}"}))
    deep = Deep(memory, [TASK, command, "I did.", "Done."], checkpointer=InMemorySaver())
    state = play(deep.graph, config=CONFIG)
    call_id = command.tool_calls[0]["id"]
    assert asked(state) == [[call_id]]
    assert deep.cloud.ran == []
    state = play(deep.graph, Command(resume={call_id: "approve"}), CONFIG, principal=ANA)
    assert deep.cloud.ran == ["run_command"]
    assert state["messages"][-1].text == "Done."


@pytest.mark.parametrize("answer", ["deny", "approve"])
def test_one_who_may_not_decide_does_not_decide_in_a_subagent_either(memory, play, answer):
    constrain(memory)
    command = calls(("run_command", {"command": f"poweroff {GPU}"}))
    deep = Deep(memory, [TASK, command, "I did.", "Done."], checkpointer=InMemorySaver())
    play(deep.graph, config=CONFIG)
    play(deep.graph, Command(resume={command.tool_calls[0]["id"]: answer}), CONFIG)
    assert deep.cloud.ran == []

"""A model proposes; what it gets wrong or fails at changes nothing and loses nothing."""

import itertools

import pytest
from langchain_core.messages import AIMessage

from langgraph_memory import Memory
from langgraph_memory.testing import HashEmbeddings, ScriptedChatModel

from . import story
from .world import DAN, GPU, LEAD, STAGING, end, leads_policy, say, use

BROKEN = {
    "outage": TimeoutError("the model is slow today"),
    "refusal": "I can't help with that.",
    "empty": AIMessage(""),
    "other fields": {"weather": "sunny"},
    "null": "null",
    "number": "42",
    "list": "[1, 2]",
}


def opened(model, clock, **options):
    return Memory.open(":memory:", model=model, policy=leads_policy(), clock=clock, **options)


@pytest.mark.parametrize("name", BROKEN)
def test_a_model_that_fails_costs_no_episode_and_raises_nothing(clock, name):
    model = ScriptedChatModel(itertools.repeat(BROKEN[name]))
    with opened(model, clock) as memory:
        story.friday(memory)
        for _ in range(12):
            memory.consolidate()
            clock.advance(hours=8)
        assert model.calls
        (episode,) = memory.episodes(STAGING)
        assert episode.status == "completed"
        assert GPU in episode.entities
        assert any("stop_instance" in action for action in episode.actions)
        assert memory.facts(STAGING) == []


def test_a_model_that_recovers_is_asked_again(clock):
    replies = itertools.chain(
        [TimeoutError("slow")] * 2, itertools.repeat({"summary": "A tidy week.", "facts": []})
    )
    model = ScriptedChatModel(replies)
    with opened(model, clock) as memory:
        story.friday(memory)
        memory.consolidate()
        failed = len(model.calls)
        for _ in range(12):
            clock.advance(hours=8)
            memory.consolidate()
        assert len(model.calls) > failed
        assert len(memory.episodes(STAGING)) == 1


def test_no_model_is_asked_while_an_agent_works(clock):
    model = ScriptedChatModel([])
    with opened(model, clock) as memory:
        say(memory, LEAD, story.CORRECTION, activity="act-1")
        use(memory, "start_instance", {"instance": GPU}, {"name": GPU}, activity="act-1", entities=(GPU,))
        end(memory, "act-1")
        memory.recall("cleanup", principal=DAN, scope=STAGING, entities=(GPU,))
        memory.check("stop_instance", {"instance": GPU}, principal=DAN, scope=STAGING)
        assert model.calls == ()


def test_any_langchain_embeddings_can_be_used(clock):
    with opened(None, clock, index={"dims": 64, "embed": HashEmbeddings(64)}) as memory:
        memory.assert_fact(
            scope=STAGING, entity="garage", attribute="hours", value="The garage closes at nine", actor=LEAD
        )
        found = memory.recall("garage closes", principal=DAN, scope=STAGING)
        assert [item.record.value for item in found.items] == ["The garage closes at nine"]

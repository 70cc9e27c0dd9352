"""Relevance, recency and importance: which past session comes to mind, and which one fades."""

import pytest

from langgraph_memory import Actor, Memory
from langgraph_memory.policy import Policy, RankingWeights

from .conftest import BOB, CONTEXT

USER, AGENT = Actor("user", "bob"), Actor("agent", "assistant")


@pytest.fixture
def remembered(clock):
    """A memory of two sessions, read three days after the first and a day after the second."""
    opened = []

    def remember(weights):
        memory = Memory.open(":memory:", clock=clock, policy=Policy(ranking=weights))
        opened.append(memory)
        session(memory, "debugging", "The CORS error in the CRM's API layer is back.", "activity.failed")
        clock.advance(days=2)
        session(
            memory, "vacation", "We talked about the beach and the weather in Lisbon.", "activity.completed"
        )
        clock.advance(days=1)
        memory.consolidate()
        return memory

    yield remember
    for memory in opened:
        memory.close()


def session(memory, name, text, ending):
    memory.publish(scope=BOB, activity_id=name, event_type="message.user", actor=USER, data={"text": text})
    memory.publish(scope=BOB, activity_id=name, event_type=ending, actor=AGENT)


def recalled(memory, query):
    return memory.recall(query, principal=CONTEXT.principal, scope=BOB, kinds=["episode"])


def names(recall):
    return [item.record.activity_id for item in recall.items]


def test_the_older_session_comes_first_where_it_is_nearer_and_matters_more(remembered):
    memory = remembered(RankingWeights.for_assistant())
    assert names(recalled(memory, "an API bug in the CRM"))[0] == "debugging"
    assert names(recalled(memory, "the weather at the beach"))[0] == "vacation"


def test_what_is_neither_near_nor_important_fades_with_age(remembered, clock):
    memory = remembered(RankingWeights.for_assistant().model_copy(update={"fade": 0.45, "floor": 0.0}))
    fresh = recalled(memory, "the beach in Lisbon")
    assert "vacation" in names(fresh)
    clock.advance(days=90)
    old = recalled(memory, "any holiday plans?")
    assert "vacation" not in names(old)
    assert ("ep_vacation", "faded") in [(each.id, each.reason) for each in old.omitted]
    assert "faded" in str(memory.explain(old.receipt_id).body["omitted"])


def test_a_weight_of_recency_turns_the_order_round(remembered):
    plain = RankingWeights(relevance=0.0, importance=1.0, recency=0.0, floor=0.0)
    assert names(recalled(remembered(plain), "sessions of the week"))[:1] == ["debugging"]


def test_constraints_and_what_was_asked_for_by_entity_never_fade(remembered):
    memory = remembered(RankingWeights(fade=1.0))
    memory.assert_fact(
        scope=BOB, entity="crm-api", attribute="policy", value="Never restart crm-api by day",
        actor=USER, kind="constraint", forbids=("restart",),
    )  # fmt: skip
    found = memory.recall("restart", principal=CONTEXT.principal, scope=BOB, entities=["crm-api"])
    assert [item.kind for item in found.items] == ["fact"]
    assert "faded" in {each.reason for each in found.omitted}

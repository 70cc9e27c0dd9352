"""Kinds that a request asks for, and memories that say the same, as functions of values."""

from datetime import UTC, datetime

import pytest
from acceptance.world import DAN, DEVELOPER, GPU, STAGING, say

from langgraph_memory.answers import RecallItem
from langgraph_memory.records import Episode, EpisodeStatus
from langgraph_memory.retrieval.variety import distinct, kinds_asked_for, preferred

AT = datetime(2026, 3, 2, tzinfo=UTC)


def episode(number, summary, score=0.5, **fields):
    record = Episode(
        episode_id=f"ep_{number}",
        scope=STAGING,
        activity_id=f"act-{number}",
        status=fields.pop("status", EpisodeStatus.COMPLETED),
        summary=summary,
        started_at=AT,
        ended_at=AT,
        **fields,
    )
    return RecallItem(kind="episode", record=record, score=score, reasons=("vector",))


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("How do I rotate the keys?", {"procedure"}),
        ("What happened to gpu-bench-01 last week?", {"episode"}),
        ("Which rules hold for staging?", {"fact"}),
        ("May we stop it? What are the steps?", {"fact", "procedure"}),
        ("Run the weekly staging cost cleanup.", set()),
        ("", set()),
    ],
)
def test_a_request_names_the_kinds_it_asks_for(query, kinds):
    assert kinds_asked_for(query) == kinds


def test_a_kind_that_is_asked_for_gains_and_others_stay():
    (gained,) = preferred([episode(1, "It was stopped.")], "What happened last time?")
    (same,) = preferred([episode(1, "It was stopped.")], "Stop it.")
    assert gained.score > same.score == 0.5


def test_of_memories_that_say_the_same_the_best_stays():
    ranked = [
        episode(1, "Cleaned up staging.", 0.9),
        episode(2, "cleaned up staging", 0.8),
        episode(3, "Cleaned up production.", 0.7),
        episode(4, "Cleaned up staging.", 0.6, status=EpisodeStatus.FAILED),
        episode(5, "Cleaned up staging.", 0.5, entities=(GPU,)),
    ]
    kept, alike = distinct(ranked)
    assert [item.id for item in kept] == ["ep_1", "ep_3", "ep_4", "ep_5"]
    assert [(omission.id, omission.reason) for omission in alike] == [("ep_2", "alike")]


def test_a_remark_that_waits_many_times_is_recalled_once(memory):
    for number in range(5):
        say(memory, DEVELOPER, f"The {GPU} fan is loud", activity=f"act-{number}")
    say(memory, DEVELOPER, f"The {GPU} disk is full", activity="act-other")
    recall = memory.recall("what about the fan?", principal=DAN, scope=STAGING, entities=[GPU])
    assert recall.render().count("fan is loud") == 1
    assert recall.render().count("disk is full") == 1

"""Relevance within a conversation, the part of a long text that is quoted, and what nothing mentions."""

from datetime import UTC, datetime

import pytest

from langgraph_memory import Actor, Memory, Principal, Scope
from langgraph_memory.records import ActorKind, Episode, Excerpt
from langgraph_memory.repository.passages import SUMMARY
from langgraph_memory.retrieval.dialogue import spread
from langgraph_memory.retrieval.quotes import part
from langgraph_memory.retrieval.unmatched import unmatched

TEAM = Scope.of(org="acme", workspace="talk")
BOT = Principal("bot", grants=(TEAM,))
NOW = datetime(2026, 11, 5, 9, tzinfo=UTC)


def episode(*turns, kind=ActorKind.USER, name="talk"):
    said = tuple(
        Excerpt(text=text, speaker=speaker, source=f"ev_{n}", occurred_at=NOW, kind=kind)
        for n, (speaker, text) in enumerate(turns)
    )
    return Episode(
        episode_id=f"ep_{name}",
        scope=TEAM,
        activity_id=name,
        status="completed",
        summary="Talk.",
        excerpts=said,
        started_at=NOW,
        ended_at=NOW,
    )


def test_an_answer_comes_in_by_the_question_before_it_and_above_the_turn_before_that():
    talk = episode(("ana", "Hi."), ("bo", "Where will the regatta start?"), ("ana", "In Lisbon."))
    (near,) = spread([(talk, {2: 1.0})], frozenset())
    assert set(near) == {1, 2, 3}
    assert near[2] > near[3] > near[1]


def test_the_best_passage_keeps_its_relevance_and_nothing_grows_above_it():
    first = episode(("ana", "One."), ("bo", "Two."), name="a")
    second = episode(("ana", "Three."), name="b")
    raised = spread([(first, {1: 0.9, 2: 0.4}), (second, {1: 0.3, SUMMARY: 0.1})], frozenset())
    scores = [score for passages in raised for score in passages.values()]
    assert max(scores) == pytest.approx(0.9)
    assert all(0 <= score <= 0.9 + 1e-9 for score in scores)
    assert spread([], frozenset()) == []


def test_what_the_person_asked_about_said_counts_more_and_what_an_agent_said_less():
    turns = (("ana", "I went to Rome."), ("bo", "I went to Rome."))
    (near,) = spread([(episode(*turns), {1: 0.5, 2: 0.5})], frozenset({"did", "bo", "travel"}))
    assert near[2] > near[1]
    people, agents = episode(*turns), episode(*turns, kind=ActorKind.AGENT, name="other")
    by_people, by_agents = spread([(people, {1: 0.5}), (agents, {1: 0.5})], frozenset())
    assert by_people[1] > by_agents[1]


def test_of_a_long_text_the_sentences_with_the_words_of_the_query_are_quoted_exactly():
    text = f"{'Nothing here. ' * 40}The deadline moved to April 5. It holds. {'Nothing there. ' * 40}"
    quoted = part(text, frozenset({"deadlin", "april"}), 60)
    assert "The deadline moved to April 5." in quoted
    assert quoted in text
    assert len(quoted) <= 60
    assert part(text, frozenset(), 60) == text[:60].rsplit(". ", 1)[0] + "."
    assert part("x" * 500, frozenset({"x"}), 60) == "x" * 60


def test_words_that_nothing_mentions_are_named_unless_they_are_few_among_many():
    assert unmatched("When did Ana visit Lisbon?", ["Ana was there", "Lisbon is warm, I visit it"]) == ()
    assert unmatched("What is Ana's salary?", ["Ana met Bo"]) == ("salary",)
    long = " ".join(f"word{n}" for n in range(20))
    assert unmatched(f"{long} salary?", [long]) == ()
    assert unmatched(f"{long} salary?", ["else"]) != ()
    assert unmatched("Clean up the salary table", ["anything"]) == ()


@pytest.fixture
def memory():
    with Memory.open(":memory:") as opened:
        for n, (speaker, text) in enumerate(
            [
                ("ana", "I am back from the sailing course."),
                ("bo", "How long was it?"),
                ("ana", "Two weeks, and I have the licence now."),
                ("bo", "The budget of the boat is 9,000 euros."),
                ("bo", f"{'I have little to add today. ' * 30}The budget of the boat is now 12,000 euros."),
            ]
        ):
            opened.publish(
                scope=TEAM,
                activity_id="june",
                event_type="message.user",
                actor=Actor("user", speaker),
                data={"text": text},
                event_id=f"turn-{n}",
            )
        opened.publish(
            scope=TEAM, activity_id="june", event_type="activity.completed", actor=Actor("system", "app")
        )
        opened.consolidate()
        yield opened


def test_a_recall_quotes_the_turns_that_answer_and_numbers_them(memory):
    recall = memory.recall("How long was the sailing course?", principal=BOT, scope=TEAM, kinds=["episode"])
    assert '#1 ana: "I am back from the sailing course."' in recall.render()
    assert '#3 ana: "Two weeks, and I have the licence now."' in recall.render()
    (item,) = recall.items
    assert {1, 3} <= set(item.passages)
    assert recall.unmatched == ()


def test_the_later_statement_stands_above_the_earlier_and_a_part_names_its_event(memory):
    text = memory.recall("What is the budget of the boat?", principal=BOT, scope=TEAM).render()
    assert text.index("now 12,000 euros") < text.index("9,000 euros")
    assert "#5 bo, part of turn-4:" in text


def test_a_recall_says_what_no_memory_mentions(memory):
    recall = memory.recall("What is the salary of the harbourmaster?", principal=BOT, scope=TEAM)
    assert recall.unmatched == ("salary", "harbourmaster")
    if recall.items:
        assert "NOTICE: nothing in memory mentions salary, harbourmaster" in recall.render()
    told = memory.recall("How long was the sailing course?", principal=BOT, scope=TEAM)
    assert "NOTICE" not in told.render()

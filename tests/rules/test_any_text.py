"""Whatever is said, the extractor holds to what it promises."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from langgraph_memory.consolidation.rules import RulesExtractor, reports_end
from langgraph_memory.consolidation.rules.sentences import MAX_WORDS, sentences
from langgraph_memory.consolidation.rules.words import Phrase, spelled
from langgraph_memory.records import Actor

from . import said_operations
from .speaking import KNOWN, event, heard

_SENTENCES = [said for said, _ in said_operations.CASES if isinstance(said, str)]
_WORDS = sorted({word for said in _SENTENCES for word in said.split()})
_SPEECH = st.one_of(
    st.text(max_size=300),
    st.lists(st.sampled_from(_WORDS), max_size=40).map(" ".join),
    st.lists(st.sampled_from(_SENTENCES), max_size=4).map(" ".join),
)
_ACTORS = st.sampled_from(
    [Actor("user", "ana"), Actor("user", "tom"), Actor("agent", "bot"), Actor("tool", "web")]
)
_TYPES = st.sampled_from(["message.user", "message.agent", "feedback.correction", "tool.completed"])


@settings(max_examples=150)
@given(st.lists(st.tuples(_SPEECH, _ACTORS, _TYPES), max_size=5))
def test_it_never_raises_and_cites_only_what_users_said(messages):
    events = [
        event(text, number, actor=actor, event_type=kind)
        for number, (text, actor, kind) in enumerate(messages)
    ]
    spoken = {
        e.event_id
        for e in events
        if e.actor.kind == "user" and e.event_type in ("message.user", "feedback.correction")
    }
    for candidate in RulesExtractor().extract(events, KNOWN):
        assert set(candidate.event_ids) <= spoken


@settings(max_examples=100)
@given(_SPEECH)
def test_the_same_words_give_the_same_candidates(text):
    assert heard(text) == heard(text)


@settings(max_examples=100)
@given(
    st.sampled_from(_SENTENCES),
    st.sampled_from(["By the way, {}", "{} Thanks!", "Hi. {}", "{}\n\n> never mind", "Okay, so: {}"]),
)
def test_small_talk_around_a_sentence_changes_nothing(said, frame):
    def gist(candidates):
        return [(c.entity, c.attribute, c.forbids, c.intent, c.certainty) for c in candidates]

    assert gist(heard(frame.format(said))) == gist(heard(said))


@settings(max_examples=100)
@given(_SPEECH)
def test_the_words_of_a_value_were_said_or_are_a_name(text):
    said = set(re.findall(r"\w+", spelled(text).casefold())) | {"s"}
    names = set(re.findall(r"\w+", " ".join(KNOWN).casefold()))
    for candidate in heard(text):
        assert set(re.findall(r"\w+", candidate.value.casefold())) <= said | names


@settings(max_examples=100)
@given(st.text(max_size=400))
def test_no_sentence_is_longer_than_the_limit(text):
    assert all(len(sentence.words) <= MAX_WORDS for sentence in sentences(spelled(text)))


@settings(max_examples=100)
@given(st.text(max_size=200), st.integers(0, 40), st.integers(0, 40))
def test_cutting_a_phrase_keeps_its_words(text, start, end):
    phrase = Phrase.of(spelled(text))
    assert phrase.cut(0).words == phrase.words
    assert set(phrase.cut(start, end).words) <= set(phrase.words)
    assert phrase.cut(0, start).words + phrase.cut(start).words == phrase.words


@settings(max_examples=60)
@given(_SPEECH, _SPEECH)
def test_reports_of_an_end_never_raise(text, condition):
    assert reports_end(text, condition) in (None, "stated", "hedged")


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "a-" * 50_000,
        '"' * 100_000,
        "( keep " * 14_000,
        "keep , " * 14_000,
        "until keep the it stop and do not " * 3_000,
        ". " * 50_000,
        "- keep\n" * 14_000,
        '{"a": "b"}\n' * 10_000,
        "\u8bf7\u4e0d\u8981" * 30_000,
    ],
    ids=["word", "hyphens", "quotes", "brackets", "commas", "no end", "dots", "lines", "data", "han"],
)
def test_very_long_messages_are_read_to_their_end(text):
    candidates = heard(f"{text}\n\nNever stop gpu-bench-01.")
    assert "gpu-bench-01" in [candidate.entity for candidate in candidates]

"""Decisions and open questions in what people and agents say, by the words that mark them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from langgraph_memory.consolidation.rules.sentences import sentences
from langgraph_memory.consolidation.rules.speech import own_words
from langgraph_memory.conversation.wording_tables import ASKS, DECIDES, EVADES, LEAVES_OPEN
from langgraph_memory.records import ActorKind, Event
from langgraph_memory.store.tokens import tokenize

_SPOKEN = ("message.", "feedback.")
_LONGEST = 4_000
_SETTLED = 0.5


def said(events: Iterable[Event]) -> Iterator[tuple[Event, str]]:
    """Each sentence that a person or the agent said in its own words, with its event."""
    for event in events:
        if event.event_type.startswith(_SPOKEN):
            for part in own_words(event.text[:_LONGEST]):
                for sentence in sentences(part):
                    yield event, sentence.text.strip()


def decisions(events: Sequence[Event]) -> list[tuple[Event, str]]:
    """Sentences in which something was decided or recommended.

    "I decided to move to Lisbon" is one; "Should we go with Lisbon?" and "not decided yet" are none.
    """
    return [(event, sentence) for event, sentence in said(events) if is_decision(sentence)]


def is_decision(sentence: str) -> bool:
    """Whether a sentence decides or recommends something.

    >>> is_decision("Let's go with pdfme."), is_decision("Should we go with pdfme?")
    (True, False)
    """
    decides = DECIDES.search(sentence) is not None
    return decides and not is_question(sentence) and not LEAVES_OPEN.search(sentence)


def is_question(sentence: str) -> bool:
    """Whether a sentence asks something, by its question mark or by the order of its words.

    >>> is_question("谁来签合同?"), is_question("can you check the ramp"), is_question("I can check it.")
    (True, True, False)
    """
    return ASKS.search(sentence) is not None


def open_questions(events: Sequence[Event]) -> list[tuple[Event, str]]:
    """What people asked and got no answer to, and what somebody left open and nothing settled since."""
    spoken = list(said(events))
    found: list[tuple[Event, str]] = []
    for place, (event, sentence) in enumerate(spoken):
        later = spoken[place + 1 :]
        asked = event.actor.kind is ActorKind.USER and is_question(sentence)
        if (asked and not _answered(event, sentence, later)) or (not asked and _left_open(event, sentence)):
            found.append((event, sentence))
    settled = [(event, sentence) for event, sentence in decisions(events)]
    return [
        (event, sentence)
        for event, sentence in found
        if not any(other.seq >= event.seq and settles(words, sentence) for other, words in settled)
    ]


def settles(decision: str, question: str) -> bool:
    """Whether a decision is about what was open: it shares half of the question's telling words."""
    wanted = set(tokenize(question))
    return bool(wanted) and len(wanted & set(tokenize(decision))) / len(wanted) >= _SETTLED


def _left_open(event: Event, sentence: str) -> bool:
    """Whether a sentence says that something is unsettled; an evasive answer does not: its question does."""
    evasive = event.actor.kind is not ActorKind.USER and EVADES.search(sentence)
    return bool(LEAVES_OPEN.search(sentence)) and not evasive


def _answered(question: Event, sentence: str, later: Sequence[tuple[Event, str]]) -> bool:
    """Whether the agent said anything to it before the person spoke again that was not evasive.

    Where the person adds that it is still open, only words about the question answer it.
    """
    answer: list[str] = []
    pressed = False
    for event, said_then in later:
        if event.actor.kind is ActorKind.USER and event.event_id != question.event_id:
            break
        if event.actor.kind is not ActorKind.USER:
            answer.append(said_then)
        else:
            pressed = pressed or LEAVES_OPEN.search(said_then) is not None
    told = " ".join(answer)
    return bool(answer) and not EVADES.search(told) and (not pressed or settles(told, sentence))

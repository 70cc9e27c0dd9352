"""Decisions and open questions in what people and agents say, by the words that mark them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from langgraph_memory.consolidation.rules.sentences import sentences
from langgraph_memory.consolidation.rules.speech import own_words
from langgraph_memory.records import ActorKind, Event
from langgraph_memory.store.tokens import tokenize

_SPOKEN = ("message.", "feedback.")
_LONGEST = 4_000
_DECISION = re.compile(
    r"""\b(
        decided|decision\sis|agreed|settled\son|approved|concluded
      | (let's|lets|let\sus)\s(go|use|do|take|keep|pick|choose|stick|ship|make|start|move|skip|drop)
      | (we|i)('ll|\swill|\sare\sgoing\sto|'re\sgoing\sto|\sam\sgoing\sto|'m\sgoing\sto)\s
        (go|use|take|keep|pick|choose|stick|ship|move|start|drop|skip|switch|do)
      | go\swith|going\swith|went\s(with|for)|opted\sfor|the\splan\sis|made\sup\s(my|our)\sminds?
      | (we|i)\s(chose|picked)|(have|has|'ve)\s(chosen|picked|selected|agreed|opted)
      | (i|we)('d|\swould)?\s(recommend|suggest|propose)|my\s(recommendation|suggestion|advice|pick)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_UNDECIDED = re.compile(
    r"""\b(
        (still|yet)\s(need|needs|have|has|unclear|open|undecided|unknown|waiting|to\b)
      | not\s(yet\s)?(sure|decided|clear)|undecided|unresolved|open\s(question|point|issue)s?
      | to\sbe\s(decided|confirmed|clarified)|tbd|todo|to-do|follow\sup
      | waiting\s(for|on)|have\sto\s(check|ask|decide|find\sout)
      | need\sto\s(check|ask|decide|find\sout|confirm|clarify)
      | (i|we)('ll|\swill)\s(check|ask|find\sout|get\sback|look\sinto|think\sabout|confirm)
      | remind\sme
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_EVASIVE = re.compile(
    r"\b(don't know|do not know|not sure|no idea|can't tell|cannot tell|have to check|need to check|let me"
    r" check|i'll check|i will check|get back to you|find out)\b",
    re.IGNORECASE,
)
_SETTLED = 0.5


def said(events: Iterable[Event]) -> Iterator[tuple[Event, str]]:
    """Each sentence that a person or the agent said in its own words, with its event."""
    for event in events:
        text = event.data.get("text")
        if isinstance(text, str) and event.event_type.startswith(_SPOKEN):
            for part in own_words(text[:_LONGEST]):
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
    decides = _DECISION.search(sentence) is not None
    return decides and not sentence.endswith("?") and not _UNDECIDED.search(sentence)


def open_questions(events: Sequence[Event]) -> list[tuple[Event, str]]:
    """What people asked and got no answer to, and what somebody left open and nothing settled since."""
    spoken = list(said(events))
    found: list[tuple[Event, str]] = []
    for place, (event, sentence) in enumerate(spoken):
        later = spoken[place + 1 :]
        asked = event.actor.kind is ActorKind.USER and sentence.endswith("?")
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
    evasive = event.actor.kind is not ActorKind.USER and _EVASIVE.search(sentence)
    return bool(_UNDECIDED.search(sentence)) and not evasive


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
            pressed = pressed or _UNDECIDED.search(said_then) is not None
    told = " ".join(answer)
    return bool(answer) and not _EVASIVE.search(told) and (not pressed or settles(told, sentence))

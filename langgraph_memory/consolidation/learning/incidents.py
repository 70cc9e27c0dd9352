"""What went wrong after the agent had done something, and what people with authority said to do about it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from langgraph_memory.actions import action_classes, is_reading, verbs_in
from langgraph_memory.consolidation.episodes.building import execution_status, failed
from langgraph_memory.consolidation.rules import speech
from langgraph_memory.entities import identifiers_in
from langgraph_memory.log import SPOKEN
from langgraph_memory.names import canonical
from langgraph_memory.playbooks.procedures import ATTRIBUTE
from langgraph_memory.policy import Policy
from langgraph_memory.records import EpisodeStatus, Event, Procedure, Record
from langgraph_memory.store.tokens import tokenize

_COMPLAINT = re.compile(
    r"\b(?:broke|broken|crash(?:ed|es)|took .{0,30}\bdown|went down|knocked out|outage|paged"
    r"|(?:should|must) ?n[o']t have|should never have|mistake|wrong(?:ly)?|fail(?:ed|ing)? because)\b",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    r"""^(?:(?:so|and|please|next\ time|in\ (?:the\ )?future|from\ now\ on|always|going\ forward
        | (?:you|we|the\ agent)\ (?:should|must|need\ to|needs\ to|have\ to|has\ to))[,:]?\s+)+""",
    re.IGNORECASE | re.VERBOSE,
)
_PROCESS = re.compile(
    r"""^(?:(?:first|also),?\s+)?(?:check|verify|confirm|ask|make\ sure|ensure|look|wait|consult|notify|tell
        |review|compare|test|exclude|skip|leave\ out|take\ a\ (?:backup|snapshot)|back\ up|never|don'?t
        |do\ not|before|after)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ONE_THING = re.compile(
    r"^\W*(?:never|don'?t|do not|skip|exclude)\b.{0,20}\b(?:it|this|that|them)\b", re.IGNORECASE
)
_ONCE = re.compile(
    r"""\b(?:this\ (?:time|once|one)|just\ (?:now|once|today)|today|tonight|tomorrow|right\ now|for\ now
        |at\ the\ moment)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_NUMBERED = re.compile(r"\b[A-Za-z]\w*[-_][\w-]*\d")
_SHORTEST, _LONGEST = 3, 40


class Instruction(Record):
    """How to do something from now on, in the words of a person who may decide on it."""

    text: str
    source: str


def went_wrong(events: Sequence[Event]) -> bool:
    """Whether an activity failed, failed a verification, or somebody complained in it."""
    return execution_status(events) is EpisodeStatus.FAILED or complained(events)


def complained(events: Sequence[Event]) -> bool:
    """Whether somebody said that something went wrong, or corrected the way to work."""
    for event in events:
        if event.event_type in SPOKEN:
            said = own_sentences(event)
            corrected = event.event_type == "feedback.correction" and any(map(_instruction, said))
            if corrected or any(_COMPLAINT.search(each) for each in said):
                return True
    return False


def is_about(procedure: Procedure, tool: str) -> bool:
    """Whether a playbook that names no tools speaks of what a tool does, and of what it does it to."""
    text = " ".join([procedure.trigger_intent, *procedure.steps])
    deeds = set(action_classes(tool))
    if not deeds & set(verbs_in(text)):
        return False
    objects = [word for word in tool.split("_") if not verbs_in(word)]
    return set(tokenize(" ".join(objects))) <= set(tokenize(text))


def followed(procedure: Procedure, events: Sequence[Event]) -> bool:
    """Whether an activity did what a procedure is about; what the application says is believed."""
    if any("procedure" in event.data for event in events):
        return True
    called = [str(e.data.get("tool")) for e in events if e.event_type.startswith("tool.")]
    if procedure.tool_fingerprints:
        return not procedure.tool_fingerprints.keys().isdisjoint(called)
    return any(is_about(procedure, tool) for tool in deeds_in(events))


def deeds_in(events: Sequence[Event]) -> list[str]:
    """The tools that changed something in an activity, each once."""
    done = [
        str(event.data.get("tool"))
        for event in events
        if event.event_type == "tool.completed" and not failed(event)
    ]
    return [tool for tool in dict.fromkeys(done) if not is_reading(tool)]


def instructions(events: Sequence[Event], policy: Policy) -> list[Instruction]:
    """General instructions of people with authority: about the way to work, not about one resource.

    What tools, documents and people without authority say is left out, also where a message quotes it, and
    so is what is meant for once.
    """
    found: dict[str, Instruction] = {}
    for event in events:
        if event.event_type in SPOKEN and policy.authority_of(event.actor, event.scope, ATTRIBUTE):
            for text in filter(None, map(_instruction, own_sentences(event))):
                found.setdefault(canonical(text), Instruction(text=text, source=event.source))
    return list(found.values())


def own_sentences(event: Event) -> Sequence[str]:
    """The sentences of a message that are its speaker's own words, without what is quoted or pasted."""
    return [each.text for each in speech.own_sentences(event.text)]


def _instruction(sentence: str) -> str | None:
    """A sentence as a step of a playbook; None if it is none."""
    words = " ".join(sentence.split())
    plain = _LEAD_IN.sub("", words)
    if not _SHORTEST <= len(plain.split()) <= _LONGEST or not _PROCESS.match(plain):
        return None
    if words.endswith("?") or speech.QUOTED in words or _ONCE.search(words) or _ONE_THING.match(plain):
        return None
    if _NUMBERED.search(plain) or next(iter(identifiers_in(plain)), None) is not None:
        return None
    return f"{plain[0].upper()}{plain[1:].rstrip('.! ')}."

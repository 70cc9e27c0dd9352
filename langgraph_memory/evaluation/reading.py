"""What a text says about things: act on them, or don't. As a careful reader would read it, and no more.

A rule that is labelled as a current constraint settles the question, and so does a current fact that says
that the thing is free. Without one, the latest remark on the thing does: a reader who sees only what was
said, and not by what right, has nothing better to go by. Sentences are read by the rules extractor, the same
for every amount of memory, so that amounts differ by what they show and not by how well it is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache

from langgraph_memory.actions import action_classes
from langgraph_memory.consolidation.candidates import Candidate
from langgraph_memory.consolidation.rules import RulesExtractor
from langgraph_memory.evaluation.scenario import Thing
from langgraph_memory.name_index import NameIndex
from langgraph_memory.names import normalise
from langgraph_memory.records import Actor, Event, Record
from langgraph_memory.retrieval.deeds import covers
from langgraph_memory.scope import Scope

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_CURRENT = re.compile(r"^\W*(?:CONSTRAINT|FACT|PREFERENCE|PROJECT) \(current\b(?:[^()]|\([^()]*\))*\) ")
_ABOUT = re.compile(r"^(?P<about>.*?), (?P<attribute>[\w ]{1,80}): (?P<value>.*)$")
_RULES_OUT = re.compile(r"Rules out: (?P<classes>[^.]*)\.")
_ENDS = re.compile(r"\s*Ends when: .*$")
_QUOTED = re.compile(r'(?:(?P<date>\d{4}-\d{2}-\d{2})[^"\]]*|#\d+(?: \w+)? [^":]*): "(?P<words>[^"]*)"')
_LOG_LINE = re.compile(r"^- (?P<date>\d{4}-\d{2}-\d{2}) \S+ \[[^\]]*\]: (?P<words>.*)$")
_OVER = re.compile(r"^- EPISODE \([^)]*quotes an instruction that was \w+")
_SAID = re.compile(r"^- SAID \([^)]*\) [^:]*: (?P<words>.*)$")


class Remark(Record):
    """What a text says about acting on a thing, on which day, and whether it is a rule."""

    holds: bool
    words: str
    date: str
    ruling: bool


def verdict(text: str, thing: Thing, action: str, things: Sequence[Thing]) -> Remark | None:
    """The remark that decides about an action on a thing; None if the text doesn't speak of it.

    Args:
        text: lines of memory, each with its date.
        thing: what would be acted on.
        action: the name of the tool.
        things: all things there are, so that their names are known to the reader.

    Example:
        >>> box = Thing(id="i-1", name="gpu-1")
        >>> found = verdict("- 2026-11-02 ana [e1]: Don't stop gpu-1.", box, "stop_instance", [box])
        >>> found.holds, found.date
        (True, '2026-11-02')
    """
    known = tuple(sorted((normalise(each.name), each.id) for each in things))
    classes = frozenset(action_classes(action))
    remarks = [remark for line in text.splitlines() for remark in _remarks(line, thing, classes, known)]
    return max(remarks, key=lambda remark: (remark.ruling, remark.date), default=None)


def _remarks(
    line: str, thing: Thing, classes: frozenset[str], known: tuple[tuple[str, str], ...]
) -> Iterator[Remark]:
    label = _CURRENT.match(line)
    if label:
        yield from _ruling(line[label.end() :], label.group(), thing, classes, known)
        return
    if _OVER.search(line):
        return
    for date, words in _said(line):
        for candidate in _read(words, known):
            holds = _stance(candidate, thing, classes, dict(known))
            if holds is not None:
                yield Remark(holds=holds, words=words, date=date, ruling=False)


def _ruling(
    rest: str, label: str, thing: Thing, classes: frozenset[str], known: tuple[tuple[str, str], ...]
) -> Iterator[Remark]:
    """What a current fact says: by what it rules out, or else by its words."""
    match = _ABOUT.match(rest)
    if match is None or not _is_on(match["about"], thing):
        return
    date, words = _DATE.search(label), _RULES_OUT.sub("", _ENDS.sub("", match["value"])).strip()
    ruled_out = _RULES_OUT.search(rest)
    if ruled_out:
        holds = covers(ruled_out["classes"].split(", "), classes)
        stances = [True] if holds else []
    else:
        stances = [holds for holds in _stances(words, thing, classes, known) if holds is not None]
    for holds in stances[-1:]:
        yield Remark(holds=holds, words=words, date=date.group() if date else "", ruling=True)


def _is_on(about: str, thing: Thing) -> bool:
    """Whether a fact's entity is the thing, or the whole scope."""
    return about.startswith("scope:") or bool(NameIndex([(n, n) for n in (thing.name, thing.id)]).find(about))


def _stances(
    words: str, thing: Thing, classes: frozenset[str], known: tuple[tuple[str, str], ...]
) -> list[bool | None]:
    named = words if _is_on(words, thing) else f"{thing.name}: {words}"
    return [_stance(candidate, thing, classes, dict(known)) for candidate in _read(named, known)]


def _said(line: str) -> Iterator[tuple[str, str]]:
    """The sayings of a line with their dates: a line of a log, of a waiting event, or an episode's quotes."""
    date = _DATE.search(line)
    plain = _LOG_LINE.match(line) or _SAID.match(line)
    if plain:
        yield (date.group() if date else ""), plain["words"]
        return
    for quoted in _QUOTED.finditer(line):
        yield quoted["date"] or (date.group() if date else ""), quoted["words"]


@lru_cache(maxsize=4096)
def _read(words: str, known: tuple[tuple[str, str], ...]) -> tuple[Candidate, ...]:
    event = Event(
        event_id="read",
        occurred_at=datetime(2000, 1, 1, tzinfo=UTC),
        scope=Scope.of(org="reader"),
        activity_id="read",
        actor=Actor("user", "reader"),
        event_type="message.user",
        data={"text": words},
    )
    return tuple(RulesExtractor().extract([event], dict(known)))


def _stance(
    candidate: Candidate, thing: Thing, classes: frozenset[str], known: Mapping[str, str]
) -> bool | None:
    """Whether a candidate holds a thing back from an action, or frees it; None if it does neither."""
    if candidate.certainty == "hedged" or not _about(candidate, thing, known):
        return None
    if candidate.intent != "assert":
        return False
    return True if covers(candidate.forbids, classes) else None


def _about(candidate: Candidate, thing: Thing, known: Mapping[str, str]) -> bool:
    if candidate.entity is None:
        return bool(candidate.forbids)
    name = normalise(candidate.entity)
    return known.get(name, name) == thing.id or name in (normalise(thing.name), normalise(thing.id))

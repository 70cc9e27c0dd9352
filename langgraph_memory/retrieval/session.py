"""What the user of a thread has said there, as against what is remembered: for the session it wins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from langgraph_memory.answers import RecallItem
from langgraph_memory.name_index import NameIndex
from langgraph_memory.names import bare, normalise
from langgraph_memory.records import Actor, Event, Fact, FactKind
from langgraph_memory.store.tokens import tokenize

Forms = Callable[[str], frozenset[str]]
"""Gives all forms in which an entity is known."""

_SELF = re.compile(r"\b(?:i|i'm|my|me|mine)\b", re.IGNORECASE)
_STATES = re.compile(
    r"\b(?:is|are|am|be|becomes?|became|now|instead|changed?|moved|switch(?:ed)?|set|use|prefer|not|"
    r"no longer|from now on|for today|this time)\b|[=:]",
    re.IGNORECASE,
)


def said_otherwise(
    items: Iterable[RecallItem],
    said: Sequence[Event],
    forms: Forms,
    may_set: Callable[[Actor, Fact], bool],
) -> dict[str, Event]:
    """The latest statement in the session about what a fact holds otherwise, by fact id.

    A statement counts if it is younger than the fact's confirmation, names the entity (or, of a fact on the
    speaker, says "my") and the attribute, states something, and does not repeat the value. Nothing stored
    changes by it, and a constraint counts as spoken about only by one who may set it.

    Args:
        items: what was recalled.
        said: messages of the user of the thread, in any order.
        forms: all forms in which an entity is known.
        may_set: whether an actor may set the attribute of a fact.
    """
    statements = sorted((each for each in said if _states(_text(each))), key=lambda each: -each.seq)
    found = {}
    for item in items:
        fact = item.record
        if isinstance(fact, Fact):
            told = next((each for each in statements if _is_otherwise(each, fact, forms, may_set)), None)
            if told is not None:
                found[fact.fact_id] = told
    return found


def _is_otherwise(event: Event, fact: Fact, forms: Forms, may_set: Callable[[Actor, Fact], bool]) -> bool:
    text = _text(event)
    if event.occurred_at <= fact.confirmed_at or not _about(text, fact):
        return False
    if fact.kind is FactKind.CONSTRAINT and not may_set(event.actor, fact):
        return False
    own = bare(fact.entity) == event.actor.id and _SELF.search(text) is not None
    return own or bool(NameIndex((name, name) for name in forms(fact.entity)).find_text(text))


def _states(text: str) -> bool:
    return not text.rstrip().endswith("?") and _STATES.search(text) is not None


def _about(text: str, fact: Fact) -> bool:
    """Whether a text speaks of the attribute and does not say what the fact says."""
    attribute = set(tokenize(fact.attribute.replace("_", " ").replace("-", " ")))
    repeats = f" {normalise(fact.value.strip(' .'))} " in f" {normalise(text.strip(' .'))} "
    return bool(attribute) and attribute <= set(tokenize(text)) and not repeats


def _text(event: Event) -> str:
    return str(event.data.get("text", ""))

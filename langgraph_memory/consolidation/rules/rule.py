"""What a form of a constraint found: the classes of actions that it rules out, and of what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from langgraph_memory.actions import ActionClass
from langgraph_memory.consolidation.rules.words import Phrase

PROTECTED = frozenset(
    {ActionClass.STOP, ActionClass.DELETE, ActionClass.SUSPEND, ActionClass.DISABLE, ActionClass.CANCEL}
)
"""What is ruled out for a thing that is to be kept."""

ANYTHING = frozenset({ActionClass.ANY})
"""What is ruled out for a thing that is to be left alone."""


@dataclass(frozen=True)
class Rule:
    """The classes ruled out, and the words that say of what, the most telling first.

    Attributes:
        approval: whether the deeds are allowed to some or after asking, rather than forbidden.
        doubtful: whether the form itself only suggests protection ("QA needs it").
        sure_if_ended: whether naming an end takes the doubt away ("it can't be stopped until Friday").
        needs_end: whether it protects only where an end is named ("keep the logs until May").
        named_only: whether, without an end, it protects only what it names ("keep gpu-bench-01") or what is
            plainly a resource ("keep the server up"), since "keep it up" is just a cheer.
        until: the end that the form itself names, in words.
        cautious: whether it was not read in full, and stands only for what is named.
        points_back: whether the deed is named in the clause before ("that would pay them twice, so don't").
    """

    forbids: frozenset[str]
    about: tuple[Phrase, ...]
    approval: bool = False
    doubtful: bool = False
    sure_if_ended: bool = False
    needs_end: bool = False
    named_only: bool = False
    until: str | None = None
    points_back: bool = False
    cautious: bool = False


Reader = Callable[[Phrase], Rule | None]


def first_of(readers: Sequence[Reader], phrase: Phrase) -> Rule | None:
    """What the first of several readers makes of a phrase, if any rules something out."""
    rules = (read(phrase) for read in readers if phrase)
    return next((rule for rule in rules if rule and rule.forbids), None)

"""The shape of a clause, told from closed classes of words and endings: its subject, verb and the rest.

A shallow reading, in one pass and without a model: enough to tell "sailors check it before they leave"
(others
do something with it) from "it uses a quarter of its memory" (it does something by itself).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from langgraph_memory.actions import verbs_in
from langgraph_memory.consolidation.rules import grammar_tables as tables

THING = "thing"
"""Stands for a known name, or for a pronoun that means one."""

_OWN = tables.DETERMINERS | {THING}
_REACH = 3


class Tense(StrEnum):
    """How the verb of a clause speaks."""

    NONE = "none"
    COMMAND = "command"
    IS = "is"
    PRESENT = "present"
    PAST = "past"
    PERFECT = "perfect"
    MODAL = "modal"


@dataclass(frozen=True)
class Shape:
    """A clause taken apart.

    Attributes:
        subject: the words before the verb.
        verb: the finite verb, an auxiliary where there is one.
        rest: the words after it, without negations and adverbs at their beginning.
        tense: how the verb speaks.
        negated: whether the verb is.
        late: whether something has not come about "yet".
    """

    subject: tuple[str, ...]
    verb: str
    rest: tuple[str, ...]
    tense: Tense
    negated: bool = False
    late: bool = False

    @property
    def of_thing(self) -> bool:
        """Whether the thing is the subject, or the subject is a part of it ("the logs of it")."""
        return THING in self.subject

    @property
    def is_thing(self) -> bool:
        """Whether the thing itself is the subject."""
        own = [word for word in self.subject if word not in tables.DETERMINERS]
        return own[:1] == [THING] and own[1:2] != ["'s"]

    @property
    def speaker(self) -> bool:
        """Whether the speaker is the subject."""
        return bool(self.subject) and self.subject[0] in ("i", "we")

    @property
    def deed(self) -> str:
        """The verb that carries the meaning: the one after an auxiliary."""
        helped = self.tense in (Tense.MODAL, Tense.PERFECT) or self.verb in tables.DO
        return self.rest[0] if helped and self.rest else self.verb


def shape(words: Sequence[str]) -> Shape:
    """The shape of the words of a clause.

    >>> found = shape("sailors check thing before they leave".split())
    >>> found.subject, found.verb, str(found.tense)
    (('sailors',), 'check', 'present')
    >>> shape("thing has been quiet all week".split()).of_thing
    True
    """
    start = next((i for i, word in enumerate(words) if word not in tables.FILLERS), 0)
    said = [word for word in words[start:] if word not in ("", ".")]
    for position, word in enumerate(said):
        tense = _tense(said, position, word)
        if tense and not _is_relative(said, position):
            return _shaped(said, position, tense)
    return Shape(tuple(said), "", (), Tense.NONE)


def _shaped(said: Sequence[str], position: int, tense: Tense) -> Shape:
    after, negated = position + 1, "never" in said[max(0, position - 2) : position]
    while after < len(said) and (said[after] in tables.ADVERBS or said[after].endswith("ly")):
        negated = negated or said[after] in ("not", "never", "hardly", "barely", "rarely")
        after += 1
    subject = tuple(word for word in said[:position] if word not in tables.ADVERBS)
    return Shape(subject, said[position], tuple(said[after:]), tense, negated, late="yet" in said)


def _tense(said: Sequence[str], position: int, word: str) -> Tense | None:
    """How a word speaks if it is the finite verb, else None."""
    signs = (
        (None, position > 0 and said[position - 1] == "to"),
        (Tense.IS, word in tables.BE_NOW),
        (Tense.MODAL, word in tables.MODALS),
        (Tense.PERFECT, word in tables.HAVE and _is_perfect(said, position)),
        (Tense.PRESENT if position else None, word in tables.HAVE | tables.DO),
        (Tense.PAST, _is_past(said, position)),
        (Tense.PRESENT, _is_present(said, position)),
        (Tense.COMMAND, _is_command(said, position)),
    )
    return next((tense for tense, sign in signs if sign), None)


def _is_perfect(said: Sequence[str], position: int) -> bool:
    following = _next(said, position)
    return following in (
        "been",
        "gone",
        "done",
        "seen",
        "grown",
        "become",
        "had",
        "come",
        "taken",
        "run",
    ) or (following in tables.PAST or following.endswith(("ed", "wn", "en")))


def _is_past(said: Sequence[str], position: int) -> bool:
    word, before = said[position], _before(said, position)
    if word not in tables.PAST and not (word.endswith("ed") and len(word) > _REACH + 1):
        return False
    if word in ("let", "put", "set", "cut", "hit", "read", "cost", "hurt", "left", "shut"):
        return before == THING or before in ("he", "she", "it")
    return position > 0 and before not in tables.DETERMINERS | tables.PREPOSITIONS - {"out"}


def _is_present(said: Sequence[str], position: int) -> bool:
    word, before, following = said[position], _before(said, position), _next(said, position)
    if not position or before in tables.DETERMINERS | tables.PREPOSITIONS:
        return False
    if word in tables.BASES or (verbs_in(word) and before in tables.PRONOUNS):
        plural = before.endswith("s") and before not in tables.THIRD
        return before in tables.PRONOUNS or plural or before in tables.PEOPLE
    if not word.endswith("s") or word.endswith(("ss", "'s")):
        return False
    if before == THING or following in _OWN:
        return word in tables.THIRD or following in _OWN | tables.PREPOSITIONS or following in tables.PRONOUNS
    later = said[position + 1 : position + 1 + _REACH]
    return word in tables.THIRD and not tables.BE_NOW.intersection(later)


def _is_command(said: Sequence[str], position: int) -> bool:
    if position or not (said[0] in tables.BASES or (verbs_in(said[0]) and not said[0].endswith("ing"))):
        return False
    following = said[1] if len(said) > 1 else ""
    taken = following in _OWN | tables.PREPOSITIONS | tables.PRONOUNS | {"me", "us", "them", ""}
    return taken or not any(word in tables.BE_NOW | tables.MODALS for word in said[1:5])


def _is_relative(said: Sequence[str], position: int) -> bool:
    return position > 0 and said[position - 1] in ("who", "which", "that") and position > 1


def _before(said: Sequence[str], position: int) -> str:
    """The word before, adverbs passed over."""
    words = [word for word in said[:position] if word not in tables.ADVERBS and not word.endswith("ly")]
    return words[-1] if words else ""


def _next(said: Sequence[str], position: int) -> str:
    words = [word for word in said[position + 1 :] if word not in tables.ADVERBS and not word.endswith("ly")]
    return words[0] if words else ""

"""Whether the cited words bear a proposed value: with its polarity, its units, and of its own entity.

A model that reads may drop a "not", a sign or a unit, or take what is said of another thing in the same
breath. Words in common don't show that. What rules read off a sentence has its words as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from langgraph_memory.actions import KEEP_RUNNING, ActionClass, verbs_in
from langgraph_memory.entities import is_identifier
from langgraph_memory.names import normalise
from langgraph_memory.store.tokens import tokenize

_NEGATION = re.compile(
    r"\b(?:no|not|never|without|cannot|nobody|none|nothing|neither|nor|nowhere|hardly|barely|scarcely|rarely|seldom"
    r"|\w+n['\u2019]t|dont|doesnt|isnt|cant|wont"
    r"|nicht|kein\w*|nie|niemand|ne|pas|jamais|nunca|nadie)\b"
)
_HARMLESS = re.compile(
    r"\b(?:no (?:problem|doubt|worries|matter|wonder|later|earlier|sooner|more than|less than|longer than)"
    r"|never mind|not (?:only|just|to mention|until|before|later|earlier))\b"
)
"""Words that negate nothing of what stands beside them."""

_MEANS_NOT = re.compile(
    r"\b(?:avoid\w*|refus\w*|forb\w+|prohibit\w*|bann\w+|dislik\w*|hat(?:e|es|ed)|only|except|unless|keep|kept"
    r"|stays?|remains?|hold|leave|lacks?|lacking|stopped|excluded?|free of|off limits|un[a-z]{3,}|non-?\w+"
    r"|wait|alone)\b"
)
"""Words by which a value says no in its own way."""

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_JOINT = re.compile(r"(?:,|\s\u2014|:)\s+(?:and\s+|but\s+)?|\s+(?:but|while|whereas|and|so)\s+")
_AMOUNT = re.compile(
    r"(?<![\w.-])(?P<sign>[-\u2212]\s?|minus\s)?(?P<before>[$\u20ac\u00a3\u00a5])?(?P<number>\d+(?:[.,:]\d+)*)\s?(?P<unit>%|[$\u20ac\u00a3\u00a5]|\u00b0?[a-z\u00b5]+)?"
)
_NAMES_OF_UNITS = """
    mg:mg milligram|g:g gram gramme|kg:kg kilo kilogram|ug:\u00b5g ug mcg microgram|t:t ton tonne|cl:cl|dl:dl
    ml:ml millilitre milliliter|l:l litre liter|gal:gal gallon|lb:lb lbs|oz:oz ounce|mm:mm millimetre
    cm:cm centimetre centimeter|m:m metre meter|km:km kilometre kilometer|mile:mile mi|ft:ft foot feet
    inch:inch|yard:yard yd|ha:ha hectare|acre:acre|%:% percent pct|eur:euro eur \u20ac|usd:dollar usd $
    gbp:gbp \u00a3 sterling|chf:chf franken|jpy:yen jpy \u00a5|s:s sec second|min:min minute|h:h hr hour
    day:day|week:week|month:month|year:year yr|b:byte|kb:kb kib|mb:mb mib|gb:gb gib
    tb:tb tib|c:celsius \u00b0c|f:fahrenheit \u00b0f|w:watt|kw:kw|mw:mw|v:volt|k:k thousand
    mio:million mio|bn:billion bn
"""
_UNITS = {
    each: unit
    for unit, names in (
        line.strip().split(":") for line in _NAMES_OF_UNITS.replace("\n", "|").split("|") if ":" in line
    )
    for each in names.split()
}
_FEW = {"and": 2, ",": 1}
"""Of so many words beside names a piece is no statement: "gates GT-1 and GT-2 open at 9"."""


def bears(value: str, text: str, own: Collection[str] = (), *, whole: bool = False) -> bool:
    """Whether a text says a value as it is, and not its opposite, another amount or another thing's.

    Args:
        value: what is proposed.
        text: the cited words.
        own: the names of the value's entity.
        whole: whether it may be said of other things in the text too.

    >>> bears("takes sugar", "Tea TE-1 takes no sugar."), bears("costs 5 euros", "It costs -5 euros.")
    (False, False)
    >>> bears("seats 9", "Van VN-1 seats 5, van VN-2 seats 9.", {"vn-1"})
    False
    """
    if not _amounts(value) <= _amounts(text, every_unit=True):
        return False
    wanted = frozenset(tokenize(value)) - frozenset(word for name in own for word in tokenize(name))
    pieces = _pieces(text)
    others = frozenset() if whole else _identifiers(text) - _identifiers(value) - frozenset(own)
    mine = [each for each in pieces if not others or _may_be_of(each, own, others)]
    best = max((len(wanted & words) for _, words, _ in mine), default=0)
    if others and best < max(len(wanted & words) for _, words, _ in pieces):
        return False
    says_no = negates(value)
    if says_no or _MEANS_NOT.search(value.casefold()):
        return True
    return any(not denied for _, words, denied in mine if len(wanted & words) == best)


def names_end(ends_when: str, text: str) -> bool:
    """Whether a text has most of the words of a condition."""
    wanted = frozenset(tokenize(ends_when)) - _OF_ENDS
    return not wanted or len(wanted & _words_of(text)) > len(wanted) / 2


@lru_cache(maxsize=4)
def _words_of(text: str) -> frozenset[str]:
    """The words of a text; read once for all that cite it."""
    return frozenset(tokenize(text))


_OF_ENDS = frozenset(tokenize("the end of the time that"))


def names_deeds(forbids: Collection[str], text: str) -> bool:
    """Whether a text that names deeds names these, or others that keeping a thing running rules out too."""
    named = frozenset(str(each) for each in verbs_in(text))
    if not named or ActionClass.ANY in named or _SWEEPING.search(text.casefold()):
        return True
    kept = frozenset(str(each) for each in KEEP_RUNNING)
    return frozenset(forbids) <= named | (
        kept if named & kept or _MEANS_NOT.search(text.casefold()) else frozenset()
    )


_SWEEPING = re.compile(r"\b(?:anything|nothing|alone|freeze|frozen|off|whatever|any ?way)\b")


def negates(text: str) -> bool:
    """Whether a text says no to something."""
    return _NEGATION.search(_HARMLESS.sub(" ", text.casefold())) is not None


@lru_cache(maxsize=16)
def _pieces(text: str) -> tuple[tuple[str, frozenset[str], bool], ...]:
    """The statements of a text, roughly: each with its words, and whether it negates something."""
    found = [piece for sentence in _SENTENCE.split(text) for piece in _cut(sentence) if piece.strip()]
    return tuple((normalise(piece), frozenset(tokenize(piece)), negates(piece)) for piece in found)


def _cut(sentence: str) -> list[str]:
    found, start = [], 0
    for joint in _JOINT.finditer(sentence):
        piece, mark = sentence[start : joint.start()], joint.group().strip()
        few = _FEW["and" if "and" in mark else ","]
        if sum(not is_identifier(word) for word in piece.split()) > few or mark in (
            "but",
            "while",
            "whereas",
        ):
            found.append(piece)
            start = joint.end()
    return [*found, sentence[start:]]


def _may_be_of(
    piece: tuple[str, frozenset[str], bool], own: Collection[str], others: Collection[str]
) -> bool:
    """Whether a piece is about the entity, or names no other."""
    plain, _, _ = piece
    return any(name in plain for name in own) or not any(other in plain.split() for other in others)


@lru_cache(maxsize=64)
def _identifiers(text: str) -> frozenset[str]:
    words = (word.strip("\"'.,;:!?()") for word in text.split())
    return frozenset(normalise(word) for word in words if is_identifier(word))


def _amounts(text: str, *, every_unit: bool = False) -> frozenset[tuple[bool, str, str]]:
    """The numbers of a text, each with whether it is negative and its unit; without one too if asked."""
    found = set()
    for match in _AMOUNT.finditer(text.casefold()):
        name = match["unit"] or match["before"] or ""
        unit = (
            _UNITS.get(name)
            or _UNITS.get(name.removesuffix("s"))
            or _UNITS.get(name.removesuffix("es"))
            or ""
        )
        found.add((match["sign"] is not None, match["number"], unit))
        if every_unit:
            found.add((match["sign"] is not None, match["number"], ""))
    return frozenset(found)

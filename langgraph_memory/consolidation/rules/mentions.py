"""The entities that a phrase names.

A known name counts where it stands as a whole, the longest first. Next come words with the shape of an
identifier, then a noun with its number ("release 4.2").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from langgraph_memory.actions import verbs_in
from langgraph_memory.consolidation.rules.descriptions import MOMENT
from langgraph_memory.consolidation.rules.known_names import MAX_NAME, KnownNames
from langgraph_memory.consolidation.rules.wording import starts
from langgraph_memory.consolidation.rules.words import Phrase, Word, word_set
from langgraph_memory.entities import is_identifier

_MAX_LENGTH = 200
"""A longer word names nothing, in characters."""
_COUNTED = """
    release version pr pull ticket order invoice build issue case claim reservation booking job run sprint
    phase milestone batch shipment account customer policy contract rfc incident change request room unit
    apartment bug task tag patch refund transaction payment
"""
_NUMBERED = starts(rf"""
    {"|".join(_COUNTED.split())} [number|no|nr|id|:|.|request] (?:\#?v?\d[\w.-]*)
""")
_NUMBERED_NOUNS = word_set("""
    releases versions prs pulls tickets orders invoices builds issues cases claims reservations bookings
    jobs runs sprints batches shipments accounts customers policies contracts incidents changes requests
    rooms units tasks bugs patches refunds transactions payments
""")
_CALLED = re.compile(
    rf"\b(?:{'|'.join(sorted(noun.removesuffix('s') for noun in _NUMBERED_NOUNS))})s? #?$", re.IGNORECASE
)
"""The noun of a number at the beginning of a phrase: "order" is a verb as well, and may have been cut off."""
_DIGITS = re.compile(r"#?\d{1,30}")
_BRANCHES = "main master trunk develop production prod staging preprod canary"
_BRANCH = starts("|".join(_BRANCHES.split()))
_BEGINS_NAME = word_set(f"{_COUNTED} {_BRANCHES}") | _NUMBERED_NOUNS
"""Plain words with which a name can begin that nobody knows yet."""
_COMPOUND = re.compile(
    r"(?:non|pre|post|re|self|co|ex|all|anti|semi|multi|un|over|under|follow|sign|log|set|check|built|long|short|high"
    r"|low|well|so|up|off|on|one|two|three|half|end|e|day|week|month|year|real|read|write|open|cross|third|first|second"
    r"|full|part|on|in|out|must|free|mid|run|go|hand|right|left|old|new|top|in)-.*"
    r"|.*-(?:free|only|based|up|off|in|out|on|time|term|point|day|night|week|to|like|level|friendly|related|mail|house"
    r"|side|wide|specific|aware|ready|driven|made|end|long|old|new|hour|minute|month|year|call|party|fat|high|through"
    r"|the|and|or|of|minute|scale|sized|run|made|based|ed|ing|class|quality|style|site|shop|food|book|screen|tone"
    r"|carb|sugar|calorie|impact|range|proof|safe|way|stop|trip|seat|back|down|over)"
)
_SLUG = re.compile(
    r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+|[\w-]+(?:/[\w.-]+)+|[a-z][\w-]*\.[a-z][\w.-]*|#[a-z][\w-]+"
)
_WINDOWS_PATH = re.compile(r"[A-Za-z]:[\\/]|\S*\\")


@dataclass(frozen=True)
class Mention:
    """A name, and the word that stands before it, as in "invoice INV-2201"."""

    name: str
    noun: str = ""


def name_at(source: str, words: Sequence[Word], known: KnownNames) -> tuple[str, int] | None:
    """The name that begins with the first of `words`, known or an identifier by its shape; and its length."""
    if found := known.find(words):
        return found
    said = source[words[0].start : words[0].end]
    return (said, 1) if is_identifier(said) else None


def mentions(phrase: Phrase, known: KnownNames) -> list[Mention]:
    """The entities that a phrase names, in order, each once.

    >>> names = KnownNames({"gpu-bench-01": "i-09a8f"})
    >>> [m.name for m in mentions(Phrase.of("move GPU bench 01 and INV-2201 to release 4.2"), names)]
    ['gpu-bench-01', 'INV-2201', 'release 4.2']
    """
    found: dict[str, Mention] = {}
    for mention in _mentions(phrase, known):
        found.setdefault(mention.name.casefold(), mention)
    return list(found.values())


def _mentions(phrase: Phrase, known: KnownNames) -> Iterator[Mention]:
    words, position = phrase.words, 0
    while position < len(words):
        if _begins_none(words[position].norm, known):
            position += 1
            continue
        found = known.find(words[position : position + MAX_NAME])
        if found is None and (listed := _listed(words[position:])):
            yield from _numbered(phrase.source, listed)
            position += len(listed)
            continue
        name, length = found or _unknown(phrase, position)
        if length > 1 and not found:  # "issue 88" is what a tool lists as 88
            name = next(filter(None, (_within(known, words, position + n) for n in range(1, length))), name)
        if name:
            noun = words[position - 1].norm if position else ""
            yield Mention(name, noun)
        position += length


def _begins_none(norm: str, known: KnownNames) -> bool:
    """Whether no name can begin with a word, known or not: nearly all words, so it is asked first."""
    return norm.isalpha() and norm not in _BEGINS_NAME and not known.begins(norm)


def _listed(words: Sequence[Word]) -> Sequence[Word]:
    """The words of "orders 4411, 4412 and 4413": a noun in the plural with its numbers; none of others."""
    if words[0].norm not in _NUMBERED_NOUNS:
        return ()
    last = 0
    for at, word in enumerate(words[1:], 1):
        if _DIGITS.fullmatch(word.norm):
            last = at
        elif word.norm not in ("and", "or", "nor", ",", "&"):
            break
    return words[: last + 1] if last else ()


def _numbered(source: str, listed: Sequence[Word]) -> Iterator[Mention]:
    """The things of a list of numbers, each in the words of the speaker: "orders 4411", then "4412"."""
    noun, first, *others = listed
    yield Mention(source[noun.start : first.end], noun.norm)
    yield from (Mention(word.norm, noun.norm) for word in others if _DIGITS.fullmatch(word.norm))


def _within(known: KnownNames, words: Sequence[Word], position: int) -> str:
    found = known.find(words[position:])
    return found[0] if found else ""


def _is_plain(norm: str) -> bool:
    """Whether a word is just a word, or a verb of two: "force-push"."""
    return norm.isalpha() or (norm.replace("-", "").isalpha() and bool(verbs_in(norm)))


def _unknown(phrase: Phrase, position: int) -> tuple[str, int]:
    """A name that nobody knows yet but that looks like one, and how many words it takes."""
    word = phrase.words[position]
    said = phrase.source[word.start : word.end].removesuffix("'s").strip("'")
    rest = Phrase(phrase.source, phrase.words[position : position + 4])
    if match := _NUMBERED.match(rest):
        named = rest.cut(0, match.end())
        return named.text, len(named.words)
    before = phrase.words[position - 1].norm if position else ""
    if _BRANCH.match(rest) and (before in _INTO or not _is_attributive(rest)):
        return said, 1
    if _NUMBER.fullmatch(word.norm) and (not before or before in _BEFORE_NUMBER) and _ends_there(rest):
        noun = _CALLED.search(phrase.source, 0, word.start) if not before else None
        return (phrase.source[noun.start() : word.end] if noun else said), 1
    if _is_plain(word.norm) or len(word.norm) > _MAX_LENGTH or MOMENT.fullmatch(word.norm):
        return "", 1
    if (
        is_identifier(said)
        or _WINDOWS_PATH.match(said)
        or (_SLUG.fullmatch(word.norm) and not _COMPOUND.fullmatch(word.norm))
    ):
        return said, 1
    return "", 1


def _ends_there(rest: Phrase) -> bool:
    """Whether nothing is counted by the number: no noun or unit follows it."""
    return len(rest.words) == 1 or rest.words[1].norm in _AFTER_NUMBER


def _is_attributive(rest: Phrase) -> bool:
    """Whether "main" and its like stand before a noun of their own: "the main reason"."""
    following = rest.words[1].norm if len(rest.words) > 1 else ""
    return following.isalpha() and following not in _AFTER_NAME


_NUMBER = re.compile(r"(?!(?:19|20)\d\d$)\d{4,30}")
"""A number that may name a thing by itself: neither short nor a year."""
_BEFORE_NUMBER = word_set("""
    for of on from with to touch refund ship pay cancel close reopen delete remove stop charge approve release
    send archive merge book change edit update release leave keep and or not
""")
_AFTER_NUMBER = word_set("""
    , . ; : ! — please until till unless before while and or is has must should may can cannot at yet again
    anymore alone open closed on running to for as
""")
_INTO = word_set("""
    to into onto against on from in of branch freeze unfreeze
""")
_AFTER_NAME = word_set("""
    branch until is must should may can and or on before for while unless without stays frozen locked
    open again now as alone green has at during through today running up environment env database db
    only this over because since deploys to
""")

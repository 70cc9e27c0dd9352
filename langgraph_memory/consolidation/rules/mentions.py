"""What a phrase is about: entities named in it, pointed at, or described.

A known name counts where it stands as a whole, the longest first. Next come words with the shape of an
identifier, then a noun with its number ("release 4.2"). A pronoun or a general noun ("the instance") points
at what was mentioned before. What is left is a description ("the reporting cluster"), which may still fit
exactly one of the known names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from langgraph_memory.actions import verbs_in
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase, Word, spelled, word_set
from langgraph_memory.entities import is_identifier

_PART = re.compile(r"[^\W_]+")
_MAX_LENGTH = 200
"""A longer word names nothing, in characters."""
MAX_NAME = 12
"""The longest known name that is looked for, in parts."""

GENERIC = """
    instance|server|machine|box|host|node|vm|cluster|database|db|service|app|application|resource|environment|env
    |container|pod|job|pipeline|deployment|branch|repo|repository|account|customer|client|user|order|invoice|payment
    |refund|transaction|ticket|case|claim|reservation|booking|flight|trip|subscription|volume|disk|bucket|queue|table
    |index|file|document|report|contract|project|system|site|website|workspace|device|sandbox|runner|hold|freeze
    |restriction|thing|one|ones|pr|pull|request|release|feature|record|dataset|backup|snapshot|key|prescription
    |appointment|meeting|event|shipment|package|policy|rule|lock|line
"""
_GENERIC = "|".join(line.strip() for line in GENERIC.split()).replace("||", "|")
_PLURAL = "|".join(f"{noun}s" for noun in _GENERIC.split("|"))
_POINTS_AT_ONE = holds(f"""
    it | its | this|that $ | this|that one | which | the one
    | the|this|that|said|our|same [very|same|particular|specific|whole] ( {_GENERIC} )
    (?! of|in|for|with|on|from|named|called )
""")
_POINTS_AT_ALL = holds(f"""
    they | them | both | these|those | all of them | both of them
    | the|these|those|both|same [two|three|same] ( {_PLURAL} )
""")
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
_MOMENT = re.compile(
    r"[\d:.,/-]+(?:am|pm|h|st|nd|rd|th|days?|%|k|m|gb|mb|tb|ms|s|x)?|[$€£].*|v?\d+(?:\.\d+)+|q[1-4]|fy\d+"
)


_MANY = 64
"""Of more things than these no list is made: what is said of all others is said of the scope."""


@dataclass(frozen=True)
class Mention:
    """A name, and the word that stands before it, as in "invoice INV-2201"."""

    name: str
    noun: str = ""


class _Index:
    """Names by the parts of their spellings, in the order in which they were given."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names: dict[tuple[str, ...], list[str]] = {}
        self.longest: dict[str, int] = {}
        self.with_part: dict[str, set[str]] = {}
        for name in names:
            for parts in dict.fromkeys(map(_parts, (name, name.partition(":")[2]))):
                if 0 < len(parts) <= MAX_NAME:
                    self._add(name, parts)

    def _add(self, name: str, parts: tuple[str, ...]) -> None:
        self.names.setdefault(parts, []).append(name)
        self.longest[parts[0]] = max(len(parts), self.longest.get(parts[0], 0))
        for part in parts:
            self.with_part.setdefault(part, set()).add(name)


class KnownNames(Mapping[str, str]):
    """The entity that each known name stands for; names are found in phrases as whole words, longest first.

    Args:
        known: entity ids by name.
        below: names that are known as well, where these don't say otherwise.
        without: names of `below` that stand for no entity any more.

    Attributes:
        indexes: of the names below, and of these.

    >>> known = KnownNames({"bench": "i-7"}, below=KnownNames({"bench": "i-9", "web": "i-1"}))
    >>> dict(known)
    {'bench': 'i-7', 'web': 'i-1'}
    """

    def __init__(
        self, known: Mapping[str, str], *, below: KnownNames | None = None, without: Iterable[str] = ()
    ) -> None:
        self._known, self._without = known, frozenset(without)
        self._below: Mapping[str, str] = {} if below is None else below
        self.indexes: tuple[_Index, ...] = (*(below.indexes if below else ()), _Index(known))

    @classmethod
    def of(cls, known: Mapping[str, str]) -> KnownNames:
        """The names of any mapping."""
        return known if isinstance(known, KnownNames) else cls(dict(known))

    def __getitem__(self, name: str) -> str:
        if name in self._known:
            return self._known[name]
        if name in self._without:
            raise KeyError(name)
        return self._below[name]

    def __iter__(self) -> Iterator[str]:
        yield from (name for name in self._below if name in self._known or name not in self._without)
        yield from (name for name in self._known if name not in self._below)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def find(self, words: Sequence[Word]) -> tuple[str, int] | None:
        """The longest name that begins with the first of `words`, and how many words it takes."""
        parts: list[str] = []
        ends: dict[int, int] = {}
        first = _PART.search(words[0].norm)
        longest = self._longest(first.group()) if first else 0
        if not longest:
            return None
        for count, word in enumerate(words[:longest], 1):
            parts.extend(_PART.findall(word.norm))
            ends[len(parts)] = count
        for length in sorted(ends, reverse=True):
            if name := self._spelled(tuple(parts[:length])):
                return name, ends[length]
        return None

    def is_no_name(self, norm: str) -> bool:
        """Whether no name can begin with a word, known or not: nearly all words, so it is asked first."""
        return norm.isalpha() and norm not in _BEGINS_NAME and not self._longest(norm)

    def described_by(self, words: Iterable[str]) -> str | None:
        """The one known entity in whose name all these words occur; None where several or none fit."""
        named = [
            set[str]().union(*(index.with_part.get(word, ()) for index in self.indexes)) for word in words
        ]
        fitting = [name for name in set.intersection(*named) if name in self] if named else []
        return min(fitting, key=len) if len({self[name] for name in fitting}) == 1 else None

    def knows(self, name: str) -> bool:
        """Whether this is a known name, in whatever spelling."""
        return self._spelled(_parts(name)) is not None

    def others(self, left_out: Iterable[str]) -> list[str]:
        """One name of each known entity but of those left out; none where there are very many."""
        taken = {self.get(name, name).casefold() for name in left_out}
        by_id = {entity: name for name, entity in self.items() if _parts(name)}
        found = [name for entity, name in by_id.items() if entity.casefold() not in taken]
        return found if len(found) <= _MANY else []

    def same(self, one: str, other: str) -> bool:
        """Whether two mentions name the same entity."""
        return self.get(one, one).casefold() == self.get(other, other).casefold()

    def _longest(self, first: str) -> int:
        """How many parts the longest name takes that begins with one."""
        return max(index.longest.get(first, 0) for index in self.indexes)

    def _spelled(self, parts: tuple[str, ...]) -> str | None:
        """The first name of this spelling."""
        named = (name for index in self.indexes for name in index.names.get(parts, ()))
        return next((name for name in named if name in self), None)


def _parts(name: str) -> tuple[str, ...]:
    return tuple(_PART.findall(spelled(name).lower()))


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
        if known.is_no_name(words[position].norm):
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
    if _is_plain(word.norm) or len(word.norm) > _MAX_LENGTH or _MOMENT.fullmatch(word.norm):
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


def points_at_one(phrase: Phrase) -> bool:
    """Whether the phrase has a pronoun or a general noun for one thing that was mentioned."""
    return _POINTS_AT_ONE.search(phrase) is not None


def points_at_all(phrase: Phrase) -> bool:
    """Whether the phrase has a pronoun or a general noun for several things."""
    return _POINTS_AT_ALL.search(phrase) is not None


_DETERMINERS = starts(
    "( the|a|an|our|my|your|their|his|her|its|this|that|these|those|any|all|some|every|each|of|both )*"
)
_OBJECT_ENDS = holds(r"""
    ,|;|:|—|\. | for|on|in|to|at|from|with|by|and|or|into|about|during|that|which|who|so|because|as|is|are
    | over|within|against|under|again|now|please|anymore|yet|until|anyway|though|either
""")
_NO_THING = word_set("""
    there here now anything everything nothing something that this it them you me us anyone everyone more
    further new other any things changes stuff all one up down off out
""")


def description(phrase: Phrase) -> Phrase:
    """The noun phrase that a phrase begins with, without determiners: "reporting cluster" of "the … in eu".

    >>> description(Phrase.of("the old reporting cluster in eu-west")).text
    'old reporting cluster'
    """
    match = _DETERMINERS.match(phrase)
    named = noun_phrase(phrase.cut(match.end() if match else 0))
    words = [word for word in named.words if word.norm not in ("'s", "?", "!")]
    if (
        not words
        or len(words) > _MAX_DESCRIPTION
        or _MOMENT.fullmatch(words[0].norm)
        or all(word.norm in _NO_THING for word in words)
    ):
        return Phrase(phrase.source, ())
    return named


_MAX_DESCRIPTION = 5


def noun_phrase(phrase: Phrase) -> Phrase:
    """The words up to the first preposition or punctuation; of-phrases belong to the noun."""
    ends = _OBJECT_ENDS.search(phrase)
    return phrase.cut(0, ends.start()) if ends else phrase


def is_general(phrase: Phrase) -> bool:
    """Whether a description ends in a general noun for things that are kept and operated."""
    return bool(phrase) and _OPERATED.fullmatch(phrase.words[-1].norm) is not None


_OPERATED = re.compile(f"(?:{_GENERIC.replace('|one|ones', '').replace('|thing', '')}|backup|log|data)s?")


def is_nominal(phrase: Phrase) -> bool:
    """Whether a phrase can be the subject of a rule: a thing, not a clause of its own."""
    return bool(phrase) and _CLAUSAL.search(phrase) is None


_CLAUSAL = holds("""
    i|we|you|he|she|they|that $
    | which|who|because|if|when|how|is|are|was|were|has|have|looks?|concluded|getting
    | reminding|comes|me|us
""")


def content(phrase: Phrase) -> list[str]:
    """The words of a description that tell it from others: without general nouns."""
    general = set(_GENERIC.split("|"))
    return [word.norm for word in phrase.words if word.norm not in general and word.norm.isalnum()]

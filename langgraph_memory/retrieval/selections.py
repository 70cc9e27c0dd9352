"""Names that a call selects: by a pattern, by a part of them, or by the first and last of a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from langgraph_memory.actions import ActionClass, action_classes
from langgraph_memory.entities.keys import key_words, words
from langgraph_memory.lookalikes import look
from langgraph_memory.retrieval.calls import Call, Entry
from langgraph_memory.retrieval.encodings import UnjudgedError

_SELECTING = words(
    "prefix suffix startswith endswith beginswith contain like ilike match matching regex regexp re pattern "
    "glob wildcard substring fuzzy"
)
_FAMILIES = words("group pool fleet family cluster series")
_BOUNDS = words("start end begin")
_LOW = words("from start first min minimum begin lower after gte gt low")
_HIGH = words("to end last max maximum until upper before lte lt high through")
_MOVES = frozenset({ActionClass.MIGRATE, ActionClass.PAY, ActionClass.SEND, ActionClass.BOOK})
"""What goes from one thing to another, and through no row of them."""

_LONGEST = 200
_LONGEST_WORD = 40
_MOST_PATTERNS = 60
_MOST_STEPS = 2_000_000
_MOST_OPEN = 3

_SPECIAL = re.compile(r"[\^$|\[]|\.[*+?]|\)[*+?]|\\[a-zA-Z]|\{\d")
_ANYTHING = re.compile(r"\.[*+?{]|\\[wWdDsS]")
_CHOICE = re.compile(r"[\w.-]+(?:\|[\w.-]+)+")
_PIECE = re.compile(r"[^\s'\"`;,]+")
_ALNUM = re.compile(r"[^\W_]")
_LETTERS = re.compile(r"[^\W_]{2}")
_SLASHES = re.compile(r"/(?P<inner>.+)/[a-z]*")
_FLAGS = re.compile(r"\(\?[a-zA-Z]+\)")
_CLASS = re.compile(r"\[\^?\]?[^\]]*\]")
_ESCAPED = re.compile(r"\\[^\d]")
_OPEN = re.compile(r"[*+]|\{\d*,\d*\}")
_SLOW = re.compile(r"\)[*+{]|\\\d|\(\?(?!:)")
_NESTED = re.compile(r"\[.*(?:\[|--|&&|~~|\|\|)")
_QUOTED = re.compile(
    r"(?:starts?_?with|ends?_?with|begins?_?with|contains?|prefix|suffix|i?like|match(?:es)?|regexp?|=~|~)"
    r"[\s(:=]{0,3}(?:[\w.]{1,40}\s?,\s?)?['\"](?P<part>[^'\"]{1,80})['\"]",
    re.IGNORECASE,
)
_STEM = r"[^\W\d_](?:[\w.-]{0,60}?[^\W\d]|)[-_.]?"
_ROW = re.compile(
    rf"(?P<stem>{_STEM})(?P<low>\d{{1,9}})\s?(?:\.\.+|…|:|~|->|\bto\b|\bthrough\b|\bthru\b|\buntil\b|\s-\s)\s?"
    rf"(?P<other>(?:{_STEM})?)(?P<high>\d{{1,9}})(?!\w)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?P<stem>[^\W\d_].*?)(?P<number>\d{1,9})")


class Selections:
    """Entities by the names that a pattern, a part or a row may select.

    Args:
        names: pairs of name and entity.

    Example:
        >>> found = Selections([("gpu-bench-01", "vm-1")]).found
        >>> [len(found(Call("stop", args))) for args in ({"match": "^gpu"}, {"row": "gpu-bench-00..09"})]
        [1, 1]
        >>> found(Call("stop", {"match": "^web", "name_prefix": "gpu-bench-02", "ids": "gpu-bench-02..04"}))
        frozenset()
    """

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self._names = sorted({(look(name)[:_LONGEST], entity) for name, entity in names})

    def found(self, call: Call) -> frozenset[str]:
        """The entities that a call may select.

        Raises:
            UnjudgedError: it holds too many expressions.
        """
        found = {entity for part in _parts(call) for name, entity in self._names if part in name}
        families = tuple(_families(call))
        found |= {entity for name, entity in self._names if _is_of(name, families)}
        for pattern in _patterns(call):
            found |= self._matching(pattern)
        for stem, low, high in _rows(call):
            found |= {entity for name, entity in self._names if _stands_in(name, stem, low, high)}
        return frozenset(found)

    def _matching(self, pattern: str) -> set[str]:
        """Entities with a name in which the expression matches; all of them if it can't be tried in time."""
        opened = len(_OPEN.findall(pattern))
        longest = max((len(name) for name, _ in self._names), default=0)
        if opened > _MOST_OPEN or len(self._names) * longest**opened > _MOST_STEPS:
            return {entity for _, entity in self._names}
        try:
            search = re.compile(pattern, re.IGNORECASE).search
        except (re.error, OverflowError, RecursionError):
            return set()
        return {entity for name, entity in self._names if search(name)}


def _parts(call: Call) -> Iterator[str]:
    """Parts of names that the call selects by."""
    said = [entry for entry in call.entries if isinstance(entry.value, str) and len(entry.value) <= _LONGEST]
    selecting = [entry.value for entry in said if _selects(entry.words)]
    if any(_is_operator(entry.value) for entry in said):
        selecting += [entry.value for entry in said if _LETTERS.search(entry.value)]
    selecting += [match["part"] for text in call.texts for match in _QUOTED.finditer(text)]
    return (part for each in selecting if (part := look(each.strip().strip("%*^$"))))


def _selects(said: Iterable[str]) -> bool:
    known = frozenset(said)
    return not _SELECTING.isdisjoint(known) or ("with" in known and not _BOUNDS.isdisjoint(known))


def _is_operator(value: str) -> bool:
    """Whether a value says how another one selects: `starts_with`, `contains`."""
    told = frozenset(key_words(value)) if len(value) <= _LONGEST_WORD else frozenset()
    return _selects(told) and told <= _SELECTING | _BOUNDS | {"with"}


def _families(call: Call) -> Iterator[str]:
    """Values that name what several things belong to."""
    whole = not _FAMILIES.isdisjoint(key_words(call.action))
    for words_of_key, value in call.entries:
        if isinstance(value, str) and value.strip() and (whole or not _FAMILIES.isdisjoint(words_of_key)):
            yield look(value.strip())


def _is_of(name: str, families: tuple[str, ...]) -> bool:
    """Whether a name begins with that of a family and goes on."""
    return name.startswith(families) and any(
        name.startswith(family) and not name[len(family) : len(family) + 1].isalnum() for family in families
    )


def _rows(call: Call) -> Iterator[tuple[str, int, int]]:
    """Stem, first and last number of the rows of names that a call goes through."""
    for text in call.texts:
        for match in _ROW.finditer(look(text)):
            if match["other"] in ("", match["stem"]):
                yield match["stem"], int(match["low"]), int(match["high"])
    if action_classes(call.action).isdisjoint(_MOVES):
        lows, highs = _numbered(call.entries, _LOW), _numbered(call.entries, _HIGH)
        yield from ((stem, lows[stem], highs[stem]) for stem in lows.keys() & highs.keys())


def _numbered(entries: Iterable[Entry], bounds: frozenset[str]) -> dict[str, int]:
    """Numbers of names under keys that say first or last, by the stem of the name."""
    found = {}
    for words_of_key, value in entries:
        if isinstance(value, str) and not bounds.isdisjoint(words_of_key):
            match = _NUMBERED.fullmatch(look(value.strip()))
            if match:
                found[match["stem"]] = int(match["number"])
    return found


def _stands_in(name: str, stem: str, low: int, high: int) -> bool:
    number = name.removeprefix(stem)
    return number != name and number.isdecimal() and low <= int(number) <= high


def _patterns(call: Call) -> Iterator[str]:
    """The regular expressions among the arguments, and among the first words of longer ones."""
    short = [text for text in call.texts if len(text) <= _LONGEST and not any(map(str.isspace, text))]
    whole = [plain for text in short if _SPECIAL.search(text) for plain in _plain(text, whole=True)]
    if len(whole) > _MOST_PATTERNS:
        raise UnjudgedError(
            f"its arguments hold more than {_MOST_PATTERNS} expressions, too many to be judged"
        )
    yield from whole
    long = set(call.texts) - set(short)
    words_of = (match[0] for text in call.texts if text in long for match in _PIECE.finditer(text))
    pieces = (word for word in words_of if len(word) <= _LONGEST and _SPECIAL.search(word))
    yield from islice((plain for piece in pieces for plain in _plain(piece, whole=False)), _MOST_PATTERNS)


def _plain(piece: str, *, whole: bool) -> Iterator[str]:
    """The expression without slashes around it and flags in front, if trying it takes bounded time.

    One that would take longer stands for everything, where it is all that an argument holds.
    """
    slashed = _SLASHES.fullmatch(piece)
    plain = _FLAGS.sub("", slashed["inner"] if slashed else piece)
    bare = _CLASS.sub(" ", _ESCAPED.sub(" ", plain))
    if _CHOICE.fullmatch(plain):
        yield rf"(?<![^\W_])(?:{plain})(?![^\W_])"
    elif _NESTED.search(plain) or not (
        _LETTERS.search(bare) or (whole and (_ALNUM.search(bare) or _ANYTHING.search(plain)))
    ):
        return
    elif not _SLOW.search(bare):
        yield plain
    elif whole:
        yield ".*"

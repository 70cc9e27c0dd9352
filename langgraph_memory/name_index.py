"""Where a name occurs: which known entities an argument or a sentence touches.

A name occurs where its tokens stand one after another, as whole tokens. Tokens are runs of letters and
digits; the marks between them make no difference (`gpu_bench_01` is `gpu-bench-01`). In writing systems
without spaces every letter is a token.

What goes on across `-` or `_` with a word is another name: `gpu-bench-01-old` is another machine. A guard
asks once too often rather than once too rarely, so what is in doubt counts as touched: a path, a port, a
domain or a version around the name, a suffix that looks generated (`payments-api-7d9f8c-x2k4z` is a pod of
`payments-api`), and a wildcard that the name would match (`gpu-bench-*`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import translate
from functools import cached_property, lru_cache
from itertools import islice, pairwise, takewhile
from typing import Any, NamedTuple
from urllib.parse import unquote

from langgraph_memory.names import bare, normalise

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_MARKS = "\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_TOKEN = re.compile(rf"[{_UNSPACED}]|(?:[^\W_{_UNSPACED}]|[{_MARKS}])+")
_ASCII_TOKEN = re.compile(r"[a-z0-9]+")

_TYPED = re.compile(r"[^\W\d_][\w.-]*:(?P<id>[^:\s].*)")
_RESOURCE_NAME = re.compile(r"(?:arn|urn|crn):.*[:/](?P<id>[^:/]*\d[^:/]*)")
_WILD = re.compile(r"[*?\[{%]")
_WILDCARD = re.compile(
    r"""(?<![*\w])(?!\d+[*%])(?P<prefix>[^\W_][\w./:-]+)
    (?: \*(?!\*)                              # gpu-bench-*, and no **emphasis**
      | \?(?=[\w.-])                          # gpu-b?nch-01, and no question
      | (?<=[-_./:])[\[{]                      # gpu-bench-[0-9], gpu-bench-{01,02}
      | %(?=['"]) | (?<=[-_./:])%(?![\da-f]{2}) # LIKE 'gpu-bench%'
    )""",
    re.VERBOSE,
)
_PATTERN = re.compile(r"[^\s*?\[\]%]{0,80}(?:[*?%]|\[[^\]\s]{1,40}\])[^\s]{0,80}")
_PARTS = re.compile(r"[-_./:\d]")
_GENERATED = re.compile(r"(?:-(?:[^\W_]*\d[^\W_]*|[bcdfghjklmnpqrstvwxz]{5}))+(?![-_]?[^\W_])")

_WIDEST_GAP = 4
"""Tokens of one name stand at most so many characters apart."""

_SHORT = 500
"""Texts of so many characters are kept in mind as they are compared."""

_WEAK_DIGITS = 4
"""A number of fewer digits names a thing only where it stands alone or after `#`."""


def touches(names: Iterable[str], arguments: Any) -> bool:
    """Whether one of the names occurs in `arguments`: in any string at any depth, dict keys included.

    >>> touches(["cloud-instance:i-09a8f"], {"command": "stop --id=I-09A8F"})
    True
    >>> touches(["gpu-bench-01"], {"host": "gpu-bench-011", "others": ["gpu-bench-01-old"]})
    False
    """
    return bool(NameIndex((name, name) for name in names).find(arguments))


class NameIndex:
    """Names of entities, found in arguments and sentences in a time that doesn't grow with their number.

    Args:
        names: entity ids by name; or pairs of name and entity id, in which one name may have several ids:
            then all of them are found. A name `type:id` is also found by its `id`.

    Example:
        >>> index = NameIndex({"gpu-bench-01": "cloud-instance:i-09a8f", "tx_992": "tx_992"})
        >>> sorted(index.find({"ids": ["cloud/GPU-Bench-01"], "note": "retry tx_992"}))
        ['cloud-instance:i-09a8f', 'tx_992']
        >>> index.find_text("gpu-bench-011 is idle")
        frozenset()
    """

    def __init__(self, names: Mapping[str, str] | Iterable[tuple[str, str]]) -> None:
        self._ids: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._lengths: dict[str, tuple[int, ...]] = {}
        self._names: list[tuple[str, str]] = []
        self._sorted: list[tuple[str, str]] | None = None
        for name, entity in names.items() if isinstance(names, Mapping) else names:
            plain = normalise(name)
            self._names += [(plain, entity), (bare(plain), entity)]
            for form in _forms(plain):
                self._add(form, entity)

    def find(self, arguments: Any) -> frozenset[str]:
        """The ids of the entities whose names occur in any string or number of `arguments`."""
        found: set[str] = set()
        if self._ids:
            for text in _texts(arguments):
                self._look_into(text, found)
        return frozenset(found)

    def find_text(self, text: str) -> frozenset[str]:
        """The ids of the entities whose names occur in a sentence."""
        return self.find(text)

    def _add(self, form: tuple[str, ...], entity: str) -> None:
        known = self._ids.get(form, ())
        if entity not in known:
            self._ids[form] = (*known, entity)
        lengths = self._lengths.get(form[0], ())
        if len(form) not in lengths:
            self._lengths[form[0]] = (*lengths, len(form))

    def _look_into(self, text: str, found: set[str]) -> None:
        for spelling in _short_spellings(text) if len(text) <= _SHORT else _long_spellings(text):
            if not self._lengths.keys().isdisjoint(spelling.words):
                self._match(spelling, found)
            if spelling.is_wild:
                for prefix in spelling.prefixes:
                    self._match_prefix(prefix, found)
                self._match_pattern(spelling.text.strip(), found)

    def _match(self, spelling: _Spelling, found: set[str]) -> None:
        for word in self._lengths.keys() & spelling.words:
            for position in spelling.places[word]:
                for length in self._lengths[word]:
                    run = spelling.tokens[position : position + length]
                    ids = self._ids.get(tuple(t.text for t in run))
                    if ids and _is_whole(spelling.text, run, alone=len(spelling.tokens) == 1):
                        found.update(ids)

    def _match_pattern(self, text: str, found: set[str]) -> None:
        """A text that is a pattern as a whole stands for all names that it matches: `*`, `g*`, `db-0[12]`."""
        if _PATTERN.fullmatch(text):
            matches = re.compile(translate(text.replace(".*", "*").replace("%", "*"))).fullmatch
            found.update(entity for name, entity in self._names if matches(name))

    def _match_prefix(self, prefix: str, found: set[str]) -> None:
        if self._sorted is None:
            self._sorted = sorted((" ".join(form), e) for form, ids in self._ids.items() for e in ids)
        start = bisect_left(self._sorted, (prefix,))
        found.update(
            entity
            for _, entity in takewhile(
                lambda pair: pair[0].startswith(prefix), islice(self._sorted, start, None)
            )
        )


class _Token(NamedTuple):
    text: str
    start: int
    end: int


class _Spelling:
    """A text as it is compared; what not every comparison needs is worked out when it is asked for.

    Attributes:
        text: in the one spelling.
        words: what its tokens are.
        is_wild: whether it has wildcards.
    """

    def __init__(self, text: str) -> None:
        self._pattern = _ASCII_TOKEN if text.isascii() else _TOKEN
        self.text = text
        self.words = frozenset(self._pattern.findall(text))
        self.is_wild = _WILD.search(text) is not None

    @cached_property
    def tokens(self) -> Sequence[_Token]:
        """Its tokens in order."""
        return [_Token(match[0], *match.span()) for match in self._pattern.finditer(self.text)]

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """Which of the tokens a word is."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for place, token in enumerate(self.tokens):
            found[token.text].append(place)
        return found

    @cached_property
    def prefixes(self) -> Sequence[str]:
        """The beginnings of names that stand before wildcards."""
        wild = (match["prefix"] for match in _WILDCARD.finditer(self.text))
        return [" ".join(_TOKEN.findall(each)) for each in wild if _is_part_of_a_name(each, self.text)]


def _forms(plain: str) -> Iterator[tuple[str, ...]]:
    """The token sequences by which a name in its one spelling is found."""
    inner = _RESOURCE_NAME.fullmatch(plain) or _TYPED.fullmatch(plain)
    for text in (plain, inner["id"] if inner else ""):
        form = tuple(_TOKEN.findall(text))
        if form:
            yield form


def _texts(value: Any) -> Iterator[str]:
    """All strings and numbers of nested arguments, keys included; what is of another type by its `str`."""
    pending, seen = [value], set()
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, _CONTAINERS) or isinstance(item, Mapping):  # noqa: SIM101 - the slow test comes last
            if id(item) not in seen:
                seen.add(id(item))
                pending += item
                pending += item.values() if isinstance(item, Mapping) else ()
        elif isinstance(item, _BYTES):
            yield item.decode("utf-8", "replace")
        elif item is not None and not isinstance(item, bool):
            yield str(item)


_CONTAINERS = (dict, list, tuple, set, frozenset)
_BYTES = (bytes, bytearray)


def _spellings(text: str) -> Iterator[_Spelling]:
    yield _Spelling(normalise(text))
    if "%" in text and (decoded := unquote(text)) != text:
        yield _Spelling(normalise(decoded))


@lru_cache(maxsize=1_000)
def _short_spellings(text: str) -> tuple[_Spelling, ...]:
    """Those of a text that is short enough to be kept in mind: the same is looked into again and again."""
    return tuple(_spellings(text))


@lru_cache(maxsize=2)
def _long_spellings(text: str) -> tuple[_Spelling, ...]:
    """Those of the last long texts: what is said in one is looked for there thing by thing."""
    return tuple(_spellings(text))


def _is_part_of_a_name(prefix: str, text: str) -> bool:
    """Whether what stands before a wildcard begins a name: it has parts, or the text is one pattern."""
    return _PARTS.search(prefix) is not None or not any(c.isspace() for c in text)


def _is_whole(text: str, run: Sequence[_Token], *, alone: bool) -> bool:
    first = run[0]
    if len(run) == 1 and first.text.isdecimal() and len(first.text) < _WEAK_DIGITS:
        return alone or text[first.start - 1 : first.start] == "#"
    if any(after.start - before.end > _WIDEST_GAP for before, after in pairwise(run)):
        return False
    return not _goes_on_before(text, first.start) and not _goes_on_after(text, run[-1].end)


def _goes_on_before(text: str, start: int) -> bool:
    return start > 1 and text[start - 1] in "-_" and text[start - 2].isalnum()


def _goes_on_after(text: str, end: int) -> bool:
    if end + 1 >= len(text) or text[end] not in "-_" or not text[end + 1].isalnum():
        return False
    return _GENERATED.match(text, end) is None

"""Text as words in one spelling, each knowing where it stands in what was said.

Patterns of the rules are matched against `Phrase.plain`: lower case, contractions written out, single
spaces, punctuation as words of its own, quotation marks gone. Whatever a pattern finds is cut out as a
phrase again, whose `text` has the speaker's own spelling.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from langgraph_memory.actions import verbs_in

_SPELLING = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
        **dict.fromkeys("\u2014\u2015", " \u2014 "),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\ufe0f"),
        "\u2022": "\n- ",
        "\u00a0": " ",
    }
)
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_STEP = r"[\w$~@+%-]+(?:\.[\w$~@+%-]+)*"
_PATH = (
    r"(?<=')(?:[A-Za-z]:|\\)\\[^'\n]{1,200}(?=')"  # a Windows path in quotes, which may have spaces
    rf"|(?<!\w)[A-Za-z]:[\\/](?:{_STEP}(?:[\\/]{_STEP})*[\\/]?)?"
    rf"|\\\\{_STEP}(?:\\{_STEP})+\\?"  # a share
    rf"|(?<!\w){_STEP}(?:\\{_STEP})*\\(?:{_STEP}\\|{_STEP}\.\w{{1,5}}(?!\w))"  # of a folder or a file below
)
_WORD = re.compile(
    rf"{_PATH}|"
    rf"[{_CJK}]+"  # writing without spaces
    rf"|[#@/~]?[^\W_{_CJK}](?:[^\W{_CJK}]|\+|[-./:@#~'](?=[^\W_{_CJK}])|_)*"  # words, names and numbers
    r"|[#$%€£]?\d[\d.,]*%?"
    r"|\.\.\.|--+|[^\w\s\"*]"
)
_NOT_WORDS = frozenset("'\"*_")
_MARKS = frozenset({",", ";", ":", ".", "?", "!", "(", ")", "\u2014", "--", "-", "..."})

_CONTRACTED = {
    "ain't": "is not", "can't": "can not", "cannot": "can not", "cant": "can not", "won't": "will not",
    "wont": "will not", "shan't": "shall not", "dont": "do not", "doesnt": "does not", "didnt": "did not",
    "isnt": "is not", "arent": "are not", "wasnt": "was not", "werent": "were not", "mustnt": "must not",
    "shouldnt": "should not", "wouldnt": "would not", "couldnt": "could not", "neednt": "need not",
    "hasnt": "has not", "havent": "have not", "let's": "let us", "lets": "let us", "im": "i am",
    "ive": "i have", "id": "id", "youre": "you are", "theyre": "they are", "thats": "that is",
    "pls": "please", "plz": "please", "til": "until", "'til": "until", "till": "until", "untill": "until",
    "thru": "through", "w/o": "without", "and/or": "or", "tmrw": "tomorrow", "u": "you", "ur": "your",
    "gonna": "going to", "gotta": "have to", "wanna": "want to", "lemme": "let me", "y'all": "you",
    "ok": "okay", "noone": "nobody", "no-one": "nobody", "off-limits": "off limits", "as-is": "as is",
    "e-mail": "email", "anymore": "any more", "nite": "night", "&": "and", "--": "\u2014", "-": "\u2014",
    "\u2026": "...",
    "favourite": "favorite", "colour": "color", "cos": "because", "cuz": "because", "bc": "because",
    "'cause": "because", "whilst": "while", "'em": "them", "nvm": "never mind", "w": "with", "w/": "with",
    "prob": "probably", "probs": "probably", "prolly": "probably", "def": "definitely", "tmw": "tomorrow",
    "tmr": "tomorrow", "tomoz": "tomorrow", "b4": "before", "thx": "thanks", "ty": "thanks",
    "rn": "right now",
    "idk": "i do not know", "dunno": "do not know", "r": "are", "wk": "week", "nxt": "next", "msg": "message",
    "mon": "monday", "tue": "tuesday", "tues": "tuesday", "thu": "thursday", "thur": "thursday",
    "thurs": "thursday", "fri": "friday", "ppl": "people", "smth": "something", "alr": "alright",
}  # fmt: skip
_ENDINGS = (("n't", "not"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'m", "am"), ("'d", "would"))
_IS = frozenset(
    [
        "it",
        "that",
        "he",
        "she",
        "this",
        "there",
        "here",
        "what",
        "who",
        "everything",
        "nothing",
        "nobody",
        "where",
        "how",
        "something",
        "somebody",
        "someone",
    ]
)
_SLASHED = re.compile(r"[a-z]+/[a-z]+")


def spelled(text: str) -> str:
    """The text in one spelling: compatible characters unified, plain quotes, no invisible characters.

    >>> spelled("don\u2019t\u200b stop \uff27\uff30\uff35")
    "don't stop GPU"
    """
    if text.isascii():
        return text.replace("`", "'")
    return unicodedata.normalize("NFKC", text.translate(_SPELLING)).translate(_SPELLING)


@dataclass(frozen=True, slots=True)
class Word:
    """One word in lower case, and where it stands in the source."""

    norm: str
    start: int
    end: int


class Phrase:
    """A run of words of one source text.

    >>> phrase = Phrase.of("Don't stop GPU-bench-01!")
    >>> phrase.plain
    'do not stop gpu-bench-01 ! '
    >>> phrase.cut(12).text
    'GPU-bench-01!'
    """

    __slots__ = ("_offsets", "_plain", "_vocabulary", "source", "words")

    def __init__(self, source: str, words: tuple[Word, ...]) -> None:
        self.source = source
        self.words = words
        self._plain: str | None = None
        self._offsets: list[int] | None = None
        self._vocabulary: frozenset[str] | None = None

    @classmethod
    def of(cls, text: str) -> Phrase:
        """The words of a text that is `spelled` already."""
        return cls(text, tuple(_words(text)))

    @property
    def plain(self) -> str:
        """The words, each followed by a space: what patterns are matched against."""
        if self._plain is None:
            self._plain = "".join([f"{word.norm} " for word in self.words])
        return self._plain

    @property
    def vocabulary(self) -> frozenset[str]:
        """The words without their order."""
        found = self._vocabulary
        if found is None:
            found = self._vocabulary = frozenset([word.norm for word in self.words])
        return found

    @property
    def text(self) -> str:
        """The words as they were said."""
        return self.source[self.words[0].start : self.words[-1].end] if self.words else ""

    def cut(self, start: int, end: int | None = None) -> Phrase:
        """The words that begin in `plain[start:end]`."""
        offsets = self._starts()
        last = len(self.words) if end is None else bisect_left(offsets, end)
        return Phrase(self.source, self.words[bisect_left(offsets, start) : last])

    def group(self, match: re.Match[str], name: str) -> Phrase:
        """The words of a named group of a match on `plain`; none where it did not take part."""
        start, end = match.span(name) if name in match.re.groupindex else (-1, -1)
        return self.cut(start, end) if start >= 0 else Phrase(self.source, ())

    def to(self, other: Phrase) -> Phrase:
        """From this phrase's first word to the last word of a later one of the same source."""
        return Phrase.of(self.source[self.words[0].start : other.words[-1].end])

    def _starts(self) -> list[int]:
        if self._offsets is None:
            lengths = [len(word.norm) + 1 for word in self.words]
            self._offsets = [0, *accumulate(lengths[:-1])] if lengths else []
        return self._offsets

    def __bool__(self) -> bool:
        return bool(self.words)

    def __repr__(self) -> str:
        return f"Phrase.of({self.text!r})"


def word_set(text: str) -> frozenset[str]:
    """The words of a table.

    >>> sorted(word_set("down off"))
    ['down', 'off']
    """
    return frozenset(text.split())


def _words(text: str) -> Iterator[Word]:
    before = ""
    for match in _WORD.finditer(text):
        norm = match.group().lower().replace(" ", "\u00a0")
        shortened = norm == "." and before in _SHORTENED
        before = norm
        if shortened:
            continue
        if (
            norm in _NOT_WORDS
            or norm == "\\"
            or not (norm[0].isalnum() or norm in _MARKS or norm[0] in "#@/~$€£\\")
        ):
            continue
        yield from _expanded(norm, match.start(), match.end())


_SHORTENED = frozenset(["mr", "mrs", "ms", "dr", "prof", "st", "approx", "dept", "vs", "resp", "incl", "fig"])
"""Words whose dot ends nothing: "before Dr. Ito has seen it"."""


def _expanded(norm: str, start: int, end: int) -> Iterator[Word]:
    parts = _CONTRACTED.get(norm) or _split(norm)
    for part in parts.split(" "):
        yield Word(part, start, end)


def _split(norm: str) -> str:
    """A contraction written out; a possessive as two words; `a/b` as alternatives."""
    if "/" in norm:
        return norm.replace("/", " or ") if _SLASHED.fullmatch(norm) and _is_choice(norm) else norm
    if "'" not in norm:
        return norm
    for ending, word in _ENDINGS:
        if norm.endswith(ending) and len(norm) > len(ending):
            return f"{norm[: -len(ending)]} {word}"
    if norm.endswith("'s"):
        stem = norm[:-2]
        return f"{stem} is" if stem in _IS else f"{stem} 's"
    return norm


def _is_choice(norm: str) -> bool:
    return any(verbs_in(part) for part in norm.split("/"))

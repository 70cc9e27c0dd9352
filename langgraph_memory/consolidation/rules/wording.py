"""A small notation for patterns over words, so that the tables of the rules can be read as language.

A wording is words with spaces between them, matched against a `Phrase`:

- `keep|leave` is one of several words, `[please|kindly]` one of them or none;
- `( hold off | wait )` is a group of runs of words, and takes `?`, `*`, `+`, `{0,2}` like a regular
  expression; `(?P<obj> … )`, `(?= … )` and `(?! … )` work as there;
- `_` is any word that isn't punctuation, `_3` one to three of them, `_3?` also none, `...` anything, `...?`
  also nothing; always as few as possible;
- a word itself may be a regular expression without spaces: `says?`, `(?:re)?start`.

A `Form` knows which words every match must have, so that most forms are passed over at the cost of a look
into a set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from langgraph_memory.consolidation.rules.words import Phrase

_ONE = r"(?![,;:?!.()\u2014] )[^ ]+ "
_UP_TO = re.compile(r"_(\d+)(\??)")
_ANY = {"_": _ONE, "...": "(?:[^ ]+ )+?", "...?": "(?:[^ ]+ )*?", "|": "|", "^": "^", "$": "$"}
_OPENING = re.compile(r"\((?:\?[=!]|\?<[=!]|\?P<\w+>)?")
_CLOSING = re.compile(r"\)(?:(?P<some>[?*]|\{0,\d\})|\+|\{[1-9],\d\})?\??")
_LOOKS = ("(?=", "(?!", "(?<=", "(?<!")
_PLAIN = re.compile(r"[^\\()\[\]?*+.|{}^$]+")
_WITH_OPTIONAL = re.compile(r"([^\\()\[\]?*+.|{}^$]+)([a-z])\?")
_GROUPED = re.compile(r"\(\?:([^\\()\[\]?*+.{}^$]+)\)(s\?)?")


class Form:
    """A wording made ready for matching when it is first needed.

    Args:
        wording: see the module.
        anywhere: whether it may begin at any word, not just at the first one.
    """

    def __init__(self, wording: str, *, anywhere: bool = False) -> None:
        self.wording = wording
        self._before = "(?<![^ ])" if anywhere else ""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The regular expression."""
        return re.compile(f"{self._before}(?:{expression(self.wording)})")

    @cached_property
    def required(self) -> frozenset[str] | None:
        """Words of which each match has at least one; None where that can't be told."""
        return required_words(self.wording)

    def match(self, said: Phrase | str, position: int = 0) -> re.Match[str] | None:
        """A match at the start of a phrase, or of its plain text."""
        if isinstance(said, str):
            return self.pattern.match(said, position)
        required = self.required  # as in `may_be_in`: nearly all that is done with a form ends here
        if required is not None and required.isdisjoint(said.vocabulary):
            return None
        return self.pattern.match(said.plain, position)

    def search(self, said: Phrase | str, position: int = 0) -> re.Match[str] | None:
        """A match anywhere in a phrase, or in its plain text."""
        if isinstance(said, str):
            return self.pattern.search(said, position)
        required = self.required
        if required is not None and required.isdisjoint(said.vocabulary):
            return None
        return self.pattern.search(said.plain, position)

    def fullmatch(self, said: Phrase | str) -> re.Match[str] | None:
        """A match of the whole phrase."""
        return self.pattern.fullmatch(said if isinstance(said, str) else said.plain)

    def may_be_in(self, phrase: Phrase) -> bool:
        """Whether the phrase has a word that every match needs."""
        return self.required is None or not self.required.isdisjoint(phrase.vocabulary)


def starts(wording: str) -> Form:
    """A form for the start of a phrase; use with `match`."""
    return Form(wording)


def holds(wording: str) -> Form:
    """A form for words anywhere in a phrase; use with `search`."""
    return Form(wording, anywhere=True)


def expression(wording: str) -> str:
    """The regular expression of a wording.

    >>> expression("keep|leave [please] (?P<obj> ... ) up")
    '(?:keep |leave )(?:please )?(?P<obj>(?:[^ ]+ )+?)up '
    """
    return "".join(_token(token) for token in wording.split())


def required_words(wording: str) -> frozenset[str] | None:
    """Words of which every match of a wording has at least one; None where a match may have any words.

    >>> sorted(required_words("( keep [it] | leave ... alone ) please"))
    ['please']
    >>> required_words("[please] ...") is None
    True
    """
    required, _ = _alternatives(wording.split(), 0)
    return required


def _token(token: str) -> str:
    """The regular expression of one token."""
    if token in _ANY or _CLOSING.fullmatch(token):
        return _ANY.get(token, token)
    if up_to := _UP_TO.fullmatch(token):
        return f"(?:{_ONE}){{{0 if up_to[2] else 1},{up_to[1]}}}?"
    if _OPENING.fullmatch(token):
        return token if token.startswith("(?") else "(?:"
    return _word(token)


def _word(token: str) -> str:
    if token.startswith("["):
        return f"(?:{_words(token[1:-1])})?"
    if token.startswith("|"):
        return f"|{_token(token[1:])}"
    return f"(?:{_words(token)})" if "|" in token and "(" not in token else f"{token} "


def _words(alternatives: str) -> str:
    return "|".join(_ONE if word == "_" else f"{word} " for word in alternatives.split("|"))


# --- the words that a match must have ----------------------------------------------------------------------

Required = frozenset[str] | None


def _alternatives(tokens: Sequence[str], position: int) -> tuple[Required, int]:
    """What one of several runs of words requires, up to the closing bracket; and the position after it."""
    branches: list[list[Required]] = [[]]
    while position < len(tokens):
        token = tokens[position]
        if _CLOSING.fullmatch(token):
            return _union(branches), position
        if token.startswith("|"):
            branches.append([])
            token = token[1:]
        if _OPENING.fullmatch(token):
            inner, position = _alternatives(tokens, position + 1)
            closing = _CLOSING.fullmatch(tokens[position])
            counts = not token.startswith(_LOOKS) and not (closing and closing["some"])
            branches[-1].append(inner if counts else None)
        elif token:
            branches[-1].append(_vocabulary(token))
        position += 1
    return _union(branches), position


def _union(branches: Sequence[Sequence[Required]]) -> Required:
    """One word of any branch: for each branch the shortest of the sets that its items require."""
    found: set[str] = set()
    for items in branches:
        sets = [item for item in items if item]
        if not sets:
            return None
        found |= min(sets, key=len)
    return frozenset(found)


def _vocabulary(token: str) -> Required:
    """The words that a single token stands for; None where it stands for any, or for none."""
    if token in _ANY or token.startswith("[") or _UP_TO.fullmatch(token):
        return None
    if grouped := _GROUPED.fullmatch(token):
        words = grouped[1].split("|")
        return frozenset(words + [f"{word}s" for word in words] if grouped[2] else words)
    found = [frozenset(_spellings(word)) for word in token.split("|")]
    return frozenset().union(*found) if all(found) else None


def _spellings(word: str) -> Iterator[str]:
    if _PLAIN.fullmatch(word):
        yield word
    elif optional := _WITH_OPTIONAL.fullmatch(word):
        yield optional[1]
        yield optional[1] + optional[2]

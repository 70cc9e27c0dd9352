"""Names that a call doesn't write out: in letters that look alike, in pieces, drawn apart, or turned around.

A name is found here where a hurried reader or a tool that puts its arguments together would find it. What is
found is in doubt: a person is asked.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from langgraph_memory.lookalikes import as_digits, look
from langgraph_memory.name_index import NameIndex
from langgraph_memory.retrieval.calls import Call
from langgraph_memory.retrieval.encodings import UnjudgedError

_SHORTEST = 4
_SHORTEST_TURNED = 8
_LONGEST_PIECE = 60
_MOST_PIECES = 40
_MOST_STEPS = 2_000
_TOKEN = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[^\W_]+(?:[-_.:][^\W_]+)*")
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_ON = "-_"


class Likeness:
    r"""Entities by how their names look and what letters they are made of.

    Args:
        names: pairs of name and entity.

    Example:
        >>> found = Likeness([("gpu-bench-01", "vm-1")]).found
        >>> found(Call("stop", {"host": "gpu\u2011bench\u2011O1"}))
        frozenset({'vm-1'})
        >>> found(Call("stop", {"base": "gpu-bench", "number": 1}))
        frozenset({'vm-1'})
        >>> found(Call("stop", {"host": "gpu-bench-02", "next": "gpu-bench-01-old"}))
        frozenset()
    """

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self._names = list(names)

    def found(self, call: Call) -> frozenset[str]:
        """The entities whose names a call may mean.

        Raises:
            UnjudgedError: the pieces could be put together in too many ways.
        """
        texts = [call.spoken, *call.texts]
        found = set(self._looks.find([each for text in texts if (each := look(text)) != text.lower()]))
        found |= self._looks.find([call.spoken])
        for text in texts:
            found.update(self._alike(text), self._drawn_apart(text), self._turned_around(text))
        return frozenset(found | self._in_pieces(call))

    @cached_property
    def _looks(self) -> NameIndex:
        return NameIndex((look(name), entity) for name, entity in self._names)

    @cached_property
    def _digits(self) -> dict[str, set[str]]:
        return _grouped((as_digits(name), entity) for name, entity in self._names)

    @cached_property
    def _letters(self) -> dict[str, set[str]]:
        """Entities by the letters and digits of their names, also without leading zeros."""
        plain = [(_squeezed(name), entity) for name, entity in self._names]
        short = [(_squeezed(_ZEROS.sub("", look(name))), entity) for name, entity in self._names]
        return _grouped(pair for pair in [*plain, *short] if _is_telling(pair[0]))

    @cached_property
    def _turned(self) -> dict[str, set[str]]:
        """Entities by the letters and digits of long names, backwards or moved on by half an alphabet."""
        told = [(name, entity) for name, entity in self._names if len(_squeezed(name)) >= _SHORTEST_TURNED]
        turned = [(turn(name), entity) for name, entity in told for turn in (_backwards, _moved_on)]
        return _grouped((_squeezed(name), entity) for name, entity in turned if _is_telling(_squeezed(name)))

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._letters)

    def _alike(self, text: str) -> Iterable[str]:
        """Entities for which a word of the text can be mistaken."""
        for word in _WORD.findall(look(text)):
            yield from self._digits.get(as_digits(word), ())

    def _turned_around(self, text: str) -> Iterator[str]:
        """Entities whose names are a word of the text, backwards or with each letter 13 places further."""
        for word in _WORD.findall(text) if self._turned else ():
            if len(word) >= _SHORTEST_TURNED:
                yield from self._turned.get(_squeezed(word), ())

    def _drawn_apart(self, text: str) -> Iterator[str]:
        """Entities whose letters stand one after another in the text, whatever marks stand between them."""
        plain = look(text)
        tokens = list(_TOKEN.finditer(plain))
        for first, token in enumerate(tokens):
            if _goes_on(plain, token.start() - 1, token.start() - 2):
                continue
            letters = ""
            for last in range(first, len(tokens)):
                letters += tokens[last][0]
                if not self._begins(letters):
                    break
                if not _goes_on(plain, tokens[last].end(), tokens[last].end() + 1):
                    yield from self._letters.get(letters, ())

    def _in_pieces(self, call: Call) -> set[str]:
        """Entities whose names are put together of arguments, in any order."""
        words = call.spoken.split()
        pieces = [_squeezed("".join(words[after:])) for after in range(1, len(words))]
        short = (text for text in call.texts if len(text) <= _LONGEST_PIECE)
        pieces += [piece for text in short if (piece := _squeezed(text))]
        pieces = pieces[: _MOST_PIECES + len(words)]
        return self._put_together([at for at, each in enumerate(pieces) if self._begins(each)], pieces)

    def _put_together(self, starts: Sequence[int], pieces: Sequence[str]) -> set[str]:
        found: set[str] = set()
        pending = [(pieces[at], frozenset({at})) for at in starts]
        for _ in range(_MOST_STEPS):
            if not pending:
                return found
            letters, used = pending.pop()
            for at, piece in enumerate(pieces):
                if at not in used and self._begins(letters + piece):
                    found |= self._letters.get(letters + piece, set())
                    pending.append((letters + piece, used | {at}))
        raise UnjudgedError("its arguments could be put together in too many ways to be judged")

    def _begins(self, letters: str) -> bool:
        at = bisect_left(self._sorted, letters)
        return at < len(self._sorted) and self._sorted[at].startswith(letters)


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for key, entity in pairs:
        found.setdefault(key, set()).add(entity)
    return found


def _backwards(name: str) -> str:
    return name[::-1]


def _moved_on(name: str) -> str:
    return codecs.encode(name, "rot13")


def _squeezed(text: str) -> str:
    """Its letters and digits alone."""
    return "".join(_TOKEN.findall(look(text)))


def _is_telling(letters: str) -> bool:
    """Whether letters are a name when they come in pieces: long enough, and no mere number."""
    return len(letters) >= _SHORTEST and not letters.isdecimal()


def _goes_on(text: str, at: int, then: int) -> bool:
    """Whether a name goes on across the mark at a place: what goes on is another name."""
    return min(at, then) >= 0 and max(at, then) < len(text) and text[at] in _ON and text[then].isalnum()

"""How random a text is: told from words and identifiers by letter pairs, from digests by its alphabet."""

from __future__ import annotations

import math
import operator
import re
from collections import Counter

_COMMON_PAIRS = frozenset(
    first + second
    for first, seconds in {
        "a": "bcdgilmnprstuv",
        "b": "aeilorsu",
        "c": "acehiklortu",
        "d": "aeiosu",
        "e": "acdefglmnpqrstvx",
        "f": "aefilou",
        "g": "ehinr",
        "h": "aeio",
        "i": "abcdefglmnoprstvz",
        "k": "e",
        "l": "adeilostuy",
        "m": "aeimopu",
        "n": "acdefginostuv",
        "o": "bcdlmnoprstuvw",
        "p": "aeiloprtuy",
        "q": "u",
        "r": "acdeimnorstuy",
        "s": "acehiopstu",
        "t": "acehilorstuy",
        "u": "abceilmnprst",
        "v": "aei",
        "w": "aei",
        "x": "p",
        "y": "p",
        "z": "e",
    }.items()
    for second in seconds
)
"""The 200 commonest letter pairs of technical English: nine tenths of its pairs, a third of random ones."""

_PRONOUNCEABLE = 0.6
"""Share of common pairs that makes a piece a word, and of letters in words that makes a text wordlike."""
_SHORTEST_PIECE = 3
_SHORTEST_RANDOM = 12
_LONG = 28
"""From here on, chance alone doesn't mix letters and digits."""
_MANY_CHARACTERS = 18
_MANY_SIGNS = 5
_ENOUGH_BITS = 3.5
_SHARE_OF_MOST_BITS = 0.75

_PIECE = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}")
_HEX = re.compile(r"(?:0x)?[0-9a-fA-F]+")
_UUID = re.compile(r"\{?[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}\}?")


def has_digit(text: str) -> bool:
    """Whether a digit stands in it.

    >>> has_digit("a1"), has_digit("a")
    (True, False)
    """
    return any(map(str.isdigit, text))


def has_letter(text: str) -> bool:
    """Whether a letter stands in it.

    >>> has_letter("1a"), has_letter("1")
    (True, False)
    """
    return any(map(str.isalpha, text))


def entropy(text: str) -> float:
    """Shannon entropy of the characters, in bits a character.

    >>> entropy("abab"), entropy("abcd")
    (1.0, 2.0)
    """
    length = len(text)
    return -sum(count / length * math.log2(count / length) for count in Counter(text).values())


def is_wordlike(text: str) -> bool:
    """Whether most of the letters form pronounceable words, as in prose and in identifiers.

    >>> is_wordlike("makeKubeConfigController"), is_wordlike("yqDVtkqPECriaLRi")
    (True, False)
    """
    letters = sum(map(str.isalpha, text))
    pieces = [piece for piece in _PIECE.findall(text) if len(piece) >= _SHORTEST_PIECE]
    in_words = sum(len(piece) for piece in pieces if _is_pronounceable(piece))
    return in_words >= _PRONOUNCEABLE * max(letters, _PRONOUNCEABLE * len(text))


def _is_pronounceable(piece: str) -> bool:
    lower = piece.lower()
    common = sum(map(_COMMON_PAIRS.__contains__, map(operator.add, lower, lower[1:])))
    return common >= _PRONOUNCEABLE * (len(lower) - 1)


def is_random(text: str) -> bool:
    """Whether the text mixes letters and digits as no word or identifier does.

    >>> is_random("ZC9Ecf4M5g9o34Q6RkzGsj0z"), is_random("AcceptanceTimeoutSeconds2")
    (True, False)
    """
    if len(text) < _SHORTEST_RANDOM or not (has_digit(text) and has_letter(text)):
        return False
    enough = min(_ENOUGH_BITS, _SHARE_OF_MOST_BITS * math.log2(len(text)))
    return entropy(text) >= enough and not is_wordlike(text)


def is_noise(text: str) -> bool:
    """Whether the text is long and random in letters, digits and many signs, as generators draw secrets.

    >>> is_noise("8fqq^v&iq6(wlg0j%^jn%6%rgo$nruuu_ha=*)v"), is_noise("settings.get('KEY')")
    (True, False)
    """
    if len(text) < _LONG or " " in text or len(set(text)) < _MANY_CHARACTERS:
        return False
    signs = {character for character in text if not character.isalnum()}
    return len(signs) >= _MANY_SIGNS and has_digit(text) and has_letter(text) and not is_wordlike(text)


def has_all_classes(text: str) -> bool:
    """Whether small letters, capitals and digits stand in it.

    >>> has_all_classes("aB3"), has_all_classes("ab3")
    (True, False)
    """
    return any(map(str.islower, text)) and any(map(str.isupper, text)) and has_digit(text)


def is_mixed(text: str) -> bool:
    """Whether the text is random in small letters, capitals and digits, or random and long.

    >>> is_mixed("ZC9Ecf4M5g9o34Q6RkzGsj0z"), is_mixed("zc9ecf4m5g9o34q6")
    (True, False)
    """
    return (has_all_classes(text) or len(text) >= _LONG) and is_random(text)


def is_digest(text: str) -> bool:
    """Whether the text is hexadecimal or a UUID throughout: an id or a digest as likely as a secret.

    >>> is_digest("9f86d081884c7d659a2feaa0c55ad015"), is_digest("9f86d081884c7d659a2feaa0c55az")
    (True, False)
    """
    return bool(_HEX.fullmatch(text) or _UUID.fullmatch(text))

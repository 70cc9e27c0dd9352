"""Texts that look alike are one text: in other letters nothing comes back, and nothing passes unseen."""

from __future__ import annotations

import re
import unicodedata

from langgraph_memory.names import normalise

_LATIN = {
    "a": "аɑα",
    "b": "Ьвʙ",
    "c": "сϲᴄ",
    "d": "ԁɗ",
    "e": "еєҽε",
    "f": "ғ",
    "g": "ɡց",
    "h": "һнհ",
    "i": "іıɩιӏ",
    "j": "јϳ",
    "k": "кκᴋ",
    "l": "ⅼǀ",
    "m": "мᴍ",
    "n": "пηոɴ",
    "o": "оοσօᴏ",
    "p": "рρ",
    "q": "ԛզ",
    "r": "гʀ",
    "s": "ѕꜱ",
    "t": "тτᴛ",
    "u": "υսᴜ",
    "v": "νѵᴠ",
    "w": "ԝωᴡ",
    "x": "хχ",
    "y": "уγүʏ",
    "z": "ᴢʐ",
}
"""Small letters of other alphabets (and a few Latin ones) that are read as a Latin letter."""

_TABLE = {ord(other): letter for letter, others in _LATIN.items() for other in others.casefold()}
_DIGITS = str.maketrans("oli|", "0111")
_BETWEEN = re.compile(r"[\W_]+")
_BELOW_ZERO = re.compile(r"(?<!\w)-(?=\d)")


def skeleton(text: str) -> str:
    """A text as a hurried reader sees it: without case, accents, marks, and foreign letters that look alike.

    For digests only: two values with one skeleton may differ in meaning, so that nothing is decided by it
    but whether a value that was refused has come back.

    >>> skeleton("KEEP  gpu-bench-01 running!") == skeleton("Kеep gрu‑bench‑01 running")
    True
    """
    plain = unicodedata.normalize("NFKD", normalise(text))
    return _BETWEEN.sub(" ", _latin(_BELOW_ZERO.sub("minus ", plain))).strip() or plain.strip()


def look(text: str) -> str:
    """A text in the letters that it is read as; its marks stay.

    >>> look("Gрu‑bénch‑०१")
    'gpu-bench-01'
    """
    plain = normalise(text)
    if plain.isascii():
        return plain
    return "".join(map(_digit, _latin(unicodedata.normalize("NFKD", plain))))


def as_digits(text: str) -> str:
    """A text with those letters as digits that look like one.

    >>> as_digits("gpu-bench-Ol") == as_digits("gpu-bench-01")
    True
    """
    return look(text).translate(_DIGITS)


def _latin(text: str) -> str:
    return "".join(c for c in text if not unicodedata.combining(c)).translate(_TABLE)


def _digit(character: str) -> str:
    return str(unicodedata.decimal(character, character))

"""One spelling for texts that people write in several: widths, diacritics, digits, hyphens, apostrophes."""

from __future__ import annotations

import re
import unicodedata

_OPTIONAL_MARKS = frozenset(
    chr(code)
    for code in (
        *range(0x300, 0x370),  # on Latin, Greek and Cyrillic letters
        *range(0x591, 0x5C8),  # Hebrew points
        *range(0x610, 0x61B),  # Arabic vowels
        *range(0x64B, 0x660),
        0x670,
        0x93C,  # the dot below of Hindi, Bengali and Punjabi
        0x9BC,
        0xA3C,
    )
    if unicodedata.category(chr(code)) == "Mn"
)
"""Marks that readers do without. Others (vowels of Hindi and Thai, voiced kana) make another letter."""

_ALIKE = str.maketrans(
    {
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{HYPHEN}": "-",
        "\N{SOFT HYPHEN}": "",
        "\N{ZERO WIDTH NON-JOINER}": "",
        "\N{ZERO WIDTH JOINER}": "",
        "\N{ARABIC TATWEEL}": "",
        "\N{ARABIC LETTER ALEF MAKSURA}": "\N{ARABIC LETTER YEH}",
        "\N{ARABIC LETTER TEH MARBUTA}": "\N{ARABIC LETTER HEH}",
        "\N{LATIN SMALL LETTER DOTLESS I}": "i",
        "ß": "ss",
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "Đ": "D",
        "æ": "ae",
        "Æ": "Ae",
        "œ": "oe",
        "Œ": "Oe",
    }
)
"""Characters without a decomposition that are typed in another way as often as not."""

_GROUPED_NUMBER = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")


def folded(text: str) -> str:
    """A text without what doesn't tell words apart; upper and lower case stay.

    >>> folded("Café ١٢ €1,200 naïve Straße")
    'Cafe 12 €1200 naive Strasse'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_FOLDS)
    if "," in text:
        text = _GROUPED_NUMBER.sub(lambda number: number[0].replace(",", ""), text)
    return text


class _Folds(dict[int, str]):
    """A table for `str.translate` that learns each character when it first turns up."""

    def __missing__(self, code: int) -> str:
        self[code] = _fold(chr(code))
        return self[code]


_FOLDS = _Folds()


def _fold(character: str) -> str:
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    marked = unicodedata.normalize("NFD", character)
    bare = "".join(part for part in marked if part not in _OPTIONAL_MARKS)
    return unicodedata.normalize("NFC", bare).translate(_ALIKE)

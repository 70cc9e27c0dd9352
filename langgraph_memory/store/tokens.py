"""The words of a text, cut the same way for what is stored and for what is asked.

A text is cut into chunks: words, or words held together as identifiers are (`gpu-bench-01`,
`ops@acme.io`, `src/app.py`). A chunk gives itself and its parts. Writing systems without spaces give
overlapping pairs of characters. English words lose their endings and the commonest of them are left out;
words of other languages stay whole.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from threading import Lock

import snowballstemmer

STOP_WORDS = frozenset(
    # articles, pronouns, determiners
    "a an the i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his "
    "himself she her hers herself it its itself they them their theirs themselves this that these those who "
    "whom whose which what each every some any all both either neither such other another same own "
    # auxiliaries, and what is left of them when 't is cut off
    "am is are was were be been being have has had having do does did doing done can could will would shall "
    "should may might must ought don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn "
    "shouldn ain "
    # prepositions, conjunctions, adverbs of place and degree
    "and or but nor so yet if because as until while of at by for with about against between into through "
    "during before after above below to from up down in out on off over under than then once here there "
    "when where why how again further also just only very too not no let s t d m re ve ll".split()
)
"""English words that don't say what a text is about."""


def tokenize(text: str) -> list[str]:
    """The tokens of a text in its order, repetitions included.

    A text of nothing but stop words keeps them, so that it can be found at all.

    >>> tokenize("The deploys of gpu-bench-01 failed")
    ['deploy', 'gpu-bench-01', 'gpu', 'bench', '01', 'fail']
    >>> tokenize("Café 東京都"), tokenize("to be or not to be")[:3]
    (['cafe', '東京', '京都'], ['to', 'be', 'or'])
    """
    chunks = _CHUNK.findall(_folded(text))
    kept = [token for chunk in chunks for token in _tokens(chunk)]
    return kept or [_stem(chunk.lower()) for chunk in chunks]


def identifiers(text: str) -> list[str]:
    """Those tokens of a text that name one thing: hosts, codes, paths, e-mails, versions.

    Numbers, dates, times and measures don't.

    >>> identifiers("Why did ERR_RATE_LIMIT hit i-09a8f at 10am in May 2024?")
    ['err_rate_limit', 'i-09a8f']
    """
    return [chunk.lower() for chunk in _CHUNK.findall(_folded(text)) if _names_one_thing(chunk)]


# --- characters ---------------------------------------------------------------------------------------------

_STRAY = str.maketrans({"’": "'", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i",
                        "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ß": "ss", "ـ": "", "ى": "ي", "ة": "ه"})  # fmt: skip


class _Fold(dict[int, str]):
    """A table for `str.translate`, filled as characters turn up: without diacritics, digits as 0-9."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold(chr(code))
        return folded


def _fold(character: str) -> str:
    """A character without the marks that people leave out when they type.

    Latin, Greek, Cyrillic, Hebrew and Arabic can do without them, and the dot below in Indic scripts is often
    left out; elsewhere (vowel signs of Hindi or Thai, the voicing of kana) a mark makes another letter.
    """
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    bare = "".join(c for c in unicodedata.normalize("NFD", character) if not _optional_mark(ord(c)))
    return unicodedata.normalize("NFC", bare).translate(_STRAY)


def _optional_mark(code: int) -> bool:
    return (
        0x300 <= code < 0x370  # Latin, Greek, Cyrillic
        or 0x591 <= code < 0x5C8  # Hebrew points
        or 0x610 <= code < 0x61B
        or 0x64B <= code < 0x660
        or code in (0x670, 0x93C, 0x9BC, 0xA3C)  # Arabic vowels; the Indic nukta
    ) and unicodedata.category(chr(code)) == "Mn"


_FOLD = _Fold()
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")


def _folded(text: str) -> str:
    """A text in one spelling: compatible forms, diacritics and the commas within numbers are gone."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_FOLD)
    if "," in text:
        text = _GROUPED.sub(lambda number: number[0].replace(",", ""), text)
    return text


# --- chunks -------------------------------------------------------------------------------------------------

_JOINERS = (0x200C, 0x200D)
"""Zero-width marks that Persian and Indic scripts use within words."""


def _letter_marks() -> str:
    """The combining marks that belong to words; `\\w` leaves them out."""
    codes = (*range(0x300, 0x1E00), *_JOINERS, *range(0xA800, 0xAC00))
    return "".join(chr(c) for c in codes if c in _JOINERS or unicodedata.category(chr(c)) in ("Mn", "Mc"))


_WORD = rf"[\w{_letter_marks()}]+"
_CHUNK = re.compile(rf"{_WORD}(?:(?:[-./:@\\#+&~=?%]{{1,3}}|'){_WORD})*(?:\+\+|#)?")
_JOINT = re.compile(r"[^\w\u0300-\U0003ffff]+|_+")
_CLITIC = re.compile(r"'(?:s|m|re|ve|ll|d|t)$", re.IGNORECASE)
_UNSPACED = re.compile(
    "(["
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Japanese, Chinese
    "\uac00-\ud7af"  # Korean: particles stick to words
    "\U00020000-\U0003ffff"
    "]+)"
)
_CHARACTER = re.compile(rf"[^{_letter_marks()}]?[{_letter_marks()}]+|.")
_CACHED = 32
"""Chunks up to this length are worth keeping; longer ones rarely come twice."""


def _tokens(chunk: str) -> Sequence[str]:
    return _cached_tokens(chunk) if len(chunk) <= _CACHED else tuple(_cut(chunk))


@lru_cache(maxsize=1 << 16)
def _cached_tokens(chunk: str) -> tuple[str, ...]:
    return tuple(_cut(chunk))


def _cut(chunk: str) -> Iterator[str]:
    """The chunk as a whole, where it is more than one word, and its parts."""
    if _UNSPACED.search(chunk):
        yield from _unspaced(chunk)
        return
    bare = _CLITIC.sub("", chunk)
    parts = [part for part in _JOINT.split(bare) if part]
    if parts and parts != [bare]:
        yield bare.lower()
    for part in parts:
        yield from _pieces(part)


def _unspaced(chunk: str) -> Iterator[str]:
    """Pairs of neighbouring characters, a character being a letter with its marks."""
    for position, run in enumerate(_UNSPACED.split(chunk)):
        if position % 2:
            characters = _CHARACTER.findall(run)
            yield from ("".join(characters[i : i + 2]) for i in range(max(1, len(characters) - 1)))
        elif run.strip("-./:@\\#+&~=?%'_"):
            yield from _tokens(run)


# --- words --------------------------------------------------------------------------------------------------

_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_stemmer = snowballstemmer.stemmer("english")
_stemmer_lock = Lock()  # the stemmer keeps its word in itself


def _pieces(part: str) -> Iterator[str]:
    """A word, and what it is written together from: `getUserName`, `gpu01`."""
    humps = _HUMPS.findall(part) if part.isascii() and not part.isalpha() or _has_hump(part) else []
    if len(humps) > 1 and all(len(h) > 1 or h.isdigit() for h in humps) and _humps_are_words(humps):
        yield part.lower()
        for hump in humps:
            yield from _word(hump)
    else:
        yield from _word(part)


def _has_hump(part: str) -> bool:
    return part.isascii() and not part.islower() and not part.isupper() and not part.istitle()


def _humps_are_words(humps: list[str]) -> bool:
    """Whether digits come only last: `09a8f` and `3rd` are not written together from words."""
    return not any(hump.isdigit() for hump in humps[:-1])


def _word(word: str) -> Iterator[str]:
    lower = word.lower()
    shouted = len(word) > 1 and word.isupper()  # IT, US and WHO are no stop words
    if shouted or lower not in STOP_WORDS:
        yield _stem(lower)


def _stem(word: str) -> str:
    if not (word.isascii() and word.isalpha()):
        return word
    with _stemmer_lock:
        return str(_stemmer.stemWord(word))


# --- identifiers --------------------------------------------------------------------------------------------

_QUANTITY = re.compile(
    r"[\d.,:/%+~=-]*\d[\d.,:/%+~=-]*(?:[a-z%]{1,3}|hours?|mins?)?"  # 10:30am, 3rd, 5km, 2023-05-08
    r"|\d+(?:st|nd|rd|th|s)?(?:-[a-z]+)+"  # 24-year-old
    r"|[a-z]+-\d+s?"  # mid-90s
    , re.IGNORECASE)  # fmt: skip
_LONG_NUMBER = re.compile(r"\d{5,}")
_NAME = re.compile(
    r".*[^\W_]_[^\W_].*"  # snake_case
    r"|.*[a-z][A-Z].*"  # camelCase
    r"|.*\w@\w.*|.*\\.*|.*::.*|.*://.*|.*/.*[/.].*"  # mail, paths, URLs
    r"|[A-Z]+(?:[-.][A-Z]+)+"  # ERR-RATE
    r"|.*[a-z]\.[a-z]{2,5}"  # app.py
)


def _names_one_thing(chunk: str) -> bool:
    if _LONG_NUMBER.fullmatch(chunk):
        return True
    if _QUANTITY.fullmatch(chunk):
        return False
    mixed = any(c.isdigit() for c in chunk) and any(c.isalpha() for c in chunk)
    return mixed or _NAME.fullmatch(chunk) is not None

"""The words of a text, cut the same way for what is stored and for what is asked.

A text is cut into terms: words, or words held together as identifiers are (`gpu-bench-01`,
`ops@acme.io`, `src/app.py`). A term gives itself and its parts. Writing systems without spaces give
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

from langgraph_memory.store.spelling import folded

_COMMON = (
    # articles, pronouns, determiners
    "a an the i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his "
    "himself she her hers herself it its itself they them their theirs themselves this that these those who "
    "whom whose which what each every some any all both either neither such other another same own "
    # auxiliaries, and what a cut at the apostrophe leaves of them
    "am is are was were be been being have has had having do does did doing done can could will would shall "
    "should may might must ought don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn "
    "shouldn ain s t d m re ve ll let "
    # prepositions, conjunctions, adverbs of place and degree
    "and or but nor so yet if because as until while of at by for with about against between into through "
    "during before after above below to from up down in out on off over under than then once here there "
    "when where why how again further also just only very too not no"
)
_SHORT = 2_000
STOP_WORDS = frozenset(_COMMON.split())
"""English words that don't say what a text is about."""


def tokenize(text: str) -> list[str]:
    """The tokens of a text in its order, repetitions included.

    A text of nothing but stop words keeps them, so that it can be found at all.

    >>> tokenize("The deploys of gpu-bench-01 failed")
    ['deploy', 'gpu-bench-01', 'gpu', 'bench', '01', 'fail']
    >>> tokenize("Café 東京都"), tokenize("to be or not")
    (['cafe', '東京', '京都'], ['to', 'be', 'or', 'not'])
    """
    terms = _TERM.findall(folded(text))
    kept = [token for term in terms for token in _tokens(term)]
    return kept or [term.lower() for term in terms]


def known_tokens(text: str) -> tuple[str, ...]:
    """The tokens of a text that is looked at again and again; those of short ones are kept in mind."""
    return _kept_tokens(text) if len(text) <= _SHORT else tuple(tokenize(text))


@lru_cache(maxsize=4_096)
def _kept_tokens(text: str) -> tuple[str, ...]:
    return tuple(tokenize(text))


@lru_cache(maxsize=64)
def query_tokens(query: str) -> tuple[str, ...]:
    """What to search for: the tokens of a query, and each identifier again for every token.

    So the rows that hold what a query names come before those that share its other words.

    >>> query_tokens("stop gpu-1 now")
    ('stop', 'gpu-1', 'gpu', '1', 'now', 'gpu-1', 'gpu-1', 'gpu-1', 'gpu-1', 'gpu-1')
    """
    tokens = tokenize(query)
    return (*tokens, *[name.lower() for name in _names(query)] * min(len(tokens), _MOST_REPEATS))


def identifiers(text: str) -> list[str]:
    """The words of a text that name one thing: hosts, codes, paths, e-mails, versions.

    Numbers, dates, times and measures are none.

    >>> identifiers("Why did ERR_RATE_LIMIT hit i-09a8f at 10am in May 2024?")
    ['ERR_RATE_LIMIT', 'i-09a8f']
    """
    return list(_names(text))


def identifier_tokens(text: str) -> list[str]:
    """The tokens of a text that come from its identifiers.

    >>> identifier_tokens("Why did ERR_RATE_LIMIT hit?")
    ['err_rate_limit', 'err', 'rate', 'limit']
    """
    return [token for term in _names(text) for token in _tokens(term)]


# --- terms -------------------------------------------------------------------------------------------------

_MARKS = "".join(
    chr(code)
    for code in (*range(0x300, 0x1E00), *range(0xA800, 0xAC00))
    if unicodedata.category(chr(code)) in ("Mn", "Mc")
)
"""Vowel signs and the like, which are parts of words although `\\w` leaves them out."""

_JOINTS = r"-./:@\\#+&~=?%'"
_WORD = rf"[\w{_MARKS}]+"
_TERM = re.compile(rf"{_WORD}(?:[{_JOINTS}]{{1,3}}{_WORD})*(?:\+\+|#)?")
_JOINT = re.compile(rf"[{_JOINTS}_]+")
_CLITIC = re.compile(r"'(?:s|m|re|ve|ll|d|t)$", re.IGNORECASE)
_UNSPACED = re.compile(
    "(["
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u31f0-\u31ff"  # Japanese
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Chinese
    "\uac00-\ud7af"  # Korean, whose particles stick to the words
    "]+)"
)
_CHARACTER = re.compile(rf"[^{_MARKS}][{_MARKS}]*|[{_MARKS}]+")
_LONG = 32


def _tokens(term: str) -> Sequence[str]:
    """The tokens of a term; long terms rarely come twice, so they aren't kept."""
    return _known_tokens(term) if len(term) <= _LONG else tuple(_cut(term))


@lru_cache(maxsize=1 << 16)
def _known_tokens(term: str) -> tuple[str, ...]:
    return tuple(_cut(term))


def _cut(term: str) -> Iterator[str]:
    """The term as a whole, where it is more than one word, and its parts."""
    if _UNSPACED.search(term):
        yield from _unspaced(term)
        return
    bare = _CLITIC.sub("", term)
    parts = [part for part in _JOINT.split(bare) if part]
    if parts and parts != [bare]:
        yield bare.lower()
    for part in parts:
        yield from _pieces(part)


def _unspaced(term: str) -> Iterator[str]:
    """Pairs of neighbouring characters, a letter with its marks being one; anything else as usual."""
    for position, run in enumerate(_UNSPACED.split(term)):
        if position % 2:
            characters = _CHARACTER.findall(run)
            yield from ("".join(characters[i : i + 2]) for i in range(max(1, len(characters) - 1)))
        else:
            yield from (token for part in _TERM.findall(run) for token in _tokens(part))


# --- words --------------------------------------------------------------------------------------------------

_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_stemmer = snowballstemmer.stemmer("english")
_stemming = Lock()  # the stemmer keeps the word it works on in itself


def _pieces(part: str) -> Iterator[str]:
    """A word, and the words that it is written together from: `getUserName`, `gpu01`."""
    humps = _HUMP.findall(part) if part.isascii() else []
    if len(humps) > 1 and _are_words(humps):
        yield part.lower()
        for hump in humps:
            yield from _word(hump)
    else:
        yield from _word(part)


def _are_words(humps: Sequence[str]) -> bool:
    """Whether these are words, perhaps with a number behind: not so for `09a8f`, `3rd` or `iPhone`."""
    *first, last = humps
    return all(len(hump) > 1 and hump.isalpha() for hump in first) and (len(last) > 1 or last.isdigit())


def _word(word: str) -> Iterator[str]:
    lower = word.lower()
    is_acronym = len(word) > 1 and word.isupper()  # IT, US and WHO say something
    if is_acronym or lower not in STOP_WORDS:
        yield _stem(lower)


def _stem(word: str) -> str:
    if not (word.isascii() and word.isalpha()):
        return word
    with _stemming:
        return str(_stemmer.stemWord(word))


# --- identifiers --------------------------------------------------------------------------------------------

_MOST_REPEATS = 20
_QUANTITY = re.compile(
    r"(?!\d{5,}$|\d+(?:\.\d+){3}$)"  # not 48213, which is a code, and 10.0.0.1
    r"\d[\d.,:/%+~=-]*(?:[a-z%]{1,3}|hours?|mins?)?"  # 10:30am, 3rd, 5km, 2023-05-08
    r"|\d{4}-\d\d-\d\dt[\d:.+z-]+"  # 2023-05-08T13:56:00
    r"|\d+(?:st|nd|rd|th|s)?(?:-[a-z]+)+"  # 24-year-old
    r"|[a-z]+-\d+s",  # mid-90s
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\d"
    r"|[^\W_]_[^\W_]"  # snake_case
    r"|[a-z][A-Z]"  # camelCase
    r"|\w@\w|\\|::|://|/.*[/.]"  # mail, paths, addresses
    r"|^[A-Z]{2,}(?:[-.][A-Z]{2,})+$"  # ERR-RATE
    r"|[a-z]\.[a-z]{2,5}$"  # app.py
)


@lru_cache(maxsize=16)
def _names(text: str) -> tuple[str, ...]:
    """The identifiers of a text; a search asks twice for those of its query."""
    bare = (_CLITIC.sub("", term) for term in _TERM.findall(folded(text)))
    return tuple(term for term in bare if _names_one_thing(term))


def _names_one_thing(term: str) -> bool:
    return not _QUANTITY.fullmatch(term) and _NAME.search(term) is not None

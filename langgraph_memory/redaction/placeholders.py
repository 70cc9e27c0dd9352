"""What stands where a secret would, and is none: placeholders, masks, references, addresses, numbers."""

from __future__ import annotations

import re
from collections import Counter

from langgraph_memory.redaction.randomness import is_random

_REFERENCE = re.compile(
    r"^\$[A-Za-z_{(]|^<|[$#%@!]\{[\w.:?=/@ -]*\}|\{\{.*\}\}|\$\([^)]*\)|<[\w ./|-]+>|%\w+%|\$[A-Z_]{3,}"
    r"|^`.*`$"
    r"|^(?:var|local|data|each|self|this|cls|module)\.|^%\w?\(|^%[sdv]$|^![A-Za-z]+$"
    r"|(?i:process\.env|os\.environ|getenv|env\[|secrets?\.\w+$|\bvault:|^arn:|^ref\+|^op://)"
)
_CALL = re.compile(r"^&?[\w.:>-]++[(\[]")
_ADDRESS = re.compile(
    r"^(?:[a-z][a-z0-9+.-]*://|\.{0,2}/[\w.-]|~/|[A-Za-z]:\\|www\.)|^[\w.-]+(?:/[\w.-]*[a-z]{3,}[\w.-]*)+$"
    r"|^[\w.-]+(?:/[\w.-]+)+\.[a-z][a-z0-9]{1,4}$"
)
_DATE_OR_NUMBER = re.compile(
    r"^[\d.,:/+TZ-]+$|^-?\d+(?:\.\d+)?[eE][+-]?\d+$|^v?\d+(?:\.\d+)+[\w.-]{0,12}$"
    r"|^\d+(?:ms|s|m|h|d|days?|min|hours?|px|kb|mb|gb|em|rem)$"
)
_MASK = re.compile(r"\*{3}|\.{3}|…|•|(?i:x{4})|_{4}|-{4}|#{4}|^\?{3}|\[redacted")
_STATED = re.compile(
    r"(?i)example|placeholder|change[_-]?me|change[_-]?this|replace[_-]?(?:me|this|with)|\bdummy|redacted"
    r"|(?:^|[^a-z])(?:your|insert|enter|fake|sample|todo)(?:$|[^a-z])|^your|here$"
)
_FILLED = re.compile(r"(?i:x{5}|example)|\*{3}|\.{3}|0{12}|1{12}|a{16}|(?i:123456789012345)")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_STOCK_WORDS = frozenset(
    word
    for line in (
        "a abc abcd access account admin an and api app auth bar basic baz bearer blah changed client",
        "code config cred credential credentials current data db default demo dev development",
        "disabled dummy empty enabled encrypted env error expired false file foo for from get guest",
        "hash header hello here hidden id in incorrect input invalid is it key keys letmein local",
        "localhost login master me missing mock my mypass name new nil no none not notset null number",
        "object of ok old on optional or owner param pass passphrase passwd password passwords plain",
        "please postgres prod production prompt protected public private pwd qwerty random read redis",
        "removed required reset root sa schema secret secrets secure set some something str string",
        "stub super sys system temp template test testing text the this to todo token tokens true",
        "type undefined unknown unset update updated user username value var variable welcome with",
        "world wrong xxx xyz yes you your yyy zzz",
    )
    for word in line.split()
)
"""Words that people write where a secret would stand; a value of these alone is none."""
_DRESSED = frozenset("!@#%^&*~+?$")
"""Signs by which people make a password of a word."""
_SEQUENCES = ("01234567890", "abcdefghijklmnopqrstuvwxyz", "9876543210", "qwertyuiop")
_FEW_CHARACTERS = 2
_SHORT_NUMBER = 2
_REPETITIVE_FROM = 8


def is_placeholder(value: str) -> bool:
    """Whether the value stands for a secret: masked, stock words, a reference to elsewhere, a sequence.

    >>> [is_placeholder(value) for value in ("${TOKEN}", "your-key", "xxxxxxxx", "12345678", "h0pk1ns~21")]
    [True, True, True, True, False]
    """
    if value.startswith("{") and value.endswith("}") and not is_random(value[1:-1]):
        return True
    if _MASK.search(value) or _REFERENCE.search(value) or _STATED.search(value):
        return True
    return _is_monotonous(value) or _is_stock(value)


def is_filled(token: str) -> bool:
    """Whether a token of a known shape is filled with what people type for "some characters".

    >>> is_filled("ghp_xxxxxxxxxxxxxxxxxxxx"), is_filled("AKIALALEMEL33243OLI")
    (True, False)
    """
    return bool(_FILLED.search(token))


def is_reference(value: str) -> bool:
    """Whether the value names a place or computes something: an address, a path, a call, a date, a number.

    >>> [is_reference(v) for v in ("/etc/key.pem", "https://a.org", "get_token()", "2024-05-01", "aB3$x")]
    [True, True, True, True, False]
    """
    return is_address(value) or is_call(value) or is_date_or_number(value)


def is_address(value: str) -> bool:
    """Whether the value is a path or an address.

    >>> is_address("secrets/db.yaml"), is_address("aB3/x+9")
    (True, False)
    """
    return bool(_ADDRESS.search(value))


def is_call(value: str) -> bool:
    """Whether the value calls or indexes something.

    >>> is_call("config.get("), is_call("pass(word")
    (True, True)
    """
    return bool(_CALL.search(value))


def is_date_or_number(value: str) -> bool:
    """Whether the value is a date, a number, a version or a quantity.

    >>> is_date_or_number("v1.2.3"), is_date_or_number("30days"), is_date_or_number("3days2go")
    (True, True, False)
    """
    return bool(_DATE_OR_NUMBER.search(value))


def _is_monotonous(value: str) -> bool:
    counts = Counter(value)
    if len(counts) <= _FEW_CHARACTERS or _is_sequence(value):
        return True
    return len(value) >= _REPETITIVE_FROM and counts.most_common(1)[0][1] > len(value) / 2


def _is_sequence(value: str) -> bool:
    lower = value.lower()
    return any(lower in sequence for sequence in _SEQUENCES)


def _is_stock(value: str) -> bool:
    if not _DRESSED.isdisjoint(value):
        return False
    words = [word.lower() for word in _WORD.findall(value)]
    return bool(words) and all(map(_is_stock_word, words))


def _is_stock_word(word: str) -> bool:
    return word in _STOCK_WORDS or (word.isdigit() and (len(word) <= _SHORT_NUMBER or _is_sequence(word)))

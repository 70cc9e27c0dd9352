"""Whether a value reads like a secret: placeholders, references, words and identifiers told apart from it."""

from __future__ import annotations

import base64
import math
import re
from collections import Counter
from enum import IntEnum

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
"""The 200 most frequent letter pairs of English technical prose: nine tenths of its pairs, under a third of random ones."""

_PIECE = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_HEX = re.compile(r"(?:0x)?[0-9a-fA-F]+")
_UUID = re.compile(r"\{?[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}\}?")
_REFERENCE = re.compile(
    r"^[$<]|^\{\w*\}$|[$#%@!]\{|\{\{|\$\(|<[\w ./|-]*>|%\w+%|\$[A-Z_]{3,}|`"
    r"|^\$\w+$|^\$\w+:|^(?:var|local|data|each|self|this|cls|module)\.|^%\w?\(|^%[sdv]$"
    r"|(?i:process\.env|os\.environ|getenv|env\[|secrets?\.\w+$|\bvault:|^arn:|^ref\+|^op://|^!\w+)"
)
_CALL = re.compile(r"^&?[\w.:>-]*[A-Za-z_][\w.:>-]*[(\[]")
_ADDRESS = re.compile(r"^(?:[a-z][a-z0-9+.-]*://|\.{0,2}/[\w.-]|~/|[A-Za-z]:\\|www\.)|^[\w.-]+(?:/[\w.-]*[a-z]{3,}[\w.-]*)+$")
_MASK = re.compile(r"\*{3}|\.{3}|…|•|(?i:x{4})|_{4}|-{4}|#{4}|\?{3}|\[redacted")
_FILLED = re.compile(r"(?i:x{5}|example)|\*{3}|\.{3}|0{12}|1{12}|(?i:a{16}|123456789012345)")
_STATED_PLACEHOLDER = re.compile(
    r"(?i)example|placeholder|change[_-]?me|change[_-]?this|replace[_-]?(?:me|this|with)|\bdummy|redacted"
    r"|(?:^|[^a-z])(?:your|insert|enter|fake|sample|todo)(?:$|[^a-z])|^your|here$"
)
_DATE_OR_NUMBER = re.compile(r"^[\d.,:/+TZ-]+$|^v?\d+(?:\.\d+)+[\w.-]{0,12}$|^\d+(?:ms|s|m|h|d|days?|min|hours?|px|kb|mb|gb|em|rem)$")

_STOCK_WORDS = frozenset(
    """a abc abcd access account admin an and api app auth bar basic baz bearer bearertoken blah changed client
    code config cred credential credentials current data db default demo dev development disabled dummy empty
    enabled encrypted env error expired false file foo for from get guest hash header hello here hidden id in
    incorrect input invalid is it key keys letmein local localhost login master me missing mock my mypass name
    new nil no none not notset null number object of ok old on optional or owner param pass passphrase passwd
    password passwords plain please postgres prod production prompt protected public private pwd qwerty rabbitmq
    random read redis removed required reset root sa schema secret secrets secure set some something str string
    stub super sys system temp template test testing text the this to todo token tokens true type undefined
    unknown unset update updated user username value var variable welcome with world wrong xxx xyz yes you your
    yyy zzz""".split()  # noqa: SIM905 - eighty words a line read better than a list
)
_SEQUENCES = ("01234567890", "abcdefghijklmnopqrstuvwxyz", "9876543210", "qwertyuiop")


class Bar(IntEnum):
    """How much a value must look like a secret, given how sure its surroundings are."""

    PLACED = 1
    """In a place that holds nothing but secrets: the password of a URL, `curl -u`."""
    PASSWORD = 2
    """Under a name for something that people choose."""
    SECRET = 3
    """Under a name for something that machines make: token, API key, client secret."""
    RANDOM = 4
    """Under a vague name or none: only what no word, identifier or digest looks like."""


def entropy(text: str) -> float:
    """Shannon entropy of the characters, in bits a character.

    >>> entropy("aaaa"), entropy("abcd")
    (-0.0, 2.0)
    """
    length = len(text)
    return -sum(count / length * math.log2(count / length) for count in Counter(text).values())


def is_wordlike(text: str) -> bool:
    """Whether most of the letters form pronounceable words, as in prose and in identifiers.

    >>> is_wordlike("makeKubeConfigController"), is_wordlike("yqDVtkqPECriaLRi")
    (True, False)
    """
    letters = sum(map(str.isalpha, text))
    in_words = sum(len(piece) for piece in _PIECE.findall(text) if len(piece) > 2 and _pronounceable(piece))
    return in_words >= 0.6 * max(letters, 0.6 * len(text))


def _pronounceable(piece: str) -> bool:
    lower = piece.lower()
    pairs = len(lower) - 1
    return sum(lower[i : i + 2] in _COMMON_PAIRS for i in range(pairs)) >= 0.6 * pairs


def is_placeholder(value: str) -> bool:
    """Whether the value stands for a secret without being one: masked, stock words, a reference, a sequence.

    >>> [is_placeholder(v) for v in ("${TOKEN}", "<key>", "your-api-key", "xxxxxxxx", "12345678", "h0pk1ns~21s")]
    [True, True, True, True, True, False]
    """
    if _MASK.search(value) or _REFERENCE.search(value) or _STATED_PLACEHOLDER.search(value):
        return True
    return _is_monotonous(value) or _is_stock(value)


def is_filled(token: str) -> bool:
    """Whether a token of a known shape is filled with what people type for "some characters".

    >>> is_filled("ghp_xxxxxxxxxxxxxxxxxxxx"), is_filled("AKIAIOSFODNN7EXAMPLE"), is_filled("AKIALALEMEL33243OLIB")
    (True, True, False)
    """
    return bool(_FILLED.search(token))


def _is_monotonous(value: str) -> bool:
    counts = Counter(value)
    most = counts.most_common(1)[0][1] if counts else 0
    return len(counts) <= 2 or (len(value) >= 8 and most > len(value) / 2) or _is_sequence(value)


def _is_sequence(value: str) -> bool:
    lower = value.lower()
    return any(lower in sequence for sequence in _SEQUENCES)


def _is_stock(value: str) -> bool:
    words = [word.lower() for word in _WORD.findall(value)]
    return bool(words) and all(w in _STOCK_WORDS or (w.isdigit() and (len(w) < 3 or _is_sequence(w))) for w in words)


def is_reference(value: str) -> bool:
    """Whether the value names a place or computes something: an address, a path, a call, a date, a number.

    >>> [is_reference(v) for v in ("/etc/key.pem", "https://a.org", "get_token()", "2024-05-01", "aB3$x")]
    [True, True, True, True, False]
    """
    return bool(_ADDRESS.search(value) or _CALL.search(value) or _DATE_OR_NUMBER.search(value))


def is_digest(value: str) -> bool:
    """Whether the value is hexadecimal or a UUID throughout: an id or a digest as likely as a secret.

    >>> is_digest("9f86d081884c7d659a2feaa0c55ad015"), is_digest("9f86d081884c7d659a2feaa0c55az")
    (True, False)
    """
    return bool(_HEX.fullmatch(value) or _UUID.fullmatch(value))


def is_random(value: str) -> bool:
    """Whether the value mixes letters and digits as no word or identifier does.

    >>> is_random("ZC9Ecf4M5g9o34Q6RkzGsj0z"), is_random("AcceptanceTimeoutSeconds2")
    (True, False)
    """
    if len(value) < 12 or not (any(map(str.isdigit, value)) and any(map(str.isalpha, value))):
        return False
    return entropy(value) >= min(3.5, 0.75 * math.log2(len(value))) and not is_wordlike(value)


def holds_secret(value: str, bar: Bar, *, quoted: bool) -> bool:
    """Whether a value that stands where `bar` says reads like a secret.

    `quoted` values are literals; others may be code, so that calls and dotted names don't count.

    >>> holds_secret("hunter2!", Bar.PASSWORD, quoted=True), holds_secret("hunter2!", Bar.SECRET, quoted=True)
    (True, False)
    >>> holds_secret("reset_password()", Bar.PASSWORD, quoted=False)
    False
    """
    if not 4 <= len(value) <= 4096 or is_placeholder(value):
        return False
    match bar:
        case Bar.PLACED:
            return True
        case Bar.PASSWORD:
            return not any(map(str.isspace, value)) and _is_password(value, quoted=quoted)
        case Bar.SECRET:
            return not any(map(str.isspace, value)) and _is_machine_made(value)
        case Bar.RANDOM:
            return len(value) >= 16 and not is_reference(value) and not is_digest(value) and _is_mixed(value)


def _is_password(value: str, *, quoted: bool) -> bool:
    if len(value) < 6 or _ADDRESS.search(value) or (_CALL.search(value) and not quoted):
        return False
    digits = any(map(str.isdigit, value))
    letters = any(map(str.isalpha, value))
    symbols = any(character in "!@#%^&*~+=?$" for character in value[:-1])
    if letters and (digits or symbols):
        return not _DATE_OR_NUMBER.search(value) and not (not quoted and _is_identifier(value) and is_wordlike(value))
    return (digits and value.isdigit()) or (len(value) >= 10 and letters and not is_wordlike(value))


def _is_identifier(value: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z_][\w.]*[A-Za-z]", value))


def _is_machine_made(value: str) -> bool:
    if len(value) < 8 or is_reference(value):
        return False
    if is_digest(value):
        return len(value) >= 16 and len(set(value)) >= 6 and any(map(str.isdigit, value))
    digits = sum(map(str.isdigit, value))
    if is_wordlike(value) and not (digits >= 4 and len(value) >= 16 and value.isalnum()):
        return False
    if digits:
        return len(value) >= 10 and any(map(str.isalpha, value)) and entropy(value) >= 2.8
    return len(value) >= 16 and entropy(value) >= 3


def _is_mixed(value: str) -> bool:
    classes = any(map(str.islower, value)) + any(map(str.isupper, value)) + any(map(str.isdigit, value))
    return (classes == 3 or len(value) >= 28) and is_random(value)


def is_basic_pair(value: str) -> bool:
    """Whether the value is base64 of `user:password`, as basic authentication sends it.

    >>> is_basic_pair("YW5hOmh1bnRlcjI="), is_basic_pair("dXNlcjpwYXNzd29yZA==")
    (True, False)
    """
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("utf-8")
    except ValueError:
        return False
    _, colon, password = decoded.partition(":")
    return bool(colon) and decoded.isprintable() and holds_secret(password or decoded, Bar.PLACED, quoted=True)

"""Whether a value reads like a secret, by how much its surroundings already say."""

from __future__ import annotations

import base64
import re
from enum import IntEnum

from langgraph_memory.redaction.placeholders import (
    is_address,
    is_call,
    is_date_or_number,
    is_placeholder,
    is_reference,
)
from langgraph_memory.redaction.randomness import (
    entropy,
    has_digit,
    has_letter,
    is_digest,
    is_mixed,
    is_noise,
    is_wordlike,
)


class Bar(IntEnum):
    """How much a value must look like a secret, given how sure its surroundings are."""

    PLACED = 1
    """In a place that holds nothing but secrets: the password of a URL, `curl -u`."""
    PASSWORD = 2
    """Under a name for something that people choose."""
    SECRET = 3
    """Under a name for something that machines make: token, API key, client secret."""
    CREDENTIALS = 4
    """Under a name for a user and a password together."""
    RANDOM = 5
    """Under a vague name or none: only what no word, identifier or digest looks like."""

    @property
    def kind(self) -> str:
        """What a value that met the bar is called in its replacement."""
        return "password" if self in {Bar.PLACED, Bar.PASSWORD} else "secret"


_LOOKED_AT = 256
"""A longer value is judged by its beginning."""
_SHORTEST_PLACED = 4
_SHORTEST_PASSWORD = 6
_SHORTEST_PASSWORD_OF_LETTERS = 10
_SHORTEST_SECRET = 10
_SHORTEST_RANDOM = 16
_FEWEST_OF_DIGEST = 6
_FEW_DIGITS = 2
_MANY_DIGITS = 4
_BITS = 2.8
_BITS_OF_LETTERS = 3.0
_BASE64 = re.compile(r"[A-Za-z0-9+/]{32,}={0,2}")
_JOINED_WORDS = re.compile(r"[A-Za-z_]\w*(?:[a-z0-9][A-Z]|[_.])\w*(?:\.\w+)*")
_SYMBOLS = {True: frozenset("!@#%^&*~+=?$"), False: frozenset("!@#^~")}
"""What tells a password from a word, inside quotes and outside, where code has operators."""


def holds_secret(value: str, bar: Bar, *, quoted: bool) -> bool:
    """Whether a value that stands where `bar` says reads like a secret.

    `quoted` values are literals; others may be code, so that calls and dotted names don't count.

    >>> [holds_secret("hunter2!", bar, quoted=True) for bar in (Bar.PASSWORD, Bar.SECRET)]
    [True, False]
    >>> holds_secret("reset_password()", Bar.PASSWORD, quoted=False)
    False
    """
    value = value[:_LOOKED_AT]
    if bar in (Bar.PASSWORD, Bar.SECRET) and is_noise(value):
        return True
    return len(value) >= _SHORTEST_PLACED and _meets(value, bar, quoted=quoted) and not is_placeholder(value)


def _meets(value: str, bar: Bar, *, quoted: bool) -> bool:
    if bar is Bar.PLACED:
        return True
    if any(map(str.isspace, value)):
        return False
    if bar is Bar.PASSWORD:
        return _is_password(value, quoted=quoted)
    if bar is Bar.SECRET:
        return _is_machine_made(value)
    return (bar is Bar.CREDENTIALS and is_basic_pair(value)) or _is_beyond_doubt(value)


def _is_password(value: str, *, quoted: bool) -> bool:
    if len(value) < _SHORTEST_PASSWORD or is_address(value) or (is_call(value) and not quoted):
        return False
    letters = has_letter(value)
    if letters and (has_digit(value) or not _SYMBOLS[quoted].isdisjoint(value[1:].rstrip(".!?*@"))):
        return not is_date_or_number(value) and (quoted or not _is_identifier(value))
    if quoted and letters and len(value) >= _SHORTEST_PASSWORD_OF_LETTERS:
        return not is_wordlike(value)
    return value.isdigit()


def _is_identifier(value: str) -> bool:
    """Whether code would take the value for a name: words joined, two digits at most, none at the end."""
    if value[-1].isdigit() or sum(map(str.isdigit, value)) > _FEW_DIGITS:
        return False
    return bool(_JOINED_WORDS.fullmatch(value)) and is_wordlike(value)


def _is_machine_made(value: str) -> bool:
    if _BASE64.fullmatch(value) and is_mixed(value):
        return True  # a slash in it makes no path
    digits = sum(map(str.isdigit, value))
    if len(value) < (_SHORTEST_SECRET if digits else _SHORTEST_RANDOM) or is_reference(value):
        return False
    if is_digest(value):
        return len(value) >= _SHORTEST_RANDOM and len(set(value)) >= _FEWEST_OF_DIGEST and digits > 0
    if is_wordlike(value):
        return digits >= _MANY_DIGITS and len(value) >= _SHORTEST_RANDOM and value.isalnum()
    if digits:
        return has_letter(value) and entropy(value) >= _BITS
    return entropy(value) >= _BITS_OF_LETTERS and not (value.islower() or value.isupper())


def _is_beyond_doubt(value: str) -> bool:
    if len(value) < _SHORTEST_RANDOM or not has_digit(value):
        return False
    return not is_reference(value) and not is_digest(value) and is_mixed(value)


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
    return (
        bool(colon) and decoded.isprintable() and holds_secret(password or decoded, Bar.PLACED, quoted=True)
    )

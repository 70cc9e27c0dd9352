"""What has the shape of an identifier, whatever names it: general rules, no list of any application's ids."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from langgraph_memory.entities.keys import words

MAX_LENGTH = 200
"""A longer text is not an identifier."""

MAX_NAME = 80
"""A longer text is not a display name."""

WEAK_DIGITS = 4
"""Numbers of fewer digits name a thing only together with its kind (`pull:481`)."""


def is_token(text: str) -> bool:
    """Whether a text could be an identifier at all: one word, neither a filler nor a moment.

    >>> is_token("bob"), is_token("Wall Clock"), is_token("2024-05-20"), is_token("null")
    (True, False, False, False)
    """
    return (
        0 < len(text) <= MAX_LENGTH
        and _NOT_A_TOKEN.search(text) is None
        and _ALNUM.search(text) is not None
        and text.casefold() not in _FILLERS
        and _MOMENT.fullmatch(text) is None
    )


def is_slug(text: str) -> bool:
    """Whether a text could be the name of a resource: a token with a letter that is not a measure.

    >>> is_slug("payments-api"), is_slug("src/auth.py"), is_slug("12.5"), is_slug("10GB")
    (True, True, False, False)
    """
    return is_token(text) and _SLUG.fullmatch(text) is not None and _MEASURE.fullmatch(text) is None


def is_compound(text: str) -> bool:
    """Whether a slug is put together of several words, as names of resources are and plain words are not.

    >>> is_compound("payments-api"), is_compound("acme/web"), is_compound("available")
    (True, True, False)
    """
    return is_slug(text) and _COMPOUND.fullmatch(text) is not None and _REGION.fullmatch(text) is None


def is_identifier(text: str) -> bool:
    """Whether a text has the shape of an identifier, whatever stands around it.

    >>> all(map(is_identifier, ("gpu-bench-01", "HAT069", "#W6067464", "refund:tx_992", "10.0.0.5")))
    True
    >>> any(map(is_identifier, ("2024-05-20", "10.5GB", "basic_economy", "us-east-1", "+1-555-0100", "SFO")))
    False
    """
    if _MARK.search(text) is None or not is_token(text):
        return False
    if _is_address(text):
        return True
    if _labels_a_measure(text):
        return False
    if _says_so(text):
        return True
    if _NOT_ONE.search(text) or _LOOK_ALIKE.fullmatch(text):
        return False
    return _mixes(text) and (_JOINED.fullmatch(text) is not None or _is_code(text))


def is_telling(text: str) -> bool:
    """Whether an identifier is one even where words are expected: in a sentence, or as a key.

    >>> is_telling("gpu-bench-01"), is_telling("HAT069"), is_telling("COVID-19"), is_telling("address2")
    (True, True, False, False)
    """
    return is_identifier(text) and not _is_term(text)


def is_name(text: str) -> bool:
    """Whether a text can serve as the display name of a thing.

    >>> is_name("Wall Clock"), is_name("gpu-bench-01"), is_name("7"), is_name("n/a")
    (True, True, False, False)
    """
    return (
        1 < len(text) <= MAX_NAME
        and (text[0] == "#" or any(c.isalpha() for c in text))
        and text.isprintable()
        and text.casefold() not in _FILLERS
    )


def is_number(text: str) -> bool:
    """Whether a text of digits is long enough to be a number that names something, and is not a date.

    >>> is_number("9624127908"), is_number("19031"), is_number("20240520")
    (True, False, False)
    """
    return _NUMBER.fullmatch(text) is not None


def is_weak_number(text: str) -> bool:
    """Whether a text is a number too short to name a thing without saying of what kind it is."""
    return text.isdecimal() and len(text) < WEAK_DIGITS


def identifiers_in(text: str) -> Iterator[str]:
    """The identifiers that a sentence, a command or a log line mentions, in order.

    In prose only telling shapes count: `COVID-19`, `python3` and `24-hour` are words. Addresses of pages are
    left out.

    >>> list(identifiers_in("PROJ-123: src/auth.py fails on gpu-bench-01 since 2024-05-20 (24-hour run)."))
    ['PROJ-123', 'src/auth.py', 'gpu-bench-01']
    """
    if _MARK.search(text) is None:
        return
    for match in _MENTION.finditer(_PAGE.sub(" ", text)):
        token = _trimmed(match.group())
        if is_telling(token):
            yield token


# --- tokens -------------------------------------------------------------------------------------------------

_NOT_A_TOKEN = re.compile(r"[\s\x00-\x1f\x7f]")
_MARK = re.compile(r"[\d/]")  # every identifier has a digit, or is a path
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_ALNUM = re.compile(r"[^\W_]")
_FILLERS = words(
    "null none nil nan undefined unknown true false yes no n/a na tbd default all any other self"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_MOMENT = re.compile(
    rf"""(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])(?:[-/.]{_DAY}(?:[T_ ]\d{{1,2}}[:.-]?\d{{2}}.*)?)?  # 2024-05-20
      | {_DAY}[-/.]{_DAY}[-/.](?:\d{{2}}|\d{{4}})                                # 20.05.2024
      | {_DAY}[-/]?{_MONTH}(?:[-/]?\d{{2,4}})? | {_MONTH}[-/]?\d{{1,4}}            # 20-May-2024
      | \d{{8}}T\d{{4,6}}Z?
      | \d{{1,2}}:\d{{2}}(?::\d{{2}}(?:\.\d+)?)?(?:[+-]\d{{1,4}}(?::\d{{2}})?)?(?:[ap]m)?z?  # 03:00:00+1
      | \d{{1,2}}[ap]m | \d{{4}}s | (?:\d+[dhms]){{2,}}                            # 10am, 1990s, 1h30m
      | (?:fy|cy)-?\d{{2,4}} | \d{{4}}-?(?:q[1-4]|w\d{{2}}(?:-\d)?) | q[1-4][-/']?\d{{2,4}}
      | p(?=[t\d])(?:\d+[ymwd])*(?:t(?:\d+[hms])+)?                              # PT15M
    """,
    re.VERBOSE | re.IGNORECASE,
)

# --- shapes -------------------------------------------------------------------------------------------------

_SLUG = re.compile(r"(?=.*[^\W\d_])[\w/~.@#][\w.:/@#+~-]*")
_COMPOUND = re.compile(r"[/~.]*[^\W_]+([-_./:]+[^\W_]+)+")
_NUMBER = re.compile(r"(?!(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$)\d{6,30}")

_SELF_EVIDENT = re.compile(
    r"""[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}                                # UUIDs
      | (arn|urn|crn|spiffe):[\w./:@*+=,-]*[\w]                                  # names with an authority
      | \#(?![\da-f]{3}(?:[\da-f]{3})?$)(?=[\w-]*\d\d)[\w-]{2,40}              # #W6067464, and no colour
      | \#\d{2,12}                                                              # #481
      | [a-z][a-z_-]{1,40}:(?!//)(?=[^\s:]*\d)(?=[^\s:]*[a-z])[\w\#][\w./-]+      # type:id
      | [a-z][a-z_-]{1,40}:\d{2,}
      | (~|\.{1,2})?/?([\w@.+~-]+/)+[\w@+~-]*(\.[\w+~-]+)*\.[a-z][a-z0-9]{0,7}   # paths of files
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NOT_ONE = re.compile(
    r"""[,;=<>(){}\[\]"'`|\\^*!?$%&+]     # several values, code, templates, money
      | :// | @[^\s/@]+\.[A-Za-z]{2,}$    # addresses of pages and people
      | ^[\d\W_]+$                        # numbers and punctuation
      | [-_./:@]{2}
      | ^\d+([.,]\d+)*/                   # 49.99/month
      | ^[A-Za-z]+/\d+(\.\d+)?$          # HTTP/1.1
    """,
    re.VERBOSE,
)
_UNIT = (
    r"(?:%|°[cf]?|[kmcnµdh]?[gmlswvah]|[bcdfkmx]|ft|in|yd|mi|oz|lbs?|kgs?|px|em|pt|hp|k?cal|[km]ph|mah|rpm|fps|dpi"
    r"|[kmgtp]i?b(?:ps)?|[kmg]?(?:bps|hz|wh|va)|usd|eur|gbp|mins?|hrs?|secs?|yrs?|days?|hours?|minutes?|seconds?"
    r"|weeks?|months?|years?|inch(?:es)?|bits?|bytes?|people|times)"
)
_MEASURE = re.compile(
    rf"""[~<>]?[+-]?\d{{1,6}}([.,]\d+)*[-_]?{_UNIT}(/[a-z]+)?
      | \d{{1,6}}([.,]\d+)*([x×]\d+)+[a-z]*                                     # 1920x1080
      | v?\d+(\.\d+)+([-.]?(rc|alpha|beta|dev|post)[-.]?\d*)? | v\d+            # versions
      | \d+(st|nd|rd|th)
      | \d{{1,4}}([-–]\d{{1,4}})?(-[a-z]+)+                                       # 24-hour, 2-year-old
    """,
    re.VERBOSE | re.IGNORECASE,
)
_REGION = re.compile(r"[a-z]{2,}(-gov)?-?(north|south|east|west|central)+\d?(-\d)?[a-z]?(-[a-z])?")
_STANDARD = re.compile(
    r"(utf|sha|md|aes|rsa|base|ipv|http|h|mp|tls|ssl|usb|gpt|win|x|amd|arm|ddr|mpeg)[-_./]?\d{1,3}([._-]\d{1,3})?k?"
    r"(-[a-z]+)?|(iso|rfc|ieee|iec)[-_./]?\d{2,5}([._:-]\d+)*"
)
_LOOK_ALIKE = re.compile(
    "|".join(f"(?:{form.pattern})" for form in (_MEASURE, _REGION, _STANDARD)), re.VERBOSE | re.IGNORECASE
)
_JOINED = re.compile(r"#?[A-Za-z0-9]+([-_.:/@#][A-Za-z0-9]+)+")
_CODE = re.compile(r"[A-Z0-9]{5,32}|[a-z0-9]{6,64}|[A-Za-z0-9]{8,64}")


def _says_so(text: str) -> bool:
    return _SELF_EVIDENT.fullmatch(text) is not None


def _labels_a_measure(text: str) -> bool:
    """Whether what stands after a colon is no identifier: `time:10am`, `size:10GB`, `image:1.25.3`."""
    value = text.rpartition(":")[2]
    return value != text and bool(_MOMENT.fullmatch(value) or _LOOK_ALIKE.fullmatch(value))


def _is_address(text: str) -> bool:
    if text.count(".") != 3 and text.count(":") < 2:  # noqa: PLR2004 - a cheap test before the real one
        return False
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _mixes(text: str) -> bool:
    return _DIGIT.search(text) is not None and _LETTER.search(text) is not None


def _is_code(text: str) -> bool:
    """Whether letters and digits are mixed within one word as in `HAT069`, `4WQ150` and `a3f9c21`."""
    return _CODE.fullmatch(text) is not None


# --- prose --------------------------------------------------------------------------------------------------

_PAGE = re.compile(r"\b(?:https?|ftp)://\S+|\bwww\.\S+", re.IGNORECASE)
_MENTION = re.compile(r"(?<![\w/])\.{0,2}[\w#~/][\w.:/@#~-]*", re.ASCII)
_TERM = re.compile(
    r"""[a-z]{2,}[-_ ]?(?!0)\d{1,2}[a-z]?([-_.]\w+)?                             # covid-19, python3, gpt-4o
      | [a-z]+-?(?!0)\d{1,3}[a-z]? | [a-z_-]+:\d+                                # boeing-737, port:8080
      | [a-z]+-\d{4}s? | [a-z]+[-_][a-z]+(?!0)\d                                  # mid-1930s, flask_argon2
      | \w+(\.[a-z]\w*)+                                                         # hosts and attributes
      | \d+[-/:.]?\d*[-a-z]{1,3}([-/]\w+)?
    """,
    re.VERBOSE | re.IGNORECASE,
)


def _trimmed(mention: str) -> str:
    """A mention without the punctuation around it; the dots and slashes that begin a path stay."""
    ended = mention.rstrip(".:/-_@#~")
    return ended if _PATH_START.match(ended) else ended.lstrip(".:-_@~/")


_PATH_START = re.compile(r"(?:\.{1,2}|~)?/|\.\w+/|\#")


def _is_term(token: str) -> bool:
    """Whether a token with the shape of an identifier is more likely a term of the language."""
    if _CODE_OR_TICKET.fullmatch(token):
        return token.partition("-")[0] in _STANDARDS
    return _TERM.fullmatch(token) is not None


_CODE_OR_TICKET = re.compile(
    r"(?=(?:[A-Z]*\d){2})(?=(?:\d*[A-Z]){2})[A-Z0-9]{6,}|[A-Z]{2,4}\d{3,5}|[A-Z][A-Z0-9]{1,9}-\d+|#.*"
)
_STANDARDS = words(
    "AES COVID DVB ECMA EN GPT HTTP IEC IEEE IPV ISO MIL MP PEP RFC RSA SARS SHA SSL TLS USB UTF"
)

"""Where the secrets of a text stand. Every rule is linear in the text and looks first for a literal that it needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from langgraph_memory.redaction.kinds import KINDS, Kind
from langgraph_memory.redaction.names import STEMS, bar_of
from langgraph_memory.redaction.values import (
    Bar,
    holds_secret,
    is_basic_pair,
    is_digest,
    is_filled,
    is_placeholder,
    is_random,
)


class Span(NamedTuple):
    """A secret in a text: `text[start:end]`, and what it is."""

    start: int
    end: int
    kind: str


def find_secrets(text: str) -> list[Span]:
    """The secrets of a text in order, none overlapping another.

    >>> find_secrets("curl -u ana:hunter2 https://a.org")
    [Span(start=12, end=19, kind='password')]
    """
    if len(text) < _SHORTEST:
        return []
    ascii_text = text.encode("ascii", "replace")
    spans = [*_blocks(text), *_tokens(text, ascii_text), *_addresses(text), *_commands(text)]
    spans += _assignments(text, ascii_text.lower())
    return _apart(spans)


_SHORTEST = 8


def _apart(spans: list[Span]) -> list[Span]:
    """Overlapping spans become one, named after the one that starts first, then the longest, then the first rule."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            merged[-1] = last._replace(end=max(last.end, span.end))
        else:
            merged.append(span)
    return merged


# Private keys

_BLOCK = re.compile(
    r"-----BEGIN (?P<label>[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?)-----(?P<body>[^-]{60,}+(?:-(?!----)[^-]*+)*+)(?:-----END (?P=label)-----|(?=-----)|\Z)"
)
_PUTTY = re.compile(r"Private-Lines: \d+\s+(?P<body>[A-Za-z0-9+/=\s]{60,}+)")


def _blocks(text: str) -> Iterator[Span]:
    if "PRIVATE KEY" in text:
        for match in _BLOCK.finditer(text):
            yield Span(*match.span(), "private-key")
    if "Private-Lines" in text:
        for match in _PUTTY.finditer(text):
            yield Span(*match.span("body"), "private-key")


# Tokens

_RUN = 16
_RUN_CLASSES = bytes(
    ord("w") if chr(code).isascii() and (chr(code).isalnum() or chr(code) in "_-.~+/=:%?&$") else ord(" ")
    for code in range(256)
)


def _runs(ascii_text: bytes) -> list[tuple[int, int]]:
    """Where at least 16 characters stand together that tokens and their addresses are made of."""
    classes = ascii_text.translate(_RUN_CLASSES)
    runs = []
    start = classes.find(b"w" * _RUN)
    while start >= 0:
        end = classes.find(b" ", start)
        end = len(classes) if end < 0 else end
        runs.append((start, end))
        start = classes.find(b"w" * _RUN, end)
    return runs


def _tokens(text: str, ascii_text: bytes) -> Iterator[Span]:
    runs = _runs(ascii_text)
    if not runs:
        return
    joined = " ".join([text[start:end] for start, end in runs])
    for kind in KINDS:
        if any(hint in joined for hint in kind.hints):
            yield from _named(text, runs, kind)
    yield from _unnamed(text, runs)


def _named(text: str, runs: list[tuple[int, int]], kind: Kind) -> Iterator[Span]:
    group = "secret" if "secret" in kind.pattern.groupindex else 0
    for start, end in runs:
        for match in kind.pattern.finditer(text, start, end):
            token = match.group(group)
            if not is_filled(token) and (kind.check is None or kind.check(token)):
                yield Span(*match.span(group), kind.name)


_TOKEN = re.compile(r"(?<![\w.~+/=%@-])[A-Za-z][A-Za-z0-9]{0,15}(?:[_.~-]+[\w~+-]+(?:\.[\w~+-]+)*=*)(?![\w./@(-])")
_SIGNED = re.compile(r"(?<![\w.~+/=%@-])(?:\w{1,12}\.)?[\w-]{16,}(?:\.[\w-]{16,}){1,4}(?![\w./@(-])")
_SEPARATOR = re.compile(r"[_.~-]+")
_OPENING = frozenset(
    "access api app auth bot key live oat pat personal priv private prod refresh rk secret sk svc tok token".split()
)
_NAMING = frozenset(
    """ami asst blob build bundle cache call ch chatcmpl chunk cmpl commit cs css cus cursor digest doc etag evt file
    fp hash id image img item job js lc main md5 module msg node obj object order org page pi pk price prod proj ref
    req resp run session sha sha1 sha256 sha384 sha512 span srvtoolu static sub task thread toolu trace tree user
    vendor video vol vpc""".split()
)


def _unnamed(text: str, runs: list[tuple[int, int]]) -> Iterator[Span]:
    """Tokens of issuers that the table doesn't know: a short prefix and a long random body."""
    for start, end in runs:
        if end - start < 20:
            continue
        for match in _TOKEN.finditer(text, start, end):
            if _opens(match.group()):
                yield Span(*match.span(), "token")
        if text.find(".", start, end) >= 0:
            for match in _SIGNED.finditer(text, start, end):
                if sum(is_random(part) and len(part) >= 16 for part in match.group().split(".")) > 1:
                    yield Span(*match.span(), "token")


def _opens(token: str) -> bool:
    pieces = _SEPARATOR.split(token.rstrip("="))
    body = max(pieces, key=len)
    prefix = [piece.lower() for piece in pieces[: pieces.index(body)]]
    opening = not _OPENING.isdisjoint(prefix)
    if not prefix or len(prefix) > 4 or max(map(len, prefix)) > 12 or prefix[0] in _NAMING or is_placeholder(token):
        return False
    if opening:
        return len(body) >= 16 and is_random(body)
    return len(body) >= 32 and not is_digest(body) and is_random(body) and holds_secret(body, Bar.RANDOM, quoted=True)


# Addresses that carry a password or a token

_USERINFO = re.compile(
    r"(?<=://)(?P<user>[^\s/:@\"'<>\\?#]{0,256}+)(?::(?P<password>[^\s/@\"'<>\\]{1,256}+(?:@[^\s/@\"'<>\\]+(?=@))*))?@(?=[\w\[{$])"
)


def _addresses(text: str) -> Iterator[Span]:
    if "://" not in text or "@" not in text:
        return
    for match in _USERINFO.finditer(text):
        user, password = match["user"], match["password"]
        if password and password != user and holds_secret(password, Bar.PLACED, quoted=True):
            yield Span(*match.span("password"), "password")
        elif user and holds_secret(user, Bar.RANDOM, quoted=True):
            yield Span(*match.span("user"), "token")


# Commands that take a user and a password

_COMMANDS = ("curl", "wget", "http")
_USER_OPTION = re.compile(
    r"(?<=\s)(?:-u|--user|--proxy-user|-U)[ =]{0,3}"
    r"(?P<word>(?:\"[^\"\n]{0,256}+\"|'[^'\n]{0,256}+'|[^\s\"']{1,256}+){1,8}+)"
)


def _commands(text: str) -> Iterator[Span]:
    if not ("-u" in text or "-U" in text) or not any(command in text for command in _COMMANDS):
        return
    for match in _USER_OPTION.finditer(text):
        start, end = match.span("word")
        colon = text.find(":", start, end)
        if colon >= 0:
            yield from _password_of_pair(text, _inside(text, start, colon), _inside(text, colon + 1, end))


def _inside(text: str, start: int, end: int) -> slice:
    """The part of a shell word without the quotes around it."""
    while start < end and text[start] in "\"'":
        start += 1
    while end > start and text[end - 1] in "\"'":
        end -= 1
    return slice(start, end)


def _password_of_pair(text: str, user: slice, password: slice) -> Iterator[Span]:
    """The password; the user, where it is a token that needs none."""
    name, word = text[user], text[password]
    if word and word != name and holds_secret(word, Bar.PLACED, quoted=True):
        yield Span(password.start, password.stop, "password")
    elif not word and holds_secret(name, Bar.PASSWORD, quoted=True):
        yield Span(user.start, user.stop, "password")


# A name that means a secret, and its value, in the syntaxes of data, code, commands, headers and prose

_BEFORE = re.compile(r"(?:[A-Za-z]+ ){0,2}[\w.\-]{0,40}\Z")
_ASSIGNMENT = re.compile(
    r"""
    (?P<rest>[\w-]{0,40}+(?:\.[\w-]+)*+)
    (?P<close>\\*["'`]|["']?\]|\*\*|__)?
    (?:
        (?P<op>\s{0,8}(?:\bis\s|\bwas\s|:=|=>|=|:|->|\?=|\|\|=|%3D){1,2}\s{0,8}\*{0,2}\s?)
      | (?P<comma>,\s{0,4})
      | (?P<attribute>\s{1,4}value\s?=\s?)
      | (?P<tag>>)
      | (?P<cell>\s{0,4}\|\s{0,4})
      | (?P<blank>[ \t]{1,4}(?=[^\s]))
    )
    (?P<type>(?:str(?:ing)?|String)\s{0,2}=\s{0,2})?
    (?P<scheme>(?:Bearer|Basic|Token|token|bearer|basic|ApiKey|Key|SSWS)\s{1,3})?
    (?:
        [bruf@LN]?"(?P<double>(?:[^"\\\n]|\\.){0,1024}+)(?:"|\Z)
      | [bruf@]?'(?P<single>(?:[^'\\\n]|\\.){0,1024}+)(?:'|\Z)
      | `(?P<back>[^`\n]{0,1024}+)(?:`|\Z)
      | \\+["'](?P<escaped>[^"'\\\n]{0,1024}+)(?:\\|\Z)
      | (?P<bare>[^\s"'`<>,;\\]{1,1024}+)
    )
    """,
    re.VERBOSE,
)
_HEADER = re.compile(r"(?i)\b(?P<scheme>bearer|basic)[ ]+(?P<value>[A-Za-z0-9._~+/=%-]{8,2048}+)")
_VALUES = ("double", "single", "back", "escaped", "bare")


def _assignments(text: str, lower: bytes) -> Iterator[Span]:
    end = 0
    for position in _stems(lower):
        if position < end:
            continue
        match = _ASSIGNMENT.match(text, position)
        if match is None:
            continue
        span = _assigned(text, position, match)
        if span is not None:
            end = span.end
            yield span
    if b"bearer " in lower or b"basic " in lower:
        yield from _headers(text)


def _stems(lower: bytes) -> list[int]:
    positions = set()
    for stem in STEMS:
        position = lower.find(stem)
        while position >= 0:
            positions.add(position)
            position = lower.find(stem, position + len(stem))
    return sorted(positions)


def _assigned(text: str, position: int, match: re.Match[str]) -> Span | None:
    before = _BEFORE.search(text, max(0, position - 40), position)
    name = (before.group() if before else "") + text[position : match.end("rest")]
    bar = bar_of(name)
    if bar is None:
        return None
    group = next(group for group in _VALUES if match[group] is not None)
    start, end = match.span(group)
    if group == "bare":
        end = _bare_end(text, start, end)
    value = text[start:end]
    bar = _bar_by_syntax(bar, match, name, quoted=group != "bare")
    if bar is None or not holds_secret(value, bar, quoted=group != "bare"):
        return None
    return Span(start, end, "password" if bar is Bar.PASSWORD else "secret")


def _bare_end(text: str, start: int, end: int) -> int:
    """A bare value ends before the next parameter of a query and before closing punctuation."""
    ampersand = text.find("&", start, end)
    end = end if ampersand < 0 else ampersand
    while end > start and text[end - 1] in ".,;:!?)]}|*":
        end -= 1
    return end


def _bar_by_syntax(bar: Bar, match: re.Match[str], name: str, *, quoted: bool) -> Bar | None:
    if match["comma"] is not None:
        return bar if match["close"] and quoted else None
    if match["blank"] is not None or match["cell"] is not None:
        flag = name.lstrip().startswith("-")
        return bar if flag else max(bar, Bar.RANDOM)
    return bar


def _headers(text: str) -> Iterator[Span]:
    for match in _HEADER.finditer(text):
        value = match["value"]
        basic = match["scheme"].lower() == "basic"
        if is_basic_pair(value) if basic else holds_secret(value, Bar.SECRET, quoted=True):
            yield Span(*match.span("value"), "credentials" if basic else "bearer-token")

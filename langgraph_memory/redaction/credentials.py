"""Credentials in a place made for them: key blocks, addresses, commands, headers, secret manifests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import AnyStr

from langgraph_memory.redaction.spans import Span
from langgraph_memory.redaction.values import Bar, holds_secret, is_basic_pair


def find_credentials(text: str, lower: bytes) -> Iterator[Span]:
    """Credentials in `text`; `lower` is the same text in lower case, one byte a character."""
    yield from _key_blocks(text)
    yield from _in_addresses(text)
    yield from _in_commands(text)
    yield from _in_headers(text, lower)
    yield from _in_cookies(text, lower)
    yield from _in_manifests(text)
    yield from _in_links(text)


_BEGIN = re.compile(r"-----BEGIN (?P<label>[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?)-----")
_CUT_OFF = re.compile(r"(?:[A-Za-z0-9+/=\s]|\\+[nr])+")
_KEY_LINE = re.compile(r"[A-Za-z0-9+/=]{16,}")
_PUTTY = re.compile(r"Private-Lines: \d+\s+(?P<secret>[A-Za-z0-9+/=\s]{60,}+)")
_SHORTEST_KEY = 60
_SHORTEST_CLOSED = 60
"""Of a key that ends as it should, its last line counted."""
_LONGEST_KEY = 16384


def _key_blocks(text: str) -> Iterator[Span]:
    """Private keys, also those cut off before their end or laid out in quoted lines."""
    if "PRIVATE KEY" in text:
        end = 0
        for match in _BEGIN.finditer(text):
            if match.start() >= end:
                end = _end_of_key(text, match)
                yield from _key(text, match, end)
    if "Private-Lines" in text:
        for match in _PUTTY.finditer(text):
            yield Span(*match.span("secret"), "private-key")


def _end_of_key(text: str, begin: re.Match[str]) -> int:
    closing = f"-----END {begin['label']}-----"
    end = text.find(closing, begin.end(), begin.end() + _LONGEST_KEY)
    if end >= 0:
        return end + len(closing)
    body = _CUT_OFF.match(text, begin.end())
    return body.end() if body else begin.end()


def _key(text: str, begin: re.Match[str], end: int) -> Iterator[Span]:
    body = text[begin.end() : end]
    if len(body) < (_SHORTEST_CLOSED if body.endswith("-----") else _SHORTEST_KEY):
        return
    if '"' not in body and "'" not in body:
        yield Span(begin.start(), end, "private-key")
    else:
        for line in _KEY_LINE.finditer(text, begin.end(), end):
            yield Span(*line.span(), "private-key")


_USER_INFO = re.compile(
    r"://(?P<user>[^\s/:@\"'<>\\?#]{0,256}+)"
    r"(?::(?P<password>[^\s/@\"'<>\\]{1,256}+(?:@[^\s/@\"'<>\\]{1,256}+(?=@)){0,4}))?@(?=[\w\[{$])"
)


_PORT = re.compile(r"\d{1,5}\W?")
_HEX_KEY = re.compile(r"(?=[a-f0-9]*\d)[a-f0-9]{32,128}")
_SIGNATURE = re.compile(
    r"[?&;](?:X-Amz-|X-Goog-|x-amz-|x-goog-)?[Ss]ignature=(?P<secret>[A-Za-z0-9%+/=_~-]{24,1024}+)"
)
_LINK = re.compile(
    r"/(?:(?:password|pw)[-_/]?reset|reset[-_/]?(?:password|pw)?|magic[-_]?(?:link|login)?|verify(?:[-_]email)?|activate|"
    r"confirm|invit(?:e|ation)s?|one[-_]?time|sso|unlock)/(?P<secret>[A-Za-z0-9_-]{20,256}+)(?![\w/.])"
)


def _in_links(text: str) -> Iterator[Span]:
    """Addresses that open something for whoever has them: signed ones, and links sent by mail."""
    if "://" not in text:
        return
    for match in _SIGNATURE.finditer(text) if "ignature=" in text else ():
        yield Span(*match.span("secret"), "signature")
    for match in _LINK.finditer(text):
        if holds_secret(match["secret"], Bar.RANDOM, quoted=True):
            yield Span(*match.span("secret"), "link")


def _in_addresses(text: str) -> Iterator[Span]:
    """`scheme://user:password@host`, and `scheme://token@host`."""
    if "://" not in text or "@" not in text:
        return
    for match in _USER_INFO.finditer(text):
        user, password = match["user"], match["password"]
        if password and password != user and not _PORT.fullmatch(password):
            if holds_secret(password, Bar.PLACED, quoted=True):
                yield Span(*match.span("password"), "password")
        elif user and (holds_secret(user, Bar.RANDOM, quoted=True) or _HEX_KEY.fullmatch(user)):
            yield Span(*match.span("user"), "token")


_NO_JSON = r"(?![,:\]}](?:[\s\"'\[{\]}]|null|true|false|-?[\d.eE+-]+[,\]}]))"
_WORD = (
    r"(?P<word>(?:\\+[\"'][^\"'\\\n]{0,256}+\\+[\"']"
    rf"|\"{_NO_JSON}[^\"\n]{{0,256}}+\"|'(?!\"){_NO_JSON}[^'\n]{{0,256}}+'|(?:[^\s\"'\\]|\\[$!&#]){{1,256}}+)"
    r"(?:\"(?![,:\]}\s])[^\"\n]{0,256}+\"|'(?![\",:\]}\s])[^'\n]{0,256}+'|(?:[^\s\"'\\,\]}]|\\[$!&#]){1,256}+){0,8}+)"
)
"""A word of a command line; it ends before the quote that closes a JSON string around the command."""
_USER_OPTION = re.compile(rf"-(?<=\s-)(?:u|U|-user|-proxy-user)[ =]{{0,3}}{_WORD}")
_CLIENTS = ("sshpass", "mysql", "mariadb", " login", "redis-cli", "mongo", "ldap", "sqlcmd", "twine upload")
_PASSWORD_OPTION = re.compile(rf"[\w ]{{4,16}}[^\n|;&]{{0,160}}?\s-[apwP] ?{_WORD}")


def _in_commands(text: str) -> Iterator[Span]:
    """`curl -u user:password`, and options of clients that take a password alone."""
    if ("-u" in text or "-U" in text) and ("curl" in text or "wget" in text):
        for match in _USER_OPTION.finditer(text):
            start, end = match.span("word")
            colon = text.find(":", start, end)
            if colon >= 0:
                yield from _of_pair(text, _inside(text, start, colon), _inside(text, colon + 1, end))
    if " -" in text:
        for client in _CLIENTS:
            yield from _of_client(text, client)


def _of_client(text: str, client: str) -> Iterator[Span]:
    for position in positions(text, client):
        match = _PASSWORD_OPTION.match(text, position)
        word = _inside(text, *match.span("word")) if match else slice(0, 0)
        if holds_secret(text[word], Bar.PASSWORD, quoted=True):
            yield Span(word.start, word.stop, "password")


_QUOTES = "\"'\\"


def _inside(text: str, start: int, end: int) -> slice:
    """The part of a shell word without the quotes around it."""
    while start < end and text[start] in _QUOTES:
        start += 1
    while end > start and text[end - 1] in _QUOTES:
        end -= 1
    return slice(start, end)


def _of_pair(text: str, user: slice, password: slice) -> Iterator[Span]:
    """The password; the user, where it is a token that needs none."""
    name, word = text[user], text[password]
    if word and word != name and holds_secret(word, Bar.PLACED, quoted=True):
        yield Span(password.start, password.stop, "password")
    elif not word and holds_secret(name, Bar.PASSWORD, quoted=True):
        yield Span(user.start, user.stop, "password")


_SCHEMES = {b"bearer ": "bearer-token", b"basic ": "basic-credentials"}
_CREDENTIALS = re.compile(r" {0,3}(?P<value>[A-Za-z0-9._~+/=%-]{8,4096}+)")


def _in_headers(text: str, lower: bytes) -> Iterator[Span]:
    """`Bearer <token>` and `Basic <base64>`, wherever they stand."""
    for scheme, kind in _SCHEMES.items():
        for position in positions(lower, scheme) if scheme in lower else ():
            match = _CREDENTIALS.match(text, position + len(scheme))
            if match and _authenticates(match["value"], kind):
                yield Span(*match.span("value"), kind)


def positions(text: AnyStr, literal: AnyStr) -> Iterator[int]:
    """Where a literal stands in a text.

    >>> list(positions("a key, another key", "key"))
    [2, 15]
    """
    position = text.find(literal)
    while position >= 0:
        yield position
        position = text.find(literal, position + len(literal))


def _authenticates(value: str, kind: str) -> bool:
    return (
        is_basic_pair(value) if kind == "basic-credentials" else holds_secret(value, Bar.SECRET, quoted=True)
    )


_COOKIES = re.compile(r"[^\r\n]{1,4096}+")
_COOKIE = re.compile(r"(?P<name>[\w.-]{1,64}+)=(?P<value>[^;\s\"'\\]{8,4096}+)")
_OF_SESSION = re.compile(r"(?i)sess|sid|auth|token|remember")


def _in_cookies(text: str, lower: bytes) -> Iterator[Span]:
    """The values in a `Cookie` header that stand for a person's session."""
    for position in positions(lower, b"cookie:") if b"cookie:" in lower else ():
        line = _COOKIES.match(text, position)
        for match in _COOKIE.finditer(text, *line.span()) if line else ():
            bar = Bar.SECRET if _OF_SESSION.search(match["name"]) else Bar.RANDOM
            if holds_secret(match["value"], bar, quoted=True):
                yield Span(*match.span("value"), "cookie")


_MANIFEST = re.compile(
    r"^[ \t]*(?:data|stringData):[ \t]*\n(?P<entries>(?:[ \t]+[^\n]*(?:\n|\Z)|[ \t]*\n)+)", re.MULTILINE
)
_ENTRY = re.compile(
    r"^[ \t]+[\w.-]{1,253}:[ \t]+(?P<q>[\"']?)(?P<value>[^\s\"']{4,4096}+)(?P=q)[ \t]*$", re.MULTILINE
)
_IS_SECRET = re.compile(r"^[ \t]*kind:[ \t]*[\"']?Secret[\"']?[ \t]*$", re.MULTILINE)


def _in_manifests(text: str) -> Iterator[Span]:
    """What a Kubernetes manifest of kind Secret holds, whatever the names."""
    if "Secret" not in text or "ata:" not in text or not _IS_SECRET.search(text):
        return
    for block in _MANIFEST.finditer(text):
        for entry in _ENTRY.finditer(text, *block.span("entries")):
            if holds_secret(entry["value"], Bar.PLACED, quoted=True):
                yield Span(*entry.span("value"), "secret")

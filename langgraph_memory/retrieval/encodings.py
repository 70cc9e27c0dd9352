"""What a text reads as once its encodings are taken off: how a name is written must not hide it."""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

MAX_PARTS = 20_000
"""Arguments with more values than this are not looked through."""

_MOST_LAYERS = 4
_MOST_CHARACTERS = 1_000_000
_SHORTEST = 4
_LONGEST_JSON = 100_000
_ENCODED = re.compile(r"[%&\\]")
_ESCAPE = re.compile(
    r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-7]{3})|(.))"
)
_BLANKS = frozenset("nrtfbv0")
_LAST_CHARACTER = 0x10FFFF
_BASE64 = re.compile(r"(?<![\w+/-])[A-Za-z0-9+/_-]{6,}(?:={1,2}|%3[Dd]){0,2}")
_BASE32 = re.compile(r"(?<![\w=])[A-Z2-7]{8,}={0,6}(?![\w=])")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ :,]{0,2}){4,}(?![0-9A-Za-z])")
_NOT_HEX = re.compile(r"0x|\\x|[ :,]")
_WRITTEN = re.compile(r"[^\s'\"`;,|&<>()=]+")
_URL_SAFE = str.maketrans("-_", "+/")


class UnjudgedError(ValueError):
    """Arguments that can't be looked through: too many, too long, or read only by using them up."""


def decoded(text: str) -> list[str]:
    r"""A text, and all that it becomes when the encodings in it are taken off one after another.

    Percent signs, character references, backslashes, base64, base32, hexadecimal, JSON in a string, and paths
    that go up again.

    >>> decoded("gpu%252Dbench"), decoded("gpu&#45;bench"), decoded(r"gpu\u002dbench")[1]
    (['gpu%252Dbench', 'gpu%2Dbench', 'gpu-bench'], ['gpu&#45;bench', 'gpu-bench'], 'gpu-bench')
    >>> decoded("Z3B1LWJlbmNo"), decoded("6770752d62656e6368"), decoded('["gpu-1"]')[1:]
    (['Z3B1LWJlbmNo', 'gpu-bench'], ['6770752d62656e6368', 'gpu-bench'], ['gpu-1'])
    >>> decoded("rm /srv/tmp/../raw")
    ['rm /srv/tmp/../raw', 'rm /srv/raw']

    Raises:
        UnjudgedError: too many encodings lie one in another.
    """
    found = {text: None}
    layer, size = [text], 0
    for _ in range(_MOST_LAYERS):
        layer = list({plain: None for each in layer for plain in _readings(each) if plain not in found})
        size += sum(map(len, layer))
        if not layer:
            return list(found)
        if size > _MOST_CHARACTERS:
            break
        found |= dict.fromkeys(layer)
    raise UnjudgedError("its arguments are encoded too many times over to be judged; pass them as they are")


def _readings(text: str) -> Iterator[str]:
    if _ENCODED.search(text):
        yield _ESCAPE.sub(_meant, html.unescape(unquote(text)))
    if "/.." in text:
        yield _WRITTEN.sub(_straightened, text)
    if len(text) < _SHORTEST:
        return
    yield from _in_json(text)
    for pattern, decode in ((_BASE64, _from_base64), (_BASE32, _from_base32), (_HEX, _from_hex)):
        for match in pattern.finditer(text):
            if plain := text_in(decode(match[0])):
                yield plain


def _straightened(match: re.Match[str]) -> str:
    """A path without the folders from which it goes up again."""
    parts: list[str] = []
    for part in match[0].split("/"):
        if part == ".." and parts and parts[-1] not in ("", ".", ".."):
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def _meant(match: re.Match[str]) -> str:
    code = next((group for group in match.groups()[:4] if group), None)
    number = int(code, 16) if code else int(match[5], 8) if match[5] else None
    if number is not None:
        return chr(number) if number <= _LAST_CHARACTER else ""
    return " " if match[6] in _BLANKS else match[6]


def structure_in(text: str) -> Any:
    """The object or list that a string of JSON holds; None for another string.

    >>> structure_in('{"id": 1}'), structure_in("[1"), structure_in("plain")
    ({'id': 1}, None, None)
    """
    inner = text.strip() if len(text) <= _LONGEST_JSON else ""
    if not inner or inner[0] + inner[-1] not in ("{}", "[]"):
        return None
    try:
        return json.loads(inner)
    except (ValueError, RecursionError):
        return None


def _in_json(text: str) -> Iterator[str]:
    """The scalars of an object or list, as texts."""
    pending, parts = [structure_in(text)], 0
    while pending:
        item = pending.pop()
        parts += 1
        if parts > MAX_PARTS:
            raise UnjudgedError(f"its arguments hold more than {MAX_PARTS:,} values, too many to be judged")
        if isinstance(item, dict):
            pending += [*item, *item.values()][::-1]
        elif isinstance(item, list):
            pending += item[::-1]
        elif isinstance(item, str | int | float) and not isinstance(item, bool):
            yield str(item)


def _from_base64(written: str) -> bytes:
    plain = unquote(written).translate(_URL_SAFE).rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4))
    except (binascii.Error, ValueError):
        return b""


def _from_base32(written: str) -> bytes:
    plain = written.rstrip("=")
    try:
        return base64.b32decode(plain + "=" * (-len(plain) % 8))
    except (binascii.Error, ValueError):
        return b""


def _from_hex(written: str) -> bytes:
    try:
        return bytes.fromhex(_NOT_HEX.sub("", written))
    except ValueError:
        return b""


def text_in(data: bytes) -> str | None:
    """The text that bytes hold; None for what is none, as which most words come out of a decoder.

    >>> text_in("gpu-1".encode("utf-16")), text_in(b"gpu-1"), text_in(bytes([200, 7]))
    ('gpu-1', 'gpu-1', None)
    """
    try:
        text = data.decode("utf-16" if b"\0" in data else "utf-8")
    except UnicodeDecodeError:
        return None
    return text if text and all(c.isprintable() or c.isspace() for c in text) else None

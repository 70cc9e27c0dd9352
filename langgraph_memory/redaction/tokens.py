"""Tokens that give themselves away: of a named kind, or by a short prefix before a long random body."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator

from langgraph_memory.redaction.kinds import KINDS, Kind
from langgraph_memory.redaction.placeholders import is_filled, is_placeholder
from langgraph_memory.redaction.randomness import has_all_classes, is_digest, is_mixed, is_random
from langgraph_memory.redaction.spans import Span

_RUN = 20
"""No token is shorter."""
_LETTERS_ALONE = 36
"""Tokens without a digit, many capitals or a change of case are at least so long."""
_SHORTEST_BODY = 16
_DIGIT = re.compile(r"[0-9]")
_DIGIT_OR_JOINT = re.compile(r"[0-9]|[A-Z]{6}|[a-z][_-][A-Z]|[a-z][_-][a-z]{1,11}[A-Z]")
_HINTED = tuple((hint, kind) for kind in KINDS for hint in kind.hints)


def _classes(others: str) -> bytes:
    """A translation of ASCII to `w` for letters, digits and the others, and to a blank for the rest."""
    return bytes(
        ord("w") if chr(c).isascii() and (chr(c).isalnum() or chr(c) in others) else ord(" ")
        for c in range(256)
    )


_IN_RUNS = _classes("_-.~+/=:%?&$@!")
_IN_TOKENS = _classes("_-.~+")


def find_tokens(text: str, ascii_text: bytes) -> Iterator[Span]:
    """Tokens in `text`; `ascii_text` is the same text, one byte a character."""
    runs = [run for run in _stretches(ascii_text.translate(_IN_RUNS), _RUN) if _may_hold_token(text, *run)]
    if not runs:
        return
    joined = " ".join([text[start:end] for start, end in runs])
    offsets = [0, *itertools.accumulate(end - start + 1 for start, end in runs)]
    for kind in dict.fromkeys([kind for hint, kind in _HINTED if hint in joined]):
        for run in _runs_with(joined, offsets, kind.hints):
            moved = runs[run][0] - offsets[run]
            for start, end in _named(joined, offsets[run], offsets[run + 1] - 1, kind):
                yield Span(start + moved, end + moved, kind.name)
    for start, end in _stretches(ascii_text.translate(_IN_TOKENS), _RUN):
        token = text[start:end].rstrip(".")
        if _stands_alone(text, start, end) and (_opens(token) or _is_key(token) or _is_signed(token)):
            yield Span(start, start + len(token), "token")


def named_kind(text: str) -> str | None:
    """The named kind of a token in a text; None if there is none. Cheap enough for every id.

    >>> named_kind("thread-4711"), named_kind("thread-ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2)
    (None, 'github-token')
    """
    for kind in dict.fromkeys([kind for hint, kind in _HINTED if hint in text]):
        if any(_named(text, 0, len(text), kind)):
            return kind.name
    return None


def _stretches(classes: bytes, length: int) -> Iterator[tuple[int, int]]:
    """Where at least so many characters of the class stand together, each stretch in full."""
    sought = b"w" * length
    start = classes.find(sought)
    while start >= 0:
        end = classes.find(b" ", start)
        end = len(classes) if end < 0 else end
        yield start, end
        start = classes.find(sought, end)


def _may_hold_token(text: str, start: int, end: int) -> bool:
    """Whether the stretch is more than words: no short token is without a digit or a change of case."""
    return end - start >= _LETTERS_ALONE or bool(_DIGIT_OR_JOINT.search(text, start, end))


def _runs_with(joined: str, offsets: list[int], hints: tuple[str, ...]) -> set[int]:
    """The runs, by number, in which a hint stands."""
    found = set()
    for hint in hints:
        position = joined.find(hint)
        while position >= 0:
            run = bisect.bisect_right(offsets, position) - 1
            found.add(run)
            position = joined.find(hint, offsets[run + 1])
    return found


def _named(joined: str, start: int, end: int, kind: Kind) -> Iterator[tuple[int, int]]:
    group = "secret" if "secret" in kind.pattern.groupindex else 0
    for match in kind.pattern.finditer(joined, start, end):
        token = match.group(group)
        if not is_filled(token) and (kind.check is None or kind.check(token)):
            yield match.span(group)


_BEFORE_PART = frozenset("/%@")
_AFTER_PART = frozenset("/@(")
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Za-z]{25}")
_SEPARATOR = re.compile(r"[_.~-]+")
_LONGEST_PREFIX = 12
_LONG_BODY = 32
_MIXED_BODY = 20
"""So long is a body of small letters, capitals and digits that no prefix announces."""
_OPENING = frozenset(
    """access api app auth bot key live oat pat personal priv private prod refresh rk secret sk svc tok
    token""".split()  # noqa: SIM905 - words are read better without quotes and commas
)
"""Prefixes that say that the body opens something."""
_KEYS = frozenset(("apikey", "live", "pat", "secret", "sk", "v1", "v2"))
"""Words of a prefix behind which all is the key."""
_SAID_WITHIN = 3
_NAMING = frozenset(
    """acct ami asset assets asst batch blob build bundle cache call ch chatcmpl chunk cmpl commit conv cs css
    cus cursor dep digest doc dpl edge env etag evt fc file fp ftjob grp hash id image img in
    inv item job js layer lc main md5 module msg node obj object order org page part pi pk pm
    price prj prod proj rec ref req resp run rs session seti sha sha1 sha256 sha384 sha512
    span srvtoolu src static step sub task tbl team thread toolu trace tree txn upload user
    usr vendor video vol vpc vs wf ws""".split()  # noqa: SIM905
)
"""Prefixes of ids: they name something, however random the rest."""


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a token of an issuer that the table doesn't know could stand here, not in a path or call."""
    inside = text[start - 1 : start] in _BEFORE_PART or text[end : end + 1] in _AFTER_PART
    return not inside and text[start].isalpha() and bool(_DIGIT.search(text, start, end))


def _opens(token: str) -> bool:
    """Whether a short prefix announces a random body: a long one, unless the prefix says that it opens."""
    pieces = _SEPARATOR.split(token)
    body = max(pieces, key=len)
    if len(body) < _SHORTEST_BODY or not _DIGIT.search(body):
        return False
    prefix = [piece.lower() for piece in pieces[: pieces.index(body)]]
    if not prefix or max(map(len, prefix)) > _LONGEST_PREFIX or prefix[0] in _NAMING:
        return False
    if _OPENING.isdisjoint(prefix) and not _is_long(body):
        return False
    return is_random(body) and not _ULID.fullmatch(body) and not is_placeholder(token)


def _is_long(body: str) -> bool:
    least = _MIXED_BODY if has_all_classes(body) else _LONG_BODY
    return len(body) >= least and not is_digest(body) and is_mixed(body)


def _is_key(token: str) -> bool:
    """Whether one of the first words says that a key follows, and all behind it is random, however joined.

    >>> _is_key("sk-acme-Yz7m2Qx-w0Rt9Kb-u4Nh6Ps"), _is_key("sk-circle-fade-dot-12-with-shadow")
    (True, False)
    """
    pieces = _SEPARATOR.split(token)
    said = [number for number, piece in enumerate(pieces[:_SAID_WITHIN]) if piece.lower() in _KEYS]
    if not said or pieces[0].lower() in _NAMING or max(map(len, pieces[: said[-1] + 1])) > _LONGEST_PREFIX:
        return False
    body = "".join(pieces[said[-1] + 1 :])
    return len(body) >= _MIXED_BODY and is_mixed(body) and not is_placeholder(token)


def _is_signed(token: str) -> bool:
    """Whether two parts between dots are random: a payload and its signature."""
    parts = [part for part in token.split(".") if len(part) >= _SHORTEST_BODY]
    return len(parts) > 1 and sum(map(is_mixed, parts)) > 1

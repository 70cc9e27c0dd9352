"""Paths as a model sends them: untrusted output, refused unless they name one thing under `/memories`.

There is no file system behind the paths, so nothing could be escaped to. They are refused all the same: a
path that means something else elsewhere misleads whoever reads it, and exported notes may become files.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from langgraph_memory.arguments import shown
from langgraph_memory.errors import InvalidPathError

ROOT = "/memories"
"""Where all paths begin, as Anthropic's memory tool has it."""

MAX_PATH = 512
MAX_SEGMENT = 128
MAX_DEPTH = 16

_FORBIDDEN = frozenset('\\%<>:"|?*~')
_SLASH_LOOKALIKES = frozenset("\u2215\u2044\u2571\u29f8\u27cb\u2f03\u3033\u29f5\u2216\u2572\u29f9\u0338")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def canonical(path: object) -> str:
    """The one spelling of a path under `/memories`, without a closing slash.

    >>> canonical("/memories/plans/sprint.md"), canonical("/memories/")
    ('/memories/plans/sprint.md', '/memories')

    Raises:
        InvalidPathError: not a text, not under `/memories`, or written so that it could be read as another
            place: with `..`, encoded or doubled separators, their lookalikes, or invisible letters.
    """
    if not isinstance(path, str):
        raise InvalidPathError(f"{shown(path)} is no path: give a text that begins with {ROOT}")
    plain = unicodedata.normalize("NFC", path)
    reason = _wrong(plain)
    if reason:
        raise InvalidPathError(
            f"the path {path[:MAX_PATH]!r} is refused, {reason}: write it like {ROOT}/notes.md"
        )
    return plain.removesuffix("/")


def below(path: str, others: Iterable[str]) -> list[str]:
    """Those of the paths that lie under a directory."""
    return [other for other in others if other.startswith(f"{path}/")]


def parents(path: str) -> list[str]:
    """The directories above a path, without the root.

    >>> parents("/memories/a/b/c.md")
    ['/memories/a', '/memories/a/b']
    """
    parts = path.split("/")
    return ["/".join(parts[:length]) for length in range(3, len(parts))]


def _wrong(path: str) -> str | None:
    """What speaks against a path; None if nothing does."""
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        return f"it does not begin with {ROOT}"
    if len(path) > MAX_PATH:
        return f"it is longer than {MAX_PATH} characters"
    strange = next((c for c in path if _misleads(c)), None)
    if strange is not None:
        return f"the character {strange!r} may not be in it"
    segments = path.removesuffix("/").split("/")[2:]
    if len(segments) > MAX_DEPTH:
        return f"it is deeper than {MAX_DEPTH} levels"
    return next((reason for segment in segments if (reason := _wrong_segment(segment))), None)


def _wrong_segment(segment: str) -> str | None:
    if not segment:
        return "it has two slashes in a row"
    if not segment.strip("."):
        return f"{segment!r} points to another directory"
    if segment != segment.strip() or segment.endswith("."):
        return f"{segment!r} begins or ends with what other systems drop"
    if len(segment) > MAX_SEGMENT:
        return f"a name in it is longer than {MAX_SEGMENT} characters"
    return None


def _misleads(character: str) -> bool:
    """Whether a character is invisible, looks like a separator, or stands for another one."""
    if character.isascii():
        return character in _FORBIDDEN or not character.isprintable()
    category = unicodedata.category(character)
    return (
        character in _SLASH_LOOKALIKES
        or category in _INVISIBLE
        or category == "Zs"
        or unicodedata.normalize("NFKC", character) != character
    )

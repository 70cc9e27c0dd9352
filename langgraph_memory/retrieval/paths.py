"""Paths as places: where a text of slashes and dots leads, as far as it can be told without a file system."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from langgraph_memory.names import normalise

LONGEST = 1_000
"""A longer text is no path."""

_MOST_CHOICES = 60
_MOST_PARTS = 100
_SCHEME = re.compile(r"(?P<scheme>[a-z][a-z\d+.-]*)://(?P<rest>[^?#]*)")
_DRIVE = re.compile(r"[a-z]:(?=[\\/])")
_UNKNOWN = re.compile(r"\$\{?\w+\}?|%\w+%|\$\([^)]*\)")
_HOME_IS = re.compile(r"\$\{?home\}?|%userprofile%")
_HERE_IS = re.compile(r"\$\{?pwd\}?|%cd%")
_HOMES = frozenset({"home", "users"})
_CHOICE = re.compile(r"\{([^{}]*,[^{}]*)\}")
_WILD = re.compile(r"[*?\[]")


class Place(NamedTuple):
    """Where a path leads.

    Attributes:
        parts: the names of the folders and of what lies in the last one; some may be patterns.
        known: whether it begins at the root: what lies before the parts of another one is unknown.
    """

    parts: tuple[str, ...] = ()
    known: bool = False

    @property
    def is_pattern(self) -> bool:
        """Whether one of its parts stands for several names."""
        return any(map(_WILD.search, self.parts))

    def meets(self, other: Place) -> bool:
        """Whether one of two places lies in the other, or may do so, or is it.

        >>> place("/srv").meets(place("/srv/data/raw")), place("/srv/tmp").meets(place("/srv/data/raw"))
        (True, False)
        >>> place("data").meets(place("/srv/data/raw")), place("/srv/d*/raw/x").meets(place("/srv/data/raw"))
        (True, True)
        """
        if self.known and other.known:
            return _agree(self.parts, other.parts)
        if not (self.parts and other.parts):
            all_there, one = (other, self) if self.parts else (self, other)
            return all_there.known or not one.known
        return (not self.known and _occurs(self.parts, other.parts)) or (
            not other.known and _occurs(other.parts, self.parts)
        )


NOWHERE = Place()
"""The folder of which nothing is known."""


def place(text: str, base: Place = NOWHERE) -> Place:
    r"""Where a path leads, seen from a folder.

    >>> place("/srv/./data//raw/../tmp"), place("../raw", place("/srv/data/tmp")).parts
    (Place(parts=('srv', 'data', 'tmp'), known=True), ('srv', 'data', 'raw'))
    >>> place(r"C:\data\raw").parts, place("s3://bucket/raw/").parts, place("$TMP/../x")
    (('c:', 'data', 'raw'), ('s3:', 'bucket', 'raw'), Place(parts=('x',), known=False))
    """
    begins, rest = _beginning(normalise(text[:LONGEST]).strip(), base)
    parts = list(begins.parts)
    for part in rest.split("/")[:_MOST_PARTS]:
        if part == "..":
            parts = parts[:-1]
        elif part == "**":
            break
        elif part not in ("", "."):
            parts.append(_UNKNOWN.sub("*", part))
    return Place(_in_homes(parts) if begins.known else tuple(parts), begins.known)


def choices(text: str) -> Iterator[str]:
    """The texts that braces stand for.

    >>> list(choices("/srv/{data,tmp}/x")), list(choices("/srv"))
    (['/srv/data/x', '/srv/tmp/x'], ['/srv'])
    """
    pending, found = [text], 0
    while pending and found < _MOST_CHOICES:
        item = pending.pop(0)
        match = _CHOICE.search(item)
        if match:
            pending += [item[: match.start()] + each + item[match.end() :] for each in match[1].split(",")]
        else:
            found += 1
            yield item


def _beginning(plain: str, base: Place) -> tuple[Place, str]:
    """Where a path begins, and what stands behind that."""
    if scheme := _SCHEME.match(plain):
        return Place(() if scheme["scheme"] == "file" else (f"{scheme['scheme']}:",), True), scheme["rest"]
    if drive := _DRIVE.match(plain):
        return Place((drive[0],), True), plain[drive.end() :].replace("\\", "/")
    if plain.startswith("/"):
        return Place((), True), plain
    first, _, rest = plain.partition("/")
    if first.startswith("~") or _HOME_IS.fullmatch(first):
        return Place((first if len(first) > 1 and first[0] == "~" else "~*",), True), rest
    if _HERE_IS.fullmatch(first):
        return base, rest
    return (NOWHERE, rest) if _UNKNOWN.fullmatch(first) else (base, plain)


def _in_homes(parts: Sequence[str]) -> tuple[str, ...]:
    """Parts from the root, the folder of a user written as `~user`."""
    if parts[:1] == ["root"]:
        return ("~root", *parts[1:])
    if parts and parts[0] in _HOMES:
        return (f"~{parts[1]}" if len(parts) > 1 else "~*", *parts[2:])
    return tuple(parts)


def _agree(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two paths from the same folder have the parts that both have in common."""
    return all(a == b or fnmatchcase(a, b) or fnmatchcase(b, a) for a, b in zip(one, other, strict=False))


def _occurs(parts: Sequence[str], within: Sequence[str]) -> bool:
    """Whether one of the folders of a path may be that in which another one begins."""
    return any(_agree(parts, within[at:]) for at in range(len(within)))

"""Commands as a shell reads them: their words, what runs together, and from which folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from langgraph_memory.entities.keys import words
from langgraph_memory.retrieval.paths import NOWHERE, Place, place

_TOKEN = re.compile(
    r"""(?P<word>(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s;&|()<>'"\\])+)|(?P<end>;|&&?|\|\||\n)|(?P<pipe>\|)|(?P<in>\()|(?P<out>\))""",
    re.DOTALL,
)
_QUOTED = re.compile(r"""'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)""", re.DOTALL)
_DRIVE = re.compile(r"""['"]?[A-Za-z]:\\""")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ASSIGNED = re.compile(r"(?:export\s+)?([A-Za-z_]\w*)=(.*)", re.DOTALL)
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_BEFORE = words("sudo doas env nohup time nice command exec builtin xargs export do then else if ! {")
_GOES = words("cd chdir pushd set-location")
_INTERPRETERS = words("sh bash zsh ash dash ksh fish eval su ssh python python3 perl ruby node exec docker")
_DEEPEST = 3


class Command(NamedTuple):
    """Words that run together.

    Attributes:
        words: without their quotes.
        here: the folder from which they run.
    """

    words: tuple[str, ...]
    here: Place

    @property
    def program(self) -> str:
        """What runs, in lower case and without its folder.

        >>> Command(("sudo", "-n", "/bin/rm", "x"), NOWHERE).program
        'rm'
        """
        spoken = (word for word in self.words if not (word.startswith("-") or "=" in word or word in _BEFORE))
        return next(spoken, "").rpartition("/")[2].casefold()


def pipelines(text: str, here: Place = NOWHERE, depth: int = 0) -> Iterator[tuple[Command, ...]]:
    """The commands of a text; those that hand on to each other together.

    >>> [[each.words for each in line] for line in pipelines("cd /srv && ls 'a b' | xargs rm; rm data")]
    [[('ls', 'a b'), ('xargs', 'rm')], [('rm', 'data')]]
    >>> [line[0].here.parts for line in pipelines("(cd /srv; rm data); rm data")]
    [('srv',), ()]
    """
    line: list[list[str]] = [[]]
    outer: list[Place | None] = []
    known: dict[str, str] = {}
    for token in _TOKEN.finditer(f"{text}\n"):
        if token["word"]:
            line[-1].append(_filled(_plain(token["word"]), known))
        elif token["pipe"]:
            line.append([])
        elif token["in"]:
            outer.append(None if line[-1] else here)
        elif token["end"] or (outer and outer[-1]):
            gone = _gone(line[0], here)
            known.update(_assigned(line[0]))
            if gone is None:
                yield from _run(line, here, depth)
            here, line = gone or here, [[]]
        if token["out"] and outer:
            here = outer.pop() or here


def _run(line: list[list[str]], here: Place, depth: int) -> Iterator[tuple[Command, ...]]:
    """The commands of one pipeline, and those that they are given as a text."""
    commands = tuple(Command(tuple(said), here) for said in line if said)
    if commands:
        yield commands
    for command in commands if depth < _DEEPEST else ():
        if not _INTERPRETERS.isdisjoint(command.words):
            for word in command.words:
                if any(map(str.isspace, word)):
                    yield from pipelines(word, here, depth + 1)


def _gone(said: list[str], here: Place) -> Place | None:
    """The folder to which a command goes; None for another one."""
    spoken = [word for word in said if word not in _BEFORE]
    if not spoken or spoken[0].rpartition(".")[2].casefold() not in _GOES:
        return None
    to = next((word for word in spoken[1:] if not word.startswith("-")), None)
    if to is None:
        return NOWHERE if "-" in spoken else place("~")
    return place(to, here)


def _assigned(said: list[str]) -> Iterator[tuple[str, str]]:
    for word in said:
        match = _ASSIGNED.fullmatch(word)
        if match:
            yield match[1], match[2]
    if said[1:2] == ["="] and said[0].isidentifier():
        yield said[0], " ".join(said[2:])


def _filled(word: str, known: dict[str, str]) -> str:
    """A word with the values of the variables in it, as far as they are known."""
    if word in known:
        return known[word]
    return _VARIABLE.sub(lambda match: known.get(match[1] or match[2], match[0]), word)


def _plain(word: str) -> str:
    if _DRIVE.match(word):  # where backslashes are slashes
        return word.strip("'\"").replace("\\", "/")
    return _QUOTED.sub(_unquoted, word)


def _unquoted(match: re.Match[str]) -> str:
    if match[2] is not None:
        return _ESCAPED.sub(r"\1", match[2])
    return match[1] if match[1] is not None else match[3]

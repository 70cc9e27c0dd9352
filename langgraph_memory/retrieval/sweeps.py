"""What a call does to a folder it does to all that lies in it: constraints on paths, touched from above."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator

from langgraph_memory.actions import ActionClass, commands_in
from langgraph_memory.entities.keys import key_words, words
from langgraph_memory.retrieval.calls import Call
from langgraph_memory.retrieval.commands import Command, pipelines
from langgraph_memory.retrieval.deeds import FREE_TEXT, QUESTIONS
from langgraph_memory.retrieval.encodings import decoded
from langgraph_memory.retrieval.paths import LONGEST, NOWHERE, Place, choices, place

SWEEPING = frozenset({ActionClass.DELETE, ActionClass.MIGRATE, ActionClass.MODIFY})
"""What is done to a folder with all that lies in it."""

_READERS = words(
    "cat cp diff du echo egrep fgrep file gh grep head history less ls make man mkdir more npm pip printf "
    "pwd rg sort stat tail test touch tree wc which"
)
_FILE_PROGRAMS = words(
    "chgrp chmod chown del erase find mv rd remove-item removedirs rimraf rm rmdir rmtree rsync shred unlink"
)
_REMOVERS = words("del rd remove-item rimraf rm rmtree")
_OF_GIT = 4
_FROM = words("cwd workdir working chdir root base parent")
_FOLDERS = words("dir directory folder")
_HOLDS_PATHS = words("path file filename filepath dir directory folder")
_WITH_ARGUMENTS = FREE_TEXT | words("arg argv argument parameter")
_PATH = re.compile(r"[/\\~]")
_PIECES = re.compile(r"[,=\[\]{}\"']+")
_BACKSLASH = re.compile(r"\\(?=[\w.*])")


class Sweeps:
    """Entities that are paths, found where a call acts on what they lie in, or on what lies in them.

    Args:
        names: pairs of name and entity.

    Example:
        >>> found = Sweeps([("/srv/data/raw", "/srv/data/raw")]).found
        >>> [len(found(Call("run", {"command": each}), free=True)) for each in ("rm -rf /srv", "ls /srv")]
        [1, 0]
        >>> len(found(Call("delete_folder", {"path": "/srv/data"}), free=False))
        1
    """

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self._places: dict[Place, set[str]] = {}
        self._by_part: dict[str, set[Place]] = {}
        for name, entity in names:
            if "/" not in name and "\\" not in name:
                continue
            where = place(name.replace("\\", "/"))
            if where.parts:
                self._places.setdefault(where, set()).add(entity)
        for where in self._places:
            for part in where.parts if not where.is_pattern and "~*" not in where.parts else [""]:
                self._by_part.setdefault(part, set()).add(where)

    def found(self, call: Call, *, free: bool) -> frozenset[str]:
        """The entities that lie in what a call deletes, moves or changes, or around it.

        Args:
            call: what is called.
            free: whether it takes commands or code.
        """
        if not self._places:
            return frozenset()
        acted_on = _by_commands(call) if free else _by_arguments(call)
        met = {where for each in set(acted_on) for where in self._near(each) if each.meets(where)}
        return frozenset().union(*(self._places[where] for where in met))

    def _near(self, other: Place) -> Iterable[Place]:
        """Those that may meet a place: two that meet have a part in common, unless one is a pattern."""
        if not other.parts or other.is_pattern or other.parts[0].startswith("~"):
            return self._places
        return set().union(*(self._by_part.get(part, ()) for part in ("", *other.parts)))


def _by_commands(call: Call) -> Iterator[Place]:
    """The places on which the commands or the code of a call act."""
    base = next(
        (place(text) for said, text in _texts(call) if not said.isdisjoint(_FROM | _FOLDERS)), NOWHERE
    )
    for text in _programs(call):
        for line in pipelines(text, base):
            acting = [command for command in line if not SWEEPING.isdisjoint(_classes(command))]
            if acting:
                on_files = any(not _FILE_PROGRAMS.isdisjoint(_names(command)) for command in acting)
                for command in line:
                    yield from _places_in(command, bare=on_files)


def _programs(call: Call) -> Iterator[str]:
    told = [text for said, text in _texts(call) if not said.isdisjoint(FREE_TEXT | QUESTIONS)]
    yield from (plain for text in told or call.texts for plain in decoded(text))
    pieces = [text for said, text in _texts(call) if not said.isdisjoint(_WITH_ARGUMENTS)]
    if len(pieces) > 1:
        yield " ".join(piece if piece in told else shlex.quote(piece) for piece in pieces)


def _texts(call: Call) -> Iterator[tuple[frozenset[str], str]]:
    return ((entry.words, entry.value) for entry in call.entries if isinstance(entry.value, str))


def _names(command: Command) -> frozenset[str]:
    """The words of a command, and those that they are put together of in code."""
    return frozenset(piece for word in command.words for piece in re.split(r"[\W_]+", word.casefold())) | {
        command.program
    }


def _classes(command: Command) -> frozenset[str]:
    """What a command does, if anything; a sentence that it is given and the name of a file say nothing."""
    if command.program in _READERS:
        return frozenset()
    spoken = (word for word in command.words if not any(map(str.isspace, word)))
    said = [piece for word in spoken for piece in _PIECES.split(word) if "/" not in piece]
    if command.program == "git" and "git" in said:
        said = said[said.index("git") :][:_OF_GIT]
    deletes = {ActionClass.DELETE} if command.program in _REMOVERS else frozenset()
    return commands_in(" ".join([command.program, *said])) | deletes


def _places_in(command: Command, *, bare: bool) -> Iterator[Place]:
    """The places that a command names.

    Args:
        command: what runs.
        bare: whether a word without a slash is the name of a file.
    """
    named = False
    for word in command.words:
        for text in _paths_of(word):
            if len(text) <= LONGEST and (bare or _PATH.search(text) or text in (".", "..")):
                named = True
                yield from _seen(text, command)
    if not named and command.program == "git":
        yield command.here


def _seen(text: str, command: Command) -> Iterator[Place]:
    for each in choices(text):
        where = place(each, command.here)
        yield where
        if not where.parts and not where.known and command.program in _REMOVERS:
            yield Place((), True)


def _paths_of(word: str) -> Iterator[str]:
    """The texts in a word that may be paths: it, what stands behind `=` or a host, the items of a list."""
    if not word.startswith("-"):
        yield word
    pieces = [piece for piece in _PIECES.split(word) if piece and not piece.startswith("-")]
    yield from (piece for piece in pieces if piece != word)
    _, colon, behind = word.partition(":")
    if colon and behind.startswith("/") and not behind.startswith("//"):
        yield behind
    if "\\" in word:
        yield _BACKSLASH.sub("/", word)


def _by_arguments(call: Call) -> Iterator[Place]:
    """The places on which a call acts by arguments of its own."""
    folders = not _HOLDS_PATHS.isdisjoint(key_words(call.action))
    given = [(said, text.strip()) for said, text in _texts(call) if _is_path(said, text, folders=folders)]
    for kind in (_FROM, _FOLDERS):
        bases = [place(text) for said, text in given if not said.isdisjoint(kind)]
        others = [text for said, text in given if said.isdisjoint(kind)]
        if bases and others:
            break
    else:
        bases, others = [NOWHERE], [text for _, text in given]
    for text in others:
        yield from (place(text.replace("\\", "/"), base) for base in bases)


def _is_path(said: frozenset[str], text: str, *, folders: bool) -> bool:
    if not text.strip() or len(text) > LONGEST or "\n" in text:
        return False
    if _PATH.search(text):
        return not any(map(str.isspace, text.strip())) or text.strip()[0] in "/~."
    return not said.isdisjoint(_HOLDS_PATHS | _FROM) or (folders and "name" in said)

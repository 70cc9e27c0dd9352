"""The six commands of the memory tool: what they do, and what they tell the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langgraph_memory.arguments import shown
from langgraph_memory.errors import InvalidPathError, MemoryFileError, PersonalDataError
from langgraph_memory.files.paths import ROOT, below, canonical, parents
from langgraph_memory.files.shelf import Shelf
from langgraph_memory.files.tree import Entry, Tree
from langgraph_memory.files.views import directory, numbered
from langgraph_memory.policy import FileLimits
from langgraph_memory.redaction import Redactor
from langgraph_memory.redaction.personal import PersonalRules
from langgraph_memory.scope import Scope

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "view": ("path",),
    "create": ("path", "file_text"),
    "str_replace": ("path", "old_str", "new_str"),
    "insert": ("path", "insert_line", "insert_text"),
    "delete": ("path",),
    "rename": ("old_path", "new_path"),
}
"""The commands and the arguments that each needs; `view` also takes `view_range`."""

_OPTIONAL = {"view": ("view_range",)}


class Files:
    r"""The notes of one principal in one scope, as an agent works with them.

    What is written is the agent's own note: kept without its secrets, never indexed, and never evidence for a
    fact. Every method returns what to tell the model.

    Args:
        shelf: where they are kept.
        scope: the personal scope whose notes these are.
        author: who writes, for the audit.
        redactor: takes secrets out of what is written.
        personal: which personal data is refused.
        limits: how much may be kept.
        consent: whether anything may be written; what is there can be read and deleted in any case.

    Example:
        >>> from langgraph_memory import Memory, Principal, Scope
        >>> team = Scope.of(org="acme", workspace="web")
        >>> with Memory.open(":memory:") as memory:
        ...     notes = memory.files(principal=Principal("bob", grants=(team,)), scope=team)
        ...     print(notes.create("/memories/standup.md", "At 9:30.\n"))
        ...     print(notes.read("/memories/standup.md"))
        File created successfully at: /memories/standup.md
        At 9:30.
        <BLANKLINE>

    Raises:
        InvalidPathError: a path that is refused; of every method.
        MemoryFileError: a command that can't be done, with what to do instead.
    """

    def __init__(
        self,
        shelf: Shelf,
        scope: Scope,
        *,
        author: str,
        redactor: Redactor,
        personal: PersonalRules,
        limits: FileLimits,
        consent: bool = True,
    ) -> None:
        self.scope = scope
        self._shelf = shelf
        self._author = author
        self._redactor = redactor
        self._personal = personal
        self._limits = limits
        self._consent = consent

    def run(self, command: str, **arguments: Any) -> str:
        """Run a command by its name, with the arguments of Anthropic's memory tool."""
        if not isinstance(command, str) or command not in COMMANDS:
            raise MemoryFileError(f"command={shown(command)} is no command: use one of {', '.join(COMMANDS)}")
        missing = [name for name in COMMANDS[command] if arguments.get(name) is None]
        if missing:
            raise MemoryFileError(f"{command} needs {missing[0]}: it takes {', '.join(COMMANDS[command])}")
        names = (*COMMANDS[command], *_OPTIONAL.get(command, ()))
        given = {name: arguments[name] for name in names if arguments.get(name) is not None}
        return str(getattr(self, command)(**given))

    def view(self, path: str = ROOT, view_range: Sequence[int] | None = None) -> str:
        """The lines of a file, numbered, or what lies in a directory, two levels deep.

        Args:
            path: a file or a directory.
            view_range: first and last line (or entry of a directory), from 1; -1 for the end.
        """
        path = canonical(path)
        with self._shelf.reading(self.scope) as tree:
            entry = tree.entry(path)
            if entry is not None:
                return numbered(path, tree.text(entry), view_range)
            sizes = tree.sizes()
        if path != ROOT and not below(path, (each for each, _ in sizes)):
            raise _missing(path)
        return directory(path, sizes, view_range)

    def create(self, path: str, file_text: str) -> str:
        """Make a file; one that is there is left alone."""
        _check_texts(file_text=file_text)
        path = canonical(path)
        with self._shelf.changing(self.scope) as tree:
            if tree.entry(path) is not None:
                raise MemoryFileError(
                    f"the file {path!r} exists already: use str_replace or insert, or delete it first"
                )
            self._put(tree, path, file_text)
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old_str: str, new_str: str) -> str:
        """Replace a text that occurs exactly once in a file."""
        _check_texts(old_str=old_str, new_str=new_str)
        return self._edited(path, lambda text: _replaced(text, path, old_str, new_str))

    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        """Insert lines after a line of a file; after line 0 is its beginning."""
        _check_texts(insert_text=insert_text)
        return self._edited(path, lambda text: _inserted(text, insert_line, insert_text))

    def delete(self, path: str) -> str:
        """Delete a file, or a directory with all that is in it."""
        path = canonical(path)
        if path == ROOT:
            raise MemoryFileError(f"{ROOT} itself can't be deleted: delete what is in it")
        with self._shelf.changing(self.scope) as tree:
            tree.remove(_at_or_below(tree, path), author=self._author)
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> str:
        """Give a file or a directory another path; one that is there is not written over."""
        old, new = canonical(old_path), canonical(new_path)
        if ROOT in (old, new):
            raise MemoryFileError(
                f"{ROOT} itself can't be renamed, nor be the new name: rename what is in it"
            )
        if new == old or new.startswith(f"{old}/"):
            raise MemoryFileError(f"{old!r} can't become {new!r}: name another place")
        with self._shelf.changing(self.scope) as tree:
            moves = {entry.path: new + entry.path.removeprefix(old) for entry in _at_or_below(tree, old)}
            for target in moves.values():
                self._admit_path(canonical(target))
            _free(new, [path for path, _ in tree.sizes() if path not in moves])
            tree.move(moves, author=self._author)
        return f"Successfully renamed {old} to {new}"

    def read(self, path: str) -> str:
        """The whole text of a file."""
        path = canonical(path)
        with self._shelf.reading(self.scope) as tree:
            entry = tree.entry(path)
            if entry is None:
                raise _missing(path)
            return tree.text(entry)

    def write(self, path: str, text: str) -> None:
        """Make a file, or write over the one that is there."""
        _check_texts(text=text)
        path = canonical(path)
        with self._shelf.changing(self.scope) as tree:
            self._put(tree, path, text)

    def edit(self, path: str, change: Callable[[str], str]) -> str:
        """Change the text of a file, with nobody else writing meanwhile; the text as it is kept."""
        path = canonical(path)
        with self._shelf.changing(self.scope) as tree:
            entry = tree.entry(path)
            if entry is None:
                raise _missing(path)
            return self._put(tree, path, change(tree.text(entry)))

    def entries(self, path: str = ROOT) -> list[Entry]:
        """The files at or under a path, in order."""
        path = canonical(path)
        with self._shelf.reading(self.scope) as tree:
            return [each for each in tree.entries() if each.path == path or each.path.startswith(f"{path}/")]

    def _edited(self, path: str, change: Callable[[str], str]) -> str:
        kept = self.edit(path, change)
        return f"The memory file has been edited.\n{numbered(canonical(path), kept, None)}"

    def _put(self, tree: Tree, path: str, text: str) -> str:
        """Write what may be kept, where there is room for it."""
        if path == ROOT:
            raise MemoryFileError(f"{ROOT} is the directory: name a file in it")
        self._admit_path(path)
        self._admit(text)
        kept = str(self._redactor(_storable(text)).value)
        old = tree.entry(path)
        if old is None:
            _free(path, [each for each, _ in tree.sizes()])
        self._check_room(tree, path, len(kept.encode()), old)
        tree.put(path, kept, author=self._author)
        return kept

    def _admit_path(self, path: str) -> None:
        """A path can't be redacted: two of them would be one; and without consent none is taken."""
        if not self._consent:
            raise MemoryFileError(f"there is no consent to remember in {self.scope}: nothing is kept here")
        if self._redactor(path).value != path:
            raise InvalidPathError("the path holds a secret: choose another name")
        self._admit(path)

    def _admit(self, text: str) -> None:
        try:
            self._personal.admit(text)
        except PersonalDataError as error:
            raise MemoryFileError(str(error)) from error

    def _check_room(self, tree: Tree, path: str, size: int, old: Entry | None) -> None:
        limits, (count, total) = self._limits, tree.usage()
        if size > limits.file_bytes:
            raise MemoryFileError(
                f"{path!r} would have {size:,} bytes and {limits.file_bytes:,} are allowed: split it"
            )
        if old is None and count >= limits.files:
            raise MemoryFileError(f"there are {count:,} files, as many as are allowed: delete some first")
        if total - (old.size if old else 0) + size > limits.total_bytes:
            raise MemoryFileError(
                f"all files would have more than the {limits.total_bytes:,} bytes that are allowed: "
                "delete what is not needed"
            )


def _at_or_below(tree: Tree, path: str) -> list[Entry]:
    found = [each for each in tree.entries() if each.path == path or each.path.startswith(f"{path}/")]
    if not found:
        raise _missing(path)
    return found


def _free(path: str, taken: Sequence[str]) -> None:
    """Refuse a path that is a file or a directory already, or that lies under a file."""
    if path in taken or below(path, taken):
        raise MemoryFileError(f"the destination {path!r} already exists: choose another name")
    above = set(parents(path)) & set(taken)
    if above:
        raise MemoryFileError(f"{min(above)!r} is a file, so nothing can lie under it: choose another name")


def _replaced(text: str, path: str, old: str, new: str) -> str:
    if not old:
        raise MemoryFileError("old_str is empty: give the text to replace, or use insert")
    count = text.count(old)
    if count == 0:
        raise MemoryFileError(
            f"No replacement was performed, old_str {old[:200]!r} did not appear verbatim in {path}."
        )
    if count > 1:
        lines = ", ".join(str(text.count("\n", 0, at) + 1) for at in _places(text, old))
        raise MemoryFileError(
            f"No replacement was performed. Multiple occurrences of old_str {old[:200]!r} in lines: {lines}. "
            "Please ensure it is unique."
        )
    return text.replace(old, new)


def _places(text: str, part: str) -> list[int]:
    found, at = [], text.find(part)
    while at >= 0:
        found.append(at)
        at = text.find(part, at + len(part))
    return found


def _inserted(text: str, line: int, new: str) -> str:
    closed = text.endswith("\n")
    lines = text.removesuffix("\n").split("\n") if text else []
    if isinstance(line, bool) or not isinstance(line, int) or not 0 <= line <= len(lines):
        raise MemoryFileError(
            f"Invalid insert_line parameter: {shown(line)}. It should be within the range of lines of "
            f"the file: [0, {len(lines)}]"
        )
    lines[line:line] = new.removesuffix("\n").split("\n")
    return "\n".join(lines) + ("\n" if closed or new.endswith("\n") else "")


def _storable(text: object) -> str:
    """A text without what no database keeps: NUL, and halves of surrogate pairs."""
    if not isinstance(text, str):
        raise MemoryFileError(f"{shown(text)} is no text: give a string")
    return text.replace("\x00", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _missing(path: str) -> MemoryFileError:
    return MemoryFileError(f"The path {path} does not exist. Please provide a valid path.")


def _check_texts(**given: object) -> None:
    for name, value in given.items():
        if not isinstance(value, str):
            raise MemoryFileError(f"{name}={shown(value)} is {type(value).__name__}: give a text")

"""An agent's own notes as a deepagents backend: the same files that the memory tool shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from deepagents.backends.protocol import (
    BackendProtocol,
    DeleteResult,
    EditResult,
    FileData,
    FileDownloadResponse,
    FileInfo,
    FileUploadResponse,
    GlobResult,
    GrepMatch,
    GrepResult,
    LsResult,
    ReadResult,
    WriteResult,
)
from deepagents.backends.utils import compile_grep_include_glob, slice_read_response

from langgraph_memory.errors import AccessDeniedError, InvalidPathError, MemoryFileError
from langgraph_memory.file_tool import notes_of_run
from langgraph_memory.files import Files
from langgraph_memory.files.paths import ROOT, canonical
from langgraph_memory.runtime.identity import Identify
from langgraph_memory.scope import Principal, Scope

if TYPE_CHECKING:
    from langgraph_memory.files.tree import Entry
    from langgraph_memory.memory import Memory

_REFUSED = (MemoryFileError, AccessDeniedError)


class MemoryFilesBackend(BackendProtocol):
    """A deepagents backend over the notes under `/memories`, per principal.

    Route `/memories/` to it beside another backend, or use it alone; paths may be given with or without
    `/memories` in front.

    Args:
        memory: where the notes are kept.
        principal: whose notes; the principal of the run by default.
        scope: where; the scope of the run by default.
        identify: tells who is running, from a run's runtime; its `MemoryContext` by default.

    Example:
        >>> from langgraph_memory import Memory, MemoryFilesBackend, Principal, Scope
        >>> team = Scope.of(org="acme", workspace="web")
        >>> with Memory.open(":memory:") as memory:
        ...     notes = MemoryFilesBackend(memory, principal=Principal("bob", grants=(team,)), scope=team)
        ...     notes.write("/memories/plan.md", "Ship it.").path
        '/memories/plan.md'
    """

    def __init__(
        self,
        memory: Memory,
        *,
        principal: Principal | None = None,
        scope: Scope | None = None,
        identify: Identify | None = None,
    ) -> None:
        self._notes: Callable[[], Files] = lambda: notes_of_run(memory, principal, scope, identify)

    def ls(self, path: str) -> LsResult:
        """Files and directories directly in a directory; directories end with a slash."""
        try:
            place, entries = _rooted(path), self._notes().entries(_rooted(path))
        except _REFUSED as error:
            return LsResult(error=str(error))
        found: dict[str, FileInfo] = {}
        for entry in entries:
            name, slash, _ = entry.path.removeprefix(place).lstrip("/").partition("/")
            if slash:
                directory = _shown(f"{place}/{name}/", path)
                found[directory] = FileInfo(path=directory, is_dir=True, size=0, modified_at="")
            elif name:
                info = _info(entry, path)
                found[info["path"]] = info
        return LsResult(entries=[found[each] for each in sorted(found)])

    def read(self, file_path: str, offset: int = 0, limit: int = 2000) -> ReadResult:
        """A window of a file's lines, and where to read on."""
        try:
            text = self._notes().read(_rooted(file_path))
        except _REFUSED as error:
            return ReadResult(error=str(error))
        return slice_read_response(FileData(content=text, encoding="utf-8"), offset, limit)

    def write(self, file_path: str, content: str) -> WriteResult:
        """Make a file, or write over the one that is there."""
        try:
            self._notes().write(_rooted(file_path), content)
        except _REFUSED as error:
            return WriteResult(error=str(error))
        return WriteResult(path=file_path)

    def edit(
        self,
        file_path: str,
        old_string: str,
        new_string: str,
        replace_all: bool = False,
    ) -> EditResult:
        """Replace a text that occurs once, or everywhere, with nobody else writing meanwhile."""
        counts: list[int] = []

        def change(text: str) -> str:
            counts.append(text.count(old_string) if old_string else 0)
            if not counts[-1]:
                raise MemoryFileError(f"String not found in file: {old_string[:200]!r}")
            if counts[-1] > 1 and not replace_all:
                raise MemoryFileError(
                    f"String {old_string[:200]!r} appears {counts[-1]} times: add context, or use replace_all"
                )
            return text.replace(old_string, new_string)

        try:
            self._notes().edit(_rooted(file_path), change)
        except _REFUSED as error:
            return EditResult(error=str(error))
        return EditResult(path=file_path, occurrences=counts[-1])

    def delete(self, file_path: str) -> DeleteResult:
        """Delete a file, or a directory with all that is in it."""
        try:
            self._notes().delete(_rooted(file_path))
        except _REFUSED as error:
            return DeleteResult(error=str(error))
        return DeleteResult(path=file_path)

    def grep(
        self, pattern: str, path: str | None = None, glob: str | None = None, *, max_count: int | None = None
    ) -> GrepResult:
        """Lines that hold a literal text."""
        base = path or "/"
        try:
            notes, place = self._notes(), _rooted(base)
            wanted = _matching(notes.entries(place), place, glob)
            texts = [(entry, notes.read(entry.path)) for entry in wanted]
        except (*_REFUSED, ValueError) as error:
            return GrepResult(error=str(error))
        matches = [
            GrepMatch(path=_shown(entry.path, base), line=number, text=line)
            for entry, text in texts
            for number, line in enumerate(text.splitlines(), 1)
            if pattern in line
        ]
        cut = max_count is not None and len(matches) > max_count
        return GrepResult(matches=matches[:max_count] if cut else matches, truncated=cut)

    def glob(self, pattern: str, path: str | None = None) -> GlobResult:
        """Files whose name fits a pattern."""
        base = path or "/"
        try:
            place = _rooted(base)
            found = _matching(self._notes().entries(place), place, pattern)
        except (*_REFUSED, ValueError) as error:
            return GlobResult(error=str(error))
        return GlobResult(matches=[_info(entry, base) for entry in found])

    def upload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        """Write several files of text."""
        return [FileUploadResponse(path=path, error=self._upload(path, content)) for path, content in files]

    def download_files(self, paths: list[str]) -> list[FileDownloadResponse]:
        """The contents of several files."""
        return [self._download(path) for path in paths]

    def _upload(self, path: str, content: bytes) -> str | None:
        try:
            return self.write(path, content.decode()).error
        except UnicodeDecodeError:
            return f"{path!r} is not text: notes are UTF-8 text"

    def _download(self, path: str) -> FileDownloadResponse:
        try:
            return FileDownloadResponse(path=path, content=self._notes().read(_rooted(path)).encode())
        except InvalidPathError:
            return FileDownloadResponse(path=path, error="invalid_path")
        except AccessDeniedError:
            return FileDownloadResponse(path=path, error="permission_denied")
        except MemoryFileError:
            return FileDownloadResponse(path=path, error="file_not_found")


def _rooted(path: str) -> str:
    """A path under `/memories`: a composite backend takes the route's prefix away."""
    if path == ROOT or path.startswith(f"{ROOT}/"):
        return canonical(path)
    if not path.startswith("/"):
        return canonical(path)  # refused, with the reason
    return canonical(f"{ROOT}{path}")


def _shown(place: str, asked: str) -> str:
    """A place in the spelling in which it was asked for: with `/memories`, or below it."""
    return place if asked == ROOT or asked.startswith(f"{ROOT}/") else place.removeprefix(ROOT)


def _info(entry: Entry, asked: str) -> FileInfo:
    return FileInfo(
        path=_shown(entry.path, asked),
        is_dir=False,
        size=entry.size,
        modified_at=entry.modified_at.isoformat(),
    )


def _matching(entries: Sequence[Entry], place: str, pattern: str | None) -> list[Entry]:
    if pattern is None:
        return list(entries)
    fits = compile_grep_include_glob(pattern)
    return [entry for entry in entries if fits(entry.path.removeprefix(place).lstrip("/"))]

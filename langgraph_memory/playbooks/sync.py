"""Files of procedures under version control, brought into a memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from langgraph_memory.errors import AccessDeniedError, ConfigurationError, InvalidProcedureError
from langgraph_memory.playbooks import documents
from langgraph_memory.playbooks.archive import Archive
from langgraph_memory.playbooks.documents import Document
from langgraph_memory.playbooks.register import ToolRegister
from langgraph_memory.playbooks.versions import Draft, same_content
from langgraph_memory.records import Procedure, ProcedureStatus, Record
from langgraph_memory.scope import Scope

Approve = Callable[[Procedure], Procedure]
"""Makes a draft current, or raises `AccessDeniedError`."""


class SyncReport(Record):
    """What a synchronisation found and did, each as `name vN`.

    Attributes:
        current: made current, or current and as the file says.
        drafts: waiting for approval.
        behind: files that say what an earlier version said; they change nothing, export the current one.
        missing: procedures of engineers in the scope that no file has.
        changed: versions that are new or have become current.
    """

    current: tuple[str, ...] = ()
    drafts: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def sync(
    path: Path, archive: Archive, register: ToolRegister, *, scope: Scope, by: str, approve: Approve
) -> SyncReport:
    """Bring the files of a folder, or one file, into a scope; see `Procedures.sync`."""
    found = {document.procedure_id: document for document in _documents(path)}
    kept: dict[str, list[str]] = {"current": [], "drafts": [], "behind": []}
    changed: list[str] = []
    for document in found.values():
        draft = Draft(
            scope=scope,
            document=document,
            fingerprints={name: register.fingerprint(name, scope) or "" for name in document.tools},
        )
        state, procedure, new = _apply(draft, archive, by, approve)
        kept[state].append(_name(procedure))
        changed += [_name(procedure)] if new else []
    missing = [
        _name(each)
        for each in archive.versions(scope, status=["current"])
        if each.origin == "engineer" and each.procedure_id not in found
    ]
    states = {name: tuple(names) for name, names in kept.items()}
    return SyncReport(**states, missing=tuple(missing), changed=tuple(changed))


def _apply(draft: Draft, archive: Archive, by: str, approve: Approve) -> tuple[str, Procedure, bool]:
    """Add what a file says and make it current where that is asked for and allowed; whether that is new."""
    document = draft.document
    versions = archive.versions(draft.scope, document.procedure_id)
    known = next((each for each in versions if same_content(each, draft)), None)
    if known is None:
        _check_number(document, versions)
    elif known.status is ProcedureStatus.CURRENT:
        return "current", known, False
    elif known.status is ProcedureStatus.DEPRECATED:
        return "behind", known, False
    procedure = known or archive.add(draft, by=by)
    if document.status == "draft":
        return "drafts", procedure, known is None
    try:
        return "current", approve(procedure), True
    except AccessDeniedError:
        return "drafts", procedure, known is None


def _check_number(document: Document, versions: Iterable[Procedure]) -> None:
    """A number that is taken, or lies before those there are, can't be a new version's."""
    latest = max((each.version for each in versions), default=0)
    if document.version is not None and document.version <= latest:
        raise InvalidProcedureError(
            f"{document.procedure_id!r} says version {document.version} with other content than the version "
            f"{document.version} that is known: give it a number above {latest}, or none"
        )


def _documents(path: Path) -> list[Document]:
    """All files are read before anything is written, so that a bad one changes nothing."""
    if not path.exists():
        raise ConfigurationError(f"there is no {str(path)!r}: name a folder of YAML or Markdown files")
    if path.is_file():
        return [documents.read(path)]
    paths = sorted(each for each in path.rglob("*") if each.suffix in documents.SUFFIXES and each.is_file())
    paths = [each for each in paths if each.stem.casefold() != "readme"]
    found = [documents.read(each) for each in paths]
    names = [each.procedure_id for each in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidProcedureError(f"two files under {str(path)!r} are both {twice!r}: keep one")
    return found


def _name(procedure: Procedure) -> str:
    return f"{procedure.procedure_id} v{procedure.version}"

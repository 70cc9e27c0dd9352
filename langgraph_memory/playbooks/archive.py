"""The versions of procedures in a repository: found, added and changed, each change with its audit entry."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from sqlalchemy import Connection

from langgraph_memory.answers import procedure_key, record_id
from langgraph_memory.arguments import member
from langgraph_memory.errors import UnknownRecordError
from langgraph_memory.log.staleness import StaleReadError, decided_anew
from langgraph_memory.playbooks import documents
from langgraph_memory.playbooks.versions import Draft, same_content, same_trigger
from langgraph_memory.records import Procedure, ProcedureStatus
from langgraph_memory.repository import Change, Note, Repository
from langgraph_memory.repository.bodies import procedure_entity
from langgraph_memory.scope import Scope


class Archive:
    """Procedures by scope, name and version.

    Args:
        repository: where they are kept.
        clock: the time of changes.
    """

    def __init__(self, repository: Repository, clock: Callable[[], datetime]) -> None:
        self.repository = repository
        self.clock = clock

    def versions(
        self,
        scope: Scope,
        procedure_id: str | None = None,
        *,
        status: Iterable[ProcedureStatus | str] | None = None,
        below: bool = False,
    ) -> list[Procedure]:
        """Versions of the procedures of a scope, latest version first; of one, or of some statuses."""
        entities = None if procedure_id is None else [procedure_entity(procedure_id)]
        wanted = (
            None if status is None else [member(ProcedureStatus, "status", each).value for each in status]
        )
        found: list[Procedure] = self.repository.find(
            "procedure", [scope], entities=entities, status=wanted, below=below
        )
        return sorted(found, key=lambda each: (each.procedure_id, each.scope.key, -each.version))

    def get(self, procedure_id: str, version: int | None = None, *, scope: Scope) -> Procedure:
        """A version of a procedure; the current one, or else the latest, by default.

        Raises:
            UnknownRecordError: there is none.
        """
        versions = self.versions(scope, procedure_id)
        if version is not None:
            versions = [each for each in versions if each.version == version]
        current = [each for each in versions if each.status is ProcedureStatus.CURRENT]
        for found in (*current, *versions):
            return found
        number = f" version {version}" if version else ""
        raise UnknownRecordError(
            f"there is no procedure {procedure_id!r}{number} in {str(scope)!r}: list them with versions()"
        )

    def add(self, draft: Draft, *, by: str) -> Procedure:
        """Write a draft as the next version, unless a version with this content is there."""
        return decided_anew(lambda: self._added(draft, by), about=draft.document.procedure_id)

    def _added(self, draft: Draft, by: str) -> Procedure:
        versions = self.versions(draft.scope, draft.document.procedure_id)
        known = next((each for each in versions if same_content(each, draft)), None)
        if known is not None:
            return known
        number = max((each.version for each in versions), default=0) + 1
        new = draft.as_version(draft.document.version or number, at=self.clock())
        self.commit([Change(record=new)], new, "proposed", by=by, reason=new.reason or new.origin)
        return new

    def named(self, scope: Scope, procedure_id: str, version: int | None) -> Procedure:
        """The version named; by default the latest draft, or else the current one."""
        if version is None:
            drafts = self.versions(scope, procedure_id, status=["draft"])
            if drafts:
                return drafts[0]
        return self.get(procedure_id, version, scope=scope)

    def rivals(self, procedure: Procedure) -> list[Procedure]:
        """The current versions that stand where this one is to be current: same name, or same trigger."""
        return [
            each
            for each in self.versions(procedure.scope, status=["current"])
            if each.procedure_id == procedure.procedure_id or same_trigger(each, procedure)
        ]

    def check_alone(self, connection: Connection, procedure: Procedure) -> None:
        """Inside the commit: no other version of the procedure became current meanwhile."""
        current = self.repository.ledger.current_of(
            connection, procedure.scope, procedure_entity(procedure.procedure_id)
        )
        if any(each != record_id(procedure) for each in current):
            raise StaleReadError(record_id(procedure))

    def change(self, after: Procedure, before: Procedure) -> Change:
        """The change from one state of a version to another, refused if it is in a third by then."""
        return Change(record=after, expected=self.repository.digest(before))

    def commit(
        self,
        changes: Sequence[Change],
        about: Procedure,
        decision: str,
        *,
        by: str,
        reason: str,
        also: Callable[[Connection], None] | None = None,
    ) -> None:
        """Write changes with an audit entry about one version.

        Raises:
            StaleReadError: something changed meanwhile; read and decide again.
        """
        note = Note(
            decision=decision,
            record_id=procedure_key(about.scope, about.procedure_id, about.version),
            reason=reason,
        )
        self.repository.commit(changes, scope=about.scope, actor=by, at=self.clock(), notes=[note], also=also)


def difference(before: Procedure, after: Procedure) -> str:
    """Two versions compared, as a unified diff of their Markdown forms."""
    old, new = (documents.to_markdown(each).splitlines(keepends=True) for each in (before, after))
    was, now = (f"{each.procedure_id} v{each.version}" for each in (before, after))
    return "".join(difflib.unified_diff(old, new, was, now, n=2))

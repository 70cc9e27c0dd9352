"""Procedures as people hold them: propose, approve, compare, roll back, and keep files in step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from pydantic import JsonValue

from langgraph_memory.answers import record_id
from langgraph_memory.arguments import keepable, place, refusal
from langgraph_memory.errors import AccessDeniedError, ConfigurationError
from langgraph_memory.file_access import reaching
from langgraph_memory.log.staleness import decided_anew
from langgraph_memory.playbooks import documents
from langgraph_memory.playbooks.archive import Archive, difference
from langgraph_memory.playbooks.bindings import Bindings
from langgraph_memory.playbooks.register import ToolRegister
from langgraph_memory.playbooks.signatures import ToolLike
from langgraph_memory.playbooks.sync import SyncReport, sync
from langgraph_memory.playbooks.versions import Draft, approved, deprecated
from langgraph_memory.records import Actor, ActorKind, Procedure, ProcedureStatus
from langgraph_memory.redaction import Redactor
from langgraph_memory.redaction.personal import PersonalRules
from langgraph_memory.repository import Repository
from langgraph_memory.scope import Principal, Scope
from langgraph_memory.signature import checked

ATTRIBUTE = "procedure"
"""The attribute that a policy's rule has to cover for a person to approve procedures."""


class Procedures:
    """The playbooks of a memory.

    A procedure is a draft until a person whom the policy lets set the attribute `procedure` in its scope
    approves it. One version is current for a scope and trigger; the one before it is deprecated and can be
    rolled back to.

    Args:
        repository: where they are kept.
        register: the tools that agents have now.
        redactor: takes secrets out of what is written.
        personal: which personal data is refused.
        clock: the time of proposals and approvals.

    Example:
        >>> from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope
        >>> team = Scope.of(org="acme", workspace="staging")
        >>> ana = Principal("ana", roles={"lead"}, grants=(team,))
        >>> policy = Policy(authority=[AuthorityRule(roles={"lead"}, scope=team)])
        >>> with Memory.open(":memory:", policy=policy) as memory:
        ...     draft = memory.procedures.propose(
        ...         scope=team, procedure_id="cleanup", trigger_intent="weekly cleanup of idle servers",
        ...         steps=["List what is idle.", "Stop it."], actor=Actor("agent", "costguard"),
        ...     )
        ...     current = memory.procedures.approve("cleanup", scope=team, principal=ana)
        ...     draft.status.value, current.status.value, current.version, current.approved_by
        ('draft', 'current', 1, 'ana')
    """

    def __init__(
        self,
        repository: Repository,
        register: ToolRegister,
        *,
        redactor: Redactor,
        personal: PersonalRules,
        clock: Callable[[], datetime],
    ) -> None:
        self.register = register
        self.archive = Archive(repository, clock)
        self._bindings = Bindings(self.archive, register)
        self._repository = repository
        self._redactor = redactor
        self._personal = personal
        self._clock = clock

    @checked("tools", "steps", "checks")
    def propose(
        self,
        *,
        scope: Scope,
        procedure_id: str,
        trigger_intent: str,
        steps: Sequence[str],
        checks: Sequence[str] = (),
        tools: Iterable[str | ToolLike] = (),
        actor: Actor,
        reason: str = "",
        evidence: Sequence[str] = (),
        counterexamples: Sequence[str] = (),
        step_sources: Sequence[str] = (),
    ) -> Procedure:
        """A new draft version, after all there are; the same content again is the same version.

        Args:
            scope: where it applies.
            procedure_id: its name, the same for all versions.
            trigger_intent: the task that it governs; it is found by this.
            steps: in order, one line each.
            checks: what to verify afterwards.
            tools: those that it uses, by name or themselves; a change of their arguments makes it stale.
            actor: who proposes it; what is not a person's is marked as learned.
            reason: why.
            evidence: what speaks for it, such as ids of episodes.
            counterexamples: what speaks against it.
            step_sources: for each step, who said it.

        Raises:
            InvalidProcedureError: no steps, or a text that is too long.
        """
        if isinstance(tools, str | bytes | Mapping) or not isinstance(tools, Iterable):
            raise refusal("tools", tools, "a list of tools or of their names")
        names = {tool if isinstance(tool, str) else self.register.know(tool).name: tool for tool in tools}
        fields: dict[str, JsonValue] = {
            "procedure_id": procedure_id,
            "trigger_intent": trigger_intent,
            "steps": _lines("steps", steps),
            "checks": _lines("checks", checks),
            "tools": list(names),
            "reason": reason,
        }
        self._personal.admit(fields)
        document = documents.document(self._redactor(fields).value)
        draft = Draft(
            scope=scope,
            document=document,
            fingerprints={
                name: self._bindings.fingerprint(name, tool, scope) for name, tool in names.items()
            },
            learned=actor.kind is not ActorKind.USER,
            evidence=tuple(evidence),
            counterexamples=tuple(counterexamples),
            step_sources=tuple(step_sources),
        )
        return self.archive.add(draft, by=actor.id)

    @checked()
    def approve(
        self, procedure_id: str, version: int | None = None, *, scope: Scope, principal: Principal
    ) -> Procedure:
        """Make a version current, bound to the tools as they are now; the one before it is deprecated.

        Args:
            procedure_id: its name.
            version: which; the latest draft, or else the current version, by default.
            scope: where it applies.
            principal: who approves.

        Raises:
            AccessDeniedError: no grant of this person covers the scope, or the policy doesn't let them
                decide there; the attempt is audited.
            UnknownRecordError: there is no such version.
        """
        return self._make_current(
            lambda: self.archive.named(scope, procedure_id, version), principal, "approved", rebind=True
        )

    @checked()
    def reject(
        self,
        procedure_id: str,
        version: int | None = None,
        *,
        scope: Scope,
        principal: Principal,
        reason: str,
    ) -> Procedure:
        """Put a draft aside, or take a current version out of use.

        Raises:
            AccessDeniedError: as for `approve`.
            UnknownRecordError: there is no such version.
        """
        found = self.archive.named(scope, procedure_id, version)
        self._require(principal, found, "reject")
        done = deprecated(found)
        change = self.archive.change(done, found)
        self.archive.commit([change], done, "rejected", by=principal.user_id, reason=reason)
        return done

    @checked()
    def rollback(
        self, procedure_id: str, *, scope: Scope, principal: Principal, to: int | None = None
    ) -> Procedure:
        """Make an earlier version current again: `to`, or the one that was current before.

        Raises:
            ConfigurationError: there is none, or a tool that it uses has changed since.
        """

        def earlier() -> Procedure:
            versions = self.versions(scope, procedure_id)
            now = next((v.version for v in versions if v.status is ProcedureStatus.CURRENT), None)
            past = [v for v in versions if v.approved_by and v.status is ProcedureStatus.DEPRECATED]
            wanted = [v for v in past if (v.version == to if to else v.version < (now or v.version + 1))]
            if not wanted:
                raise ConfigurationError(
                    f"{procedure_id!r} has no earlier version{f' {to}' if to else ''} that was ever approved "
                    f"in {str(scope)!r}: approve one instead"
                )
            back = max(wanted, key=lambda v: v.version)
            stale = self.register.stale(back)
            if stale:
                raise ConfigurationError(
                    f"version {back.version} of {procedure_id!r} would not be offered, {stale}: approve it "
                    "for the tools as they are now, or propose a new version"
                )
            return back

        return self._make_current(earlier, principal, "rolled back", rebind=False)

    @checked()
    def versions(
        self,
        scope: Scope,
        procedure_id: str | None = None,
        *,
        status: Iterable[ProcedureStatus | str] | None = None,
        below: bool = False,
    ) -> list[Procedure]:
        """Versions of the procedures of a scope, latest version first; of one, or of some statuses.

        Args:
            scope: exactly this one.
            procedure_id: of this procedure only.
            status: of these statuses only.
            below: also those of the scopes under it.
        """
        return self.archive.versions(scope, procedure_id, status=status, below=below)

    @checked()
    def get(self, procedure_id: str, version: int | None = None, *, scope: Scope) -> Procedure:
        """A version of a procedure; the current one, or else the latest, by default.

        Raises:
            UnknownRecordError: there is none.
        """
        return self.archive.get(procedure_id, version, scope=scope)

    @checked()
    def diff(self, procedure_id: str, old: int, new: int, *, scope: Scope) -> str:
        """What changed from one version to another, as a unified diff of their Markdown forms."""
        before, after = (self.get(procedure_id, number, scope=scope) for number in (old, new))
        return difference(before, after)

    @checked()
    def stale(self, procedure: Procedure, *, scope: Scope | None = None) -> str | None:
        """Why a procedure no longer fits the tools of a scope, by default its own; None if it does."""
        return self.register.stale(procedure, scope)

    def use_tools(
        self, tools: Iterable[ToolLike], *, scope: Scope | None = None, gone: Iterable[str] = ()
    ) -> list[tuple[Procedure, str]]:
        """Say which tools agents have now: current procedures that were made for others are offered no more.

        Call it where an application starts. What was said of other tools stays.

        Args:
            tools: as agents have them.
            scope: of these agents; everywhere by default.
            gone: names of tools that there are no longer.

        Returns:
            The current procedures that do not fit any more, each with the reason.
        """
        return self._bindings.use_tools(tools, scope=scope, gone=gone)

    @checked("path")
    def sync(self, path: str | Path, *, scope: Scope, principal: Principal) -> SyncReport:
        """Bring procedures from YAML or Markdown files under version control into a scope.

        What a file says becomes a new version if no version says it yet, and current if `principal` may
        approve it; the review of the file was the approval. Otherwise it waits as a draft. A file that says
        what an earlier version said changes nothing, so that an old checkout can't undo an approval.

        Args:
            path: a folder, looked through with those in it, or one file.
            scope: where the procedures apply.
            principal: who brings them.

        Raises:
            InvalidProcedureError: a file that can't be read, or a version number that is taken; nothing was
                written.
            ConfigurationError: there is no such path.
        """
        where = place("path", path)

        def approve(draft: Procedure) -> Procedure:
            return self.approve(draft.procedure_id, draft.version, scope=scope, principal=principal)

        with reaching(where):
            return sync(
                where, self.archive, self.register, scope=scope, by=principal.user_id, approve=approve
            )

    @checked("folder")
    def export(self, folder: str | Path, *, scope: Scope) -> list[Path]:
        """Write the current procedures of a scope as Markdown files, to put under version control."""
        where, written = place("folder", folder), []
        with reaching(where):
            where.mkdir(parents=True, exist_ok=True)
            for procedure in self.versions(scope, status=["current"]):
                path = where / f"{procedure.procedure_id}.md"
                path.write_text(documents.to_markdown(procedure), encoding="utf-8")
                written.append(path)
        return written

    def _make_current(
        self, choose: Callable[[], Procedure], principal: Principal, decision: str, *, rebind: bool
    ) -> Procedure:
        def make() -> Procedure:
            found = choose()
            self._require(principal, found, decision)
            tools = self._bindings.of_now(found) if rebind else None
            current = approved(found, principal.user_id, self._clock(), tools)
            replaced = [each for each in self.archive.rivals(found) if record_id(each) != record_id(found)]
            names = ", ".join(f"{each.procedure_id} v{each.version}" for each in replaced)
            self.archive.commit(
                [
                    *(self.archive.change(deprecated(each), each) for each in replaced),
                    self.archive.change(current, found),
                ],
                current,
                decision,
                by=principal.user_id,
                reason=f"replaces {names}" if names else "the first one",
                also=partial(self.archive.check_alone, procedure=current),
            )
            return current

        return decided_anew(make, about=decision)

    def _require(self, principal: Principal, procedure: Procedure, deed: str) -> None:
        scope, roles = procedure.scope, sorted(principal.roles)
        actor = Actor("user", principal.user_id, roles=principal.roles)
        if not principal.may_read(scope):
            remedy = "no grant covers it: add a Scope that does to Principal.grants"
        elif self._repository.policy.authority_of(actor, scope, ATTRIBUTE) is None:
            remedy = (
                f"a rule of Policy.authority has to give one of the roles {roles} the attribute "
                f"{ATTRIBUTE!r} there"
            )
        else:
            return
        reason = f"{principal.user_id!r} may not decide on procedures in {str(scope)!r}"
        self._repository.denials.note(
            deed, principal, scope, reason=reason, about=record_id(procedure), decision="refused"
        )
        raise AccessDeniedError(f"{reason}: {remedy}")


def _lines(name: str, given: Sequence[str]) -> JsonValue:
    """Lines as JSON; a text in their place is the document's to refuse."""
    if isinstance(given, str):
        return given
    if isinstance(given, bytes | Mapping) or not isinstance(given, Iterable):
        raise refusal(name, given, "a list of texts")
    lines = list(given)
    for line in lines:
        keepable(name, line)
    return [*lines]

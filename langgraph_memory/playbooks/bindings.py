"""Which tools procedures are bound to: those that they were approved for, as they were then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from langgraph_memory.playbooks.archive import Archive
from langgraph_memory.playbooks.register import GONE, ToolRegister
from langgraph_memory.playbooks.signatures import ToolLike
from langgraph_memory.records import Procedure
from langgraph_memory.scope import Scope


class Bindings:
    """Binds procedures to tools.

    Args:
        archive: the procedures.
        register: the tools that agents have now.
    """

    def __init__(self, archive: Archive, register: ToolRegister) -> None:
        self._archive = archive
        self._register = register

    def use_tools(
        self, tools: Iterable[ToolLike], *, scope: Scope | None, gone: Iterable[str]
    ) -> list[tuple[Procedure, str]]:
        """Note which tools agents have now; the current procedures that no longer fit, with the reason."""
        changed = self._register.use(tools, scope=scope, gone=gone)
        touched: list[tuple[Procedure, str]] = []
        for procedure in self._using(changed):
            if scope is None or _meet(scope, procedure.scope):
                bound = self._bind(procedure, changed)
                below = scope is not None and procedure.scope in scope.ancestors()
                reason = self._register.stale(bound, scope if below else None)
                if reason:
                    self._archive.commit([], bound, "stale", by="tools", reason=reason)
                    touched.append((bound, reason))
        return touched

    def of_now(self, procedure: Procedure) -> dict[str, str]:
        """The fingerprints of the tools of a procedure as they are now."""
        return {
            name: self._register.fingerprint(name, procedure.scope) or made_for
            for name, made_for in procedure.tool_fingerprints.items()
        }

    def fingerprint(self, name: str, tool: str | ToolLike, scope: Scope) -> str:
        """The fingerprint of a tool that is given, or known here by its name; empty if it is not."""
        if isinstance(tool, str):
            return self._register.fingerprint(name, scope) or ""
        return self._register.know(tool).fingerprint

    def _using(self, tools: Iterable[str]) -> list[Procedure]:
        entities = [f"tool:{name}" for name in tools]
        return self._archive.repository.load(
            self._archive.repository.ledger.of_entities("procedure", entities, status=["current"])
        )

    def _bind(self, procedure: Procedure, changed: Mapping[str, str]) -> Procedure:
        """The procedure with the fingerprints of tools that nobody knew when it was approved."""
        new = {
            name: changed[name]
            for name, made_for in procedure.tool_fingerprints.items()
            if not made_for and changed.get(name, GONE) != GONE
        }
        if not new:
            return procedure
        bound = procedure.model_copy(update={"tool_fingerprints": procedure.tool_fingerprints | new})
        change = self._archive.change(bound, procedure)
        self._archive.commit([change], bound, "bound", by="tools", reason=f"to {', '.join(sorted(new))}")
        return bound


def _meet(one: Scope, other: Scope) -> bool:
    """Whether one scope is the other or lies above or below it."""
    return one in other.ancestors() or other in one.ancestors()

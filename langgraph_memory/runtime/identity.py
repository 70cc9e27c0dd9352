"""Who is asking: from a run's context in process, from the authenticated user on a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from langgraph.runtime import Runtime

from langgraph_memory.errors import AccessDeniedError, ConfigurationError
from langgraph_memory.memory import Memory
from langgraph_memory.scope import MemoryContext, Principal, Scope

Identify = Callable[[Runtime[Any]], MemoryContext]
"""Tells who is asking, from a run's runtime."""


def context_of(runtime: Runtime[Any], identify: Identify | None = None) -> MemoryContext:
    """Who is asking and where.

    On a LangGraph server the context is what the client sent, so only the scope is taken from it and the
    principal is the authenticated user, who needs a grant for it; without one it is anonymous.

    In process a principal whose grants don't cover the scope has no roles in it; see `entitled`.

    Raises:
        AccessDeniedError: on a server, no grant of the user covers the scope.
        ConfigurationError: the run has no `MemoryContext`.
    """
    context = identify(runtime) if identify else runtime.context
    if not isinstance(context, MemoryContext):
        raise ConfigurationError(
            f"the run's context is of type {type(context).__name__}, not a MemoryContext: pass "
            "context=MemoryContext(principal, scope) to invoke, or identify= to the node"
        )
    if identify is None and runtime.server_info is not None:
        principal = _server_principal(runtime.server_info.user)
        principal.readable(context.scope)  # the scope is the client's word, so a grant has to cover it
        return context.model_copy(update={"principal": principal})
    return entitled(context)


def entitled(context: MemoryContext) -> MemoryContext:
    """The context, in which roles count only if a grant of the principal covers the scope.

    Without one it speaks there as a stranger: without roles, and in a personal scope not as its owner.

    >>> team = Scope.of(org="acme", workspace="web")
    >>> entitled(MemoryContext(Principal("zoe", roles={"lead"}), team)).principal.roles
    frozenset()
    """
    principal = context.principal
    if principal.may_read(context.scope):
        return context
    owner = principal.user_id == context.scope.user
    name = Principal.anonymous().user_id if owner else principal.user_id
    return context.model_copy(update={"principal": Principal(name, grants=principal.grants)})


@dataclass(frozen=True)
class Callers:
    """Who calls a memory, from the runs of graphs.

    Attributes:
        memory: in whose audit a refusal is noted; None notes none.
        identify: tells who is calling; see `context_of`.
    """

    memory: Memory | None
    identify: Identify | None = None

    def known(self, runtime: Runtime[Any]) -> MemoryContext:
        """Who is calling, and where.

        Raises:
            AccessDeniedError: see `context_of`.
            ConfigurationError: the run has no `MemoryContext`.
        """
        try:
            return context_of(runtime, self.identify)
        except AccessDeniedError as refusal:
            if self.memory is not None:
                _note(refusal, runtime, self.memory)
            raise

    def of(self, runtime: Runtime[Any]) -> tuple[MemoryContext | None, str]:
        """The same; or None and why, since a run goes on where memory can't."""
        try:
            return self.known(runtime), ""
        except (AccessDeniedError, ConfigurationError) as error:
            return None, str(error)


def _note(refusal: AccessDeniedError, runtime: Runtime[Any], memory: Memory) -> None:
    """Write down that a server's user was refused the scope that the client named."""
    context, server = runtime.context, runtime.server_info
    if isinstance(context, MemoryContext) and server is not None:
        principal = _server_principal(server.user)
        memory.repository.denials.refused(refusal, "run", principal, context.scope)


def _server_principal(user: Any) -> Principal:
    """The principal of an authenticated server user, with the roles and grants that the auth handler set."""
    if user is None:
        return Principal.anonymous()
    fields = (
        dict(user) if isinstance(user, Mapping) else {k: getattr(user, k, None) for k in ("roles", "grants")}
    )
    grants = [Scope.parse(g) if isinstance(g, str) else Scope(**g) for g in fields.get("grants") or ()]
    return Principal(user.identity, roles=frozenset(fields.get("roles") or ()), grants=tuple(grants))

"""The tools that agents have now, and which procedures were made for others."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from sqlalchemy import Column, Connection, Table, Text, bindparam, select

from langgraph_memory.database import metadata
from langgraph_memory.log.ledger import Ledger
from langgraph_memory.log.tables import KEY
from langgraph_memory.playbooks.signatures import Signature, ToolLike, difference
from langgraph_memory.records import Procedure
from langgraph_memory.scope import Scope
from langgraph_memory.store.statements import Statement

GONE = "gone"
"""The fingerprint of a tool that there is no longer."""

_EVERYWHERE = ""

InUse = Mapping[tuple[str, str], str]
"""Fingerprints by key of scope and name of tool."""

schemas = Table(
    "tool_schemas",
    metadata,
    Column("fingerprint", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("parameters", Text, nullable=False),
)

in_use = Table(
    "tools_in_use",
    metadata,
    Column("scope", KEY, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("fingerprint", Text, nullable=False),
    Column("at", Text, nullable=False),
)


class ToolRegister:
    """Fingerprints of the tools in use, by scope, kept beside the ledger.

    Args:
        ledger: whose database keeps them; its revision tells when what was read is old.
        clock: the time of registrations.
    """

    def __init__(self, ledger: Ledger, clock: Callable[[], datetime]) -> None:
        self._ledger = ledger
        self._clock = clock
        self._cached: tuple[int, InUse] | None = None
        self._lock = threading.Lock()
        ledger.database.create(schemas, in_use)

    def know(self, tool: ToolLike) -> Signature:
        """Remember what a tool looks like, without saying that it is in use."""
        signature = Signature.of(tool)
        with self._ledger.database.write() as connection:
            self._remember(connection, signature)
        return signature

    def use(
        self, tools: Iterable[ToolLike], *, scope: Scope | None, gone: Iterable[str] = ()
    ) -> dict[str, str]:
        """Note which tools a scope's agents have now; what others were noted stays.

        Returns:
            Fingerprints by name, of those that are new or changed.
        """
        signatures = [Signature.of(tool) for tool in tools]
        key = scope.key if scope else _EVERYWHERE
        before = self.in_use()
        wanted = {signature.name: signature.fingerprint for signature in signatures}
        wanted |= dict.fromkeys(gone, GONE)
        changed = {name: print_ for name, print_ in wanted.items() if before.get((key, name)) != print_}
        if not changed:  # their schemas were written with them
            return changed
        with self._ledger.database.write() as connection:
            for signature in signatures:
                self._remember(connection, signature)
            for name, fingerprint in changed.items():
                self._put(connection, key, name, fingerprint)
            self._ledger.counters.advance(connection)
        return changed

    def fingerprint(self, name: str, scope: Scope) -> str | None:
        """The fingerprint of a tool as a scope's agents have it now; None if nobody said."""
        found = _found(self.in_use(), name, scope)
        return None if found == GONE else found

    def stale(
        self, procedure: Procedure, scope: Scope | None = None, *, known: InUse | None = None
    ) -> str | None:
        """Why a procedure no longer fits the tools of a scope; None if it does.

        Args:
            procedure: as it is stored.
            scope: whose tools; those of its own scope by default.
            known: what `in_use` gave, where several procedures are looked at.
        """
        if not procedure.tool_fingerprints:
            return None
        tools = self.in_use() if known is None else known
        reasons = [
            reason
            for name, made_for in procedure.tool_fingerprints.items()
            if (reason := self._changed(made_for, _found(tools, name, scope or procedure.scope), name))
        ]
        return "; ".join(reasons) or None

    def _changed(self, made_for: str, now: str | None, name: str) -> str | None:
        if now is None or now == made_for or (not made_for and now != GONE):
            return None
        if now == GONE:
            return f"the tool {name!r} is gone"
        old, new = self._signature(made_for), self._signature(now)
        told = difference(old, new) if old and new else "its arguments changed"
        return f"the tool {name!r} changed: {told}"

    def in_use(self) -> InUse:
        """The fingerprints of the tools in use, as the ledger has them now."""
        revision = self._ledger.counters.revision()
        with self._lock:
            if self._cached is not None and self._cached[0] == revision:
                return self._cached[1]
        with self._ledger.database.read() as connection:
            rows = _IN_USE.rows(connection)
        known = {(scope, name): fingerprint for scope, name, fingerprint in rows}
        with self._lock:
            self._cached = (revision, known)
        return known

    def _signature(self, fingerprint: str) -> Signature | None:
        with self._ledger.database.read() as connection:
            row = connection.execute(_SCHEMA, {"fingerprint": fingerprint}).first()
        return Signature(name=row[0], parameters=json.loads(row[1])) if row else None

    def _remember(self, connection: Connection, signature: Signature) -> None:
        row = {
            "fingerprint": signature.fingerprint,
            "name": signature.name,
            "parameters": json.dumps(signature.parameters),
        }
        connection.execute(self._ledger.database.insert_missing(schemas), row)

    def _put(self, connection: Connection, key: str, name: str, fingerprint: str) -> None:
        values = {"fingerprint": fingerprint, "at": self._clock().isoformat()}
        statement = self._ledger.database.insert(in_use).values(scope=key, name=name, **values)
        connection.execute(statement.on_conflict_do_update(index_elements=["scope", "name"], set_=values))


def _found(tools: InUse, name: str, scope: Scope) -> str | None:
    """The fingerprint that counts in a scope: the narrowest one."""
    keys = (*(each.key for each in scope.ancestors()), _EVERYWHERE) if tools else ()
    return next((tools[key, name] for key in keys if (key, name) in tools), None)


_IN_USE = Statement(select(in_use.c.scope, in_use.c.name, in_use.c.fingerprint))
_SCHEMA = select(schemas.c.name, schemas.c.parameters).where(
    schemas.c.fingerprint == bindparam("fingerprint")
)

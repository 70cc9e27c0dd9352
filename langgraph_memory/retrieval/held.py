"""What may hold calls under a tenant, kept in mind: after a commit just what was written is read again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from langgraph_memory.log.counters import Versions
from langgraph_memory.log.ledger import Entry
from langgraph_memory.log.marks import HOLDING
from langgraph_memory.recent import Recent
from langgraph_memory.records import Fact, FactStatus, may_hold
from langgraph_memory.repository import Repository
from langgraph_memory.scope import Scope, decode_label

_TENANTS = 256
_HOLDING = (FactStatus.CURRENT, FactStatus.CANDIDATE)


@dataclass(frozen=True, eq=False)
class Held:
    """What may hold calls under a tenant, in one state of the database.

    Attributes:
        facts: current constraints that rule something out, and what waits for an answer.
        names: pairs of name and entity that are known.
        unreadable: entities of current rules that can't be read.
    """

    facts: tuple[Fact, ...]
    names: Sequence[tuple[str, str]] = ()
    unreadable: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _Known:
    """What was read, and when."""

    versions: Versions
    facts: Mapping[str, Fact]
    lost: Mapping[str, Entry]
    held: Held


class HeldBelow:
    """Reads it from a repository.

    Whatever process has written: the ledger tells in which revision each record was, so that a check after a
    commit costs as much as the commit has changed, and not as much as the tenant holds.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known = Recent[str, _Known](_TENANTS)

    def under(self, top: Scope) -> Held:
        """What may hold calls in a scope and those below it; the same object as long as nothing changed."""
        with self._repository.reading():
            versions = self._repository.ledger.counters.versions()
            known = self._known.get(top.key)
            if known is not None and known.versions == versions:
                return known.held
            known = self._known.put(top.key, self._brought_up(top, known, versions))
        return known.held

    def _brought_up(self, top: Scope, known: _Known | None, versions: Versions) -> _Known:
        ledger = self._repository.ledger
        if known is None or not _grew(known.versions, versions):
            known = _Known(versions, {}, {}, Held((), self._names(top)))
            marked = ledger.find([top], "fact", entities=[HOLDING], status=_HOLDING, below=True)
            return self._with(known, marked)
        if known.versions.names != versions.names and (names := self._names(top)) != known.held.names:
            known = replace(known, held=replace(known.held, names=names))
        changed = {e.record_id: e for e in ledger.changed(top, "fact", after=known.versions.revision)}
        now = replace(known, versions=versions)
        return self._with(now, [*({**known.lost, **changed}).values()]) if known.lost or changed else now

    def _names(self, top: Scope) -> Sequence[tuple[str, str]]:
        return self._repository.names([top], below=True)

    def _with(self, known: _Known, entries: Sequence[Entry]) -> _Known:
        """What is known once these entries stand in place of what they were."""
        standing = [entry for entry in entries if entry.status in _HOLDING]
        facts: list[Fact] = self._repository.load(standing)
        readable = {fact.fact_id for fact in facts}
        lost = {e.record_id: e for e in _current(standing) if e.record_id not in readable}
        written = {entry.record_id for entry in entries}
        kept = {name: fact for name, fact in known.facts.items() if name not in written}
        now = kept | {fact.fact_id: fact for fact in facts if may_hold(fact)}
        unreadable = frozenset(decode_label(entry.namespace[-1]) for entry in lost.values())
        if now == known.facts and unreadable == known.held.unreadable:
            return replace(known, lost=lost)
        held = Held(tuple(now.values()), known.held.names, unreadable)
        return replace(known, facts=now, lost=lost, held=held)


def _grew(before: Versions, now: Versions) -> bool:
    """Whether nothing was taken away or undone since, so that what was read still counts."""
    same = (before.forgets, before.rollbacks) == (now.forgets, now.rollbacks)
    return same and before.revision <= now.revision


def _current(entries: Iterable[Entry]) -> Iterable[Entry]:
    return (entry for entry in entries if entry.status == FactStatus.CURRENT)

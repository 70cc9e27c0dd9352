"""Facts that have a mark, kept in mind: after a commit just what was written is read again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from langgraph_memory.log.counters import Versions
from langgraph_memory.log.ledger import Entry
from langgraph_memory.recent import Recent
from langgraph_memory.records import Fact, FactStatus
from langgraph_memory.repository.repository import Repository
from langgraph_memory.scope import Scope

_SCOPES = 256
_STANDING = (FactStatus.CURRENT, FactStatus.CANDIDATE)


class Marked(NamedTuple):
    """The facts of a mark in one state of the database.

    Attributes:
        versions: by which the state is told from others.
        facts: by id; the same mapping as long as none of them changed.
        lost: the entries of current ones that can't be read, by id.
    """

    versions: Versions
    facts: Mapping[str, Fact]
    lost: Mapping[str, Entry]


class MarkedFacts:
    """Reads them from a repository.

    Whatever process has written: the ledger tells in which revision each record was, so that a look after a
    commit costs as much as the commit has changed, and not as much as there is.

    Args:
        repository: where they are.
        mark: what is linked to the facts of a scope that are meant.
        meant: which of those that stand or wait are meant.
        below: whether those of the scopes under it belong to a scope as well.
    """

    def __init__(
        self,
        repository: Repository,
        mark: Callable[[Scope], str],
        meant: Callable[[Fact], bool],
        *,
        below: bool = False,
    ) -> None:
        self._repository = repository
        self._mark, self._meant, self._below = mark, meant, below
        self._known = Recent[str, Marked](_SCOPES)

    def of(self, scope: Scope) -> Marked:
        """Those of a scope; the same object as long as nothing was written."""
        with self._repository.reading():
            versions = self._repository.ledger.counters.versions()
            known = self._known.get(scope.key)
            if known is not None and known.versions == versions:
                return known
            return self._known.put(scope.key, self._brought_up(scope, known, versions))

    def _brought_up(self, scope: Scope, known: Marked | None, versions: Versions) -> Marked:
        ledger = self._repository.ledger
        if known is None or not versions.follow(known.versions):
            mark = [self._mark(scope)]
            found = ledger.find([scope], "fact", entities=mark, status=_STANDING, below=self._below)
            return self._with(Marked(versions, {}, {}), found)
        changed = {
            entry.record_id: entry
            for entry in ledger.changed(scope, "fact", after=known.versions.revision)
            if self._below or entry.scope == scope.key
        }
        now = known._replace(versions=versions)
        return self._with(now, ({**known.lost, **changed}).values()) if known.lost or changed else now

    def _with(self, known: Marked, entries: Iterable[Entry]) -> Marked:
        """What is known once these entries stand in place of what they were."""
        written = {entry.record_id: entry for entry in entries}
        standing = [entry for entry in written.values() if entry.status in _STANDING]
        read: list[Fact] = self._repository.load(standing)
        readable = {fact.fact_id for fact in read}
        lost = {
            entry.record_id: entry
            for entry in standing
            if entry.status == FactStatus.CURRENT and entry.record_id not in readable
        }
        kept = {name: fact for name, fact in known.facts.items() if name not in written}
        now = kept | {fact.fact_id: fact for fact in read if self._meant(fact)}
        return known._replace(facts=known.facts if now == known.facts else now, lost=lost)

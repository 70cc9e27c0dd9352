"""What may hold calls under a tenant, kept in mind: after a commit just what was written is read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from langgraph_memory.log.marks import HOLDING
from langgraph_memory.recent import Recent
from langgraph_memory.records import Fact, may_hold
from langgraph_memory.repository import Repository
from langgraph_memory.repository.marked import Marked, MarkedFacts
from langgraph_memory.scope import Scope, decode_label

_TENANTS = 256


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


class HeldBelow:
    """Reads it from a repository; a check after a commit costs as much as the commit has changed."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._rules = MarkedFacts(repository, lambda _: HOLDING, may_hold, below=True)
        self._known = Recent[str, tuple[Marked, Held]](_TENANTS)

    def under(self, top: Scope) -> Held:
        """What may hold calls in a scope and those below it; the same object as long as nothing changed."""
        with self._repository.reading():
            rules, known = self._rules.of(top), self._known.get(top.key)
            if known is None or known[0] is not rules:
                known = self._known.put(top.key, (rules, self._held(top, rules, known)))
        return known[1]

    def _held(self, top: Scope, rules: Marked, known: tuple[Marked, Held] | None) -> Held:
        unreadable = frozenset(decode_label(entry.namespace[-1]) for entry in rules.lost.values())
        if known is None or not rules.versions.follow(known[0].versions):
            return Held(tuple(rules.facts.values()), self._names(top), unreadable)
        before, held = known
        names = held.names if before.versions.names == rules.versions.names else self._names(top)
        if before.facts is rules.facts and (names, unreadable) == (held.names, held.unreadable):
            return held
        return Held(tuple(rules.facts.values()), names, unreadable)

    def _names(self, top: Scope) -> Sequence[tuple[str, str]]:
        return self._repository.names([top], below=True)

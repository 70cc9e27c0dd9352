"""Constraints that people have just laid down: enforced before any consolidation has read them."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph_memory.consolidation.candidates import Extractor
from langgraph_memory.consolidation.grounding import ground
from langgraph_memory.consolidation.known import names_of
from langgraph_memory.consolidation.reconcile import Statement
from langgraph_memory.log import EventLog
from langgraph_memory.records import Event
from langgraph_memory.repository import Repository
from langgraph_memory.retrieval.guard import Waiting
from langgraph_memory.scope import Scope

_REMEMBERED = 2_000


class Lookahead:
    """Reads waiting events by rules, each once as long as nothing else changes.

    Args:
        log: where events wait.
        repository: names, authority and the revision.
        extractor: the rules; a model would be too slow before every tool call.
    """

    def __init__(self, log: EventLog, repository: Repository, extractor: Extractor) -> None:
        self._log = log
        self._repository = repository
        self._extractor = extractor
        self._read: dict[tuple[str, int], list[Waiting]] = {}

    def constraints(self, top: Scope) -> Sequence[Waiting]:
        """Constraints that people with authority have said under a tenant and no consolidation has read."""
        events = self._log.waiting_below(top)
        if not events:
            return ()
        revision = self._repository.ledger.revision()
        return [waiting for event in events for waiting in self._remembered(event, revision)]

    def _remembered(self, event: Event, revision: int) -> list[Waiting]:
        key = (event.event_id, revision)
        if key not in self._read:
            if len(self._read) > _REMEMBERED:
                self._read.clear()
            self._read[key] = self._constraints_in(event)
        return self._read[key]

    def _constraints_in(self, event: Event) -> list[Waiting]:
        names = names_of(self._repository.names(list(event.scope.ancestors())))
        known = {name: next(iter(ids)) for name, ids in names.items() if len(ids) == 1}
        found = []
        for candidate in self._extractor.extract([event], known):
            said = ground(candidate, [event], names, scope=event.scope, policy=self._repository.policy)
            if isinstance(said, Statement) and said.role and said.intent == "assert" and said.forbids:
                forms = {said.entity, candidate.entity or said.entity}  # the id may not be known by name yet
                found += [Waiting(event=event, entity=form, forbids=said.forbids) for form in sorted(forms)]
        return found

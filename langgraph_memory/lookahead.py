"""Constraints that people have just laid down: enforced before any consolidation has read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from langgraph_memory.consolidation.candidates import Candidate, Extractor
from langgraph_memory.consolidation.facts.grounding import ground
from langgraph_memory.consolidation.facts.name_book import NameBook, Names
from langgraph_memory.consolidation.facts.statements import Statement
from langgraph_memory.errors import StorageError
from langgraph_memory.log import EventLog
from langgraph_memory.recent import Recent
from langgraph_memory.records import Event
from langgraph_memory.repository import Repository
from langgraph_memory.retrieval.verdicts import Waiting
from langgraph_memory.scope import Scope

_MOST = 20_000
_TENANTS = 256


class Lookahead:
    """Reads waiting events by rules, each once.

    Args:
        log: where events wait.
        repository: names and authority.
        extractor: the rules; a model would be too slow before every tool call.
    """

    def __init__(self, log: EventLog, repository: Repository, extractor: Extractor) -> None:
        self._log = log
        self._repository = repository
        self._extractor = extractor
        self._names = NameBook(repository)
        self._settled: dict[str, tuple[Names, list[Waiting]]] = {}
        self._heard = Recent[str, tuple[Sequence[str], list[tuple[Event, list[Candidate]]]]](_TENANTS)
        self._read: dict[str, tuple[Event, list[Candidate]] | None] = {}

    def constraints(self, top: Scope) -> Sequence[Waiting]:
        """Constraints that people with authority have said under a tenant and no consolidation has read.

        Raises:
            StorageError: more waits than can be looked through.
        """
        waiting = self._log.waiting_ids(top, limit=_MOST + 1)
        if len(waiting) > _MOST:
            raise StorageError(f"more than {_MOST} messages wait under {str(top)!r}: consolidate them")
        known = self._heard.get(top.key)
        if known is None or known[0] is not waiting:
            self._read_new(waiting)
            heard = [read for event_id in waiting if (read := self._read.get(event_id)) is not None]
            known = self._heard.put(top.key, (waiting, heard))
        names = {event.scope: self._names.of(event.scope).names for event, _ in known[1]}
        return [each for event, told in known[1] for each in self._grounded(event, told, names[event.scope])]

    def _read_new(self, waiting: Sequence[str]) -> None:
        if len(self._read) > 2 * _MOST:
            self._read = {event_id: self._read[event_id] for event_id in waiting if event_id in self._read}
            self._settled = {
                event_id: known for event_id, known in self._settled.items() if event_id in self._read
            }
        for event in self._log.events([event_id for event_id in waiting if event_id not in self._read]):
            known = self._names.of(event.scope).names.plain
            rules = [_for_now(c) for c in self._extractor.extract([event], known) if _may_rule(c)]
            self._read[event.event_id] = (event, rules) if rules else None

    def _grounded(self, event: Event, candidates: Sequence[Candidate], names: Names) -> list[Waiting]:
        """What the candidates say by the names that are known now; worked out anew when these change."""
        known = self._settled.get(event.event_id)
        if known is None or known[0] is not names:
            known = self._settled[event.event_id] = names, self._ground(event, candidates, names.all)
        return known[1]

    def _ground(
        self, event: Event, candidates: Sequence[Candidate], names: Mapping[str, frozenset[str]]
    ) -> list[Waiting]:
        found = []
        for candidate in candidates:
            said = ground(candidate, [event], names, scope=event.scope, policy=self._repository.policy)
            if isinstance(said, Statement) and said.role:
                forms = {said.entity, candidate.entity or said.entity}  # the id may not be known by name yet
                found += [
                    Waiting(event=event, entity=form, attribute=said.attribute, forbids=said.forbids)
                    for form in sorted(forms)
                ]
        return found


def _for_now(candidate: Candidate) -> Candidate:
    """What is meant for this occasion holds until the activity has been read, as all that waits does."""
    return candidate.model_copy(update={"once": False})


def _may_rule(candidate: Candidate) -> bool:
    return candidate.intent == "assert" and bool(candidate.forbids)

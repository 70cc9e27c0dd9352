"""The names of entities once their sources are gone: those that other events still give stay."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection

from langgraph_memory.forgetting.plan import Plan
from langgraph_memory.log import EventLog
from langgraph_memory.log.erasure import Erasure
from langgraph_memory.log.ledger import Ledger
from langgraph_memory.publishing.learnt_names import pairs_in
from langgraph_memory.records import Event


class NamesLeft:
    """Drops names along with what is forgotten, and learns those anew that something else still supports."""

    def __init__(self, log: EventLog, ledger: Ledger, erasure: Erasure) -> None:
        self._log = log
        self._ledger = ledger
        self._erasure = erasure

    def forget(self, connection: Connection, plan: Plan) -> int:
        """Drop the names of a plan's target; how many that were."""
        top = plan.target.scope
        if plan.target.by == "scope":
            return self._erasure.drop_names(connection, top)
        events = (*plan.evidence.gone, *plan.evidence.changed)
        self._erasure.drop_vouching(connection, [(event.scope, event.activity_id) for event in events])
        if plan.evidence.entities:
            return self._erasure.drop_names(connection, top, plan.evidence.entities)
        lost = self._erasure.names_from(top, plan.gone)
        for scope, name, entity in lost:
            self._erasure.drop_name(connection, scope, name, entity)
        return len(lost) - self._relearn(connection, plan, lost)

    def _relearn(self, connection: Connection, plan: Plan, lost: Iterable[tuple[object, str, str]]) -> int:
        """Add those again that an event brings which stays; how many."""
        wanted = set(lost)
        gone = {event.event_id for event in plan.evidence.gone}
        entities = sorted({entity for _, _, entity in wanted})
        learnt = 0
        for event in self._log.holding(entities, below=plan.target.scope) if entities else ():
            if event.event_id not in gone:
                learnt += self._learn(connection, event, wanted)
        return learnt

    def _learn(self, connection: Connection, event: Event, wanted: set[tuple[object, str, str]]) -> int:
        found = [(n, e) for n, e in pairs_in(event) if (event.scope, n, e) in wanted]
        self._ledger.aliases.add(connection, event.scope, found, event.source)
        wanted.difference_update((event.scope, n, e) for n, e in found)
        return len(found)

"""Recall: from a text and the entities at hand to the memories that belong in the next prompt."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from pydantic import JsonValue

from langgraph_memory.answers import Explanation, MemoryKind, Omission, Recall, RecallItem
from langgraph_memory.entities import identifiers_in
from langgraph_memory.errors import MemoryRuntimeError, StorageError
from langgraph_memory.log import EventLog
from langgraph_memory.log.ledger import Entry
from langgraph_memory.names import normalise
from langgraph_memory.playbooks import ToolRegister
from langgraph_memory.records import (
    Episode,
    Event,
    Fact,
    FactKind,
    FactStatus,
    Observation,
    is_early_ending,
)
from langgraph_memory.repository import Repository
from langgraph_memory.repository.bodies import searchable_text
from langgraph_memory.repository.passages import texts_of
from langgraph_memory.retrieval.arms import Arms, Asked, bounded, failure
from langgraph_memory.retrieval.latest import latest_first, outdated
from langgraph_memory.retrieval.live import passed, shown_otherwise
from langgraph_memory.retrieval.offer import offered
from langgraph_memory.retrieval.pack import Packed, TokenCounter, pack
from langgraph_memory.retrieval.rank import fading, merge, rank
from langgraph_memory.retrieval.render import View, notices, unanswered
from langgraph_memory.retrieval.session import said_otherwise
from langgraph_memory.retrieval.unmatched import unmatched
from langgraph_memory.retrieval.variety import distinct, preferred
from langgraph_memory.scope import Principal, Scope
from langgraph_memory.store.tokens import tokenize

KINDS: tuple[MemoryKind, ...] = ("fact", "episode", "procedure", "event")
_OF_ENTITIES = 200


class Recaller:
    """Recalls from a repository and a log.

    Args:
        repository: where records are.
        log: where events wait for consolidation.
        clock: the time from which recency is counted.
        count: tokens of a text.
        tools: those that agents have now; procedures made for others are left out.
    """

    def __init__(
        self,
        repository: Repository,
        log: EventLog,
        *,
        clock: Callable[[], datetime],
        count: TokenCounter,
        tools: ToolRegister,
    ) -> None:
        self.repository = repository
        self.log = log
        self.clock = clock
        self.count = count
        self.tools = tools
        self._arms = Arms(repository, log)

    def recall(
        self,
        query: str,
        *,
        principal: Principal,
        scope: Scope,
        entities: Sequence[str],
        kinds: Iterable[MemoryKind],
        budget: int,
        thread_id: str | None,
        live: Sequence[Observation] = (),
    ) -> tuple[Recall, Explanation]:
        """The recall and its receipt.

        Raises:
            AccessDeniedError: the principal may not read the scope.
        """
        scopes = principal.readable(scope)
        query = bounded(query)
        try:
            with self.repository.reading():
                return self._recalled(
                    query, principal, scope, scopes, entities, tuple(kinds), budget, thread_id, live
                )
        except (StorageError, OSError) as error:
            degraded = (failure(error),)
            packed = pack([], view=View(), budget=budget, count=self.count, notices=notices(degraded))
            return self._answer(packed, (), degraded, query, scope, frozenset(entities))

    def _recalled(
        self,
        query: str,
        principal: Principal,
        scope: Scope,
        scopes: Sequence[Scope],
        entities: Sequence[str],
        wanted: Sequence[MemoryKind],
        budget: int,
        thread_id: str | None,
        live: Sequence[Observation],
    ) -> tuple[Recall, Explanation]:
        active = self._expanded(scopes, [*entities, *identifiers_in(query)])
        active |= {readable.entity for readable in scopes}
        entries = self.repository.concerning(scopes, sorted(active)) if active else []
        heard, unheard = self._heard(scopes)
        hits, failed = self._arms.reach(Asked(query, scopes, wanted, active, entries, thread_id, heard))
        degraded = (*failed, *unheard)
        floor = self.repository.policy.ranking.floor
        items, unfit = offered(merge(hits), scope, self.tools)
        relevant = [item for item in items if _matters(item, floor)]
        below = [Omission(id=item.id, reason="floor") for item in items if not _matters(item, floor)]
        weights = self.repository.policy.ranking
        relevant = preferred(relevant, query)
        ranked, alike = distinct(rank(relevant, now=self.clock(), weights=weights, entities=active))
        faded = [item.id for item in fading(ranked, weights)]
        ranked = [item for item in ranked if item.id not in faded]
        below += [Omission(id=item_id, reason="faded") for item_id in faded]
        ranked = latest_first(ranked, active)
        view = View(
            words=frozenset(tokenize(query)),
            entities=active,
            newest_first=weights.relevance > 0,
            outdated=outdated(ranked) | passed(ranked, live, lambda entity: self._expanded(scopes, [entity])),
            live=shown_otherwise(ranked, live, lambda entity: self._expanded(scopes, [entity])),
            session=self._session(ranked, scopes, principal, thread_id, heard),
            names=self._display_names(scopes, ranked),
            ended=self._ended(scopes, ranked, active),
        )
        missing = unmatched(query, _texts(relevant)) if relevant else ()
        head = [*notices(degraded), *unanswered(missing)]
        shares = self.repository.policy.shares
        packed = pack(ranked, view=view, budget=budget, count=self.count, notices=head, shares=shares)
        omitted = (*packed.omitted, *unfit, *below, *alike, *_not_current(entries, wanted))
        recall, receipt = self._answer(packed, omitted, degraded, query, scope, active, missing)
        body = {
            **receipt.body,
            "shortened": list(packed.shortened),
            "session": dict[str, JsonValue](_overridden(packed, view)),
        }
        return recall, receipt.model_copy(update={"body": body})

    def _heard(self, scopes: Sequence[Scope]) -> tuple[list[Event], tuple[str, ...]]:
        """What people said that no consolidation has read; and what failed, if it can't be told."""
        may = self.repository.policy.may_remember
        try:
            return self.log.waiting([scope for scope in scopes if may(scope)]), ()
        except (MemoryRuntimeError, OSError) as error:
            return [], (failure(error),)

    def _session(
        self,
        items: Sequence[RecallItem],
        scopes: Sequence[Scope],
        principal: Principal,
        thread_id: str | None,
        heard: Sequence[Event],
    ) -> dict[str, Event]:
        """What the principal has said in this thread in place of what facts hold, by fact id."""
        here = [event for event in heard if thread_id is not None and event.thread_id == thread_id]
        policy = self.repository.policy
        return said_otherwise(
            items,
            [event for event in here if event.actor.id == principal.user_id],
            lambda entity: self._expanded(scopes, [entity]),
            lambda actor, fact: policy.authority_of(actor, fact.scope, fact.attribute) is not None,
        )

    def _expanded(self, scopes: Sequence[Scope], entities: Sequence[str]) -> frozenset[str]:
        """The entities, the ids that they are names of, and the names of those."""
        known = {form for entity in entities for form in (entity, entity.rpartition(":")[2]) if form}
        for _ in range(2):  # from a name to its id, and from the id to its typed form and other names
            if not known:
                break
            forms = sorted(known | {normalise(form) for form in known})
            found = {form for pair in self.repository.ledger.aliases.related(scopes, forms) for form in pair}
            if found <= known:
                break
            known |= found
        return frozenset(known)

    def _display_names(self, scopes: Sequence[Scope], items: Sequence[RecallItem]) -> dict[str, str]:
        """The names under which people know the entities of the facts among the items."""
        entities = sorted({item.record.entity for item in items if isinstance(item.record, Fact)})
        if not entities:
            return {}
        forms = [*entities, *(normalise(entity.rpartition(":")[2]) for entity in entities)]
        known = self.repository.ledger.aliases.related(scopes, forms)
        return {entity: name for entity in entities if (name := _name_of(entity, known))}

    def _ended(
        self, scopes: Sequence[Scope], items: Sequence[RecallItem], active: frozenset[str]
    ) -> dict[str, str]:
        """What became of instructions that the episodes quote, by the source that said them."""
        told = [item.record for item in items if isinstance(item.record, Episode)]
        entities = sorted({*active, *(entity for episode in told for entity in episode.entities)})
        if not told or not entities:
            return {}
        not_in_force = [FactStatus.UNVERIFIED, FactStatus.SUPERSEDED, FactStatus.RETIRED]
        facts: list[Fact] = self.repository.find(
            "fact", scopes, entities=entities, status=not_in_force, limit=_OF_ENTITIES
        )
        return {source: became for fact in facts if (became := _became(fact)) for source in fact.sources}

    def _answer(
        self,
        packed: Packed,
        omitted: tuple[Omission, ...],
        degraded: tuple[str, ...],
        query: str,
        scope: Scope,
        active: frozenset[str],
        missing: tuple[str, ...] = (),
    ) -> tuple[Recall, Explanation]:
        recall = Recall(
            items=packed.items,
            constraints=tuple(_constraints(packed.items)),
            omitted=omitted,
            degraded=degraded,
            deferred=packed.deferred,
            unmatched=missing,
            receipt_id=f"recall_{uuid.uuid4().hex}",
            text=packed.text,
            tokens=packed.tokens,
        )
        return recall, _receipt(recall, query, scope, active, self.clock())


def _overridden(packed: Packed, view: View) -> dict[str, str]:
    """The events that count for the session in place of facts that are shown, by fact id."""
    shown = {item.id for item in packed.items}
    return {fact_id: event.event_id for fact_id, event in view.session.items() if fact_id in shown}


def _became(fact: Fact) -> str | None:
    """What became of a fact that is not in force; None for one that waits for its confirmation."""
    if is_early_ending(fact):
        return None
    if fact.status is FactStatus.UNVERIFIED:
        return "never authorised" if fact.authority_role is None else None
    return f"{fact.status.value} {fact.valid_until:%Y-%m-%d}" if fact.valid_until else None


def _texts(items: Iterable[RecallItem]) -> Iterable[str]:
    """The words of what was found, passage by passage."""
    for item in items:
        record = item.record
        if isinstance(record, Episode):
            texts = texts_of(record)
            yield from (texts[at] for at in item.passages)
        elif isinstance(record, Event):
            yield str(record.data.get("text", ""))
        else:
            yield searchable_text(record)


def _matters(item: RecallItem, floor: float) -> bool:
    """Whether an item is near enough to the query, or was asked for by entity."""
    return item.score >= floor or "entity" in item.reasons


def _name_of(entity: str, pairs: Sequence[tuple[str, str]]) -> str | None:
    own = {normalise(entity), normalise(entity.rpartition(":")[2])}
    names = [
        name
        for name, of in pairs
        if normalise(of.rpartition(":")[2]) in own and name.rpartition(":")[2] not in own
    ]
    return min(names, key=len, default=None)


def _receipt(recall: Recall, query: str, scope: Scope, active: frozenset[str], at: datetime) -> Explanation:
    return Explanation(
        id=recall.receipt_id,
        kind="recall",
        at=at,
        body={
            "query": query,
            "scope": str(scope),
            "entities": sorted(active),
            "offered": [
                {
                    "id": item.id,
                    "kind": item.kind,
                    "score": round(item.score, 4),
                    "reasons": list(item.reasons),
                }
                for item in recall.items
            ],
            "omitted": [omission.model_dump() for omission in recall.omitted],
            "degraded": list(recall.degraded),
            "deferred": list(recall.deferred),
            "unmatched": list(recall.unmatched),
            "tokens": recall.tokens,
        },
    )


def _not_current(entries: Sequence[Entry], kinds: Sequence[MemoryKind]) -> tuple[Omission, ...]:
    """Facts on active entities that are held no longer, or not yet: the receipt names them."""
    if "fact" not in kinds:
        return ()
    left_out = [e for e in entries if e.kind == "fact" and e.status != FactStatus.CURRENT]
    return tuple(Omission(id=entry.record_id, reason=entry.status) for entry in left_out)


def _constraints(items: Iterable[RecallItem]) -> Iterable[Fact]:
    for item in items:
        if isinstance(item.record, Fact) and item.record.kind is FactKind.CONSTRAINT:
            yield item.record

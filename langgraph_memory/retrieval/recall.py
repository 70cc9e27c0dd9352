"""Recall: from a text and the entities at hand to the memories that belong in the next prompt."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from pydantic import JsonValue

from langgraph_memory.answers import Explanation, MemoryKind, Omission, Recall, RecallItem
from langgraph_memory.bodies import Kind, procedure_entity, searchable_text
from langgraph_memory.entities import identifiers_in
from langgraph_memory.errors import MemoryRuntimeError, StorageError
from langgraph_memory.event_ids import compaction_activity
from langgraph_memory.ledger import Entry
from langgraph_memory.log import EventLog
from langgraph_memory.names import NameIndex, normalise
from langgraph_memory.passages import texts_of
from langgraph_memory.playbooks import ToolRegister
from langgraph_memory.playbooks.versions import BEHAVIOUR
from langgraph_memory.records import (
    Episode,
    Event,
    Fact,
    FactKind,
    FactStatus,
    Observation,
    ProcedureStatus,
)
from langgraph_memory.repository import Repository
from langgraph_memory.retrieval.dialogue import spread
from langgraph_memory.retrieval.latest import latest_first, outdated
from langgraph_memory.retrieval.live import passed, shown_otherwise
from langgraph_memory.retrieval.offer import offered
from langgraph_memory.retrieval.pack import Packed, TokenCounter, pack
from langgraph_memory.retrieval.quotes import quotes
from langgraph_memory.retrieval.rank import Hit, fading, merge, rank
from langgraph_memory.retrieval.render import View, notices, unanswered
from langgraph_memory.retrieval.session import said_otherwise
from langgraph_memory.retrieval.unmatched import unmatched
from langgraph_memory.retrieval.variety import distinct, preferred
from langgraph_memory.scope import Principal, Scope
from langgraph_memory.store.tokens import tokenize

KINDS: tuple[MemoryKind, ...] = ("fact", "episode", "procedure", "event")
_STORED: tuple[Kind, ...] = ("fact", "episode", "procedure")
_FOUND_BY_TEXT = 10
_PASSAGES = 100
_OF_ENTITIES = 200
_WAITING = 5
_WAITING_FLOOR = 0.3
_ENTITY_RELEVANCE = 0.8
_HALF_A_QUERY = 8_000


class Recaller:
    """The arms of a recall over a repository and a log.

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
        query = _bounded(query)
        try:
            with self.repository.reading():
                return self._recalled(
                    query, principal, scope, scopes, entities, tuple(kinds), budget, thread_id, live
                )
        except (StorageError, OSError) as error:
            degraded = (_named(error),)
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
        hits, failed = self._search(query, scopes, wanted, active, entries, thread_id, heard)
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
            return [], (_named(error),)

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

    def _search(
        self,
        query: str,
        scopes: Sequence[Scope],
        kinds: Sequence[MemoryKind],
        active: frozenset[str],
        entries: Sequence[Entry],
        thread_id: str | None,
        heard: Sequence[Event],
    ) -> tuple[list[Hit], tuple[str, ...]]:
        """All arms; one that fails is named and the others go on."""
        arms: list[Callable[[], list[Hit]]] = [
            lambda: self._by_entity(entries, kinds, query, active),
            lambda: self._by_text(query, scopes, kinds),
            lambda: self._rules(scopes, kinds),
            lambda: self._waiting(query, scopes, kinds, active, thread_id, heard),
        ]
        hits: list[Hit] = []
        degraded: list[str] = []
        for arm in arms:
            try:
                hits += arm()
            except (MemoryRuntimeError, OSError) as error:
                degraded.append(_named(error))
        return hits, tuple(degraded)

    def _by_entity(
        self, entries: Sequence[Entry], kinds: Sequence[MemoryKind], query: str, active: frozenset[str]
    ) -> list[Hit]:
        """Current facts on the active entities, and the latest episodes about them."""
        wanted = [e for e in entries if e.kind == "fact" and e.status == FactStatus.CURRENT]
        wanted += [e for e in entries if e.kind == "episode"]
        words = set(tokenize(query))
        names = NameIndex((name, name) for name in active)
        return [
            Hit(
                kind=_kind_of(record),
                record=record,
                relevance=_ENTITY_RELEVANCE,
                reason="entity",
                passages=quotes(record, words, names, _ENTITY_RELEVANCE)
                if isinstance(record, Episode)
                else {},
            )
            for record in self.repository.load([entry for entry in wanted if entry.kind in kinds])
        ]

    def _by_text(self, query: str, scopes: Sequence[Scope], kinds: Sequence[MemoryKind]) -> list[Hit]:
        stored = [kind for kind in _STORED if kind in kinds]
        if not query.strip() or not stored:
            return []
        found = self.repository.search(query, scopes, stored, limit=_FOUND_BY_TEXT, passages=_PASSAGES)
        told = [(hit.record, hit.passages) for hit in found if isinstance(hit.record, Episode)]
        passages = iter(spread(told, set(normalise(query).split())))
        return [
            _of_passages(hit.record, next(passages))
            if isinstance(hit.record, Episode)
            else Hit(kind=_kind_of(hit.record), record=hit.record, relevance=hit.score, reason="text")
            for hit in found
        ]

    def _rules(self, scopes: Sequence[Scope], kinds: Sequence[MemoryKind]) -> list[Hit]:
        """The behaviour rules that hold in these scopes: they belong in every prompt."""
        if "procedure" not in kinds:
            return []
        entity = procedure_entity(BEHAVIOUR)
        found = self.repository.find(
            "procedure", scopes, entities=[entity], status=[ProcedureStatus.CURRENT.value]
        )
        return [Hit(kind="procedure", record=rules, relevance=1.0, reason="rules") for rules in found]

    def _waiting(
        self,
        query: str,
        scopes: Sequence[Scope],
        kinds: Sequence[MemoryKind],
        active: frozenset[str],
        thread_id: str | None,
        waiting: Sequence[Event],
    ) -> list[Hit]:
        """What people said that no consolidation has read; what the prompt holds anyway is left out."""
        if "event" not in kinds:
            return []
        words, asked = set(tokenize(query)), query.strip()
        named = NameIndex((name, name) for name in active)
        hits = []
        own = thread_id is not None and any(event.thread_id == thread_id for event in waiting)
        dropped = self._dropped(scopes, thread_id) if own and thread_id is not None else frozenset()
        for event in waiting:
            here = thread_id is not None and event.thread_id == thread_id and event.event_id not in dropped
            if not here and str(event.data.get("text", "")).strip() != asked:
                relevance, reason = _relevance(event, words, named)
                if relevance >= _WAITING_FLOOR:
                    hits.append(Hit(kind="event", record=event, relevance=relevance, reason=reason))
        return sorted(hits, key=lambda hit: -hit.relevance)[:_WAITING]

    def _dropped(self, scopes: Sequence[Scope], thread_id: str) -> frozenset[str]:
        """The ids of events whose messages a compaction took out of the thread."""
        activity = compaction_activity(thread_id)
        records = [event for scope in scopes for event in self.log.of_activity(scope, activity)]
        ids = (dropped for record in records for dropped in _ids(record.data.get("dropped")))
        return frozenset(ids)

    def _expanded(self, scopes: Sequence[Scope], entities: Sequence[str]) -> frozenset[str]:
        """The entities, the ids that they are names of, and the names of those."""
        known = {form for entity in entities for form in (entity, entity.rpartition(":")[2]) if form}
        for _ in range(2):  # from a name to its id, and from the id to its typed form and other names
            if not known:
                break
            forms = sorted(known | {normalise(form) for form in known})
            found = {form for pair in self.repository.ledger.related_names(scopes, forms) for form in pair}
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
        known = self.repository.ledger.related_names(scopes, forms)
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


def _ids(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _became(fact: Fact) -> str | None:
    """What became of a fact that is not in force; None for one that waits for its confirmation."""
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


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _bounded(text: str) -> str:
    """The beginning and the end of a long text: all of a pasted log costs seconds and finds no more."""
    if len(text) <= 2 * _HALF_A_QUERY:
        return text
    return f"{text[:_HALF_A_QUERY]} {text[-_HALF_A_QUERY:]}"


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


def _of_passages(episode: Episode, passages: dict[int, float]) -> Hit:
    best = max(passages.values())
    return Hit(kind="episode", record=episode, relevance=best, reason="text", passages=passages)


def _kind_of(record: object) -> MemoryKind:
    kinds: dict[str, MemoryKind] = {"Fact": "fact", "Episode": "episode", "Procedure": "procedure"}
    return kinds[type(record).__name__]


def _relevance(event: Event, words: set[str], named: NameIndex) -> tuple[float, str]:
    text = event.data.get("text")
    said = _bounded(text) if isinstance(text, str) else ""
    if named.find_text(said):
        return 1.0, "waiting on entity"
    shared = words & set(tokenize(said))
    return (len(shared) / len(words) if words else 0.0), "waiting"


def _constraints(items: Iterable[RecallItem]) -> Iterable[Fact]:
    for item in items:
        if isinstance(item.record, Fact) and item.record.kind is FactKind.CONSTRAINT:
            yield item.record

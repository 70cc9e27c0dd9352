"""Recall: from a text and the entities at hand to the memories that belong in the next prompt."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import JsonValue

from langgraph_memory.answers import Explanation, MemoryKind, Omission, Recall, RecallItem
from langgraph_memory.entities import identifiers_in
from langgraph_memory.errors import MemoryRuntimeError, StorageError
from langgraph_memory.log import EventLog
from langgraph_memory.log.ledger import Entry
from langgraph_memory.playbooks import ToolRegister
from langgraph_memory.records import Episode, Event, Fact, FactKind, FactStatus, Observation
from langgraph_memory.repository import Repository
from langgraph_memory.repository.bodies import searchable_text
from langgraph_memory.repository.passages import texts_of
from langgraph_memory.retrieval.arms import Arms, Asked, bounded, failure
from langgraph_memory.retrieval.here import fitting, left
from langgraph_memory.retrieval.latest import outdated
from langgraph_memory.retrieval.live import passed, shown_otherwise
from langgraph_memory.retrieval.offer import offered
from langgraph_memory.retrieval.pack import Packed, TokenCounter, pack, pack_before
from langgraph_memory.retrieval.rank import floored, merge
from langgraph_memory.retrieval.render import View, notices, unanswered
from langgraph_memory.retrieval.session import said_otherwise
from langgraph_memory.retrieval.sifting import sifted
from langgraph_memory.retrieval.surroundings import Surroundings
from langgraph_memory.retrieval.unconfirmed import asserted
from langgraph_memory.retrieval.unmatched import unmatched
from langgraph_memory.scope import Principal, Scope
from langgraph_memory.store.tokens import tokenize

KINDS: tuple[MemoryKind, ...] = ("fact", "episode", "procedure", "event")


@dataclass(frozen=True, kw_only=True)
class Request:
    """One request for memories; see `Memory.recall`. `scopes` are those that the principal may read."""

    query: str
    principal: Principal
    scope: Scope
    scopes: tuple[Scope, ...]
    entities: tuple[str, ...]
    kinds: tuple[MemoryKind, ...]
    budget: int
    thread_id: str | None
    live: tuple[Observation, ...]
    gone: tuple[Event, ...]


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
        self._around = Surroundings(repository)

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
        gone: Sequence[Event] = (),
    ) -> tuple[Recall, Explanation]:
        """The recall and its receipt.

        Raises:
            AccessDeniedError: the principal may not read the scope.
        """
        request = Request(
            query=bounded(query),
            principal=principal,
            scope=scope,
            scopes=tuple(principal.readable(scope)),
            entities=tuple(entities),
            kinds=tuple(kinds),
            budget=budget,
            thread_id=thread_id,
            live=tuple(live),
            gone=tuple(gone),
        )
        try:
            with self.repository.reading():
                return self._recalled(request)
        except (StorageError, OSError) as error:
            degraded = (failure(error),)
            packed = pack([], view=View(), budget=budget, count=self.count, notices=notices(degraded))
            return self._answer(request, packed, (), degraded, frozenset(entities))

    def _recalled(self, asked: Request) -> tuple[Recall, Explanation]:
        policy, scopes = self.repository.policy, asked.scopes
        active = self._around.forms(scopes, [*asked.entities, *identifiers_in(asked.query)])
        active |= {readable.entity for readable in scopes}
        entries = self.repository.concerning(scopes, sorted(active)) if active else []
        heard, unheard = self._heard(scopes)
        hits, failed = self._arms.reach(
            Asked(asked.query, scopes, asked.kinds, active, entries, asked.thread_id, heard, asked.budget)
        )
        degraded = (*failed, *unheard)
        near, below = floored(hits, policy.ranking.floor)
        standing, overdue = asserted(merge(near), self.clock())
        items, unfit = offered(standing, asked.scope, self.tools)
        found = sifted(items, asked.query, weights=policy.ranking, now=self.clock(), entities=active)
        view = self._view(asked, found.told, active, heard)
        missing = unmatched(asked.query, _texts(found.relevant)) if found.relevant else ()
        head = [*notices(degraded), *unanswered(missing)]
        told_anyway = {item.id for item in found.told}
        here = left([event for event in asked.gone if event.event_id not in told_anyway], asked.live)

        def packing(room: int) -> Packed:
            return pack(
                found.told, view=view, budget=room, count=self.count, notices=head, shares=policy.shares
            )

        packed = pack_before(fitting(here, asked.budget, self.count), packing, asked.budget, self.count)
        omitted = (*packed.omitted, *overdue, *unfit, *below, *found.left_out)
        omitted += _not_current(entries, asked.kinds)
        recall, receipt = self._answer(asked, packed, omitted, degraded, active, missing)
        body = {
            **receipt.body,
            "shortened": list(packed.shortened),
            "session": dict[str, JsonValue](_overridden(packed, view)),
            "here": {name: len(told) for name, told in here.sections.items()},
        }
        return recall, receipt.model_copy(update={"body": body})

    def _view(
        self, asked: Request, told: Sequence[RecallItem], active: frozenset[str], heard: Sequence[Event]
    ) -> View:
        """What the lines of a recall depend on beside the records."""

        def forms(entity: str) -> frozenset[str]:
            return self._around.forms(asked.scopes, [entity])

        return View(
            words=frozenset(tokenize(asked.query)),
            entities=active,
            newest_first=self.repository.policy.ranking.relevance > 0,
            outdated=outdated(told) | passed(told, asked.live, forms),
            live=shown_otherwise(told, asked.live, forms),
            session=self._session(told, asked, heard),
            names=self._around.display_names(asked.scopes, told),
            ended=self._around.ended(asked.scopes, told, active),
        )

    def _heard(self, scopes: Sequence[Scope]) -> tuple[list[Event], tuple[str, ...]]:
        """What people said that no consolidation has read; and what failed, if it can't be told."""
        may = self.repository.policy.may_remember
        try:
            return self.log.waiting([scope for scope in scopes if may(scope)]), ()
        except (MemoryRuntimeError, OSError) as error:
            return [], (failure(error),)

    def _session(
        self, items: Sequence[RecallItem], asked: Request, heard: Sequence[Event]
    ) -> dict[str, Event]:
        """What the principal has said in this thread in place of what facts hold, by fact id."""
        here = [
            event for event in heard if asked.thread_id is not None and event.thread_id == asked.thread_id
        ]
        policy = self.repository.policy
        return said_otherwise(
            items,
            [event for event in here if event.actor.id == asked.principal.user_id],
            lambda entity: self._around.forms(asked.scopes, [entity]),
            lambda actor, fact: policy.authority_of(actor, fact.scope, fact.attribute) is not None,
        )

    def _answer(
        self,
        asked: Request,
        packed: Packed,
        omitted: tuple[Omission, ...],
        degraded: tuple[str, ...],
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
        return recall, _receipt(recall, asked, active, self.clock())


def _overridden(packed: Packed, view: View) -> dict[str, str]:
    """The events that count for the session in place of facts that are shown, by fact id."""
    shown = {item.id for item in packed.items}
    return {fact_id: event.event_id for fact_id, event in view.session.items() if fact_id in shown}


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


def _receipt(recall: Recall, asked: Request, active: frozenset[str], at: datetime) -> Explanation:
    """What is kept of a recall; of our own making, so that no part of it has to be validated."""
    body: dict[str, Any] = {
        "query": asked.query,
        "principal": asked.principal.user_id,
        "scope": str(asked.scope),
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
        "omitted": [{"id": omission.id, "reason": omission.reason} for omission in recall.omitted],
        "degraded": list(recall.degraded),
        "deferred": list(recall.deferred),
        "unmatched": list(recall.unmatched),
        "tokens": recall.tokens,
    }
    return Explanation.model_construct(id=recall.receipt_id, kind="recall", at=at, body=body)


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

"""The four amounts of memory that are compared: what each of them offers to the planner."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from langgraph.store.base import BaseStore, PutOp, SearchOp

from langgraph_memory.answers import ConsolidationReport, GuardDecision, Recall, RecallItem
from langgraph_memory.consolidation.facts.assertions import ASSERTED
from langgraph_memory.log import EventLog
from langgraph_memory.memory import Memory
from langgraph_memory.records import Event, Record
from langgraph_memory.scope import Scope, encode_label
from langgraph_memory.store import HybridStore


class Amount(StrEnum):
    """How much memory the agent has."""

    NONE = "no memory"
    RAW_LOG = "raw-log retrieval"
    EPISODES = "episodes only"
    FULL = "full"


class Offer(Record):
    """What was recalled for one step, and how long that took, in milliseconds."""

    recall: Recall
    milliseconds: float


class MeasuredMemory(Memory):
    """A memory that offers what its amount has, and notes what it offered and what its guard decided.

    Everything else, and all else in the agent's graph, is the same for all amounts.

    Args:
        store: see `Memory`.
        log: see `Memory`.
        amount: what `recall` may offer.
        options: see `Memory`.
    """

    def __init__(self, store: BaseStore, log: EventLog, *, amount: Amount, **options: Any) -> None:
        super().__init__(store, log, **options)
        self.amount = amount
        self._offered: list[Offer] = []
        self._decided: list[GuardDecision] = []
        self._raw = RawLog(log) if amount is Amount.RAW_LOG else None

    def recall(self, query: str, **options: Any) -> Recall:
        """The memories that the amount has; see `Memory.recall`."""
        if self._raw is not None:
            self._raw.read_on()
        started = time.perf_counter()
        recall = self._recalled(query, options)
        self._offered.append(Offer(recall=recall, milliseconds=(time.perf_counter() - started) * 1000))
        return recall

    def _recalled(self, query: str, options: dict[str, Any]) -> Recall:
        if self._raw is not None:
            return self._raw.recall(
                query, options["principal"].readable(options["scope"]), options.get("thread_id")
            )
        if self.amount is Amount.NONE:
            return Recall(receipt_id="recall_none", text="")
        if self.amount is Amount.EPISODES:
            options = options | {"kinds": ("episode",)}
        return super().recall(query, **options)

    def check(self, action: str, args: Mapping[str, Any] | None, **options: Any) -> GuardDecision:
        """The guard's decision, noted; see `Memory.check`."""
        decision = super().check(action, args, **options)
        self._decided.append(decision)
        return decision

    def consolidate(self, *given: Any, **options: Any) -> ConsolidationReport:
        """Episodes and facts are made for those amounts that read them; see `Memory.consolidate`."""
        reads = self.amount in (Amount.EPISODES, Amount.FULL)
        return super().consolidate(*given, **options) if reads else ConsolidationReport()

    def take_offers(self) -> tuple[Offer, ...]:
        """What was offered since the last call."""
        taken, self._offered = tuple(self._offered), []
        return taken

    def take_decisions(self) -> tuple[GuardDecision, ...]:
        """The guard's decisions since the last call."""
        taken, self._decided = tuple(self._decided), []
        return taken

    def close(self) -> None:
        """Close the raw log's index too."""
        if self._raw is not None:
            self._raw.close()
        super().close()


class RawLog:
    """Retrieval as it is often done: every message and tool result is indexed, the most similar come back.

    Args:
        log: the events.
        top: how many come back; four is what retrievers commonly give.
    """

    _NAMESPACE = ("log",)

    def __init__(self, log: EventLog, top: int = 4) -> None:
        self._log = log
        self._top = top
        self._index = HybridStore(":memory:")
        self._events: dict[str, Event] = {}
        self._seq = 0

    def read_on(self) -> None:
        """Index what is new in the log."""
        new = self._log.since(self._seq)
        self._events |= {event.event_id: event for event in new}
        self._seq = new[-1].seq if new else self._seq
        self._index.batch(
            [
                PutOp((*self._NAMESPACE, encode_label(e.scope.key)), e.event_id, {"text": log_line(e)})
                for e in new
            ]
        )

    def recall(self, query: str, scopes: Sequence[Scope], thread_id: str | None) -> Recall:
        """The events of the scopes most similar to the request, best first, without the thread's own."""
        searches = [
            SearchOp((*self._NAMESPACE, encode_label(s.key)), limit=10 * self._top, query=query)
            for s in scopes
        ]
        answers: list[Any] = self._index.batch(searches)
        hits = [hit for found in answers for hit in found]
        found = sorted(((self._events[hit.key], hit.score or 0.0) for hit in hits), key=lambda each: -each[1])
        chosen = [(e, score) for e, score in found if not thread_id or e.thread_id != thread_id][: self._top]
        items = [
            RecallItem(kind="event", record=event, score=score, reasons=("similar",))
            for event, score in chosen
        ]
        text = "\n".join(f"- {log_line(event)}" for event, _ in chosen)
        return Recall(receipt_id="recall_raw", items=tuple(items), text=text)

    def close(self) -> None:
        """Drop the index."""
        self._index.close()


def log_line(event: Event) -> str:
    """An event as a log shows it: day, who, its id, what."""
    return f"{event.occurred_at:%Y-%m-%d} {event.actor.id} [{event.event_id}]: {what_happened(event)}"


def what_happened(event: Event) -> str:
    """The words of a message, what was asserted, or the result of a tool."""
    data = event.data
    if event.event_type == ASSERTED:
        return f"{data['entity']}: {data['value']}"
    result = data.get("output") or data.get("error") or data
    return str(data.get("text") or f"{data.get('tool', event.event_type)} {json.dumps(result)}")

"""The four configurations that the demo compares: what each of them offers to the planner."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from langgraph.store.base import BaseStore, PutOp, SearchOp

from langgraph_memory.answers import GuardDecision, MemoryKind, Recall, RecallItem
from langgraph_memory.log import EventLog
from langgraph_memory.memory import Memory
from langgraph_memory.records import Event, Record
from langgraph_memory.scope import Principal, Scope
from langgraph_memory.store import HybridStore


class Arm(StrEnum):
    """How much memory the agent has."""

    NONE = "no memory"
    RAW_LOG = "raw-log retrieval"
    EPISODES = "episodes only"
    FULL = "full"


class Offer(Record):
    """What was recalled for one step, and how long that took, in milliseconds."""

    recall: Recall
    milliseconds: float


class ArmMemory(Memory):
    """A memory that offers what its arm has, and notes what it offered and what its guard decided.

    Everything else, and all else in the agent's graph, is the same for all arms.

    Args:
        arm: what `recall` may offer.
    """

    def __init__(self, store: BaseStore, log: EventLog, *, arm: Arm, **options: Any) -> None:
        super().__init__(store, log, **options)
        self.arm = arm
        self.offers: list[Offer] = []
        self.decisions: list[GuardDecision] = []
        self._raw = RawLog(log)

    def recall(
        self,
        query: str,
        *,
        principal: Principal,
        scope: Scope,
        entities: Iterable[str] = (),
        kinds: Iterable[MemoryKind] | None = None,
        token_budget: int = 800,
        thread_id: str | None = None,
    ) -> Recall:
        """The memories that the arm has; see `Memory.recall`."""
        if self.arm is Arm.RAW_LOG:
            self._raw.read_on()
        started = time.perf_counter()
        match self.arm:
            case Arm.NONE:
                recall = Recall(receipt_id="recall_none", text="")
            case Arm.RAW_LOG:
                recall = self._raw.recall(query, thread_id)
            case Arm.EPISODES | Arm.FULL:
                recall = super().recall(
                    query,
                    principal=principal,
                    scope=scope,
                    entities=entities,
                    kinds=("episode",) if self.arm is Arm.EPISODES else kinds,
                    token_budget=token_budget,
                    thread_id=thread_id,
                )
        self.offers.append(Offer(recall=recall, milliseconds=(time.perf_counter() - started) * 1000))
        return recall

    def check(
        self,
        action: str,
        args: Mapping[str, Any],
        *,
        principal: Principal,
        scope: Scope,
        unread: Iterable[str] = (),
    ) -> GuardDecision:
        """The guard's decision, noted; see `Memory.check`."""
        decision = super().check(action, args, principal=principal, scope=scope, unread=unread)
        self.decisions.append(decision)
        return decision

    def take_decisions(self) -> tuple[GuardDecision, ...]:
        """The guard's decisions since the last call."""
        taken, self.decisions = tuple(self.decisions), []
        return taken

    def close(self) -> None:
        """Close the raw log's index too."""
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
            [PutOp(self._NAMESPACE, event.event_id, {"text": log_line(event)}) for event in new]
        )

    def recall(self, query: str, thread_id: str | None) -> Recall:
        """The events most similar to the request, best first; those of the thread itself are left out."""
        (hits,) = self._index.batch([SearchOp(self._NAMESPACE, limit=10 * self._top, query=query)])
        found = [(self._events[hit.key], hit.score or 0.0) for hit in hits]  # type: ignore[union-attr]
        chosen = [(event, score) for event, score in found if event.thread_id != thread_id][: self._top]
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
    """The words of a message, or the result of a tool."""
    data = event.data
    result = data.get("output") or data.get("error") or data
    return str(data.get("text") or f"{data.get('tool', event.event_type)} {json.dumps(result)}")

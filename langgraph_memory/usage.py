"""What memory took, turn by turn, measured from the receipts of its recalls."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import select

from langgraph_memory.answers import Explanation
from langgraph_memory.cost import Load
from langgraph_memory.log.tables import records
from langgraph_memory.memory import Memory, TokenCounter, approximate_tokens
from langgraph_memory.records import Episode, Event, Fact, Moment, Procedure, Record

MONTH = timedelta(days=30)
_MOST = 0.95
_SAMPLED = 300
_PAGE = 500


class Turn(Record):
    """A recall as its receipt tells it."""

    at: Moment
    tokens: int
    query: str
    offered: tuple[str, ...]


class Tenure(Record):
    """The turns of one month since the first one: how many, and how many tokens memory added to each."""

    month: int
    turns: int
    injected: float


class Usage(Record):
    """What memory took.

    Attributes:
        turns: recalls that left a receipt.
        injected: tokens that it added to a turn, in the mean.
        injected_p95: the same, of the turn below which no more than 95 of 100 stay.
        helped: the share of turns to which it added anything.
        recomputed: tokens of the evidence behind what a turn got, in the mean of turns that got any.
        query: tokens of a query, in the mean.
        by_tenure: the same by month, oldest first.
        events: how many events there are.
        event_tokens: the size of all of them, as a model that consolidates reads them.
        episode_tokens: the size of all summaries and resolutions, as it writes them.
        months: from the first turn to the last.
        model_read: tokens that a model read to consolidate, as its provider counted; 0 without one.
        model_written: tokens that it wrote.
    """

    turns: int
    injected: float
    injected_p95: float
    helped: float
    recomputed: float
    query: float
    by_tenure: tuple[Tenure, ...]
    events: int
    event_tokens: int
    episode_tokens: int
    months: float
    model_read: int = 0
    model_written: int = 0

    def load(self, *, modelled: bool = False, needed: float | None = None, gigabytes: float = 0.0) -> Load:
        """The load of one turn.

        Args:
            modelled: estimate a chat model that consolidates, where none has: it reads each event twice, to
                extract and to narrate, and writes the episodes.
            needed: the share of turns that need memory; by default those to which it added anything.
            gigabytes: on disk.
        """
        turns = max(self.turns, 1)
        read, written = self.model_read, self.model_written
        if modelled and not read:
            read, written = 2 * self.event_tokens, self.episode_tokens
        return Load(
            injected=self.injected,
            recomputed=self.recomputed,
            read=read / turns,
            written=written / turns,
            embedded=self.query + self.episode_tokens / turns,
            needed=self.helped if needed is None else needed,
            gigabytes=gigabytes,
            turns_per_month=self.turns / max(self.months, 1.0),
        )


def measured(memory: Memory, count: TokenCounter = approximate_tokens) -> Usage:
    """What the memory took so far, from its receipts, events and episodes.

    Args:
        memory: which one.
        count: tokens of a text.
    """
    turns = turns_of(memory)
    sizes = sorted(turn.tokens for turn in turns)
    helped = [turn for turn in turns if turn.offered]
    events = memory.log.since(0)
    spent = memory.spent()
    return Usage(
        turns=len(turns),
        injected=_mean(sizes),
        injected_p95=sizes[math.ceil(_MOST * len(sizes)) - 1] if sizes else 0,
        helped=len(helped) / len(turns) if turns else 0.0,
        recomputed=_mean(_evidence(memory, turn, count) for turn in helped[-_SAMPLED:]),
        query=_mean(count(turn.query) for turn in turns[-_SAMPLED:]),
        by_tenure=_by_tenure(turns),
        events=len(events),
        event_tokens=sum(count(event.model_dump_json(include={"data"})) for event in events),
        episode_tokens=sum(count(f"{e.summary} {e.resolution or ''}") for e in _episodes(memory)),
        months=(turns[-1].at - turns[0].at) / MONTH if turns else 0.0,
        model_read=spent.input_tokens,
        model_written=spent.output_tokens,
    )


def turns_of(memory: Memory) -> list[Turn]:
    """The recalls that left a receipt, oldest first."""
    return [_turn(receipt) for receipt in memory.explanations("recall")]


def _turn(receipt: Explanation) -> Turn:
    body: Mapping[str, Any] = receipt.body
    return Turn(
        at=receipt.at,
        tokens=body.get("tokens", 0),
        query=body.get("query", ""),
        offered=tuple(item["id"] for item in body.get("offered", ())),
    )


def _by_tenure(turns: Sequence[Turn]) -> tuple[Tenure, ...]:
    months: defaultdict[int, list[int]] = defaultdict(list)
    for turn in turns:
        months[int((turn.at - turns[0].at) / MONTH)].append(turn.tokens)
    return tuple(
        Tenure(month=month, turns=len(sizes), injected=_mean(sizes))
        for month, sizes in sorted(months.items())
    )


def _evidence(memory: Memory, turn: Turn, count: TokenCounter) -> int:
    """The size of the events behind what a turn got: what would have to be read to derive it again."""
    entries = memory.repository.ledger.entries(list(turn.offered))
    found = {event.event_id: event for event in memory.log.events(list(turn.offered))}
    for record in memory.repository.load(list(entries.values())):
        found |= {event.event_id: event for event in _events_behind(memory, record)}
    return sum(count(_words(event)) for event in found.values())


def _events_behind(memory: Memory, record: Fact | Episode | Procedure) -> list[Event]:
    """The events of an episode's activity, or those that a fact or a procedure cites."""
    if isinstance(record, Episode):
        return memory.log.of_activity(record.scope, record.activity_id)
    if isinstance(record, Fact):
        said_in = [memory.log.of_activity(record.scope, activity) for activity in record.corroboration]
        return [event for events in said_in for event in events if event.source in record.sources]
    return memory.log.events(list(record.evidence))


def _words(event: Event) -> str:
    return f"{event.actor.id} {event.event_type} {json.dumps(event.data, ensure_ascii=False)}"


def _episodes(memory: Memory) -> Iterator[Episode]:
    with memory.log.database.read() as connection:
        ids = list(connection.scalars(select(records.c.record_id).where(records.c.kind == "episode")))
    for start in range(0, len(ids), _PAGE):
        entries = memory.repository.ledger.entries(ids[start : start + _PAGE])
        yield from memory.repository.load(list(entries.values()))


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0

"""What speaks for a fact: events that it cites, and decisions of people about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from langgraph_memory.consolidation.facts.decisions import DECISIONS
from langgraph_memory.log import EventLog
from langgraph_memory.records import Event, Fact, Record

AFFIRMING = frozenset({"fact.confirmed", "fact.corrected", "fact.merged"})
"""Decisions by which someone says that a fact holds."""


ENDING = frozenset({"fact.retired", "fact.rejected"})
"""Decisions by which someone says that a fact holds no longer, or never did."""


class Testimony(Record):
    """What speaks for a fact, and what did before it was forgotten.

    Attributes:
        said: events that the fact cites, in the order in which it cites them.
        rulings: decisions about it.
        gone: decisions about it that go.
        against: events among its counterexamples.
    """

    said: tuple[Event, ...] = ()
    rulings: tuple[Event, ...] = ()
    gone: tuple[Event, ...] = ()
    against: tuple[Event, ...] = ()


def heard(log: EventLog, facts: Sequence[Fact], *, gone: Collection[Event] = ()) -> dict[str, Testimony]:
    """The testimony for some facts, by their ids, read at once; `gone` are events that do not count."""
    left_out = {event.event_id for event in gone}
    said: defaultdict[str, list[Event]] = defaultdict(list)
    cited = {source for fact in facts for source in (*fact.sources, *fact.counterexamples)}
    for event in log.from_sources(sorted(cited)):
        if event.event_id not in left_out:
            said[event.source].append(event)
    rulings: defaultdict[str, list[Event]] = defaultdict(list)
    for event in log.holding([fact.fact_id for fact in facts]):
        if event.event_type in DECISIONS and event.event_id not in left_out:
            rulings[str(event.data.get("fact"))].append(event)
    taken = [event for event in gone if event.event_type in DECISIONS]
    return {
        fact.fact_id: Testimony(
            said=tuple(event for source in fact.sources for event in said[source]),
            rulings=tuple(rulings[fact.fact_id]),
            gone=tuple(event for event in taken if event.data.get("fact") == fact.fact_id),
            against=tuple(event for source in fact.counterexamples for event in said[source]),
        )
        for fact in facts
    }

"""Whether decisions were right, and what they rested on. Pure functions of what was told, shown and done."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from langgraph_memory.answers import RecallItem, record_id
from langgraph_memory.evaluation.scenario import EVERYTHING, Routine, Session
from langgraph_memory.evaluation.telling import Told
from langgraph_memory.evaluation.world import Deed
from langgraph_memory.records import Event, Record

Expected = Literal["act", "hold", "instead"]


class Decision(Record):
    """What an agent did with a thing that a scenario expects something of.

    Attributes:
        thing: its name.
        expected: to act on it, to hold it back, or to use the other tool for it.
        attempted: whether it asked for the tool, even if the guard refused.
        done: whether the tool ran.
        misled: whether the decision is wrong and rests on a shown statement that is not in force.
    """

    thing: str
    expected: Expected
    attempted: bool
    done: bool
    misled: bool = False

    @property
    def right(self) -> bool:
        """Whether what happened is what is expected."""
        return self.done != (self.expected == "hold")


class Shown(Record):
    """What stood before the planner in one request: how many records, and how many of them mattered."""

    records: int
    mattered: int


def decisions(
    session: Session,
    routine: Routine,
    *,
    attempts: Collection[Deed],
    done: Collection[Deed],
    told: Sequence[Told],
    items: Sequence[RecallItem],
) -> list[Decision]:
    """Judge a request.

    Args:
        session: says what is expected.
        routine: its tools.
        attempts: what the agent asked for.
        done: what the tools did.
        told: what has been laid down so far.
        items: what was recalled for it.
    """
    expectations: list[tuple[str, Expected, str]] = [
        *((thing, "act", routine.act) for thing in session.must),
        *((thing, "hold", routine.act) for thing in session.must_not),
        *((thing, "instead", routine.otherwise or "") for thing in session.instead),
    ]
    found = []
    for thing, expected, tool in expectations:
        deed = Deed(tool=tool, thing=thing)
        decision = Decision(
            thing=thing, expected=expected, attempted=deed in attempts or deed in done, done=deed in done
        )
        found.append(decision.model_copy(update={"misled": misled(decision, told, items)}))
    return found


def in_force(told: Iterable[Told], thing: str) -> Told | None:
    """The statement that holds for a thing: the last one by somebody with a say, in the scenario's scope."""
    on_it = [each for each in told if each.thing in (thing, EVERYTHING) and each.authorised and each.here]
    return on_it[-1] if on_it else None


def misled(decision: Decision, told: Sequence[Told], items: Sequence[RecallItem]) -> bool:
    """Whether a wrong decision has a shown statement to rest on that is not in force, and no better one."""
    acted = decision.attempted and decision.expected == "hold"
    held = not decision.attempted and decision.expected == "act"
    if not (acted or held):
        return False
    ruling = in_force(told, decision.thing)
    if ruling is not None and cited(items, ruling.sources):
        return False
    others = [each for each in told if each.thing in (decision.thing, EVERYTHING) and each is not ruling]
    return any(bool(each.statement.forbids) == held and cited(items, each.sources) for each in others)


def shown(session: Session, told: Sequence[Told], items: Sequence[RecallItem]) -> Shown:
    """How many of the recalled records the decisions of a session rest on."""
    unique = {record_id(item.record): item for item in items}
    deciding = frozenset(s for each in told if each.statement.id in session.because for s in each.sources)
    mattered = sum(cited([item], deciding) for item in unique.values())
    return Shown(records=len(unique), mattered=mattered)


def cited(items: Iterable[RecallItem], sources: Collection[str]) -> bool:
    """Whether one of the records cites one of the sources."""
    return any(not sources_of(item).isdisjoint(sources) for item in items)


def sources_of(item: RecallItem) -> frozenset[str]:
    """What a recalled record rests on."""
    record = item.record
    if isinstance(record, Event):
        return frozenset({record.event_id, record.source})
    return frozenset(getattr(record, "sources", ()) or getattr(record, "evidence", ()))

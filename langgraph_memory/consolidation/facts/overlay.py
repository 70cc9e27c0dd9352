"""Statements settled one after another on top of what is stored, written together afterwards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlalchemy import Connection

from langgraph_memory.consolidation.facts.ceased import ceased, is_unnamed_end
from langgraph_memory.consolidation.facts.classes import apart, endings, has_ended
from langgraph_memory.consolidation.facts.reconcile import reconcile
from langgraph_memory.consolidation.facts.statements import (
    NOTHING_AROUND,
    Around,
    Statement,
    Verdict,
    same,
    waits_as,
)
from langgraph_memory.log.ledger import Place
from langgraph_memory.log.staleness import StaleReadError
from langgraph_memory.names import canonical
from langgraph_memory.records import (
    ActorKind,
    Fact,
    FactKind,
    FactStatus,
    has_lapsed,
    is_asked_first,
    is_early_ending,
)
from langgraph_memory.repository import Change, Repository
from langgraph_memory.scope import Scope

_NOT_HELD = (FactStatus.CANDIDATE, FactStatus.UNVERIFIED, FactStatus.RETIRED, FactStatus.SUPERSEDED)
_LATEST = 200
"""How many facts about an entity that are not held are looked through, newest first."""


class Overlay:
    """Statements settled one after another on top of what is stored, written together afterwards."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._facts: dict[str, Fact] = {}
        self._numbers: defaultdict[tuple[Scope, str], dict[str, int]] = defaultdict(dict)
        self._expected: dict[str, str | None] = {}
        self._places: dict[object, str | None] = {}
        self._counted_on: dict[tuple[Scope, str, FactStatus], frozenset[str]] = {}

    def settle(self, statement: Statement) -> Verdict:
        """Decide one statement and remember what it writes."""
        statement = self.bound(statement)
        known = self._repository.ledger.standings(statement.scope, statement.entity)
        current = self._current(statement)
        verdict = reconcile(
            statement,
            current,
            around=self._around(statement, current),
            tombstone=self._repository.tombstone(statement.scope, statement.entity, statement.value),
            policy=self._repository.policy,
        )
        for fact in verdict.writes:
            self._count_on(known, fact)
            self.put(fact)
        return verdict

    def hear(self, statement: Statement) -> list[Verdict]:
        """Decide a spoken statement, which names no attribute but what may or may not be done.

        A prohibition replaces only one of the same actions: others add up. An ending reaches each rule that
        rules out what it allows again, and none that doesn't.
        """
        statement = self.bound(statement)
        if is_unnamed_end(statement):
            held = self._held(statement)
            return [self.settle(ending) for ending in ceased(statement, held, self._repository.policy)]
        if statement.kind is not FactKind.CONSTRAINT or not statement.forbids:
            return [self.settle(statement)]
        rules = self._rules(statement)
        if statement.intent == "assert":
            return [self.settle(apart(statement, rules))]
        return [self.settle(ending) for ending in endings(statement, rules)]

    def fact(self, fact_id: str) -> Fact | None:
        """A fact as it stands on top of what is stored."""
        if fact_id in self._facts:
            return self._facts[fact_id]
        stored = self._repository.record(fact_id)
        return stored if isinstance(stored, Fact) else None

    def holder(self, fact: Fact) -> Fact | None:
        """The fact that is current where this one would be."""
        place = self._place(fact)
        if place in self._places:
            held = self._places[place]
            return self._facts[held] if held else None
        return self._repository.current(fact.scope, fact.entity, fact.attribute, fact.value)

    def end_of(self, statement: Statement) -> Fact | None:
        """What tells that a statement's matter ended after it was made; None if nothing does."""
        ended = self._around(statement, None).ended
        late = ended is not None and ended.valid_until is not None and statement.at < ended.valid_until
        return ended if late else None

    def check(self, connection: Connection) -> None:
        """Inside the commit: nothing has ended meanwhile that was to hold, or come that was to end.

        Raises:
            StaleReadError: something has; read and decide again.
        """
        for scope, entity, status in sorted(self._counted_on, key=str):
            known = self._counted_on[scope, entity, status] | self._facts.keys()
            now = self._repository.ledger.standings_now(connection, scope, entity)
            for fact_id, standing in now.items():
                if standing == status and fact_id not in known:
                    raise StaleReadError(fact_id)

    def _count_on(self, known: Mapping[str, str], fact: Fact) -> None:
        """Note what a decision rests on that no record's own version shows: that there is nothing else."""
        if is_early_ending(fact):
            absent = FactStatus.CURRENT
        elif fact.status is FactStatus.CURRENT and fact.fact_id not in known:
            absent = FactStatus.RETIRED
        else:
            return
        seen = frozenset(fact_id for fact_id, standing in known.items() if standing == absent)
        self._counted_on.setdefault((fact.scope, fact.entity, absent), seen)

    def changes(self) -> tuple[Change, ...]:
        """The facts to write, each with the digest it was decided on."""
        return tuple(
            Change(record=fact, expected=self._expected[fact_id]) for fact_id, fact in self._facts.items()
        )

    def bound(self, statement: Statement) -> Statement:
        """The statement about the entity under whose very name something is held.

        A rule can be laid down on a name before any tool tells which id it belongs to.
        """
        named = statement.named_as
        if named is None or named == statement.entity:
            return statement
        by_name = statement.model_copy(update={"entity": named})
        held_elsewhere = self._current(statement) is None and self._current(by_name) is not None
        return by_name if held_elsewhere else statement

    def _current(self, statement: Statement) -> Fact | None:
        place = self._place(statement)
        if place in self._places:
            held = self._places[place]
            return self._facts[held] if held else None
        found = self._repository.current(
            statement.scope, statement.entity, statement.attribute, statement.value
        )
        if found is None and statement.intent != "assert":
            found = self._only_rule(statement)
        if found is not None:
            self._expected.setdefault(found.fact_id, self._repository.digest(found))
            return self._facts.get(found.fact_id, found)
        return None

    def _around(self, statement: Statement, current: Fact | None) -> Around:
        """What waits or ended at the statement's place; nothing is looked up for one that is held already."""
        if statement.speaker in (ActorKind.TOOL, ActorKind.SYSTEM) or (
            current is not None and statement.intent == "assert" and same(statement, current)
        ):
            return NOTHING_AROUND
        names = self._names(statement)
        stored: list[Fact] = self._repository.find(
            "fact", [statement.scope], entities=names, status=_NOT_HELD, limit=_LATEST
        )
        facts = {fact.fact_id: fact for fact in stored} | self._about(statement.scope, names)
        here = [fact for fact in facts.values() if fact.status in _NOT_HELD]
        place = self._place(statement)
        at_its_place = [fact for fact in here if self._place(fact) == place]
        over = [fact for fact in here if fact.valid_until and fact.entity in names]
        ended = [f for f in over if has_ended(statement, f, in_its_place=self._place(f) == place)]
        return Around(
            lapsed=next((fact for fact in at_its_place if has_lapsed(fact)), None),
            pending=next((fact for fact in here if _is_pending(statement, fact, current)), None),
            ended=max(ended, key=_end, default=None),
            asking=tuple(fact for fact in here if is_asked_first(fact)),
        )

    @staticmethod
    def _names(statement: Statement) -> list[str]:
        """The entity, and the name by which the statement speaks of it."""
        return sorted({statement.entity, statement.named_as or statement.entity})

    def _only_rule(self, statement: Statement) -> Fact | None:
        """The one constraint on the entity: what an ending means that names no attribute of ours."""
        rules = self._rules(statement)
        return rules[0] if len(rules) == 1 and not statement.forbids else None

    def _rules(self, statement: Statement) -> list[Fact]:
        """The current constraints on the statement's entity, on top of what is stored."""
        return [fact for fact in self._held(statement) if fact.kind is FactKind.CONSTRAINT]

    def _held(self, statement: Statement) -> list[Fact]:
        """The current facts about the statement's entity, on top of what is stored."""
        stored: list[Fact] = self._repository.find(
            "fact", [statement.scope], entities=[statement.entity], status=[FactStatus.CURRENT]
        )
        own = self._about(statement.scope, [statement.entity])
        facts = {fact.fact_id: fact for fact in stored} | own
        return [fact for fact in facts.values() if fact.status is FactStatus.CURRENT]

    def _about(self, scope: Scope, entities: Iterable[str]) -> dict[str, Fact]:
        """The facts on top of what is stored that are about these entities, in the order they were put."""
        numbers: dict[str, int] = {}
        for entity in entities:
            numbers |= self._numbers.get((scope, entity), {})
        return {fact_id: self._facts[fact_id] for fact_id in sorted(numbers, key=numbers.__getitem__)}

    def put(self, fact: Fact) -> None:
        """Remember a fact to write."""
        stored = self._repository.record(fact.fact_id)
        was_held = isinstance(stored, Fact) and stored.status is FactStatus.CURRENT
        self._expected.setdefault(fact.fact_id, self._repository.digest(stored) if stored else None)
        self._numbers[fact.scope, fact.entity].setdefault(fact.fact_id, len(self._facts))
        self._facts[fact.fact_id] = fact
        place = self._place(fact)
        if fact.status is FactStatus.CURRENT:
            self._places[place] = fact.fact_id
        elif self._places.get(place, was_held and fact.fact_id) == fact.fact_id:
            self._places[place] = None

    def _place(self, about: Fact | Statement) -> Place:
        return self._repository.place(about.scope, about.entity, about.attribute, about.value)


def _is_pending(statement: Statement, fact: Fact, current: Fact | None) -> bool:
    """Whether a fact waits for just what the statement says."""
    if (fact.scope, fact.entity, fact.status) != (statement.scope, statement.entity, waits_as(statement)):
        return False
    if statement.intent != "assert":
        return (
            current is not None
            and fact.would_end == current.fact_id
            and canonical(fact.value) == canonical(statement.value)
        )
    return fact.would_end is None and fact.attribute == statement.attribute and same(statement, fact)


def _end(fact: Fact) -> tuple[datetime, str]:
    at = fact.valid_until
    assert at is not None  # noqa: S101 - only facts that ended are compared
    return at, fact.fact_id

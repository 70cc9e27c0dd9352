"""Statements settled one after another on top of what is stored, written together afterwards."""

from __future__ import annotations

from langgraph_memory.consolidation.reconcile import Statement, Verdict, reconcile
from langgraph_memory.records import Fact, FactKind, FactStatus
from langgraph_memory.repository import Change, Repository


class Overlay:
    """Statements settled one after another on top of what is stored, written together afterwards."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._facts: dict[str, Fact] = {}
        self._expected: dict[str, str | None] = {}
        self._places: dict[object, str | None] = {}

    def settle(self, statement: Statement) -> Verdict:
        """Decide one statement and remember what it writes."""
        current = self._current(statement)
        tombstone = self._repository.ledger.tombstone(statement.scope, statement.entity, statement.value)
        verdict = reconcile(statement, current, tombstone=tombstone, policy=self._repository.policy)
        for fact in verdict.writes:
            self._remember(fact)
        return verdict

    def changes(self) -> tuple[Change, ...]:
        """The facts to write, each with the digest it was decided on."""
        return tuple(
            Change(record=fact, expected=self._expected[fact_id]) for fact_id, fact in self._facts.items()
        )

    def _current(self, statement: Statement) -> Fact | None:
        place = self._repository.place(
            statement.scope, statement.entity, statement.attribute, statement.value
        )
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

    def _only_rule(self, statement: Statement) -> Fact | None:
        """The one constraint on the entity: what an ending means that names no attribute of ours."""
        facts = self._repository.find(
            "fact", [statement.scope], entities=[statement.entity], status=[FactStatus.CURRENT]
        )
        rules = [fact for fact in facts if fact.kind is FactKind.CONSTRAINT]
        if statement.forbids and len(rules) > 1:
            lifted = set(statement.forbids)
            rules = [
                rule for rule in rules if lifted & set(rule.forbids) or "*" in (lifted | set(rule.forbids))
            ]
        return rules[0] if len(rules) == 1 else None

    def _remember(self, fact: Fact) -> None:
        if fact.fact_id not in self._expected:
            stored = self._repository.record(fact.fact_id)
            self._expected[fact.fact_id] = self._repository.digest(stored) if stored else None
        self._facts[fact.fact_id] = fact
        place = self._repository.place(fact.scope, fact.entity, fact.attribute, fact.value)
        if fact.status is FactStatus.CURRENT:
            self._places[place] = fact.fact_id
        elif fact.status in (FactStatus.RETIRED, FactStatus.SUPERSEDED):
            self._places[place] = None

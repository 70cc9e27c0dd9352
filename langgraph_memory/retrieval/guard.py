"""The guard: which constraints a tool call touches, and whether they cover what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from langgraph_memory.intervals import by_the_clock
from langgraph_memory.records import Fact, is_asked_first
from langgraph_memory.repository import Repository
from langgraph_memory.retrieval.calls import Call
from langgraph_memory.retrieval.deeds import Deed, covers, deed, may_cover
from langgraph_memory.retrieval.encodings import UnjudgedError
from langgraph_memory.retrieval.held import Held, HeldBelow
from langgraph_memory.retrieval.reach import reach
from langgraph_memory.retrieval.sweeps import SWEEPING
from langgraph_memory.retrieval.touch import Touch
from langgraph_memory.retrieval.verdicts import Touched, Verdict, Waiting, decide, is_anothers, is_apart
from langgraph_memory.scope import Principal, Scope


class Case:
    """A call to judge: what it does, and who makes it where."""

    def __init__(self, call: Call, done: Deed, scope: Scope, principal: Principal) -> None:
        self.call, self.done, self.scope, self.principal = call, done, scope, principal

    def may_be(self, forbids: Iterable[str]) -> bool:
        """Whether the call may do what a constraint rules out."""
        return may_cover(forbids, self.done)

    def reaches(self, forbids: Iterable[str], stands: Scope) -> bool:
        """Whether it does what is ruled out to things that it doesn't name, where the constraint stands."""
        if not self.reached or not covers(forbids, self.reached) or self.anothers(stands):
            return False
        return stands.covers(self.scope) or self.scope.covers(stands)

    def does(self, forbids: Iterable[str]) -> bool:
        """Whether it is told that the call does what a constraint rules out."""
        return bool(self._told) and covers(forbids, self._told)

    def swept(self, touch: Touch) -> frozenset[str]:
        """The paths, of those that are looked for, in or around what it acts on."""
        if self._told.isdisjoint(SWEEPING):
            return frozenset()
        return touch.swept(self.call, free=self.done.speaks_of is not None)

    @property
    def _told(self) -> frozenset[str]:
        """The classes of what it is told to do."""
        return self.done.classes | (self.done.speaks_of or frozenset())

    def anothers(self, stands: Scope) -> bool:
        """Whether a scope is another user's own."""
        return is_anothers(stands, self.principal)

    @cached_property
    def reached(self) -> frozenset[str]:
        """The classes of what it does to things that it doesn't name."""
        if self.done.named:
            return frozenset()
        places = [value.casefold() for level, value in self.scope.levels if level in ("org", "workspace")]
        return reach(self.call, self.done.classes, free=self.done.speaks_of is not None, places=places)


class Constraints:
    """The constraints under one tenant, by their entities.

    Args:
        held: the facts, and the names by which their entities are known.
    """

    def __init__(self, held: Held) -> None:
        self.held = held
        self.facts = held.facts
        self._names = held.names
        self._forbidden = frozenset(fact.forbids for fact in held.facts)
        self._lost = Touch(held.unreadable, held.names)
        self._of_waiting: tuple[frozenset[str], Touch] = (frozenset(), Touch((), ()))

    def named(self, call: Call) -> list[Fact]:
        """Those on entities that the call names."""
        return self._on(self._touch.named(call))

    def in_doubt(self, case: Case) -> list[Fact]:
        """Those that could cover the call, on what it may mean or reaches without naming it."""
        if not any(map(case.may_be, self._forbidden)):
            return []
        meant = [fact for fact in self._on(self._touch.meant(case.call)) if case.may_be(fact.forbids)]
        if any(map(case.does, self._forbidden)):
            meant += [fact for fact in self._on(case.swept(self._touch)) if case.does(fact.forbids)]
        settled = (fact for fact in self.facts if case.reached and not is_asked_first(fact))
        reached = [fact for fact in settled if case.reaches(fact.forbids, fact.scope)]
        return list({fact.fact_id: fact for fact in (*meant, *reached)}.values())

    def concerned(self, case: Case, waiting: Sequence[Waiting]) -> list[Waiting]:
        """Those of waiting constraints that are on what the call touches, or on its scope as a whole."""
        if not waiting:
            return []
        touch = self._touch_of(waiting)
        named = touch.named(case.call)
        doubtful = {each.entity for each in waiting if case.may_be(each.forbids)}
        meant = touch.meant(case.call) & doubtful if doubtful else frozenset()
        done_to = {each.entity for each in waiting if case.does(each.forbids)}
        meant |= case.swept(touch) & done_to if done_to else frozenset()
        around = frozenset(scope.entity for scope in case.scope.ancestors())
        return [
            each
            for each in waiting
            if (each.entity in around if each.on_its_scope else each.entity in named | meant)
            or case.reaches(each.forbids, each.event.scope)
        ]

    def of_scopes(self, scope: Scope) -> list[Fact]:
        """Those on the scope as a whole, and on what covers it."""
        found = (self._by_entity.get(ancestor.entity, ()) for ancestor in scope.ancestors())
        return [fact for facts in found for fact in facts]

    def unreadable(self, call: Call) -> tuple[str, ...]:
        """The entities that the call names of which a current fact can't be read."""
        return tuple(sorted(self._lost.named(call)))

    def _on(self, entities: frozenset[str]) -> list[Fact]:
        return [fact for entity in sorted(entities) for fact in self._by_entity[entity]]

    def _touch_of(self, waiting: Sequence[Waiting]) -> Touch:
        """What finds the entities of constraints that wait for consolidation."""
        entities = frozenset(each.entity for each in waiting)
        known, touch = self._of_waiting
        if known != entities:
            touch = Touch(sorted(entities), self._names)
            self._of_waiting = (entities, touch)  # at once: other threads read both
        return touch

    @cached_property
    def _by_entity(self) -> dict[str, list[Fact]]:
        found: dict[str, list[Fact]] = {}
        for fact in self.facts:
            found.setdefault(fact.entity, []).append(fact)
        return found

    @cached_property
    def _touch(self) -> Touch:
        return Touch(self._by_entity, self._names)


class Guard:
    """Reads constraints for `decide`: of every scope under the run's top level, whoever may read them."""

    def __init__(self, repository: Repository, waiting: Callable[[Scope], Sequence[Waiting]]) -> None:
        self._repository = repository
        self._waiting = waiting
        self._held = HeldBelow(repository)
        self._cached: dict[str, Constraints] = {}

    def judge(
        self,
        action: str,
        args: Mapping[str, Any],
        scope: Scope,
        principal: Principal,
        unread: frozenset[str] = frozenset(),
    ) -> Verdict:
        """The verdict on a call of a principal in a scope; see `decide`."""
        call = Call(action, args)
        done = deed(call, self._repository.policy)
        if done.reads:
            return decide(done, Touched())
        try:
            touched = self._touched(Case(call, done, scope, principal))._replace(unread=unread)
        except UnjudgedError as unjudged:
            return Verdict(outcome="defer", reason=str(unjudged))
        verdict = decide(done, touched)
        without = tuple(_without(done, touched, verdict))
        return verdict.model_copy(update={"without": without}) if without else verdict

    def _touched(self, case: Case) -> Touched:
        constraints = self._constraints(case.scope.top)
        now = self._repository.clock()
        on_it = [*constraints.named(case.call), *constraints.of_scopes(case.scope)]
        named = [by_the_clock(fact, now) for fact in on_it if not is_apart(fact.scope, case.scope)]
        doubtful = (fact for fact in constraints.in_doubt(case) if not is_apart(fact.scope, case.scope))
        waiting = constraints.concerned(case, self._waiting(case.scope.top))
        known = {fact.fact_id for fact in named}
        others = [fact for fact in named if case.anothers(fact.scope)]
        return Touched(
            facts=tuple(fact for fact in named if not case.anothers(fact.scope)),
            in_doubt=(*others, *(fact for fact in doubtful if fact.fact_id not in known)),
            waiting=tuple(each for each in waiting if not is_apart(each.event.scope, case.scope)),
            unreadable=constraints.unreadable(case.call),
        )

    def _constraints(self, top: Scope) -> Constraints:
        held, cached = self._held.under(top), self._cached.get(top.key)
        if cached is None or cached.held is not held:
            cached = self._cached[top.key] = Constraints(held)
        return cached


def _without(done: Deed, touched: Touched, verdict: Verdict) -> Iterator[tuple[str, str]]:
    """What would be decided without each of the constraints, by its id: only the last ground changes that."""
    grounds = verdict.grounds
    for held in touched.held:
        alone = grounds == (held,)
        yield held, decide(done, touched.without(held)).outcome if alone else verdict.outcome

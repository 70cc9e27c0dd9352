"""Whether an imported fact stands as it is told to: its date, its speaker, its status and its end."""

from __future__ import annotations

from collections.abc import Mapping

from langgraph_memory.consolidation.across import LATEST
from langgraph_memory.consolidation.episodes.digests import abstracted, experienced_tool
from langgraph_memory.consolidation.facts.assertions import ASSERTED
from langgraph_memory.consolidation.facts.decisions import DECISIONS
from langgraph_memory.consolidation.facts.lifecycle import revalidation
from langgraph_memory.consolidation.facts.lookups import CONDITION_MET
from langgraph_memory.consolidation.facts.testimony import AFFIRMING, ENDING, Testimony
from langgraph_memory.log import EventLog
from langgraph_memory.records import Event, Fact, FactKind, FactStatus, has_lapsed
from langgraph_memory.repository import Repository
from langgraph_memory.scope import Scope
from langgraph_memory.transfer.derivation import Derivation, Derived

_REJECTED = "fact.rejected"
_SEVERAL = 2

Told = Mapping[str, tuple[Scope, str]]
"""Scope and entity of each fact that a file tells, by its id."""


class Admission:
    """Compares facts with what their events carry, by the policy of the receiving memory.

    Args:
        log: where events are.
        repository: what is held, and the policy.
    """

    def __init__(self, log: EventLog, repository: Repository) -> None:
        self._log = log
        self._repository = repository
        self._derivation = Derivation(log, repository)

    def derived(self, fact: Fact, testimony: Testimony) -> Derived | None:
        """What the events that a fact cites carry of it; None where they don't say it."""
        if self._is_experience(fact):
            return Derived(carriers=(), sure=False, explicit=False)
        return self._derivation.derived(fact, testimony)

    def why_not(self, fact: Fact, derived: Derived, testimony: Testimony, told: Told) -> str | None:
        """Why a fact doesn't stand as it is told; None if it does."""
        misdated = _misdated(fact, derived, testimony) if derived.carriers else None
        return misdated or self._of_another_status(fact, derived, testimony, told)

    def _is_experience(self, fact: Fact) -> bool:
        """Whether the episodes that are here come to just this."""
        tool = experienced_tool(fact)
        if tool is None:
            return False
        episodes = self._repository.find("episode", [fact.scope], entities=[fact.entity], limit=LATEST)
        made = abstracted(fact.scope, fact.entity, tool, [each for each in episodes if not each.covers])
        return made is not None and (made.value, made.sources) == (fact.value, fact.sources)

    def role(self, fact: Fact, testimony: Testimony, derived: Derived) -> str | None:
        """The authority by which a fact was said or confirmed; None if nobody had it."""
        policy = self._repository.policy
        affirmed = (event for event in testimony.rulings if event.event_type in AFFIRMING)
        spoken = (*derived.carriers, *affirmed)
        roles = (policy.authority_of(each.actor, fact.scope, fact.attribute) for each in spoken)
        return next((role for role in roles if role is not None), None)

    def endings(self, fact: Fact, testimony: Testimony) -> list[Event]:
        """What is here that ended a fact: decisions, conditions that a lookup found met, words of people."""
        ending = [event for event in testimony.rulings if event.event_type in ENDING]
        if fact.status is FactStatus.REJECTED:
            ending = [event for event in ending if event.event_type == _REJECTED]
        else:
            cited = self._log.from_sources(fact.counterexamples)
            ending += [event for event in cited if event.event_type not in ENDING]
        return [event for event in ending if event.scope == fact.scope and self._may_end(event, fact)]

    def _may_end(self, event: Event, fact: Fact) -> bool:
        if event.event_type == CONDITION_MET:
            return event.data.get("fact") == fact.fact_id
        if self._repository.policy.authority_of(event.actor, fact.scope, fact.attribute) is None:
            return False
        return event.event_type in DECISIONS or self._derivation.reads_as_end(event, fact)

    def _of_another_status(
        self, fact: Fact, derived: Derived, testimony: Testimony, told: Told
    ) -> str | None:
        if fact.would_end is not None:
            return None if self._is_about(fact, fact.would_end, told) else "it would end something else"
        if self.role(fact, testimony, derived) is None:
            return None
        sure = derived.sure or any(event.event_type in AFFIRMING for event in testimony.rulings)
        match fact.status:
            case FactStatus.CURRENT:
                why = not sure and len(fact.corroboration) < _SEVERAL and "it was said without certainty"
            case FactStatus.RETIRED | FactStatus.REJECTED:
                over = derived.ends or self.endings(fact, testimony)
                why = not over and "nothing that is here ends it"
            case FactStatus.SUPERSEDED:
                why = not self._gave_way(fact, told) and "nothing that is here took its place"
            case FactStatus.CANDIDATE:
                lapsed = has_lapsed(fact) and self._is_overdue(fact)
                why = sure and not lapsed and "nothing made it a candidate"
            case FactStatus.UNVERIFIED:
                why = sure and fact.kind is FactKind.CONSTRAINT and "one who may say so has said it"
        return why or None

    def _gave_way(self, fact: Fact, told: Told) -> bool:
        """Whether another fact took its place; what took it may be forgotten, but no rule goes by that."""
        if fact.superseded_by is None:
            return fact.kind is not FactKind.CONSTRAINT
        return self._is_about(fact, fact.superseded_by, told)

    def _is_about(self, fact: Fact, other: str, told: Told) -> bool:
        """Whether another fact, of the file or held here, is about the same thing."""
        held = self._repository.record(other)
        there = (held.scope, held.entity) if isinstance(held, Fact) else told.get(other)
        return other != fact.fact_id and there == (fact.scope, fact.entity)

    def _is_overdue(self, fact: Fact) -> bool:
        policy = self._repository.policy
        sensitivity = policy.sensitivity_of(fact.attribute, fact.value)
        due = revalidation(fact.kind, fact.confirmation, fact.confirmed_at, policy, sensitivity)
        return due is not None and due < self._repository.clock()


def _misdated(fact: Fact, derived: Derived, testimony: Testimony) -> str | None:
    """What of who said it, when and how often the events don't carry."""
    events = (*testimony.said, *testimony.rulings)
    affirmed = any(event.event_type in AFFIRMING for event in testimony.rulings)
    explicit = derived.explicit or affirmed or any(e.event_type == ASSERTED for e in testimony.said)
    times = {event.occurred_at for event in events}
    why = None
    if fact.asserted_by is not None and fact.asserted_by not in {event.actor.id for event in events}:
        why = f"nothing that it cites was said by {fact.asserted_by!r}"
    elif not {fact.asserted_at, fact.valid_from} <= times or fact.confirmed_at > max(times):
        why = "nothing that it cites was said when it is dated"
    elif not set(fact.corroboration) <= {event.activity_id for event in testimony.said}:
        why = "it wasn't said in all the activities that it counts"
    elif fact.confirmation == "explicit" and not explicit:
        why = "nobody laid it down or confirmed it"
    elif fact.confirmation == "corroborated" and len(fact.corroboration) < _SEVERAL:
        why = "it wasn't said in several activities"
    return why

"""What an imported fact comes to when it is derived again from the events that it cites."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from langgraph_memory.consolidation.facts.assertions import ASSERTED, asserted
from langgraph_memory.consolidation.facts.classes import place_of
from langgraph_memory.consolidation.facts.grounding import ground, supported
from langgraph_memory.consolidation.facts.name_book import names_of, observed
from langgraph_memory.consolidation.facts.statements import Statement, fact_id, restated
from langgraph_memory.consolidation.facts.testimony import Testimony
from langgraph_memory.consolidation.rules import RulesExtractor
from langgraph_memory.log import EventLog
from langgraph_memory.name_index import touches
from langgraph_memory.names import bare, canonical, normalise
from langgraph_memory.records import Event, Fact, Record, is_early_ending
from langgraph_memory.repository import Repository

CORRECTED = "fact.corrected"


class Derived(Record):
    """What events carry of a fact.

    Attributes:
        carriers: those that say it.
        sure: whether they say it with certainty.
        explicit: whether they lay it down, and do not just mention it.
        ends: whether they end something, or would.
    """

    carriers: tuple[Event, ...]
    sure: bool
    explicit: bool
    ends: bool = False


class Derivation:
    """Derives facts again, by rules alone.

    What people stated as structure has to be just that. What they said is read again: a fact has to be what
    the rules make of the words, or, where they make nothing of them and a model did, be supported by them
    under the id that this statement has.

    Args:
        log: where events are.
        repository: the names that are known, and the policy.
    """

    def __init__(self, log: EventLog, repository: Repository) -> None:
        self._log = log
        self._repository = repository
        self._extractor = RulesExtractor()

    def derived(self, fact: Fact, testimony: Testimony) -> Derived | None:
        """What the events that a fact cites carry of it; None where they don't say it."""
        events = [event for event in testimony.said if event.scope == fact.scope]
        stated = [event for event in events if self._states(event, fact)]
        if stated:
            return Derived(carriers=tuple(stated), sure=True, explicit=True)
        spoken = [event for event in events if event.text]
        return self._from_words(fact, spoken) if spoken else None

    def reads_as_end(self, event: Event, fact: Fact) -> bool:
        """Whether a message speaks of the fact's entity, or takes back or ends anything."""
        named = self._is_named(fact, [event])
        return named or any(reading.intent != "assert" for reading in self._read(fact, [event]))

    def _states(self, event: Event, fact: Fact) -> bool:
        """Whether an event states the fact as structure."""
        if event.event_type == ASSERTED:
            return _fits(asserted(event, self._repository.policy), fact)
        if event.event_type != CORRECTED or canonical(str(event.data.get("value"))) != canonical(fact.value):
            return False
        before = self._repository.record(str(event.data.get("fact")))
        if isinstance(before, Fact):
            return _fits(restated(before, fact.value, event, None), fact)
        return fact.entity in event.entities

    def _from_words(self, fact: Fact, spoken: Sequence[Event]) -> Derived | None:
        ends = fact.would_end is not None or is_early_ending(fact)
        intents = ("retire", "retract") if ends else ("assert",)
        found = [reading for reading in self._read(fact, spoken) if reading.intent in intents]
        alike = [reading for reading in found if canonical(reading.value) == canonical(fact.value)]
        fitting = alike if ends else [reading for reading in alike if _fits(reading, fact)]
        sources = {source for reading in fitting for source in reading.sources}
        if fitting:
            return Derived(
                carriers=tuple(event for event in spoken if event.source in sources),
                sure=any(each.certainty == "stated" and each.doubt is None for each in fitting),
                explicit=any(each.explicit for each in fitting),
                ends=ends,
            )
        certainty = None if alike else _certainty_by_id(fact, spoken, intents)
        text = " ".join(event.text for event in spoken)
        if certainty is None or not supported(f"{fact.value} {fact.ends_when or ''}", text):
            return None
        return Derived(carriers=tuple(spoken), sure=certainty == "stated", explicit=True, ends=ends)

    def _read(self, fact: Fact, spoken: Sequence[Event]) -> list[Statement]:
        """What the rules make of messages, in the activity of the last one of them."""
        last = spoken[-1]
        inside = self._log.of_activity(last.scope, last.activity_id)
        own = {event.event_id for event in inside}
        events = [*(event for event in spoken if event.event_id not in own), *inside]
        names = names_of([*observed(events), *self._known(fact)])
        unambiguous = {name: next(iter(ids)) for name, ids in names.items() if len(ids) == 1}
        candidates = self._extractor.extract(events, unambiguous)
        results = (
            ground(each, events, names, scope=fact.scope, policy=self._repository.policy)
            for each in candidates
        )
        return [result for result in results if isinstance(result, Statement)]

    def _is_named(self, fact: Fact, spoken: Iterable[Event]) -> bool:
        """Whether the words name the fact's entity."""
        forms = {fact.entity, bare(fact.entity)}
        names = forms | {name for name, entity in self._known(fact) if bare(entity) in forms}
        return any(touches(sorted(names), event.text) for event in spoken)

    def _known(self, fact: Fact) -> list[tuple[str, str]]:
        """Pairs of name and entity that have to do with the fact's entity."""
        forms = sorted({fact.entity, bare(fact.entity)})
        return self._repository.ledger.aliases.related(list(fact.scope.ancestors()), forms)


def _fits(statement: Statement, fact: Fact) -> bool:
    """Whether a fact holds what a statement says, and no more."""
    called = {normalise(name) for name in (statement.entity, statement.named_as) if name}
    return (
        statement.scope == fact.scope
        and normalise(fact.entity) in called
        and fact.attribute in (statement.attribute, place_of(statement))
        and canonical(statement.value) == canonical(fact.value)
        and statement.kind is fact.kind
        and set(statement.forbids) == set(fact.forbids)
        and canonical(statement.ends_when or "") == canonical(fact.ends_when or "")
        and statement.asks_first == fact.asks_first
        and fact.would_end is None
    )


def _certainty_by_id(fact: Fact, spoken: Sequence[Event], intents: Sequence[str]) -> str | None:
    """With which certainty one of the messages would found just this fact; None if none would."""
    for event in spoken:
        for intent in intents:
            for certainty in ("stated", "hedged"):
                meant = {"intent": intent, "certainty": certainty}
                said_so = restated(fact, fact.value, event, None).model_copy(update=meant)
                if fact_id(said_so) == fact.fact_id:
                    return certainty
    return None

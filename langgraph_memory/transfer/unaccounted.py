"""What people said in a file's events and no record of it tells: a line may be taken out or weakened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from langgraph_memory.actions import ActionClass, verbs_in
from langgraph_memory.consolidation.facts.grounding import ground
from langgraph_memory.consolidation.facts.name_book import NameBook, observed
from langgraph_memory.consolidation.facts.statements import Statement, fact_id
from langgraph_memory.consolidation.facts.testimony import ENDING
from langgraph_memory.consolidation.rules import RulesExtractor
from langgraph_memory.log import EventLog
from langgraph_memory.log.erasure import Erasure
from langgraph_memory.names import bare, canonical, normalise
from langgraph_memory.records import ActorKind, Fact, FactKind
from langgraph_memory.repository import Repository
from langgraph_memory.scope import Scope

Activity = tuple[Scope, str]


class _Read(NamedTuple):
    """A statement of an activity, and the words that it cites."""

    activity: Activity
    statement: Statement
    words: str


class Unaccounted:
    """Finds activities whose words say more than the facts that cite them.

    They are read by the rules alone, whoever made the facts. What the rules would ask about is told by a rule
    that a model made of it only if that rules out every deed that the words name.

    Args:
        log: where events are.
        repository: where facts are.
        names: which entities are known by which names.
    """

    def __init__(self, log: EventLog, repository: Repository, names: NameBook) -> None:
        self._log = log
        self._repository = repository
        self._names = names
        self._extractor = RulesExtractor()

    def among(self, activities: Iterable[Activity]) -> list[Activity]:
        """Those of the activities that have to be read again; endings count where something may come back."""
        read = [each for activity in activities for each in self._read(*activity)]
        facts = self._citing(read)
        untold = [each for each in read if not any(_tells(fact, each) for fact in facts)]
        ended = self._ended({fact_id(each.statement): each.statement for each in untold})
        left = [each for each in untold if fact_id(each.statement) not in ended]
        if all(each.statement.intent != "assert" for each in left):
            return []
        return list(dict.fromkeys(each.activity for each in left))

    def _read(self, scope: Scope, activity_id: str) -> list[_Read]:
        """What people said in an activity."""
        events = self._log.of_activity(scope, activity_id)
        if not any(event.actor.kind is ActorKind.USER and event.text for event in events):
            return []
        names = self._names.of(scope).along_with(observed(events))
        policy, said = self._repository.policy, {event.source: event for event in events}
        grounded = (
            ground(each, events, names.all, scope=scope, policy=policy)
            for each in self._extractor.extract(events, names.plain)
        )
        return [
            _Read((scope, activity_id), each, " ".join(said[source].text for source in each.sources))
            for each in grounded
            if isinstance(each, Statement) and each.speaker is ActorKind.USER
        ]

    def _citing(self, read: Sequence[_Read]) -> list[Fact]:
        sources = {source for each in read for source in each.statement.sources}
        cited = Erasure(self._repository.ledger).citing(sorted(sources), kind="fact")
        return self._repository.load(cited)

    def _ended(self, founding: Mapping[str, Statement]) -> set[str]:
        """The ids of those facts that were ended by someone who may, after the statement that founds them."""
        ended = set()
        for event in self._log.holding(sorted(founding)) if founding else ():
            fact = str(event.data.get("fact"))
            said = founding.get(fact)
            if said is not None and event.event_type in ENDING and event.occurred_at >= said.at:
                may = self._repository.policy.authority_of(event.actor, said.scope, said.attribute)
                ended |= {fact} if may is not None else set()
        return ended


def _tells(fact: Fact, read: _Read) -> bool:
    """Whether a fact holds what a statement says, or was ended by it."""
    statement = read.statement
    if set(statement.sources).isdisjoint((*fact.sources, *fact.counterexamples)):
        return False
    if statement.intent != "assert":
        return True
    if statement.kind is not FactKind.CONSTRAINT or not statement.forbids:
        return canonical(fact.value) == canonical(statement.value)
    called = {normalise(bare(name)) for name in (statement.entity, statement.named_as) if name}
    if fact.kind is not FactKind.CONSTRAINT or normalise(bare(fact.entity)) not in called:
        return False
    ruled_out = set(fact.forbids)
    unread = statement.asks_first and ActionClass.ANY in statement.forbids
    wanted = set(map(str, verbs_in(read.words))) if unread else set(statement.forbids)
    return ActionClass.ANY in ruled_out or (bool(wanted) and wanted <= ruled_out)

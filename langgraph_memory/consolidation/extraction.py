"""What an activity says: candidates that an extractor proposes, grounded in its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from langgraph_memory.consolidation.candidates import Candidate, Extractor
from langgraph_memory.consolidation.facts.conditions import Endings
from langgraph_memory.consolidation.facts.grounding import Ungrounded, ground
from langgraph_memory.consolidation.facts.name_book import NameBook, Names
from langgraph_memory.consolidation.facts.overlay import Overlay
from langgraph_memory.consolidation.facts.own_names import is_doubtful, names_of_entity, vouched_by
from langgraph_memory.consolidation.facts.statements import Statement
from langgraph_memory.consolidation.model import ModelExtractor, ModelFailureError
from langgraph_memory.consolidation.work import Work, made_by_others, version_of
from langgraph_memory.log import SPOKEN
from langgraph_memory.names import normalise
from langgraph_memory.records import Event, FactKind, FactStatus
from langgraph_memory.repository import Repository
from langgraph_memory.scope import Scope


class Extraction:
    """Makes statements of an activity's events.

    Args:
        repository: what is held already, and the policy.
        names: which entities are known by which names.
        endings: of rules that people don't name.
    """

    def __init__(self, repository: Repository, names: NameBook, endings: Endings) -> None:
        self._repository = repository
        self._names_known = names
        self._endings = endings

    def carried(self, work: Work, extractor: Extractor) -> Work:
        """The work with what its events say; what does not stand is noted with its reason."""
        names = self._names(work)
        before, read = work.earlier, work.events
        try:
            proposed = made_by_others(lambda: _proposed(extractor.extract((*before, *read), names.plain)))
        except ModelFailureError as error:
            return work.failed(error)
        left = extractor.left_out((*before, *read)) if isinstance(extractor, ModelExtractor) else frozenset()
        own = frozenset(event.event_id for event in read)
        candidates = [each for each in proposed if not before or not own.isdisjoint(each.event_ids)]
        statements, dropped = self._grounded(candidates, (*before, *read), names.all, work.claim.scope)
        statements = tuple(_of_activity(each, read) for each in statements)
        with self._repository.reading():
            statements = tuple(chain.from_iterable(self._meant(each, names.all) for each in statements))
            statements, vouched = self._by_names_of_people(statements, read)
            revision = self._repository.ledger.counters.revision()
            statements += self._endings.crossing(read, statements, work.claim.scope)
        made = {"statements": statements, "dropped": dropped, "vouched": vouched, "revision": revision}
        made |= {"left_out": tuple(sorted(own & left))}
        return work.model_copy(update={**made, "made_with": version_of(extractor)})

    def _names(self, work: Work) -> Names:
        """What the scope knows and what the activity observed."""
        return self._names_known.of(work.claim.scope).along_with(work.observed)

    def _meant(self, statement: Statement, names: Mapping[str, frozenset[str]]) -> list[Statement]:
        """A statement; an ending by a name of several things is asked about for each that a rule holds."""
        ids = names.get(normalise(statement.named_as or ""), frozenset()) - {statement.entity}
        if statement.intent == "assert" or statement.entity != statement.named_as or not ids:
            return [statement]
        held = self._repository.find(
            "fact", [statement.scope], entities=sorted(ids), status=[FactStatus.CURRENT]
        )
        asked = sorted({fact.entity for fact in held if fact.kind is FactKind.CONSTRAINT})
        hedged = statement.model_copy(update={"certainty": "hedged"})
        return [statement, *(hedged.model_copy(update={"entity": entity}) for entity in asked)]

    def _by_names_of_people(
        self, statements: Sequence[Statement], events: Sequence[Event]
    ) -> tuple[tuple[Statement, ...], tuple[tuple[str, str], ...]]:
        """Statements, endings that reach their entity by a tool's name hedged; and names that people used."""
        spoken = " ".join(event.text for event in events if event.event_type in SPOKEN)
        checked: list[Statement] = []
        vouched: list[tuple[str, str]] = []
        overlay = Overlay(self._repository)
        for statement in map(overlay.bound, statements):
            cited = " ".join(event.text for event in events if event.source in statement.sources)
            names = names_of_entity(self._repository, statement)
            vouched += vouched_by(statement, names, cited)
            doubted = statement.intent != "assert" and is_doubtful(statement, names, (cited, spoken))
            checked.append(statement.model_copy(update={"certainty": "hedged"}) if doubted else statement)
            if doubted and statement.named_as is not None:  # of the name itself there is no doubt
                checked.append(statement.model_copy(update={"entity": statement.named_as}))
        return tuple(checked), tuple(vouched)

    def _grounded(
        self,
        candidates: Sequence[Candidate],
        events: Sequence[Event],
        names: Mapping[str, frozenset[str]],
        scope: Scope,
    ) -> tuple[tuple[Statement, ...], tuple[Ungrounded, ...]]:
        results = [ground(c, events, names, scope=scope, policy=self._repository.policy) for c in candidates]
        statements = tuple(result for result in results if isinstance(result, Statement))
        return statements, tuple(result for result in results if isinstance(result, Ungrounded))


def _of_activity(statement: Statement, events: Sequence[Event]) -> Statement:
    """A statement that also cites what was said before, as one of this activity: that alone founds it."""
    if statement.activity_id == events[0].activity_id:
        return statement
    own = next(event for event in events if event.source in statement.sources)
    return statement.model_copy(update={"founding": own.event_id, "activity_id": own.activity_id})


def _proposed(candidates: object) -> list[Candidate]:
    """What an extractor gave, if it is a list of candidates.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(candidates, list | tuple):
        raise TypeError(f"the extractor gave {candidates!r:.80} and not a list of candidates")
    wrong = [each for each in candidates if not isinstance(each, Candidate)]
    if wrong:
        raise TypeError(f"the extractor gave {wrong[0]!r:.80} among its candidates, which is none")
    return list(candidates)

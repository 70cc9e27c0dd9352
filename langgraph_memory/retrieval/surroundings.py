"""What is known around the items of a recall: names of their entities, and what became of what they quote."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph_memory.answers import RecallItem
from langgraph_memory.names import bare, normalise
from langgraph_memory.records import Episode, Fact, FactStatus, is_early_ending
from langgraph_memory.repository import Repository
from langgraph_memory.scope import Scope

_OF_ENTITIES = 200


class Surroundings:
    """Looks around in a repository."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def forms(self, scopes: Sequence[Scope], entities: Sequence[str]) -> frozenset[str]:
        """The entities, the ids that they are names of, and the names of those."""
        known = {form for entity in entities for form in (entity, bare(entity)) if form}
        for _ in range(2):  # from a name to its id, and from the id to its typed form and other names
            if not known:
                break
            forms = sorted(known | {normalise(form) for form in known})
            found = {form for pair in self._repository.ledger.aliases.related(scopes, forms) for form in pair}
            if found <= known:
                break
            known |= found
        return frozenset(known)

    def display_names(self, scopes: Sequence[Scope], items: Sequence[RecallItem]) -> dict[str, str]:
        """The names under which people know the entities of the facts among the items."""
        entities = sorted({item.record.entity for item in items if isinstance(item.record, Fact)})
        if not entities:
            return {}
        forms = [*entities, *(normalise(bare(entity)) for entity in entities)]
        known = self._repository.ledger.aliases.related(scopes, forms)
        return {entity: name for entity in entities if (name := _name_of(entity, known))}

    def ended(
        self, scopes: Sequence[Scope], items: Sequence[RecallItem], active: frozenset[str]
    ) -> dict[str, str]:
        """What became of instructions that the episodes quote, by the source that said them."""
        told = [item.record for item in items if isinstance(item.record, Episode)]
        entities = sorted({*active, *(entity for episode in told for entity in episode.entities)})
        if not told or not entities:
            return {}
        not_in_force = [FactStatus.UNVERIFIED, FactStatus.SUPERSEDED, FactStatus.RETIRED]
        facts: list[Fact] = self._repository.find(
            "fact", scopes, entities=entities, status=not_in_force, limit=_OF_ENTITIES
        )
        return {source: became for fact in facts if (became := _became(fact)) for source in fact.sources}


def _became(fact: Fact) -> str | None:
    """What became of a fact that is not in force; None for one that waits for its confirmation."""
    if is_early_ending(fact):
        return None
    if fact.status is FactStatus.UNVERIFIED:
        return "never authorised" if fact.authority_role is None else None
    return f"{fact.status.value} {fact.valid_until:%Y-%m-%d}" if fact.valid_until else None


def _name_of(entity: str, pairs: Sequence[tuple[str, str]]) -> str | None:
    own = {normalise(entity), normalise(bare(entity))}
    names = [name for name, of in pairs if normalise(bare(of)) in own and bare(name) not in own]
    return min(names, key=len, default=None)

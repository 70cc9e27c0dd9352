"""How records hang together: provenance and relations, walked from either end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, get_args

from langgraph_memory.answers import record_id as id_of
from langgraph_memory.arguments import expect
from langgraph_memory.errors import ConfigurationError, UnknownRecordError
from langgraph_memory.log import EventLog
from langgraph_memory.log.erasure import Erasure
from langgraph_memory.names import bare, normalise
from langgraph_memory.records import Episode, Event, Fact, Procedure
from langgraph_memory.repository import Repository
from langgraph_memory.repository.bodies import Stored, entities_of, sources_of

Relation = Literal["concerned", "used", "produced", "supported_by", "supersedes", "caused"]
Direction = Literal["out", "in"]
Related = Event | Episode | Fact | Procedure | str
"""A record, or the id of an entity."""


class Relations:
    """Walks relations between records.

    `concerned`: from a record to the ids of its entities. `used`: from an episode to the procedure that it
    followed. `produced`: from an episode to the facts that its events founded. `supported_by`: from a record
    to what it cites. `supersedes`: from a fact, a later episode or a procedure's version to the one before.
    `caused`: from an event to what it founded or ended. "in" walks each the other way.
    """

    def __init__(self, log: EventLog, repository: Repository) -> None:
        self._log = log
        self._repository = repository
        self._erasure = Erasure(repository.ledger)

    def of(self, record_id: str, relation: str, direction: str) -> list[Related]:
        """What a record, or an entity, is related to.

        Raises:
            ConfigurationError: no such relation or direction.
            UnknownRecordError: no such record, and for `concerned` no such entity.
        """
        expect(str, record_id=record_id, relation=relation, direction=direction)
        ways: Mapping[tuple[str, str], Callable[[str], Iterable[Related]]] = {
            ("concerned", "out"): self._entities,
            ("concerned", "in"): self._concerning,
            ("used", "out"): self._used,
            ("used", "in"): self._users,
            ("produced", "out"): self._produced,
            ("produced", "in"): self._producers,
            ("supported_by", "out"): self._support,
            ("supported_by", "in"): self._citing,
            ("supersedes", "out"): self._earlier,
            ("supersedes", "in"): self._later,
            ("caused", "out"): self._effects,
            ("caused", "in"): self._causes,
        }
        way = ways.get((relation, direction))
        if way is None:
            raise ConfigurationError(
                f"there is no relation {relation!r} in direction {direction!r}: relations are "
                f"{', '.join(get_args(Relation))}, directions out and in"
            )
        return list(way(record_id))

    def _entities(self, record_id: str) -> Iterable[Related]:
        record = self._any(record_id)
        return record.entities if isinstance(record, Event) else entities_of(record)

    def _concerning(self, entity: str) -> Iterable[Related]:
        forms = sorted({entity, bare(entity), normalise(entity)})
        entries = self._erasure.about(forms)
        events = [event for event in self._log.holding(forms) if not set(forms).isdisjoint(event.entities)]
        if not entries and not events:
            raise UnknownRecordError(f"nothing is known about an entity {entity!r}: give its id")
        return [*self._repository.load(entries), *events]

    def _used(self, record_id: str) -> Iterable[Related]:
        record = self._any(record_id)
        named = record.procedure if isinstance(record, Episode) else None
        found = self._repository.record(named) if named else None
        return [found] if found is not None else []

    def _users(self, record_id: str) -> Iterable[Related]:
        procedure = self._any(record_id)
        if not isinstance(procedure, Procedure):
            return []
        below = self._repository.find("episode", [procedure.scope], below=True)
        return [episode for episode in below if episode.procedure in (record_id, procedure.procedure_id)]

    def _produced(self, record_id: str) -> Iterable[Related]:
        record = self._any(record_id)
        sources = record.sources if isinstance(record, Episode) else self._own_sources(record)
        return [fact for fact in self._that_cite(sources) if isinstance(fact, Fact)]

    def _producers(self, record_id: str) -> Iterable[Related]:
        record = self._any(record_id)
        cited = () if isinstance(record, Event) else sources_of(record)
        return [each for each in self._that_cite(cited) if isinstance(each, Episode)]

    def _support(self, record_id: str) -> Iterable[Related]:
        record = self._any(record_id)
        if isinstance(record, Event):
            return []
        cited = sources_of(record)
        entries = self._repository.ledger.entries(list(cited))
        return [*self._log.from_sources(list(cited)), *self._repository.load(list(entries.values()))]

    def _citing(self, record_id: str) -> Iterable[Related]:
        return self._that_cite(self._own_sources(self._any(record_id)))

    def _earlier(self, record_id: str) -> Iterable[Related]:
        match record := self._any(record_id):
            case Fact():
                return self._records([record.supersedes])
            case Episode():
                return self._records([record.follows])
            case Procedure():
                return [each for each in self._versions(record) if each.version == record.version - 1]
            case _:
                return []

    def _later(self, record_id: str) -> Iterable[Related]:
        match record := self._any(record_id):
            case Fact():
                return self._records([record.superseded_by])
            case Episode():
                others: list[Episode] = self._repository.find("episode", [record.scope])
                return [each for each in others if each.follows == record.episode_id]
            case Procedure():
                return [each for each in self._versions(record) if each.version == record.version + 1]
            case _:
                return []

    def _effects(self, record_id: str) -> Iterable[Related]:
        record = self._any(record_id)
        return self._that_cite(self._own_sources(record)) if isinstance(record, Event) else []

    def _causes(self, record_id: str) -> Iterable[Related]:
        record = self._any(record_id)
        cited = () if isinstance(record, Event) else sources_of(record)
        return self._log.from_sources(list(cited))

    def _versions(self, procedure: Procedure) -> list[Procedure]:
        found: list[Procedure] = self._repository.find("procedure", [procedure.scope])
        return [each for each in found if each.procedure_id == procedure.procedure_id]

    def _records(self, ids: Sequence[str | None]) -> list[Stored]:
        entries = self._repository.ledger.entries([each for each in ids if each])
        return self._repository.load(list(entries.values()))

    def _that_cite(self, sources: Iterable[str]) -> list[Stored]:
        return self._repository.load(self._erasure.citing(sources))

    def _own_sources(self, record: Stored | Event) -> tuple[str, ...]:
        """Under what others cite a record."""
        if isinstance(record, Event):
            return tuple(dict.fromkeys((record.source, record.event_id)))
        return (id_of(record),)

    def _any(self, record_id: str) -> Stored | Event:
        found = self._repository.record(record_id) or self._log.get(record_id)
        if found is None:
            raise UnknownRecordError(
                f"no record has the id {record_id!r}: give the id of an event, episode, fact or procedure"
            )
        return found

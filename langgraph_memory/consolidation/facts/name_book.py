"""`NameBook`: which entities are known in a scope by which names."""

from __future__ import annotations

from collections import ChainMap, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from langgraph_memory.consolidation.rules.known_names import KnownNames
from langgraph_memory.entities import discover_event
from langgraph_memory.names import bare, normalise
from langgraph_memory.recent import Recent
from langgraph_memory.records import Event
from langgraph_memory.repository import Repository
from langgraph_memory.scope import Scope

Pair = tuple[str, str]
"""A name and the id of the entity that it names."""

_KEPT_SCOPES = 32
_FURTHER = 2
"""How far from what was observed the pairs stand that tell which ids its names have."""


def names_of(pairs: Sequence[Pair]) -> dict[str, frozenset[str]]:
    """Entity ids by normalised name; `type:id` and `id` are one entity, known by its typed form.

    >>> names_of([("gpu-1", "vm:i-9"), ("i-9", "i-9")])["i-9"]
    frozenset({'vm:i-9'})
    """
    typed = {normalise(bare(entity)): entity for _, entity in pairs if ":" in entity}
    names: defaultdict[str, set[str]] = defaultdict(set)
    for name, entity in pairs:
        known_as = entity if ":" in entity else typed.get(normalise(entity), entity)
        for form in (name, known_as, bare(known_as)):
            names[normalise(form)].add(known_as)
    return {name: frozenset(ids) for name, ids in names.items()}


def entity_named(repository: Repository, scope: Scope, name: str) -> str:
    """The id of the one entity that a name stands for in a scope and those above it; else the name itself."""
    plain, scopes = normalise(name), list(scope.ancestors())
    known = names_of(repository.ledger.aliases.related(scopes, [plain])).get(plain, frozenset())
    if not known and repository.ledger.standings(scope, plain):
        return plain
    return next(iter(known)) if len(known) == 1 else name


def observed(events: Sequence[Event]) -> list[Pair]:
    """The names and ids in the data of events."""
    own = [(entity, entity) for event in events for entity in event.entities]
    return own + [pair for event in events for pair in discover_event(event).names]


class Names(NamedTuple):
    """What names stand for.

    Attributes:
        all: entity ids by normalised name.
        plain: the entity of each name that stands for one alone.
    """

    all: Mapping[str, frozenset[str]]
    plain: KnownNames


class Known:
    """The names of one scope, indexed so that a few new ones cost no more than a few.

    >>> known = Known([("bench", "i-9"), ("web", "i-1")])
    >>> known.along_with([("i-9", "vm:i-9")]).plain["bench"]
    'vm:i-9'
    """

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._all = names_of(pairs)
        self.names = Names(self._all, KnownNames(_plain(self._all)))
        self._pairs = pairs
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for place, pair in enumerate(pairs):
            for form in _forms([pair]):
                self._places[form].append(place)

    def along_with(self, observed: Sequence[Pair]) -> Names:
        """The names of the known pairs and those just observed."""
        if not observed:
            return self.names
        forms = _forms(observed)
        near = self._near(forms)
        told = forms | _forms(self._pairs[place] for place in near)
        for _ in range(_FURTHER):
            near |= self._near(_forms(self._pairs[place] for place in near))
        found = names_of([*(self._pairs[place] for place in sorted(near)), *observed])
        changed = {name: ids for name, ids in found.items() if name in told}
        plain = KnownNames(_plain(changed), below=self.names.plain, without=changed)
        return Names(ChainMap(changed, self._all), plain)

    def _near(self, forms: Iterable[str]) -> set[int]:
        return {place for form in forms for place in self._places.get(form, ())}


class NameBook:
    """The known names of scopes and their ancestors, read again only after one was added or forgotten."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._kept = Recent[str, tuple[int, Known]](_KEPT_SCOPES)

    def of(self, scope: Scope) -> Known:
        """The names that are known in a scope and in those above it."""
        revision = self._repository.ledger.counters.names()
        kept = self._kept.get(scope.key)
        if kept is not None and kept[0] == revision:
            return kept[1]
        known = Known(self._repository.names(list(scope.ancestors())))
        self._kept.put(scope.key, (revision, known))
        return known


def _plain(names: Mapping[str, frozenset[str]]) -> dict[str, str]:
    return {name: next(iter(ids)) for name, ids in names.items() if len(ids) == 1}


def _forms(pairs: Iterable[Pair]) -> set[str]:
    return {
        form
        for name, entity in pairs
        for form in (normalise(name), normalise(entity), normalise(bare(entity)))
    }

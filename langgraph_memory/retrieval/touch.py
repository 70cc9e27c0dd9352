"""What a call touches: the entities that it names, and those that it may mean without naming them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from langgraph_memory.entities.numbered import forms_of
from langgraph_memory.name_index import NameIndex
from langgraph_memory.names import bare, normalise
from langgraph_memory.retrieval.calls import Call
from langgraph_memory.retrieval.likeness import Likeness
from langgraph_memory.retrieval.masses import means_everything
from langgraph_memory.retrieval.selections import Selections
from langgraph_memory.retrieval.sweeps import Sweeps


class Touch:
    """Entities, found in calls by all names that they ever had.

    Args:
        entities: as they are kept.
        names: pairs of name and entity that are known.

    Example:
        >>> touch = Touch(["i-09a8f"], [("gpu-bench-01", "i-09a8f")])
        >>> call = Call("stop", {"name": "gpu-bench-01"})
        >>> touch.named(call), touch.meant(Call("stop", {"match": "^gpu-b"}))
        (frozenset({'i-09a8f'}), frozenset({'i-09a8f'}))
    """

    def __init__(self, entities: Iterable[str], names: Sequence[tuple[str, str]]) -> None:
        self._entities = tuple(entities)
        self._known = names

    def named(self, call: Call) -> frozenset[str]:
        """Those that the call names, each in any spelling and encoding, or all of them at once."""
        if not self._entities:
            return frozenset()
        everything = ["*"] if means_everything(call) else []
        return self._index.find([*call.texts, *call.numbered, *everything])

    def meant(self, call: Call) -> frozenset[str]:
        """Those that it may mean: by names that look alike or come in pieces, by patterns, parts and rows.

        Raises:
            UnjudgedError: there are too many ways to read it.
        """
        if not self._entities:
            return frozenset()
        return self._likeness.found(call) | self._selections.found(call)

    def swept(self, call: Call, *, free: bool) -> frozenset[str]:
        """Paths that lie in what it acts on, or around that; see `Sweeps`."""
        return self._sweeps.found(call, free=free) if self._entities else frozenset()

    @cached_property
    def _pairs(self) -> list[tuple[str, str]]:
        return _pairs(self._entities, self._known)

    @cached_property
    def _index(self) -> NameIndex:
        return NameIndex(self._pairs)

    @cached_property
    def _likeness(self) -> Likeness:
        return Likeness(self._things)

    @cached_property
    def _selections(self) -> Selections:
        return Selections(self._things)

    @cached_property
    def _sweeps(self) -> Sweeps:
        return Sweeps(self._things)

    @property
    def _things(self) -> list[tuple[str, str]]:
        """The names of things alone: a scope as a whole is no thing that a call could spell out."""
        return [pair for pair in self._pairs if not pair[1].startswith("scope:")]


def _pairs(entities: Iterable[str], names: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Every name by which a constrained entity may turn up, with the entity the constraint is kept under.

    `type:id` and `id` are one entity; a constraint kept under a display name also covers the ids it names.
    """
    by_id: dict[str, set[str]] = {}
    by_name: dict[str, set[str]] = {}
    for name, entity in names:
        by_id.setdefault(_plain(entity), set()).update((name, entity))
        by_name.setdefault(normalise(name), set()).add(_plain(entity))
    pairs = []
    for kept in entities:
        ids = {_plain(kept)} | by_name.get(normalise(kept), set())
        forms = {kept} | ids | {form for entity_id in ids for form in by_id.get(entity_id, ())}
        numbered = {written for form in forms for written in forms_of(form)}
        pairs += [(form, kept) for form in sorted(forms | numbered)]
    return pairs


def _plain(entity: str) -> str:
    return normalise(bare(entity))

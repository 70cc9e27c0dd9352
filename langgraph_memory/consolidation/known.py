"""Which entities are known here by which names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from langgraph_memory.names import normalise


def names_of(pairs: Sequence[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """Entity ids by normalised name; `type:id` and `id` are one entity, known by its typed form.

    >>> names_of([("gpu-1", "vm:i-9"), ("i-9", "i-9")])["i-9"]
    frozenset({'vm:i-9'})
    """
    typed = {normalise(entity.rpartition(":")[2]): entity for _, entity in pairs if ":" in entity}
    names: defaultdict[str, set[str]] = defaultdict(set)
    for name, entity in pairs:
        known_as = entity if ":" in entity else typed.get(normalise(entity), entity)
        for form in (name, known_as, known_as.rpartition(":")[2]):
            names[normalise(form)].add(known_as)
    return {name: frozenset(ids) for name, ids in names.items()}

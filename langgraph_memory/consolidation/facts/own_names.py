"""By which names people know an entity: what only tools call it can protect a rule, but not end one.

A tool output that names another machine `web-7` would otherwise turn "you can stop web-7" into the end of the
rule on the machine that it hides.
"""

from __future__ import annotations

from collections.abc import Sequence

from langgraph_memory.consolidation.facts.statements import Statement
from langgraph_memory.name_index import NameIndex
from langgraph_memory.names import bare, normalise
from langgraph_memory.records import ActorKind, Fact, FactStatus, Record
from langgraph_memory.repository import Repository

_LOOKED_AT = 100


class Names(Record):
    """The normalised names of an entity: those that people use, and those that only tools brought."""

    own: frozenset[str]
    brought: frozenset[str]


def names_of_entity(repository: Repository, statement: Statement) -> Names:
    """The names of a statement's entity: people's are its id, those they used, and those in their rules."""
    scopes = list(statement.scope.ancestors())
    entity = statement.entity
    plain = normalise(bare(entity))
    pairs = repository.ledger.aliases.related(scopes, sorted({entity, plain}))
    known = {name for name, of in pairs if normalise(bare(of)) == plain}
    own = {normalise(entity), plain} | repository.ledger.aliases.vouched(scopes, [entity, plain])
    rules: list[Fact] = repository.find(
        "fact", [statement.scope], entities=[entity], status=tuple(FactStatus), limit=_LOOKED_AT
    )
    told = [fact.value for fact in rules if fact.authority_role is not None and fact.would_end is None]
    own |= NameIndex((name, name) for name in known - own).find(told)
    return Names(own=frozenset(own), brought=frozenset(known - own))


def is_doubtful(statement: Statement, names: Names, texts: Sequence[str]) -> bool:
    """Whether an ending reaches its entity only by a name that tools brought.

    Args:
        statement: what was said.
        names: of its entity.
        texts: the words it cites, then all that people said in the activity.
    """
    if statement.named_as is not None and normalise(statement.named_as) in names.brought:
        return True
    own = NameIndex((name, name) for name in names.own)
    brought = NameIndex((name, name) for name in names.brought)
    for text in texts:
        if own.find_text(text):
            return False
        if brought.find_text(text):
            return True
    return False


def vouched_by(statement: Statement, names: Names, text: str) -> list[tuple[str, str]]:
    """The names that someone with authority used when laying something down, each with the entity."""
    if statement.speaker is not ActorKind.USER or statement.role is None or statement.intent != "assert":
        return []
    used = NameIndex((name, name) for name in names.brought).find_text(text)
    return [(name, statement.entity) for name in sorted(used)]

"""Which of the things held of a speaker end by their saying that it is no longer so."""

from __future__ import annotations

from collections.abc import Iterable

from langgraph_memory.consolidation.facts.statements import Statement
from langgraph_memory.consolidation.rules import ANY_ATTRIBUTE
from langgraph_memory.policy import Policy
from langgraph_memory.records import Fact, FactKind
from langgraph_memory.store.tokens import tokenize

_LIKING = {word: "like" for like in ("like", "love", "prefer", "enjoy") for word in tokenize(like)}


def is_unnamed_end(statement: Statement) -> bool:
    """Whether a statement ends something without saying which attribute it is of."""
    return statement.intent == "retire" and statement.attribute == ANY_ATTRIBUTE


def ceased(statement: Statement, held: Iterable[Fact], policy: Policy) -> list[Statement]:
    """The ending, once for each fact all of whose words it has; rules are ended by releases alone."""
    words = _words(statement.value)
    return [
        statement.model_copy(
            update={
                "attribute": fact.attribute,
                "kind": fact.kind,
                "value": fact.value if policy.is_multi_valued(fact.attribute) else statement.value,
            }
        )
        for fact in held
        if fact.kind is not FactKind.CONSTRAINT and (own := _words(fact.value)) and own <= words
    ]


def _words(text: str) -> set[str]:
    return {_LIKING.get(word, word) for word in tokenize(text)}

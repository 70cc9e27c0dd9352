"""Spoken rules by the actions that they are about: which one a statement replaces, and which it ends."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from langgraph_memory.actions import ActionClass
from langgraph_memory.consolidation.facts.statements import Statement
from langgraph_memory.records import Fact, FactKind, is_early_ending

_ANY = ActionClass.ANY.value
_AGAIN = re.compile(r"\bagain\b", re.IGNORECASE)


def apart(statement: Statement, rules: Sequence[Fact]) -> Statement:
    """The prohibition at a place of its own where it would replace one that rules out something else.

    "Don't restart db-7" leaves "never delete db-7" alone, and a rule without an end is not given one by the
    way, by a wider rule that has one.
    """
    place = place_of(statement)
    held = next((rule for rule in rules if rule.attribute == place), None)
    if held is None:
        held = next((rule for rule in rules if rule.attribute == statement.attribute), None)
        if held is None or not held.forbids or _replaces(statement, held):
            return statement
    return statement.model_copy(update={"attribute": place})


def endings(statement: Statement, rules: Sequence[Fact]) -> list[Statement]:
    """The ending, once for each rule that it reaches; as it is where none rules out what it allows again.

    Of a lasting rule against everything, a single action that is allowed lifts only a part: whether the rest
    is still meant is asked. "You can edit it again" speaks of the rule, and so does leave while one with an
    end condition is in force.
    """
    allowed = frozenset(statement.forbids)
    reached = [rule for rule in rules if touches(allowed, rule.forbids)]
    taken = any(rule.attribute == statement.attribute for rule in rules)
    if not reached:  # it may have come before what it ends
        return [statement.model_copy(update={"attribute": place_of(statement)}) if taken else statement]
    return [
        statement.model_copy(
            update={
                "attribute": rule.attribute,
                "certainty": _certainty(statement, rule, allowed),
            }
        )
        for rule in reached
    ]


def has_ended(statement: Statement, fact: Fact, *, in_its_place: bool) -> bool:
    """Whether a fact that holds no longer tells when that ended which a statement is about.

    Early endings of what may not be done reach as far as `endings` lets them. All else ends what it replaces
    or is replaced by: the end of one prohibition is not that of another.
    """
    actions, over = frozenset(statement.forbids), frozenset(fact.forbids)
    if not (is_early_ending(fact) and fact.kind is FactKind.CONSTRAINT and over):
        one_matter = (
            _replaces(statement, fact) if fact.asserted_at <= statement.at else _replaces(fact, statement)
        )
        return in_its_place and (one_matter or not over or not actions)
    if statement.intent != "assert":
        return over == actions
    return touches(over, actions) and not _in_doubt(fact, statement, over)


def _certainty(statement: Statement, rule: Fact, allowed: AbstractSet[str]) -> str:
    return "hedged" if _in_doubt(statement, rule, allowed) else statement.certainty


def _in_doubt(ending: Statement | Fact, rule: Statement | Fact, allowed: AbstractSet[str]) -> bool:
    in_part = _ANY in rule.forbids and _ANY not in allowed
    means_the_rule = rule.ends_when is not None or _AGAIN.search(ending.value) is not None
    return in_part and not means_the_rule


def touches(allowed: AbstractSet[str], forbidden: Iterable[str]) -> bool:
    """Whether what is allowed again was ruled out."""
    ruled_out = frozenset(forbidden)
    return bool(allowed & ruled_out) or _ANY in allowed | ruled_out


def _replaces(statement: Statement | Fact, held: Fact | Statement) -> bool:
    """Whether nothing that is ruled out gets lost; keeping a thing running is one matter, however it ends."""
    new, old = frozenset(statement.forbids), frozenset(held.forbids)
    covered = _ANY in new or new >= old
    same_matter = new == old or ActionClass.STOP in new & old
    return covered and (same_matter or statement.ends_when is None or held.ends_when is not None)


def place_of(statement: Statement) -> str:
    """An attribute named after the actions, of the statement's kind (`restart_policy`)."""
    kind = statement.attribute.rpartition("_")[2]
    actions = "_".join(sorted(statement.forbids)).replace(_ANY, "any")
    return f"{actions}_{kind}"

"""Statements that protect something: keep it, hold it, don't do it, only so-and-so may."""

from __future__ import annotations

from langgraph_memory.consolidation.rules import approvals, holding, keeping, prohibitions
from langgraph_memory.consolidation.rules.caution import cautious
from langgraph_memory.consolidation.rules.deeds import attribute_of
from langgraph_memory.consolidation.rules.ends import Ended, resolved
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.rule import Reader, Rule, first_of
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase
from langgraph_memory.records import FactKind

_OF_WHOLE: tuple[Reader, ...] = (
    approvals.ask_first,
    approvals.only_by,
    approvals.without_consent,
    approvals.whoever,
    approvals.needs_consent,
    approvals.only_after,
    approvals.not_earlier,
    approvals.only_once,
    approvals.threat,
    approvals.only_at,
    holding.wait_with,
)
"""Forms that need the whole clause, since what looks like its end belongs to the deed."""

_OF_MAIN: tuple[Reader, ...] = (
    prohibitions.let_not,
    prohibitions.unwanted,
    prohibitions.inverted,
    prohibitions.negated,
    prohibitions.nobody,
    prohibitions.modal,
    prohibitions.no_deed,
    prohibitions.verb_nothing,
    prohibitions.no_longer,
    prohibitions.not_going,
    holding.closed_for,
    prohibitions.forbidden,
    prohibitions.banned,
    prohibitions.avoid,
    prohibitions.forbids,
    keeping.keep_state,
    keeping.keeps_state,
    keeping.let,
    keeping.stays,
    holding.freeze_noun,
    holding.frozen,
    holding.on_list,
    holding.put_on_hold,
    holding.hands_off,
    holding.held,
    keeping.kept,
    keeping.stays_bare,
    keeping.protect,
    keeping.keep,
    keeping.needed,
    holding.can_wait,
    prohibitions.dreaded,
    prohibitions.unknown_deed,
)
"""Forms of what is left without the end condition, the more specific first."""

_DOUBTS = (Mark.HEDGED, Mark.REPORTED, Mark.QUESTION, Mark.HYPOTHETICAL)
_SOFTENED = (Mark.HEDGED, Mark.REPORTED)
_UNDECIDED = (*_DOUBTS, Mark.CONDITIONAL, Mark.REQUEST)
_NO_DUTY = starts("you|we|they|anyone ( do not|never have|need to | need not )")
"""What need not be done is not ruled out: "you don't have to delete it"."""

_LASTS = holds("until|while|through|throughout|during|for|over | as|so long as")


def constraint(stance: Stance, before: Phrase) -> Reading | None:
    """The constraint that a clause lays down, if it does.

    Args:
        stance: the clause.
        before: the sentence before, for what points back ("until then", "don't do that again").
    """
    if stance.has(Mark.DOCUMENT, Mark.ASKING) or _NO_DUTY.match(stance.core):
        return None
    rule = _rule(stance, before)
    return _reading(rule, stance, before) if rule is not None else None


def precaution(stance: Stance, before: Phrase) -> Reading | None:
    """A hold for what fits no form but speaks against acting; see `caution`."""
    if stance.has(Mark.DOCUMENT, Mark.ASKING, *_UNDECIDED):
        return None
    rule = cautious(stance.end)
    return _reading(rule, stance, before) if rule is not None else None


def _reading(rule: Rule, stance: Stance, before: Phrase) -> Reading | None:
    """What a rule says of a clause; None for one that needs an end and has none."""
    end = _end(rule, stance)
    if rule.needs_end and end is None:
        return None
    attribute = attribute_of(rule.forbids)
    said = f"{before.text}, {stance.clause.text}" if rule.points_back else stance.statement
    doubtful = rule.doubtful and not (rule.sure_if_ended and end)
    colored = stance.has(*_DOUBTS)
    softened = stance.has(*_SOFTENED) and not stance.has(Mark.QUESTION, Mark.HYPOTHETICAL)
    return Reading(
        attribute=attribute.replace("_policy", "_approval") if rule.approval else attribute,
        value=said,
        about=rule.about,
        kind=FactKind.CONSTRAINT,
        forbids=rule.forbids,
        ends_when=resolved(end, before.text.rstrip(" .,;:!?")),
        hedged=doubtful or colored,
        asks_first=softened or (doubtful and not colored),
        explicit=not rule.doubtful,
        once=stance.has(Mark.ONCE),
        named_only=(rule.named_only and (end is None or rule.until is not None)) or rule.cautious,
    )


def _rule(stance: Stance, before: Phrase) -> Rule | None:
    return (
        first_of(_OF_WHOLE, stance.core)
        or prohibitions.not_again(stance.core, stance.clause.lead or before)
        or prohibitions.so_do_not(stance.core, stance.clause.lead or before)
        or first_of(_OF_MAIN, stance.end.main)
        or (keeping.state_alone(stance.end.main, before) if stance.clause.after in (":", "=") else None)
        or first_of((approvals.first_things_first,), stance.whole)
        or (
            stance.has(Mark.DIRECTIVE)
            and first_of((keeping.to_stay, keeping.survives, prohibitions.not_happening), stance.end.main)
        )
        or first_of((approvals.allowed_later,), stance.whole)
    ) or None


def _end(rule: Rule, stance: Stance) -> str | None:
    """The end of a rule: its own, or that of its clause; an exception to a standing rule doesn't end it."""
    end: Ended = stance.end
    if rule.until is not None:
        return rule.until
    if rule.approval and not _LASTS.search(Phrase.of(end.connector)):
        return None
    return None if end.connector.startswith("unless") and stance.has(Mark.STANDING) else end.when

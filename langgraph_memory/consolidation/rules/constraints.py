"""Statements that protect something: keep it, hold it, don't do it, only so-and-so may."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from langgraph_memory.actions import CODE_FREEZE, KEEP_RUNNING, ActionClass
from langgraph_memory.consolidation.rules import constraint_tables as tables
from langgraph_memory.consolidation.rules.deeds import (
    attribute_of,
    governed,
    is_gerund,
    noun_deeds,
    object_of,
)
from langgraph_memory.consolidation.rules.ends import Ended, ended, resolved
from langgraph_memory.consolidation.rules.mentions import noun_phrase
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase
from langgraph_memory.records import FactKind

_DOUBTS = (Mark.HEDGED, Mark.REPORTED, Mark.QUESTION, Mark.HYPOTHETICAL)


@dataclass(frozen=True)
class Rule:
    """What a form found: the classes ruled out, and the words that say of what.

    Attributes:
        approval: whether the deeds are allowed to some or after asking, rather than forbidden.
        doubtful: whether the form itself only suggests protection ("QA needs it").
        needs_end: whether it protects only where an end is named ("keep the logs until May").
        named_only: whether, without an end, it protects only what it names ("keep gpu-bench-01").
        sure_if_ended: whether naming an end takes the doubt away ("it can't be stopped until Friday").
    """

    forbids: frozenset[str]
    about: tuple[Phrase, ...]
    approval: bool = False
    doubtful: bool = False
    needs_end: bool = False
    sure_if_ended: bool = False
    named_only: bool = False


Form = Callable[[Phrase], Rule | None]


def constraint(stance: Stance, before: Phrase) -> Reading | None:
    """The constraint that a clause lays down, if it does.

    Args:
        stance: the clause.
        before: the sentence before, for what points back ("until then", "don't do that again").
    """
    if stance.has(Mark.DOCUMENT, Mark.ASKING):
        return None
    end = stance.end
    rule = _first(_WHOLE_FORMS, stance.core) or _not_again(stance.core, before) or _first(_FORMS, end.main)
    if rule is None and stance.has(Mark.DIRECTIVE):
        rule = _not_happening(end.main)
    if rule is None and (agreement := _agree_before(stance.clause.whole)):
        rule, end = agreement, Ended(end.main)
    if rule is None and (conditional := _allowed_later(stance)):
        rule, end = conditional
    if rule is None and end.when is not None:
        rule = _unknown_deed(end.main)
    if rule is None or (rule.needs_end and end.when is None):
        return None
    if (rule.approval and not _LASTS.search(end.connector)) or (
        end.connector.startswith("unless") and stance.has(Mark.STANDING)
    ):
        end = Ended(end.main)
    attribute = attribute_of(rule.forbids)
    return Reading(
        attribute=attribute.replace("_policy", "_approval") if rule.approval else attribute,
        value=stance.statement,
        about=rule.about,
        kind=FactKind.CONSTRAINT,
        forbids=rule.forbids,
        ends_when=resolved(end.when, before.text.rstrip(_PUNCTUATION)),
        hedged=(rule.doubtful and not (end.when and rule.sure_if_ended)) or stance.has(*_DOUBTS),
        explicit=not rule.doubtful,
        once=stance.has(Mark.ONCE),
        named_only=rule.named_only and end.when is None,
    )


_PUNCTUATION = " .,;:!?"
_LASTS = re.compile(r"\b(?:until|while|long as|through|during|for|over)\b")


def _first(forms: tuple[Form, ...], phrase: Phrase) -> Rule | None:
    rules = (form(phrase) for form in forms if phrase)
    return next((rule for rule in rules if rule and rule.forbids), None)


def _not_again(phrase: Phrase, before: Phrase) -> Rule | None:
    """ "Don't do that again", about what was done a sentence before."""
    if tables.NOT_AGAIN.match(phrase) is None:
        return None
    done = tables.DONE.search(before)
    classes = governed(before.group(done, "deed")) if done else frozenset()
    about = tuple(filter(None, (before, phrase)))
    return Rule(classes or frozenset({ActionClass.ANY}), about, doubtful=not classes)


def _allowed_later(stance: Stance) -> tuple[Rule, Ended] | None:
    """ "Once QA has migrated you can stop it" hints that it must not be stopped before."""
    match = tables.ALLOWED_LATER.match(stance.clause.whole)
    if match is None:
        return None
    whole = stance.clause.whole
    deed = whole.group(match, "deed") or whole.group(match, "deed2")
    when = whole.group(match, "when") or whole.group(match, "when2")
    classes = governed(deed)
    if not classes & tables.PROTECTED:
        return None
    return Rule(classes, (object_of(deed), deed), doubtful=True), Ended(deed, when.text.strip(" ,"))


# --- forms that need the whole clause, since what looks like their end belongs to the deed -------------------


def _ask_first(phrase: Phrase) -> Rule | None:
    match = tables.ASK_FIRST.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    return Rule(governed(deed) or noun_deeds(deed), (object_of(deed), deed), approval=True)


def _only_by(phrase: Phrase) -> Rule | None:
    match = tables.ONLY_BY.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    return Rule(governed(deed), (object_of(deed), deed, phrase.group(match, "who")), approval=True)


def _without_consent(phrase: Phrase) -> Rule | None:
    match = tables.WITHOUT.match(phrase)
    if match is None or not tables.CONSENT.search(match["who"]):
        return None
    deed = phrase.group(match, "deed")
    return Rule(governed(deed) or noun_deeds(deed), (object_of(deed), deed, phrase), approval=True)


def _needs_consent(phrase: Phrase) -> Rule | None:
    match = tables.NEEDS_CONSENT.match(phrase)
    if match is None or not tables.CONSENT.search(match["who"]):
        return None
    deed = phrase.group(match, "deed")
    return Rule(
        governed(deed) if is_gerund(deed) else noun_deeds(deed), (object_of(deed), deed), approval=True
    )


def _whoever(phrase: Phrase) -> Rule | None:
    """ "Anyone who wants to restart it has to ask first"."""
    match = tables.WHOEVER.match(phrase)
    if match is None or not tables.CONSENT.search(match["who"]):
        return None
    deed = phrase.group(match, "deed")
    return Rule(governed(deed), (object_of(deed), deed), approval=True)


def _agree_before(phrase: Phrase) -> Rule | None:
    """ "Before anything is refunded, legal has to agree"."""
    match = tables.AGREE_BEFORE.match(phrase)
    if match is None or not tables.CONSENT.search(match["agree"] or match["agree2"]):
        return None
    deed = phrase.group(match, "deed") or phrase.group(match, "deed2")
    classes = governed(deed) or noun_deeds(deed)
    return Rule(classes, (object_of(deed), deed, phrase), approval=True) if classes else None


def _only_after(phrase: Phrase) -> Rule | None:
    """ "Stop it only after QA has signed off": until then it must not be stopped."""
    end = ended(phrase)
    match = tables.ONLY_AFTER.match(end.main) if end.connector.startswith("only") else None
    if match is None:
        return None
    deed = end.main.group(match, "deed")
    return Rule(governed(deed), (object_of(deed), deed, end.main))


_WHOLE_FORMS: tuple[Form, ...] = (
    _ask_first,
    _only_by,
    _without_consent,
    _whoever,
    _needs_consent,
    _only_after,
)


# --- prohibitions -------------------------------------------------------------------------------------------


def _let_not(phrase: Phrase) -> Rule | None:
    """ "Don't let anyone restart it", "don't let it go down"."""
    match = tables.LET_NOT.match(phrase)
    if match is None:
        return None
    rest = phrase.group(match, "obj") or phrase.group(match, "obj2")
    classes = frozenset().union(*(governed(rest.cut(at)) for at in _word_starts(rest)[1:6]))
    return Rule(classes, (rest,))


def _unwanted(phrase: Phrase) -> Rule | None:
    """ "I don't want it to be stopped", "we can't have it go down"."""
    match = tables.UNWANTED.match(phrase)
    if match is None:
        return None
    rest = phrase.group(match, "obj")
    starts_of_deed = [m.end() for m in _INFINITIVE.finditer(rest.plain)]
    classes = frozenset().union(*(governed(rest.cut(at)) for at in starts_of_deed[:3]))
    return Rule(classes, (rest,))


_INFINITIVE = re.compile(r"(?<![^ ])(?:to|be|being|get|getting|go|anyone|you|anybody) ")


def _negated(phrase: Phrase) -> Rule | None:
    match = tables.NEGATED.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    return Rule(governed(deed), (object_of(deed), deed))


def _nobody(phrase: Phrase) -> Rule | None:
    match = tables.NOBODY.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    about = (phrase.group(match, "of"), phrase.group(match, "neither"), object_of(deed), deed)
    return Rule(governed(deed), tuple(part for part in about if part))


def _modal_negated(phrase: Phrase) -> Rule | None:
    match = tables.MODAL_NEGATED.match(phrase)
    if match is None:
        return None
    who, deed = phrase.group(match, "who"), phrase.group(match, "deed")
    modal = phrase.plain[match.end("who") : match.start("deed")]
    if who.plain == "i " or not (classes := governed(deed)):
        return None
    if _NARRATES.search(modal) and who.plain not in ("we ", "you "):
        return Rule(classes, (who, deed), needs_end=True) if classes & _FINAL else None
    if _AGENT.fullmatch(who):
        return Rule(
            classes,
            (object_of(deed), deed),
            doubtful="can not" in modal and who.plain == "we ",
            sure_if_ended=True,
        )
    if (
        _OBLIGES.search(modal)
        or tables.PASSIVE.match(deed)
        or ActionClass.STOP in classes
        and "go " in deed.plain
    ):
        return Rule(classes, (who, deed), doubtful="can not" in modal, sure_if_ended=True)
    return None


_FINAL = frozenset(
    {ActionClass.DEPLOY, ActionClass.MERGE, ActionClass.PAY, ActionClass.SEND, ActionClass.MIGRATE}
)
_AGENT = starts(
    "you|we|they|anyone|anybody|people | [the|our|your|all] agents?|bots?|team|assistant|cleanup|job|script|sweep"
)
_OBLIGES = holds("must|should|may|shall|ought|never|allowed|supposed|permitted|meant|better | not to")
_NARRATES = holds("do|does|get|gets|will not")


def _no_deed(phrase: Phrase) -> Rule | None:
    match = tables.NO_DEED.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    if _STATED.search(deed):
        return None
    return Rule(noun_deeds(deed), (object_of(deed), deed))


_STATED = holds("needed|required|necessary|is|are|was|were|has|have|found|made|yet|left|available|pending")


def _inverted(phrase: Phrase) -> Rule | None:
    """ "Under no circumstances should it be rolled back"."""
    match = tables.INVERTED.match(phrase)
    if match is None:
        return None
    return Rule(
        governed(phrase.group(match, "deed")), (phrase.group(match, "who"), phrase.group(match, "deed"))
    )


def _banned(phrase: Phrase) -> Rule | None:
    """ "Shutting it down is a no-go", "restarts are not allowed"."""
    match = tables.BANNED.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    classes = governed(deed) if is_gerund(deed) else noun_deeds(deed)
    return Rule(classes, (object_of(deed), deed, phrase.group(match, "rest") or deed))


def _dreaded(phrase: Phrase) -> Rule | None:
    """ "It would be a disaster if somebody stopped it"."""
    match = tables.DREADED.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    classes = governed(deed) or frozenset().union(*(governed(deed.cut(at)) for at in _word_starts(deed)[1:5]))
    return Rule(classes, (deed,), doubtful=True)


def _verb_nothing(phrase: Phrase) -> Rule | None:
    """ "Delete nothing in reports-db"."""
    match = tables.VERB_NOTHING.match(phrase)
    if match is None:
        return None
    return Rule(governed(phrase.group(match, "deed")), tuple(filter(None, (phrase.group(match, "rest"),))))


def _closed_for(phrase: Phrase) -> Rule | None:
    match = tables.CLOSED_FOR.match(phrase)
    if match is None:
        return None
    return Rule(noun_deeds(phrase.group(match, "deed")), (phrase.group(match, "obj"),))


def _not_happening(phrase: Phrase) -> Rule | None:
    """ "(Make sure that) it isn't killed", "… doesn't go down"."""
    match = tables.NOT_HAPPENING.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    return Rule(governed(deed), (phrase.group(match, "obj"), deed))


def _unknown_deed(phrase: Phrase) -> Rule | None:
    """A prohibition with a verb that no class has: whatever it means, it asks for care until its end."""
    match = tables.NEGATED.match(phrase)
    if match is None or tables.IGNORABLE.match(match["deed"]):
        return None
    return Rule(frozenset({ActionClass.ANY}), (phrase.group(match, "deed"),), doubtful=True)


def _survives(phrase: Phrase) -> Rule | None:
    match = tables.SURVIVES.match(phrase)
    return Rule(tables.PROTECTED, (phrase.group(match, "obj"),)) if match else None


def _avoid(phrase: Phrase) -> Rule | None:
    match = tables.AVOID.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    if not (is_gerund(deed) or match.group().startswith(("avoid", "be ", "take ", "try ", "refrain"))):
        return None
    return Rule(governed(deed) or noun_deeds(deed), (object_of(deed), deed))


# --- keeping ------------------------------------------------------------------------------------------------


def _keep_state(phrase: Phrase) -> Rule | None:
    for form in (tables.KEEP_STATE, tables.KEEP_STATE_FIRST):
        match = form.match(phrase)
        if match and _is_state(match):
            return Rule(classes_of_state(match["state"]), (phrase.group(match, "obj"),))
    return None


def _let(phrase: Phrase) -> Rule | None:
    match = tables.LET.match(phrase)
    return Rule(KEEP_RUNNING, (phrase.group(match, "obj"),)) if match else None


def _stays(phrase: Phrase) -> Rule | None:
    match = tables.STAYS.match(phrase) or tables.MUST_BE.match(phrase)
    if match is None or not _is_state(match):
        return None
    return Rule(classes_of_state(match["state"]), (phrase.group(match, "obj"),))


def _is_state(match: re.Match[str]) -> bool:
    """Whether "on", "up" and their like end the statement, rather than begin a place ("on the desk")."""
    groups = match.groupdict()
    rest = groups.get("rest") or ""
    return (
        not tables.AMBIGUOUS_STATES.fullmatch(match["state"])
        or not rest
        or _AFTER_STATE.match(rest) is not None
    )


_AFTER_STATE = starts(
    "for|,|and|or|during|so|because|as|please|over|with|too|there|here|now|again|24/7|\u2014|\\.|! | at least|all | in case | by all means"
    " | as well | right now"
)


def classes_of_state(state: str) -> frozenset[str]:
    """What a state rules out: what would end it."""
    return next((classes for form, classes in tables.STATE_FORMS if _is_all_of(form, state)), KEEP_RUNNING)


def _is_all_of(form: re.Pattern[str], state: str) -> bool:
    match = form.match(state)
    return match is not None and match.end() == len(state)


def _kept(phrase: Phrase) -> Rule | None:
    """ "gpu-bench-01 is reserved for QA", "the logs must be retained"."""
    match = tables.KEPT.match(phrase)
    if match is None:
        return None
    return Rule(tables.PROTECTED, (phrase.group(match, "obj"),), doubtful=match["firm"] is None)


def _keep_bare(phrase: Phrase) -> Rule | None:
    match = tables.KEEP_BARE.match(phrase)
    if match is None:
        return None
    return Rule(tables.PROTECTED, (noun_phrase(phrase.group(match, "obj")),), named_only=True)


def _protect(phrase: Phrase) -> Rule | None:
    match = tables.PROTECT.match(phrase)
    return Rule(tables.PROTECTED, (phrase.group(match, "obj"),)) if match else None


def _needed(phrase: Phrase) -> Rule | None:
    match = tables.NEEDED.match(phrase)
    if match is None or match["obj"].startswith("to "):
        return None
    return Rule(tables.PROTECTED, (phrase.group(match, "obj"),), doubtful=True, needs_end=True)


# --- freezing and holding -----------------------------------------------------------------------------------


def _freeze(phrase: Phrase) -> Rule | None:
    match = tables.FREEZE.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    verb = phrase.words[0].norm
    if is_gerund(deed):
        return Rule(governed(deed), (object_of(deed), deed))
    classes = held_classes(deed)
    if (
        verb.startswith(("stop", "cease", "quit", "block", "lock", "pause", "suspend", "halt"))
        and not classes
    ):
        return None
    return Rule(classes or frozenset({ActionClass.ANY}), (deed,), needs_end=not classes)


def held_classes(phrase: Phrase) -> frozenset[str]:
    """What holding or freezing the thing that a phrase names rules out; nothing if the noun doesn't say."""
    plain = phrase.plain
    if tables.PAYMENT_NOUN.search(plain):
        return frozenset({ActionClass.PAY})
    if tables.RELEASE_NOUN.search(plain):
        return frozenset({ActionClass.DEPLOY})
    if tables.CODE_NOUN.search(plain):
        return CODE_FREEZE
    return noun_deeds(phrase)


def _on_hold(phrase: Phrase) -> Rule | None:
    match = tables.ON_HOLD.match(phrase)
    if match is None:
        return None
    about = phrase.group(match, "held") or phrase.group(match, "obj")
    return Rule(held_classes(phrase) or frozenset({ActionClass.ANY}), (about,))


def _frozen(phrase: Phrase) -> Rule | None:
    match = tables.FROZEN.match(phrase)
    if match is None:
        return None
    about = phrase.group(match, "obj")
    return Rule(held_classes(about) or frozenset({ActionClass.ANY}), (about,))


def _freeze_noun(phrase: Phrase) -> Rule | None:
    match = tables.FREEZE_NOUN.match(phrase)
    if match is None:
        return None
    classes = tables.FREEZE_WHAT.get(match["what"].strip(), CODE_FREEZE)
    return Rule(classes, tuple(filter(None, (phrase.group(match, "obj"),))))


def _hands_off(phrase: Phrase) -> Rule | None:
    match = tables.HANDS_OFF.match(phrase)
    if match is None or match.group().startswith("leave "):
        return None
    return Rule(frozenset({ActionClass.ANY}), (phrase.group(match, "obj"),))


def _can_wait(phrase: Phrase) -> Rule | None:
    match = tables.CAN_WAIT.match(phrase)
    if match is None:
        return None
    about = phrase.group(match, "obj")
    return Rule(held_classes(about), (about,))


def _word_starts(phrase: Phrase) -> list[int]:
    return [0, *(match.end() for match in re.finditer(" ", phrase.plain))]


_FORMS: tuple[Form, ...] = (
    _let_not, _unwanted, _inverted, _negated, _nobody, _modal_negated, _no_deed, _verb_nothing, _closed_for, _banned, _avoid,
    _keep_state, _let, _stays, _survives, _freeze_noun, _frozen, _on_hold, _hands_off, _freeze, _kept, _protect,
    _keep_bare, _needed, _can_wait, _dreaded,
)  # fmt: skip

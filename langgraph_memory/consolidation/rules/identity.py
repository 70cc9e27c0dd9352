"""Who the speaker is, what they work on and with."""

from __future__ import annotations

import re

from langgraph_memory.consolidation.rules import identity_tables as tables
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.topics import full, head
from langgraph_memory.consolidation.rules.words import Phrase
from langgraph_memory.records import FactKind


def identity(stance: Stance) -> Reading | None:
    """What a clause says about who the speaker is."""
    if _unsettled(stance):
        return None
    core = stance.core
    for slot, form in tables.SLOTS:
        match = form.match(core)
        if match and not tables.PASSING.search(core) and _is_named(core, match):
            return _personal(stance, slot, FactKind.IDENTITY)
    if _introduces(core):
        return _personal(stance, "name", FactKind.IDENTITY)
    if match := tables.OWN.match(core):
        about = full(core.group(match, "rest")) or ""
        return _personal(stance, f"{match['noun'].strip()}_{about}".rstrip("_"), FactKind.FACT)
    return None


def project(stance: Stance) -> Reading | None:
    """What a clause says about what the speaker works on, or works with."""
    if _unsettled(stance):
        return None
    core = stance.core
    if match := tables.PROJECT.match(core):
        what = next(filter(None, (core.group(match, name) for name in ("what", "made", "is"))))
        return _personal(stance, "current_project", FactKind.PROJECT) if head(what) else None
    match = tables.USES.match(core)
    if match is None:
        return None
    what = next((p for p in (core.group(match, name) for name in ("new", "value", "what")) if p), core)
    kind = next((kind for kind, form in tables.TECHNOLOGIES if form.search(what)), None)
    if match["thing"]:
        kind = kind or head(core.group(match, "thing"))
    return _personal(stance, f"uses_{kind}", FactKind.PROJECT) if kind else None


def _is_named(core: Phrase, match: re.Match[str]) -> bool:
    """Whether what has to be a name is written as one."""
    named = core.group(match, "named").text
    return not named or named[:1].isupper()


def _unsettled(stance: Stance) -> bool:
    return stance.has(
        Mark.DOCUMENT, Mark.QUESTION, Mark.REPORTED, Mark.HYPOTHETICAL, Mark.CONDITIONAL, Mark.REQUEST
    )


def _introduces(core: Phrase) -> bool:
    match = tables.INTRODUCES.match(core)
    if match is None or tables.NOT_A_NAME.search(match["name"]):
        return False
    return all(word[:1].isupper() and word[1:].islower() for word in core.group(match, "name").text.split())


def _personal(stance: Stance, attribute: str, kind: FactKind) -> Reading:
    return Reading(
        attribute=attribute,
        value=stance.statement,
        kind=kind,
        hedged=stance.has(Mark.HEDGED),
        explicit=stance.has(Mark.EXPLICIT, Mark.STANDING),
        once=stance.has(Mark.ONCE, Mark.AT_HAND),
        personal=True,
    )

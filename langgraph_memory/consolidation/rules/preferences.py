"""What the speaker likes, avoids, or wants done in a certain way: lasting traits, not the task at hand."""

from __future__ import annotations

import re

from langgraph_memory.consolidation.rules import preference_tables as tables
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.stance import Stance, without_reason
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.styles import style
from langgraph_memory.consolidation.rules.topics import full, head
from langgraph_memory.consolidation.rules.words import Phrase
from langgraph_memory.records import FactKind

_UNSETTLED = (
    Mark.DOCUMENT,
    Mark.QUESTION,
    Mark.REPORTED,
    Mark.HYPOTHETICAL,
    Mark.CONDITIONAL,
    Mark.REQUEST,
    Mark.ASKING,
)
_TRAITS = (
    tables.NONE_FOR_ME,
    tables.FAVORITE,
    tables.FINDS,
    tables.HAS,
    tables.IS,
    tables.EFFECT,
    tables.LIKES,
    tables.HABIT,
)


def preference(stance: Stance) -> Reading | None:
    """The preference that a clause states, if it does.

    Wishes ("I'd like to", "I want to") are tasks; "I'd rather not take calls" is a preference with a doubt.
    """
    if stance.has(*_UNSETTLED):
        return None
    passing = stance.end.when
    topic = _topic(stance.core) or _wished(stance)
    if topic is None and (topic := _directed(stance)) is None:
        return None
    wish = tables.WISH.match(stance.core) is not None and not stance.has(Mark.STANDING)
    return Reading(
        attribute=f"{_matter(stance.core)}_{topic}",
        value=stance.statement,
        kind=FactKind.PREFERENCE,
        ends_when=passing if _directed(stance) or stance.end.connector.startswith("until") else None,
        hedged=wish or stance.has(Mark.HEDGED),
        explicit=stance.has(Mark.EXPLICIT, Mark.STANDING),
        once=stance.has(Mark.ONCE, Mark.AT_HAND),
        personal=True,
    )


def _matter(core: Phrase) -> str:
    """What a preference is a matter of: what is sensitive is told by its attribute."""
    sensitive = (("allergy", tables.ALLERGY), ("health", tables.HEALTH), ("religion", tables.FAITH))
    return next((matter for matter, form in sensitive if form.search(core)), "preference")


def _topic(core: Phrase) -> str | None:
    if tables.TASK.search(without_reason(core)) and not tables.LASTING.search(core):
        return None
    if match := tables.CHOOSES.match(core):
        what = core.group(match, "what")
        return style(what) or head(what)
    matches = (form.match(core) for form in _TRAITS)
    match = next((match for match in matches if match), None)
    return _named(core, match) if match else None


def _named(core: Phrase, match: re.Match[str]) -> str | None:
    """The topic by the words that the form found, the most telling first."""
    groups = match.groupdict()
    for name in ("noun", "noun2"):
        if groups.get(name):
            return head(core.group(match, name))
    if groups.get("state"):
        state = core.group(match, "state")
        return "diet" if tables.DIET.search(state) else full(state)
    topics = (
        full(core.group(match, name)) for name in ("what", "what2", "trait", "type") if groups.get(name)
    )
    return next((topic for topic in topics if topic), None)


def _wished(stance: Stance) -> str | None:
    """As in "I'd love a window seat whenever possible": a wish that is meant for always."""
    match = tables.WISHES.match(stance.core) if stance.has(Mark.STANDING) else None
    if match is None:
        return None
    return style(stance.core) or head(stance.core.group(match, "what"))


def _directed(stance: Stance) -> str | None:
    """As in "from now on answer in German", "always use metric units"; not a task ("write it in German")."""
    lasting = stance.end.when is not None or stance.has(Mark.STANDING, Mark.EXPLICIT, Mark.ONCE, Mark.AT_HAND)
    if not lasting or tables.DIRECTED.match(stance.end.main) is None:
        return None
    return style(stance.core)

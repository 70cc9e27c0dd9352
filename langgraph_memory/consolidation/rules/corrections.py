"""Corrections that need what was said before them: "make that Monday", "I meant the other one"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from langgraph_memory.consolidation.rules.discourse import Referent
from langgraph_memory.consolidation.rules.ends import ended, led
from langgraph_memory.consolidation.rules.known_names import KnownNames
from langgraph_memory.consolidation.rules.mentions import mentions
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.wording import starts
from langgraph_memory.consolidation.rules.words import Phrase

_NEW_END = starts("""
    ( (?P<not> not _4 [:|,|but|—|rather] ) )? ( no|actually|sorry|wait|correction|instead|rather [,] )* (
    (?P<change> make|do|say|extend|change|move|push|shorten [it|that|this|the]
    [deadline|hold|freeze|date|end|to|back|out] [to] ) | it is | that is | i meant? | rather
    | only )? (?P<end> ... ) $
""")
_DATE = starts(r"""
    ( [the|next|this|end|of|early|late] )* ( (?:mon|tues|wednes|thurs|fri|satur|sun)days? | \d[\w:./-]*
    | tomorrow|week|month|quarter|year | (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* ) ...? $
""")
_MEANT = starts("""
    ... ( mean|meant [to] [say] | should be | should have been | it is | it was | that is | that was
    | is ) (?P<new> ... ) ( [,] not|instead [of] (?P<old> ... ) )? $
""")
_NOT_BUT = starts("( no | sorry | i meant? | , )* not (?P<old> _4 ) [,] but|rather (?P<new> _4 ) $")
_MAX_NAMED = 6
"""A correction that only names another entity is no longer than this, in words."""


@dataclass(frozen=True)
class Said:
    """A reading of this activity, what it was about, and the event it was read from."""

    reading: Reading
    referent: Referent
    event_id: str


def corrected(meant: Stance, before: Sequence[Said], known: KnownNames) -> list[tuple[Reading, Referent]]:
    """What a clause changes about the latest statement; empty if it is no such correction."""
    latest = next((said for said in reversed(before) if said.reading.intent == "assert"), None)
    if latest is None or latest.reading.personal or meant.has(Mark.QUESTION):
        return []
    return _new_end(meant, latest) or _other_entity(meant, latest, known)


def _new_end(meant: Stance, latest: Said) -> list[tuple[Reading, Referent]]:
    """As in "Actually, make that until Monday"."""
    match = _NEW_END.match(meant.core)
    if match is None:
        return []
    words = meant.core.group(match, "end")
    if latest.reading.ends_when and (match["change"] or match["not"]) and _DATE.match(words):
        words = Phrase.of(f"until {words.text}")
    end = led(words)
    if end.when is None or end.main or end.connector.startswith(("only", "unless")):
        return []
    kept = ended(Phrase.of(latest.reading.value)).main.text
    reading = replace(
        latest.reading, value=f"{kept} {words.text}", ends_when=end.when, hedged=meant.has(Mark.HEDGED)
    )
    return [(reading, replace(latest.referent, event_id=latest.event_id))]


def _other_entity(meant: Stance, latest: Said, known: KnownNames) -> list[tuple[Reading, Referent]]:
    """As in "no, I meant gpu-bench-02": taken back for one entity, and said of the other."""
    phrase = meant.clause.phrase
    match = _NOT_BUT.match(phrase) or _MEANT.match(phrase)
    if match is None or len(phrase.words) > _MAX_NAMED + 4 or latest.referent.entity is None:
        return []
    named = mentions(phrase.group(match, "new"), known)
    if len(named) != 1 or known.same(named[0].name, latest.referent.entity):
        return []
    old = latest.referent.entity
    value = latest.reading.value.replace(old, named[0].name)
    taken_back = replace(latest.reading, intent="retract", value=meant.clause.text, ends_when=None)
    return [
        (taken_back, replace(latest.referent, event_id=latest.event_id)),
        (replace(latest.reading, value=value), Referent(named[0].name, event_id=latest.event_id)),
    ]

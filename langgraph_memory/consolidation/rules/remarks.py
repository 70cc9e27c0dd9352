"""What the speaker asks to remember, by the noun that it is about."""

from __future__ import annotations

from dataclasses import replace

from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.topics import head
from langgraph_memory.consolidation.rules.wording import starts
from langgraph_memory.consolidation.rules.words import Phrase
from langgraph_memory.records import FactKind

STATES = starts("""
    (?P<subject> ... )
    ( is|are|has|have|was|were|will|belongs|lives|needs|costs|starts|ends|takes|uses|runs|goes|comes|works
    | sits|contains|means|equals|: ) (?P<rest> ... ) $
""")
_PASSIVES = (
    ("owner", "owned|maintained|managed by"),
    ("host", "hosted|running|deployed on|in|at"),
    ("location", "located|stored|kept|found in|at|on|under"),
    ("deadline", "due|expected"),
    ("name", "called|named"),
    ("contact", "handled|looked [after] by"),
)
_PASSIVE_FORMS = tuple((attribute, starts(f"[now|currently] {wording}")) for attribute, wording in _PASSIVES)
_OF = starts("( the|our|my|your|a|an )* (?P<noun> _3 ) of|for (?P<whole> ... ) $")
_POSSESSIVE = starts("(?P<whole> _3 ) 's (?P<noun> _3 ) $")
_VERB_ATTRIBUTES = {
    "belongs": "owner",
    "costs": "cost",
    "starts": "start",
    "ends": "end",
    "runs": "workload",
    "needs": "requirement",
    "lives": "location",
    "sits": "location",
    "uses": "uses",
    "takes": "duration",
    "contains": "content",
}


def remark(stance: Stance) -> Reading | None:
    """What a clause asks to remember; other statements are talk."""
    if stance.has(Mark.DOCUMENT, Mark.QUESTION, Mark.HYPOTHETICAL) or not stance.has(Mark.EXPLICIT):
        return None
    return None if stance.has(Mark.STANDING) else _fact(stance)


def _fact(stance: Stance) -> Reading | None:
    match = STATES.match(stance.core)
    if match is None and _NAMES_ONLY.match(stance.core):
        return None
    if match is None:
        return replace(_reading(stance, "note", (stance.core,), FactKind.FACT), described=False)
    subject, rest = stance.core.group(match, "subject"), stance.core.group(match, "rest")
    verb = stance.core.plain[match.end("subject") : match.start("rest")].strip()
    passive = next((attribute for attribute, form in _PASSIVE_FORMS if form.match(rest)), None)
    if attribute := passive or _VERB_ATTRIBUTES.get(verb):
        return _reading(stance, attribute, (subject,), FactKind.FACT)
    of = _OF.match(subject) or _POSSESSIVE.match(subject)
    noun = subject.group(of, "noun") if of else subject
    whole = subject.group(of, "whole") if of else subject
    return _reading(stance, head(noun) or "note", (whole,), FactKind.FACT)


def _reading(stance: Stance, attribute: str, about: tuple[Phrase, ...], kind: FactKind) -> Reading:
    return Reading(
        attribute=attribute,
        value=stance.statement,
        about=about,
        kind=kind,
        hedged=stance.has(Mark.HEDGED, Mark.REPORTED),
        explicit=True,
        once=stance.has(Mark.ONCE, Mark.AT_HAND),
        personal=_PERSONAL.match(about[0].plain) is not None,
    )


_NAMES_ONLY = starts("the|my|our|a|an _3 $")
_PERSONAL = starts("my|our|i|we|me")

"""What the speaker asks to remember, and rules for how things are done that forbid nothing."""

from __future__ import annotations

from dataclasses import replace

from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.topics import full, head
from langgraph_memory.consolidation.rules.wording import holds, starts
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
RULE = starts(
    "( always|please|also|you|we|must|should|shall|have|to|need )* (?P<verb> \\w+ ) (?P<object> ...? ) $"
)
_STANDS = starts("""
    always | never | do not | every _2 | whenever ... | you must|should always|never | we always|never
""")
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
    """What a clause asks to remember or lays down for always; other statements are talk."""
    if stance.has(Mark.DOCUMENT, Mark.QUESTION, Mark.HYPOTHETICAL) or not stance.has(
        Mark.EXPLICIT, Mark.STANDING
    ):
        return None
    if stance.has(Mark.STANDING):
        return _rule(stance)
    return _fact(stance)


def _rule(stance: Stance) -> Reading | None:
    """As in "always run the linter": something to do every time, which forbids nothing by itself."""
    core = stance.core
    if not (_STANDS.match(core) or (stance.has(Mark.EXPLICIT) and _COMMANDS.match(core))):
        return None
    standing = _STANDS_AWAY.match(core)
    told = core.cut(standing.end() if standing else 0)
    match = RULE.match(told)
    if match is None:
        return None
    topic = full(told.group(match, "object")) or ""
    if _MINE.search(told.group(match, "object")):
        attribute = f"preference_{match['verb'].strip()}_{topic}".rstrip("_")
        return replace(_reading(stance, attribute, (core,), FactKind.PREFERENCE), personal=True)
    return _reading(stance, f"rule_{match['verb'].strip()}_{topic}".rstrip("_"), (core,), FactKind.CONSTRAINT)


def _fact(stance: Stance) -> Reading | None:
    match = STATES.match(stance.core)
    if match is None:
        return _reading(stance, "note", (stance.core,), FactKind.FACT)
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
        once=stance.has(Mark.ONCE),
        personal=_PERSONAL.match(about[0].plain) is not None,
    )


_MINE = holds("me|my|us|our")
_PERSONAL = starts("my|our|i|we|me")
_COMMANDS = starts(
    "(?! i|we|you|it|he|she|they|the|a|an|my|our|this|that|there|if|when|not|no|nobody|and|to|in|for ) \\w+"
)
_STANDS_AWAY = starts("( you|we [should|must|have|need] [to] )? always|never [always]")

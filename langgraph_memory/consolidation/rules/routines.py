"""How things are to be done every time: "always run the linter", "from now on send me reminders by text"."""

from __future__ import annotations

from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.topics import full
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.records import FactKind

_ANSWERING = """
    answer|reply|respond|write|include|provide|use|format|show|give|explain|list|summarize|summarise|present
    | translate|start|end|begin|keep|avoid|cite|quote|mention|address|greet|speak|describe|offer|suggest
    | recommend|phrase|spell
"""
_WORKING = """
    run|check|test|tag|review|verify|validate|document|log|update|backup|back|notify|confirm|ask|set|add
    | make|put|create|build|deploy|merge|push|pull|commit|rebase|squash|send|call|book|schedule|tell|record
    | save|store|label|attach|upload|sign|encrypt|rotate|restart|monitor|measure|close|assign|pin|lint
    | compile|install|upgrade|clean|scan|escalate|double-check|remind|order|choose|pick|take|do|wash|read
    | prefer|stick|remember|round|split|copy
"""
_STANDING = starts("( you|we [should|must|have|need] [to] )? always|never [always|ever]")
_TOLD = starts(
    f"[please|also|just] ( (?P<answering> {_ANSWERING} ) | {_WORKING} ) (?P<object> (?! up|us ) ...? ) $"
)
_MINE = holds("me|my|us|our")
_WHEN_ASKED = holds("when|whenever|if i|you|we")


def routine(stance: Stance) -> Reading | None:
    """What a clause lays down to be done every time; it forbids nothing by itself.

    What concerns the speaker or the answers they get is a preference, the rest a rule of work.
    """
    if stance.has(Mark.DOCUMENT, Mark.QUESTION, Mark.HYPOTHETICAL, Mark.REPORTED) or not stance.has(
        Mark.STANDING
    ):
        return None
    standing = _STANDING.match(stance.core)
    told = stance.core.cut(standing.end() if standing else 0)
    match = _TOLD.match(told) if standing or stance.has(Mark.EXPLICIT) else None
    if match is None:
        return None
    done = told.group(match, "object")
    personal = bool(match["answering"] or _MINE.search(done) or _WHEN_ASKED.search(stance.clause.whole))
    kind = FactKind.PREFERENCE if personal else FactKind.CONSTRAINT
    verb = told.plain[: match.start("object")].split()[-1]
    return Reading(
        attribute="_".join(filter(None, ("preference" if personal else "rule", verb, full(done)))),
        value=stance.statement,
        about=(stance.core,),
        kind=kind,
        hedged=stance.has(Mark.HEDGED),
        explicit=True,
        once=stance.has(Mark.ONCE, Mark.AT_HAND),
        personal=personal,
        described=False,
    )

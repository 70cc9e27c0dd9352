"""What a speaker says of themselves that holds no longer, without anything else instead."""

from __future__ import annotations

from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.retractions import ANY_ATTRIBUTE
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.wording import starts

_DO = "am|are|do|can|could|have|will|would"
_WHEN = "before|after|at|on|when|if|unless|until|by|in|during|back|again|for|about|to|from|with|while|so"
_CEASES = starts(rf"""
    ( sorry|actually|well|oh|so|and|but|also|just|by the way|fyi|now [,] )*
    ( i|we [{_DO}] [really|actually] no longer _
    | i|we {_DO} not _9 any more|longer [,] [now|though|sorry|thanks] $
    | i|we {_DO} not any more|longer _
    | i|we [have] [just|recently|finally|now] stopped|quit \w+ing
    | my _4 is|are|was|were ( no longer _ | not _9 any more|longer [now|though] $ )
    | [please] ( do not | never | stop ) call|calling me (?! {_WHEN} ) _ )
""")
_UNSETTLED = (
    *(Mark.DOCUMENT, Mark.QUESTION, Mark.REPORTED, Mark.HYPOTHETICAL, Mark.CONDITIONAL),
    *(Mark.ASKING, Mark.ONCE, Mark.AT_HAND),
)


def cessation(stance: Stance) -> Reading | None:
    """The end that a clause tells of something that its speaker said of themselves.

    Which of the things that are held it means is told by its words, once it meets them.
    """
    if stance.has(*_UNSETTLED) or _CEASES.match(stance.clause.phrase) is None:
        return None
    return Reading(
        attribute=ANY_ATTRIBUTE,
        value=stance.clause.text,
        intent="retire",
        hedged=stance.has(Mark.HEDGED),
        explicit=True,
        personal=True,
    )

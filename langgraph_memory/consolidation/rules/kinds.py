"""What a clause states by itself: the first of all kinds of statements that it fits."""

from __future__ import annotations

from langgraph_memory.consolidation.rules.attributes import attribute_stated
from langgraph_memory.consolidation.rules.constraints import constraint, precaution
from langgraph_memory.consolidation.rules.identity import identity, project
from langgraph_memory.consolidation.rules.permissions import permission
from langgraph_memory.consolidation.rules.preferences import preference
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.remarks import remark
from langgraph_memory.consolidation.rules.retractions import retraction
from langgraph_memory.consolidation.rules.routines import routine
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.words import Phrase


def read(meant: Stance, before: Phrase) -> Reading | None:
    """What a clause states, None if it fits no kind.

    Args:
        meant: the clause.
        before: the clause or sentence before it, for what points back.
    """
    return (
        retraction(meant)
        or permission(meant)
        or constraint(meant, before)
        or identity(meant)
        or preference(meant)
        or project(meant)
        or routine(meant)
        or attribute_stated(meant)
        or remark(meant)
        or precaution(meant, before)
    )

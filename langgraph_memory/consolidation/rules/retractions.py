"""Taking back what was said before, without saying anything else instead."""

from __future__ import annotations

from langgraph_memory.consolidation.rules.deeds import attribute_of
from langgraph_memory.consolidation.rules.holding import held_classes
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.wording import holds, starts

ANY_ATTRIBUTE = "*"
"""The attribute of a retraction that doesn't say what it takes back: all the speaker said of the entity."""

_SPEECH = """
    instruction|message|statement|remark|note|request|comment|order|rule|sentence|correction|preference|claim
    | instructions|statements|remarks
"""
_TAKES_BACK = starts(f"""
    ( you can | please | just | now | so | and | let us )* ( scratch|strike that
    | never mind [that|what|about|the] | i take that|it|this|what [i|said] [said] [back] | take that back
    | i retract | forget|ignore|disregard|scratch|strike [about] that|it|this $
    | forget|ignore|disregard|discard|scrap|drop|delete|void|undo|cancel|retract|withdraw [about]
    ( [everything|all] what|everything|anything i [just|have] said|told|wrote|asked|mentioned
    | [my|the|that|this] [last|previous|earlier|prior|first|second|initial|old] ( {_SPEECH} ) | that last
    | the part|bit|thing about ) )
""")
_ADMITS = holds("""
    i misspoke | i was wrong|mistaken [about] | that|this|it was ( my mistake|bad|error | wrong|incorrect )
    | that|this|it was a mistake|slip|typo
    | what i said|wrote|told [you] [earlier|before|just] [about] _4? is|was
    ( wrong|incorrect|outdated|obsolete | not true|right|correct | no longer _ ) | my mistake|bad $
    | i did not mean that|it $ | i got that wrong | i mixed up | that was meant for
""")
_OF_OTHERS = holds("""
    guidelines?|system|prompt|policy|policies|safety|developers?|above|email|mail|quote|draft|offer|typo
    | previous instructions | all instructions | all previous|prior | everything above
    | your rules|instructions
""")


def retraction(stance: Stance) -> Reading | None:
    """What a clause takes back of what the speaker said before; not the rules of others."""
    phrase = stance.clause.phrase
    match = _TAKES_BACK.match(stance.core) or _ADMITS.search(phrase)
    if match is None or stance.clause.question or _OF_OTHERS.search(phrase):
        return None
    if stance.has(Mark.DOCUMENT, Mark.REPORTED, Mark.ASKING):
        return None
    rest = (stance.core if match.re is _TAKES_BACK.pattern else phrase).cut(match.end())
    classes = held_classes(rest) if rest else frozenset()
    return Reading(
        attribute=attribute_of(classes) if classes else ANY_ATTRIBUTE,
        value=stance.clause.text,
        about=(rest,) if rest else (),
        intent="retract",
        explicit=True,
    )

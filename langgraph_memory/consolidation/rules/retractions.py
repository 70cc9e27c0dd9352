"""Taking back what was said before, without saying anything else instead."""

from __future__ import annotations

from langgraph_memory.consolidation.rules.deeds import attribute_of
from langgraph_memory.consolidation.rules.holding import held_classes
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.wording import holds

ANY_ATTRIBUTE = "*"
"""The attribute of a retraction that doesn't say what it takes back: all the speaker said of the entity."""

_RETRACTS = holds("""
    i misspoke | i was wrong|mistaken [about] | i take that|it|this back | take that back | i take back
    | scratch|strike that | never mind [that|what|about|the]
    | forget|ignore|disregard|scratch|strike [about] that|it|this ( $ | ,|.|!|; )
    | forget|ignore|disregard|discard|scrap|drop|delete|void|undo|cancel|retract|withdraw [about]
      ( [everything|all] what|everything|anything i [just|have] said|told|wrote|asked|mentioned
      | [my|the|that|this] [last|previous|earlier|prior|first|second|initial|old]
        (?:instruction|message|statement|remark|note|request|comment|order|rule|sentence|correction|preference|claim)s?
      | that last | the part|bit|thing about )
    | that|this|it was ( a|my mistake|error|slip|typo | wrong|incorrect | not true|right|correct )
    | what i said|wrote|told [you] [earlier|before|just] [about] _4?
      is|was ( wrong|incorrect|outdated|obsolete | not true|right|correct | no longer _ )
    | my (?:mistake|bad|error) | i retract | i did not mean that|it | i got that wrong | i mixed up
    | that was meant for
""")
_OF_OTHERS = holds("""
    guidelines?|system|prompt|policy|policies|safety|developers?|above|email|mail|quote|draft|offer|typo
    | previous instructions | all instructions | all previous|prior | everything above
    | your rules|instructions
""")


def retraction(stance: Stance) -> Reading | None:
    """What a clause takes back of what the speaker said before; not the rules of others."""
    phrase = stance.clause.phrase
    match = _RETRACTS.search(phrase)
    if match is None or stance.clause.question or _OF_OTHERS.search(phrase):
        return None
    if stance.has(Mark.DOCUMENT, Mark.REPORTED, Mark.ASKING):
        return None
    rest = phrase.cut(match.end())
    classes = held_classes(rest) if rest else frozenset()
    return Reading(
        attribute=attribute_of(classes) if classes else ANY_ATTRIBUTE,
        value=stance.clause.text,
        about=(rest,) if rest else (),
        intent="retract",
        explicit=True,
    )

"""Plain statements of what something is: "the owner of db-7 is QA", "db-7's region is eu-west-1".

Only what lasts counts: how things stand at the moment ("the status of db-7 is green") is for tools to show;
guesses, questions, reports and what was once so are no statements of fact.
"""

from __future__ import annotations

import re

from langgraph_memory.actions import verbs_in
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase, word_set
from langgraph_memory.entities import is_identifier

_IS = "is|are [now|actually|currently|really|again|officially]"
_END = """( now | from now on | as of today|now | these days | going forward )?
    ( [,] not|instead|rather [of|than] ... )? $"""
_FORMS = tuple(
    starts(wording)
    for wording in (
        f"[the|our] (?P<attribute> _3 ) of|for [the|our] (?P<whole> _3 ) {_IS} (?P<value> ... ) {_END}",
        f"[the|our] (?P<whole> _3 ) 's [new] (?P<attribute> _3 ) {_IS} (?P<value> ... ) {_END}",
    )
)
_VERBAL = tuple(
    (attribute, starts(wording))
    for attribute, wording in (
        ("owner", f"[the|our] (?P<whole> _3 ) {_IS} owned by (?P<value> ... ) {_END}"),
        ("owner", f"[the|our] (?P<whole> _3 ) [now|actually] belongs to (?P<value> ... ) {_END}"),
        ("owner", f"(?P<value> _4 ) [now|actually] owns (?P<whole> _3 ) {_END}"),
        ("maintainer", f"[the|our] (?P<whole> _3 ) {_IS} maintained|managed by (?P<value> ... ) {_END}"),
        ("maintainer", f"(?P<value> _4 ) [now|actually] maintains|manages (?P<whole> _3 ) {_END}"),
        ("host", f"[the|our] (?P<whole> _3 ) {_IS} hosted on|in|at (?P<value> ... ) {_END}"),
        ("location", f"[the|our] (?P<whole> _3 ) {_IS} located|stationed in|at (?P<value> ... ) {_END}"),
        ("deadline", f"[the|our] (?P<whole> _3 ) {_IS} due on|by (?P<value> ... ) {_END}"),
    )
)
_LASTING = word_set("""
    owner maintainer manager lead approver reviewer responsible assignee contact team department
    company vendor supplier customer client sponsor successor purpose role type kind class tier plan
    edition version region zone location site office country city address host hostname domain url
    endpoint port protocol repository branch environment account tenant currency language timezone
    budget limit quota capacity size deadline date birthday name title alias nickname id number code
    key color colour model brand serial priority severity license contract window schedule interval
    retention backup replica primary secondary parent partner doctor dentist phone email center
    centre
""")
"""Nouns of what stays as it is until someone changes it."""

_PASSING = word_set("""
    status state health load usage utilization progress temperature latency uptime cpu memory
    traffic queue backlog result outcome output error cause reason problem issue trouble risk impact
    answer question rest end start beginning most some part point idea goal next last first one
    thing matter case fact
""")
"""Nouns of how things stand at the moment, and of what is thought of them."""

_NO_VALUE = holds(r"""
    ^ ( not|no|never|still|already|about|nearly|almost|unknown|unclear|open|due|too|very|so|quite
    |also|just|to|that|on|in|at|under|with|for|from|off|out|away|behind|by|near|what|who|where|when
    |how|if|whether|fine|okay|good|bad|great|wrong|right|broken|missing|gone|done|ready|up|down|full
    |empty|late|early|important|urgent|being|getting|going|supposed|expected|likely|it|this|these
    |those|there )
    | ^ \w+(?:ing|ed) | \? | or | but|because|since|so|if|unless|until|while|which|who
""")
_POINTS = word_set("it its this that these those they their them he she his her i we you my your me us")
_UNSETTLED = (
    *(Mark.DOCUMENT, Mark.QUESTION, Mark.ASKING, Mark.HYPOTHETICAL, Mark.CONDITIONAL, Mark.REQUEST),
    *(Mark.HEDGED, Mark.REPORTED),
)
_LONGEST = 8


def attribute_stated(stance: Stance) -> Reading | None:
    """The attribute of a thing that a clause states; what it is of has to be known."""
    if stance.has(*_UNSETTLED) or stance.end.connector not in ("", "on") or stance.clause.lead:
        return None
    return _verbal(stance) or _nominal(stance)


def _verbal(stance: Stance) -> Reading | None:
    found = ((attribute, form.match(stance.core)) for attribute, form in _VERBAL)
    attribute, match = next(((a, m) for a, m in found if m), ("", None))
    return _reading(stance, match, attribute) if match else None


def _nominal(stance: Stance) -> Reading | None:
    match = next((m for m in (form.match(stance.core) for form in _FORMS) if m), None)
    if match is None:
        return None
    words = [word.norm for word in stance.core.group(match, "attribute").words]
    if not all(word.isalpha() for word in words) or words[-1] in _PASSING:
        return None
    sure = words[-1] in _LASTING
    if not sure and verbs_in(" ".join(words)):
        return None
    return _reading(stance, match, "_".join(words), sure=sure)


def _reading(stance: Stance, match: re.Match[str], attribute: str, *, sure: bool = True) -> Reading | None:
    """The value by itself; of an attribute that nobody has heard of, only a name or number, as a question."""
    whole, value = stance.core.group(match, "whole"), stance.core.group(match, "value")
    if not _POINTS.isdisjoint((*whole.vocabulary, *value.vocabulary)) or len(value.words) > _LONGEST:
        return None
    if _NO_VALUE.search(value) or not (sure or _is_name(value)):
        return None
    return Reading(
        attribute=attribute,
        value=value.text.strip(" ,;:.!?"),
        about=(whole,),
        hedged=not sure,
        explicit=stance.has(Mark.EXPLICIT),
        once=stance.has(Mark.ONCE, Mark.AT_HAND),
        described=False,
        of_known=True,
    )


def _is_name(value: Phrase) -> bool:
    said = value.text
    return said[:1].isupper() or said[:1].isdigit() or is_identifier(said)

"""How a clause is meant: what is left of it without its leading phrases, and what those phrases say.

"By the way, I think we should keep it up" is the core "keep it up" said with a doubt; "Remember that from now
on it must stay up" is the core "it must stay up", laid down as a rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from langgraph_memory.consolidation.rules import stance_tables as tables
from langgraph_memory.consolidation.rules.ends import Ended, ended, led
from langgraph_memory.consolidation.rules.hearsay import ATTRIBUTED
from langgraph_memory.consolidation.rules.occasions import of_occasion, of_thing_at_hand
from langgraph_memory.consolidation.rules.sentences import Clause
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.wording import Form, starts
from langgraph_memory.consolidation.rules.words import Phrase

_PUNCTUATION = re.compile(r"(?:(?:[,:;!?\u2014.)(]|\.\.\.|that) )+")
_VOCATIVE = re.compile(
    r"@?[^\W\d][\w-]* , (?=(?:please )?(?:keep|leave|hold|do not|never|freeze|stop|make|remember|note|you"
    r"|from|no|only|always|let) )"
)
_MENTIONED = re.compile(r"@[\w-]+ (?:[,:] )?")
_CONDITION = starts(
    "[and|but|so] if|assuming|provided|supposing|when|whenever|once|after | [and|but|so] in case | as soon as"
)
_ASKED = """
    ask|request|say|mention|talk|write|send|want|need|use|give|share|paste|call|book|order|travel|fly|cook|type
    | message|email|speak
"""
_USUAL = starts(f"""
    [and|but|so] ( whenever you|i|we|someone|anyone | ( when
    | every|each time ) you|i|we|someone|anyone (?= [just|only] ( {_ASKED} ) )
    | if you|someone|anyone ) (?! ever|can|could|would|were|had|might|have|are|get )
""")
_WONDERS = starts("why|how|who|which|where | what (?! you|i|we|they|he|she|nobody|matters|counts )")
_MAX_PEELS = 12


@dataclass(frozen=True)
class Stance:
    """A clause's core and its marks."""

    clause: Clause
    core: Phrase
    marks: frozenset[Mark]

    @cached_property
    def end(self) -> Ended:
        """The end that the statement names, in its own words or in the clause that leads it."""
        own = ended(self.core)
        if own.when is not None or not self.clause.lead:
            return own
        leading = led(self.clause.lead)
        return Ended(self.core, leading.when, leading.connector)

    @cached_property
    def whole(self) -> Phrase:
        """The core together with the clause that leads it."""
        lead = self.clause.lead
        return _peeled(lead)[0].to(self.core) if lead and self.core else self.core

    @property
    def statement(self) -> str:
        """What is stated, in the speaker's words: with the phrases around it where they cast doubt on it."""
        if self.has(Mark.HEDGED, Mark.REPORTED, Mark.QUESTION, Mark.HYPOTHETICAL):
            return self.clause.text
        return Clause(self.core, self.clause.lead, question=False).text

    def marked(self, mark: Mark) -> Stance:
        """The same with one more mark."""
        return replace(self, marks=self.marks | {mark})

    def has(self, *marks: Mark) -> bool:
        """Whether one of the marks is set."""
        return not self.marks.isdisjoint(marks)


def stance(clause: Clause, *, remembered: bool = False) -> Stance:
    """The core of a clause and how it is meant.

    Args:
        clause: the clause.
        remembered: whether the clause after it asks to remember this one.

    >>> from langgraph_memory.consolidation.rules.sentences import clauses
    >>> found = stance(clauses(Phrase.of("Also, I think we should keep it up"))[0])
    >>> found.core.text, sorted(found.marks)
    ('keep it up', [<Mark.HEDGED: 'hedged'>])
    """
    core, marks = _peeled(clause.phrase)
    core = core if clause.lead else _uncleft(core)
    marks |= _overall(clause, core) | (frozenset({Mark.EXPLICIT}) if remembered else frozenset())
    return Stance(clause, core, marks - {Mark.QUESTION} if Mark.REQUEST in marks else marks)


def _uncleft(core: Phrase) -> Phrase:
    """The plain order of a clause that lifts out a part: "nobody stops db-1" of "it's db-1 that nobody …"."""
    if turned := _NOT_TO_DO.match(core):
        return Phrase.of(f"do not {core.group(turned, 'deed').text}")
    match = _CLEFT.match(core)
    if match is None:
        return core
    lifted, rest = core.group(match, "lifted").text, core.group(match, "rest").text
    return Phrase.of(f"{lifted} {rest}" if match["gap"] is not None else f"{rest} {lifted}")


_NOT_TO_DO = starts("""
    what|all [you|we|they|nobody|agents] ( must|should|may|can|shall not|never | are not to | is not to ) do
    [with|to] [it] ...? is [to] (?P<deed> ... ) $
""")
_CLEFT = starts("""
    it|that is [only|just] (?P<lifted> _3 ) that|which|who|whom
    (?P<rest> (?P<gap> (?= must|should|may|can|shall|has|needs?|ought|is|stays?|will|never|cannot ) )? ... ) $
""")


def asks_to_remember(phrase: Phrase) -> bool:
    """Whether a clause asks to remember what was just said: "please remember that"."""
    return _REMEMBER_THIS.match(phrase) is not None


_REMEMBER_THIS = starts("""
    ( so|please|can|could|you|always|and|just )* remember|note|keep|save|store|memori[sz]e|write
    that|this|it ( down | in mind | for later | for me | please )* $
""")


def points_forward(lead: Phrase) -> bool:
    """Whether a leading clause names what the main clause speaks of ("if it flags gpu-1, don't stop it")."""
    return _NAMES_TOPIC.match(lead) is not None


_NAMES_TOPIC = starts("[and|but|so] if|when|whenever|since|because|as|given|although|though | even if|though")


def without_reason(phrase: Phrase) -> Phrase:
    """The phrase without the reason that it gives: a doubtful reason doesn't make a rule doubtful."""
    match = tables.REASONS.search(phrase)
    return phrase.cut(0, match.start()) if match and match.start() else phrase


def _peeled(phrase: Phrase) -> tuple[Phrase, frozenset[Mark]]:
    plain, offset, marks = phrase.plain, 0, frozenset[Mark]()
    peels = [(form, marks) for form, marks in tables.PEELS if form.may_be_in(phrase)]
    for _ in range(_MAX_PEELS):
        length, found = _peel(plain[offset:], peels)
        if not length or offset + length >= len(plain):
            break
        offset, marks = offset + length, marks | found
    if match := tables.TRAILING_STANDING.search(plain, offset):
        return phrase.cut(offset, match.start()), marks | {Mark.EXPLICIT, Mark.STANDING}
    return phrase.cut(offset), marks


def _peel(rest: str, peels: Sequence[tuple[Form, frozenset[Mark]]]) -> tuple[int, frozenset[Mark]]:
    """How many characters the first fitting phrase takes, and its marks."""
    if match := _PUNCTUATION.match(rest):
        return match.end(), frozenset()
    if match := tables.DOUBTS.match(rest):
        return match.end(), frozenset({Mark.HEDGED})
    for form, marks in peels:
        if (match := form.match(rest)) and match.end():
            return match.end(), marks
    match = _VOCATIVE.match(rest) or _MENTIONED.match(rest)
    return match.end() if match else 0, frozenset()


def _overall(clause: Clause, core: Phrase) -> frozenset[Mark]:
    """The marks that don't depend on where in the clause their words stand."""
    plain = clause.phrase.plain
    asked = clause.question and not tables.TAGS.search(f"{plain[-20:]}? ")
    usual = _USUAL.match(clause.lead) is not None
    conditional = not usual and _CONDITION.match(clause.lead) is not None
    signs = (
        (Mark.HEDGED, tables.HEDGES.search(without_reason(core))),
        (Mark.ONCE, of_occasion(clause.whole)),
        (Mark.AT_HAND, of_thing_at_hand(clause.whole)),
        (Mark.REPORTED, ATTRIBUTED.search(clause.whole)),
        (Mark.QUESTION, asked or tables.ASKS.match(core)),
        (Mark.ASKING, _WONDERS.match(core)),
        (Mark.CONDITIONAL, conditional),
        (Mark.HYPOTHETICAL, tables.HYPOTHETICAL.search(f"{clause.lead.plain} {plain}")),
        (Mark.EXPLICIT, usual),
        (Mark.STANDING, usual or tables.STANDING.search(plain)),
    )
    return frozenset(mark for mark, sign in signs if sign)

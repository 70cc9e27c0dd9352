"""Deeds that are allowed to some, or after asking, or after something has happened."""

from __future__ import annotations

from langgraph_memory.actions import ActionClass
from langgraph_memory.consolidation.rules.deeds import governed, is_gerund, noun_deeds, object_of, told_deeds
from langgraph_memory.consolidation.rules.ends import ended
from langgraph_memory.consolidation.rules.holding import PAYMENT
from langgraph_memory.consolidation.rules.obligation import DUTY
from langgraph_memory.consolidation.rules.rule import PROTECTED, Rule
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase

_CONSENT = holds("""
    (?:pre-?)?approv(?:al|als|e|es|ed|ing) | sign-?offs? | signs?|signed|signing off | sign off
    | permission|consent | ( consulting|asking|okay|okays|okayed|checking
    | confirmation|confirming|confirm|confirms | confirmed|blessing ) | go-?ahead | go ahead | green light
    | says? [so|yes|okay] | review|reviewed|reviews|authorization|clearance
    | ( agreement|agree|agrees|agreed|ask|asks|asked | tell|tells|telling|permits|allow|allows|consult
    | consulted ) | talking|speaking|talk|speak to|with me|us|_ | a yes | letting _ know
""")
_MAY = """
    ( may|can|should|must|shall [be] | is|are allowed|permitted|supposed|authorized to | gets? to
    | is|are to | has|have permission to )
"""
ONLY_BY = starts(f"""
    ( only|just (?P<who> ... ) | nobody|anyone|none|anybody ( but | except [for] | other than
    | besides ) (?P<but> ... ) | no one ( but | except [for] | other than
    | besides ) (?P<besides> ... ) ) {_MAY} [ever|also|be] (?P<deed> ... ) $
""")
_WITHOUT = starts("""
    ( do not | never | _3 must|should|may|can|shall not | _3 must|should|may|can|shall|is|are|gets never
    | not to | ( nobody | no one | nothing | anything _2? ) [should|may|can|must|gets]
    | ( nobody | no one ) is|has [allowed] to | no ) [ever] (?P<deed> ... ) without (?P<who> ... ) $
""")
_ASK_FIRST = starts("""
    [always|first] ( ask|consult|notify|tell|ping|warn|alert|inform (?P<who> ... )
    | check|confirm|clear|verify|talk|speak [in] [this|that|it|back|things|everything|them] with|to
    (?P<with> ... ) | get|obtain|request|seek|need|require|wait (?P<consent> ... )
    | run this|that|it|them|everything by|past (?P<by> ... ) ) before|prior [to] ( you | we | ever
    | any )? (?P<deed> ... ) $
""")
_NEEDS_CONSENT = starts("""
    (?P<deed> ... ) ( requires?|needs?|takes? | is|are subject to | must|should [be|have|get]
    | has|have to [be|have|get|go] ) (?P<who> ... ) $
""")
_WHOEVER = starts(f"""
    ( anyone|anybody|whoever|everyone|people|those|agents [who|that]
      ( wants?|wishing|planning|intending|needs? to | plans? on )?
    | if you|anyone|somebody|someone wants?|needs? to )
    (?P<deed> ... ) [,] [you|they] {DUTY} (?P<who> ... ) $
""")
_BEFORE = starts(f"""
    (?P<who> ... ) {DUTY} (?P<first> ... ) before|prior [to] [anything|you|we|anyone|anybody|it|they]
      [is|are|gets|can|may] (?P<deed> ... ) $
    | before [anything|you|we|anyone|any] [is|are|gets] (?P<deed2> ... ) ,
      (?P<who2> ... ) {DUTY} (?P<first2> ... ) $
    | before [anything|you|we|anyone|any] [is|are|gets] (?P<deed3> ... ) , [please|always]
      (?P<first3> ask|talk|check|consult|ping|tell|notify|confirm|speak|get|wait|clear ... ) $
""")
_ONLY_AT = starts("""
    ( you|we|they|it|anyone|agents [may|can|should|must] | (?P<who> ... ) may|can|should|must [be] )
    (?P<deed> ... ) only at|on|during|between|in|within|outside (?P<rest> ... ) $
""")
_DEED_OF_ONLY = starts(
    "( (?P<who> ... ) may|can|should|must|are|is [to] )? [be|only|then|just] (?P<deed> ... ) $"
)
_WHEN = "( once|after|when|if | as soon as )"
_LATER = starts(f"""
    [and|but|so] {_WHEN} (?P<when> ... ) [,|then] you|we|it|anyone can|may [then|be|also] (?P<deed> ... ) $
    | you|we can|may [then] (?P<deed2> ... ) {_WHEN} (?P<when2> ... ) $
""")
_ONLY_ONCE = starts(f"""
    [please] only (?P<deed> ... ) {_WHEN} (?P<when> ... ) $
""")
_THREAT = starts("""
    if|when|whenever i|we catch|see|find|hear [that|out] anyone|anybody|somebody|someone|you (?P<deed> ... )
    ( there|i|we|he|she|they|that (?= will|am|would|is ) ... )? $
""")
_BEFORE_DEED = holds("before|to [it|they|this|that|anything|anyone] [is|are|gets|can] [be] (?P<deed> ... ) $")
_NOT_EARLIER = starts(f"""
    (?P<about> ... ) ( may|can|will|shall|must|should [only] [be|get] | gets? | is|are [to] [be]
    | (?= goes|go ) ) (?P<deed> ... )
    ( {_WHEN} | on|from ) (?P<when> ... )
    [,] [and|but] ( not|no|never [a] [day|minute|second|moment] earlier|sooner|before | only then )
    [that|then] $
""")


def ask_first(phrase: Phrase) -> Rule | None:
    """As in "Ask me before deleting anything"."""
    match = _ASK_FIRST.match(phrase)
    return _approval(phrase.group(match, "deed"), phrase) if match else None


def only_by(phrase: Phrase) -> Rule | None:
    """As in "Only Ana may deploy it", "nobody but Ana may"."""
    match = ONLY_BY.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    return Rule(governed(deed), (object_of(deed), deed, phrase.group(match, "who")), approval=True)


def without_consent(phrase: Phrase) -> Rule | None:
    """As in "Don't reboot it without asking QA"."""
    match = _WITHOUT.match(phrase)
    if match is None or not _CONSENT.search(match["who"]):
        return None
    return _approval(phrase.group(match, "deed"), phrase)


def needs_consent(phrase: Phrase) -> Rule | None:
    """As in "Restarting it needs approval"."""
    match = _NEEDS_CONSENT.match(phrase)
    if match is None or not _CONSENT.search(match["who"]):
        return None
    deed = phrase.group(match, "deed")
    classes = told_deeds(deed)
    if not classes and (later := _BEFORE_DEED.search(who := phrase.group(match, "who"))):
        classes = governed(who.group(later, "deed"))
    return Rule(classes, (object_of(deed), deed), approval=True)


def whoever(phrase: Phrase) -> Rule | None:
    """As in "Anyone who wants to restart it has to ask first"."""
    match = _WHOEVER.match(phrase)
    if match is None or not _CONSENT.search(match["who"]):
        return None
    return _approval(phrase.group(match, "deed"), phrase)


def only_after(phrase: Phrase) -> Rule | None:
    """As in "Stop it only after QA has signed off": until then it must not be stopped."""
    end = ended(phrase)
    match = _DEED_OF_ONLY.match(end.main) if end.connector.startswith("only") else None
    if match is None:
        return None
    deed = end.main.group(match, "deed")
    return Rule(governed(deed), (object_of(deed), deed, end.main), until=end.when, named_only=True)


def only_at(phrase: Phrase) -> Rule | None:
    """As in "you may restart it only at night"."""
    match = _ONLY_AT.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    who = phrase.group(match, "who")
    return Rule(governed(deed), tuple(filter(None, (object_of(deed), who, deed))), approval=True)


def first_things_first(phrase: Phrase) -> Rule | None:
    """As in "legal has to agree before anything is refunded", "it must finish before anyone stops it"."""
    match = _BEFORE.match(phrase)
    if match is None:
        return None
    deed, first, who = (
        next(filter(None, (phrase.group(match, f"{name}{number}") for number in ("", "2", "3"))), phrase)
        for name in ("deed", "first", "who")
    )
    classes = governed(deed) or noun_deeds(deed)
    if match["first3"] or _CONSENT.search(first):
        return Rule(classes, (object_of(deed), deed, phrase), approval=True)
    return Rule(classes, (object_of(deed), deed), until=f"{who.text} {first.text}".strip(" ,"))


def allowed_later(phrase: Phrase) -> Rule | None:
    """As in "Once QA has migrated you can stop it" hints that it must not be stopped before."""
    match = _LATER.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed") or phrase.group(match, "deed2")
    when = phrase.group(match, "when") or phrase.group(match, "when2")
    classes = governed(deed)
    if not classes & PROTECTED:
        return None
    return Rule(classes, (object_of(deed), deed), doubtful=True, until=when.text.strip(" ,"))


def only_once(phrase: Phrase) -> Rule | None:
    """As in "Only pay it once the goods have been checked": until then it must not be paid."""
    match = _ONLY_ONCE.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    return Rule(governed(deed), (object_of(deed), deed), until=phrase.group(match, "when").text.strip(" ,"))


def threat(phrase: Phrase) -> Rule | None:
    """As in "If I catch anyone turning it off there'll be trouble"."""
    match = _THREAT.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    return Rule(governed(deed), (object_of(deed), deed)) if is_gerund(deed) else None


def not_earlier(phrase: Phrase) -> Rule | None:
    """As in "It gets refunded once the parcel is back, not earlier": until then it must not be."""
    match = _NOT_EARLIER.match(phrase)
    if match is None:
        return None
    deed, about = phrase.group(match, "deed"), phrase.group(match, "about")
    classes = governed(deed) or noun_deeds(deed)
    classes = classes or (frozenset({ActionClass.PAY}) if PAYMENT.search(deed) else frozenset())
    return Rule(classes, (object_of(deed), about, deed), until=phrase.group(match, "when").text.strip(" ,"))


def _approval(deed: Phrase, phrase: Phrase) -> Rule:
    return Rule(governed(deed) or noun_deeds(deed), (object_of(deed), deed, phrase), approval=True)

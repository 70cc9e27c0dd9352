"""Statements that something no longer holds: it may be done again, is lifted, is no longer needed; or was never meant."""

from __future__ import annotations

from langgraph_memory.actions import CODE_FREEZE, ActionClass
from langgraph_memory.consolidation.rules import constraint_tables as constraints
from langgraph_memory.consolidation.rules.constraints import held_classes
from langgraph_memory.consolidation.rules.deeds import attribute_of, governed, noun_deeds, object_of
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase
from langgraph_memory.records import FactKind

ANY_ATTRIBUTE = "*"
"""The attribute of a retraction that doesn't say what it takes back: whatever the speaker said of the entity."""

_HOLD = """
    hold|freeze|restriction|lock|block|ban|embargo|moratorium|protection|exemption|constraint|rule|instruction
    |requirement|prohibition|pause|stop|limit|exception|hold-off|lockdown|quarantine|safeguard|holds|locks
    |restrictions|freezes|blocks
"""
_AGAIN = "again|now|anymore|henceforth|anytime|whenever|freely|already|finally|today"
_MAY = """
    ( can|may [now|again|safely|finally|also] | is|are [now|again] ( free|okay|fine|safe|clear|good|allowed|ready|cleared|permitted|welcome to )
    | feel free to | go ahead and | it|that is [now|again|perfectly|totally|completely] okay|fine|safe|alright|good [now] ( for you )? to )
"""
PERMITTED = starts(
    f"( (?P<who> you|we|anyone|everyone|everybody|they|people|it|_ ) )? {_MAY} ( now | again | safely | go ahead and )* (?P<deed> ... ) $"
)
PASSIVE_PERMITTED = starts(f"""
    (?! neither|nobody|nothing|none|no|only|not ) (?P<obj> ... ) ( can|may|could [now|again|safely|finally] | is|are [now|again] okay|fine|safe|free|clear|good|cleared|ready|allowed to )
    ( now | again | finally )* (?P<deed> be|get ... | go ... | come down ...? ) $
""")
NOT_NEEDED = starts(f"""
    (?P<obj> ... )
    ( [is|are|do|does] no longer | need|needs not | do|does not [really] | is|are not | no more ) ( ( have|has|need|needs|needed|required to ( stay|remain|be|keep|run|wait ) (?P<state> ... )? )
    | ( need|needs|require|requires|use|uses|using (?P<thing> ... ) )
    | ( need|needs|required|needed|reserved|protected|frozen|restricted|necessary|locked|blocked|valid|applicable|relevant|exempt|exempted|apply|applies|hold|holds|stand|stands
      | on hold | off limits | in use | in force | in effect | under hold|freeze|embargo | under a|the _1? hold|freeze ) ) (?P<rest> ...? ) $
""")
UNNEEDED = starts(
    "( nobody | no one | none of us ) [really|still] needs?|uses?|wants?|requires? (?P<obj> ... ) any longer|more $ | ( nobody | no one ) needs?|uses?|wants? (?P<obj2> ... ) anymore|now $"
)
_NO_MORE = holds("no longer | any more | any longer | anymore | no more | now")
NO_NEED = starts("""
    ( there is )? no [longer|more|further] [a|any] ( need|reason|point|sense to|in|for ) ( keep|keeping|leave|leaving|hold|holding|wait|protect|protecting|preserve|retain|reserve|freeze|stay|have|having ) (?P<deed> ... ) $
    | ( you|we )? ( do not | need not | no longer ) [have|need] [to|need] ( keep|leave|hold|wait|protect|preserve|retain|freeze|reserve|spare [about] ) (?P<kept> ... ) $
    | ( you|we can )? stop|quit ( keeping|holding|protecting|reserving|freezing|blocking|withholding ) (?P<stopped> ... ) $
    | [we|qa|i] am|are|is done|finished|through with (?P<done> ... ) $
""")
LIFT = starts(f"""
    ( [you|we|i] [can|may|have|should|am|are|hereby] [now|hereby|please] )
    ( release|lift|lifted|remove|removed|end|ended|drop|dropped|cancel|clear|cleared|undo|waive|rescind|revoke|retire|withdraw|withdrew|discontinue|lifting|ending|dropping|removing|releasing
    | take off | get rid of | do away with | consider )
    (?P<obj> [the|that|this|any|all|my|our|your|its] _3? ( {_HOLD} ) ...? ) $
""")
LIFTED = starts(f"""
    (?P<obj> [the|that|this|any|all|my|our|your|its] _3? ( {_HOLD} | reason|need|dependency|justification for|to|on ) ...? )
    ( is|are|was|were|has|have|can|may|should|might|could|seems|must [now|been|be|officially|finally|to] [be] ( lifted | over | off | gone | removed | released | ended | done | expired | finished
    | cleared | dropped | history | past | behind us | void | obsolete | moot | no longer _2? | waived | withdrawn | cancel?led )
    | ends|ended|expired|expires [now|today] | no longer applies|holds|stands | does not apply|hold|stand ) (?P<rest> ...? ) $
""")
UNFREEZE = starts("""
    [you|we] [can|may|please] [now|please] ( unfreeze|unlock|unblock|unpause|thaw|reopen|unhold|unprotect|unreserve | take|bring (?P<off> ... ) off hold|ice|pause
    | re-?open ) (?P<obj> ... )? $
""")
RESUME = starts("""
    [you|we] [can|may|please] [now|please|safely] ( resume|restart|re-?enable|continue|reinstate|restore [with] | pick up | go back to | go ahead with | proceed with | start ) (?P<obj> ... ) $
""")
BACK_ON = starts("""
    (?P<obj> ... ) ( is|are [now|back] ( back [on|to] [normal] | allowed [again|now] | okay again|now | fine again|now | open again|now | unblocked | permitted again|now | on again | unfrozen
    | thawed | cleared [to|for] ...? ) | can|may ( resume|continue|proceed|restart | go ahead | go out | go through | start again ) ) (?P<rest> ...? ) $
""")
FAIR_GAME = starts(
    "(?P<obj> ... ) is|are ( [now|again] fair game | [now|again] up for grabs | [now|again] free|safe|okay|good|clear|ready to go | [now|again] free|available|disposable | [all] yours | released | done with ) (?P<rest> ...? ) $"
)

RETRACT = holds("""
    i misspoke | i was wrong|mistaken [about] | i take that|it|this back | take that back | i take back | scratch|strike that | never mind [that|what|about|the]
    | forget|ignore|disregard|scratch|strike [about] that|it|this ( $ | ,|.|!|; )
    | forget|ignore|disregard|discard|scrap|drop|delete|void|undo|cancel|retract|withdraw [about] ( [everything|all] what|everything|anything i [just|have] said|told|wrote|asked|mentioned
      | [my|the|that|this] [last|previous|earlier|prior|first|second|initial|old] (?:instruction|message|statement|remark|note|request|comment|order|rule|sentence|correction|preference|claim)s?
      | that last | the part|bit|thing about )
    | that|this|it was ( a|my mistake|error|slip|typo | wrong | not true|right|correct | incorrect )
    | what i said|wrote|told [you] [earlier|before|just] [about] _4? is|was ( wrong | not true|right|correct | no longer _ | incorrect | outdated | obsolete )
    | my (?:mistake|bad|error) | i retract | i did not mean that|it | i got that wrong | i mixed up | that was meant for
""")
_NOT_OURS = holds("""
    guidelines? | system | prompt | polic(?:y|ies) | safety | developers? | previous instructions | all instructions | all (?:previous|prior) | above | everything above | your (?:rules|instructions)
    | email | e-mail | mail | quote | draft | offer | typo
""")


def ending(stance: Stance) -> Reading | None:
    """What a clause says to have ended: a permission given back, a hold lifted, a need gone."""
    if stance.has(Mark.DOCUMENT, Mark.QUESTION, Mark.REQUEST):
        return None
    end = stance.end
    found = None if end.connector else _permitted(stance)
    found = found or _lifted(end.main, stance) or _not_needed(end.main)
    if found is None:
        return None
    classes, about = found
    doubtful = stance.has(
        Mark.HEDGED, Mark.REPORTED, Mark.QUESTION, Mark.HYPOTHETICAL, Mark.CONDITIONAL, Mark.ONCE
    )
    return Reading(
        attribute=attribute_of(classes),
        value=stance.statement,
        about=about,
        kind=FactKind.CONSTRAINT,
        forbids=classes,
        intent="retire",
        hedged=doubtful,
        explicit=not doubtful,
        once=stance.has(Mark.ONCE),
    )


def retraction(stance: Stance) -> Reading | None:
    """What a clause takes back of what the speaker said before."""
    plain = stance.clause.phrase.plain
    match = RETRACT.search(plain)
    if (
        match is None
        or stance.clause.question
        or _NOT_OURS.search(plain)
        or stance.has(Mark.DOCUMENT, Mark.REPORTED)
    ):
        return None
    rest = stance.clause.phrase.cut(match.end())
    classes = held_classes(rest) if rest else frozenset()
    return Reading(
        attribute=attribute_of(classes) if classes else ANY_ATTRIBUTE,
        value=stance.clause.text,
        about=tuple(filter(None, (rest,))),
        intent="retract",
        explicit=True,
    )


Found = tuple[frozenset[str], tuple[Phrase, ...]]


def _permitted(stance: Stance) -> Found | None:
    """ "You can stop it again", "gpu-bench-01 may be shut down now"; not a task ("you can cancel my booking")."""
    core = stance.core
    passive = PASSIVE_PERMITTED.match(core)
    if passive and (classes := governed(core.group(passive, "deed"))):
        return (classes, (core.group(passive, "obj"),)) if _lifts(classes, stance) else None
    match = PERMITTED.match(core)
    if match is None:
        return None
    deed = core.group(match, "deed")
    classes = governed(deed)
    return (classes, (object_of(deed), deed)) if classes and _lifts(classes, stance) else None


_ERRANDS = frozenset(
    {
        ActionClass.BOOK,
        ActionClass.SEND,
        ActionClass.EXECUTE,
        ActionClass.MODIFY,
        ActionClass.CANCEL,
        ActionClass.CREATE,
        ActionClass.PAY,
        ActionClass.APPROVE,
        ActionClass.START,
        ActionClass.ANY,
        ActionClass.MIGRATE,
    }
)
_TIME_HAS_COME = holds(
    "again | now | anymore | any more | after all | any time | anytime | whenever [you] [like|want] | from now on | finally | at last | freely"
)


def _lifts(classes: frozenset[str], stance: Stance) -> bool:
    """Whether a permission lifts a rule: plainly so for what ends or ships things, by "again" or "now" for the rest."""
    return not classes <= _ERRANDS or _TIME_HAS_COME.search(stance.clause.phrase) is not None


def _lifted(core: Phrase, stance: Stance) -> Found | None:
    for form in (LIFTED, LIFT):
        if match := form.match(core):
            about = core.group(match, "obj")
            return _of_hold(about), (about,)
    if match := UNFREEZE.match(core):
        about = core.group(match, "off") or core.group(match, "obj")
        return _of_hold(about) if about else CODE_FREEZE, tuple(filter(None, (about,)))
    for form in (BACK_ON, RESUME):
        match = form.match(core)
        if match and (classes := noun_deeds(core.group(match, "obj")) - {ActionClass.EXECUTE}):
            if form is RESUME and not _RESUMES.match(core) and not _TIME_HAS_COME.search(core):
                continue
            return classes, (core.group(match, "obj"),)
    return None


_RESUMES = starts("( you|we [can|may|please] )? [now|please|safely] (?:resume|re-?enable|reinstate|unpause)")


def _of_hold(about: Phrase) -> frozenset[str]:
    """What the hold that a phrase names ruled out."""
    if match := holds(
        "(?P<what> code|release|change|deploy|deployment|merge|feature|production|config|write ) freeze|hold|moratorium|lock"
    ).search(about):
        return constraints.FREEZE_WHAT.get(match["what"].strip(), CODE_FREEZE)
    if constraints.PAYMENT_NOUN.search(about):
        return frozenset({ActionClass.PAY})
    if constraints.CODE_NOUN.search(about):
        return CODE_FREEZE
    if holds("freeze|freezes|thaw").search(about) or constraints.RELEASE_NOUN.search(about):
        return CODE_FREEZE
    return frozenset({ActionClass.ANY})


def _not_needed(core: Phrase) -> Found | None:
    match = NO_NEED.match(core)
    if match:
        about = next(filter(None, (core.group(match, name) for name in ("deed", "kept", "stopped", "done"))))
        return (held_classes(about) & _HELD) or constraints.PROTECTED, (about,)
    if match := UNNEEDED.match(core):
        return constraints.PROTECTED, (core.group(match, "obj") or core.group(match, "obj2"),)
    if match := FAIR_GAME.match(core):
        return constraints.PROTECTED, (core.group(match, "obj"),)
    match = NOT_NEEDED.match(core)
    if match is None or not _NO_MORE.search(core):
        return None
    about = tuple(filter(None, (core.group(match, "thing"), core.group(match, "obj"))))
    return (held_classes(core.group(match, "obj")) & _HELD) or constraints.PROTECTED, about


_HELD = frozenset({ActionClass.PAY, ActionClass.DEPLOY, ActionClass.MERGE})

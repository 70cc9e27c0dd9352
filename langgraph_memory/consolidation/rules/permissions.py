"""Saying that something no longer holds: it may be done again, is lifted, is no longer needed."""

from __future__ import annotations

from langgraph_memory.actions import ActionClass
from langgraph_memory.consolidation.rules import reports
from langgraph_memory.consolidation.rules.deeds import attribute_of, governed, noun_deeds, object_of
from langgraph_memory.consolidation.rules.holding import held_classes, lifted_classes
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.releases import released
from langgraph_memory.consolidation.rules.rule import ANYTHING, PROTECTED
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase
from langgraph_memory.records import FactKind

_HOLD = """
    hold|freeze|restriction|lock|block|ban|embargo|moratorium|protection|exemption|constraint|rule|instruction
    | requirement|prohibition|pause|stop|limit|exception|hold-off|lockdown|quarantine|safeguard|holds|locks
    | restrictions|freezes|blocks
"""
_FINE = "okay|fine|safe|alright|good|free|clear|cleared|allowed|ready|permitted|welcome"
_MAY = f"""
    ( can|may|could|might [now|again|safely|finally|also] | is|are [now|again] ( {_FINE} ) to | feel free to
    | go ahead and | it|that is [now|again|perfectly|totally|completely] ( {_FINE} ) [now] ( for you )? to
    | ( {_FINE} ) to
    | have [got] my|our|the|full|her|his okay|blessing|permission|approval|consent|go-ahead|authorization to )
"""
PERMITTED = starts(f"""
    ( you|we|anyone|everyone|everybody|they|people | [the|our] agent|bot|team|cleanup|assistant )? {_MAY}
    ( now|again|safely | go ahead and )* (?P<deed> ... ) $
""")
PASSIVE = starts(f"""
    (?! neither|nobody|nothing|none|no|only|not ) (?P<obj> ... )
    ( can|may|could|might [now|again|safely|finally] | is|are ( {_FINE} ) to ) ( now|again|finally )*
    (?P<deed> ship ...? | launch ...? | be ... | get (?! rid ) ... | go ... | come down ...? ) $
""")
_PUT_FIRST = starts("""
    (?P<obj> (?! i|we|you|they|if|when|once|what|whatever|so|as|nobody|somebody|someone|everyone|none )
    _4 ) you|we|they|anyone|everyone can|may
    [now|again|safely] (?P<deed> ... ) $
""")
"""As in "gpu-1 you can stop"."""
_ACTIVE = starts("""
    (?P<obj> (?! i|we|you|they|he|she|it|nobody|none|nothing ) _4 ) can|may (?! be ) (?P<deed> ... )
    now|again $
""")
"""As in "the fridge can switch off now"."""
_CLAUSAL = holds(
    "what|how|that|which|where|when|is|are|was|'s|said|says|think|thinks|felt|feels|hope|know|sure"
)
_EXPLETIVE = starts("it|that")
_UNSURE = holds("could|might | should|must|ought be|have")
_TIME_HAS_COME = holds("""
    again|now|anymore|finally|freely|anytime | any more | after all | any time | whenever [you] [like|want]
    | from now on | at last
""")
_LIFTING = frozenset(
    {ActionClass.STOP, ActionClass.DELETE, ActionClass.SUSPEND, ActionClass.DISABLE, ActionClass.DEPLOY}
    | {ActionClass.MERGE}
)
"""What is plainly a release where it is allowed; other deeds are errands unless "again" or "now" is said."""

_LIFT = starts(f"""
    ( [you|we|i] [can|may|have|should|am|are|hereby] [now|hereby|please] ) (
    ( release|lift|lifted|remove|removed|end|ended | drop|dropped|cancel|clear|cleared|undo|waive
    | rescind|revoke|retire ) | ( withdraw|withdrew|discontinue|lifting|ending
    | dropping|removing|releasing ) | take off | get rid of | do away with
    | consider ) (?P<obj> [the|that|this|any|all|my|our|your|its] _3? ( {_HOLD} ) ...? ) $
""")
_LIFTED = starts(f"""
    (?P<obj> [the|that|this|any|all|my|our|your|its] _3?
      ( {_HOLD} | reason|need|dependency|justification for|to|on ) ...? )
    ( is|are|was|were|has|have|can|may|should|might|could|seems|must [now|been|be|officially|finally|to] [be]
      ( lifted|over|off|gone|removed|released|ended|done|expired|finished|cleared|dropped|history|past|void
      | obsolete|moot|waived|withdrawn|cancelled|canceled | behind us | no longer _2? )
    | ended|expired | no longer applies|holds|stands
    | does not apply|hold|stand ) (?P<rest> ...? ) $
    | (?P<freed> ... ) is|are|comes|goes [now] off hold|ice (?P<after> ...? ) $
""")
_ENDS_NOW = starts(f"(?P<obj> [the|that|this|my|our] _3? ( {_HOLD} ) ...? ) ends|expires now|today|here $")
_UNFREEZE = starts("""
    [you|we] [can|may|please] [now|please] ( unfreeze|unpause|thaw|unhold|unprotect|unreserve
    | (?P<named> unlock|unblock|reopen|re-open )
    | take|bring (?P<off> ... ) off hold|ice|pause ) (?P<obj> ... )? $
""")
_RESUME = starts("""
    [you|we] [can|may|please] [now|please|safely] ( resume|restart|re-?enable|continue|reinstate|start
    | restore [with] | pick up | go back to | go ahead with | proceed with ) (?P<obj> ... ) $
""")
_ALLOWED = starts("you|we can|may")
_RESUMES = starts("( you|we [can|may|please] )? [now|please|safely] (?:resume|re-?enable|reinstate|unpause)")
_BACK_ON = starts("""
    (?P<obj> ... ) ( is|are [now|back] ( back [on|to] [normal] | allowed|permitted [again|now]
    | possible again
    | okay|fine|open|on again|now | okay|fine|allowed $ | unblocked|unfrozen|thawed | cleared [to|for] ...? )
    | can|may ( resume|continue|proceed|restart | go ahead | go out | go through
    | start again ) ) (?P<rest> ...? ) $
""")
_FAIR_GAME = starts("""
    (?P<obj> _6 ) ( is|are [now|again] ( fair game | up for grabs
    | ( free|safe|okay|good|clear|ready ) to go | [all] yours | done with )
    | is|are now|again free|available|disposable|released | is|are free|available|released again|now
    | can|may [now] ( go $ | be released|reclaimed|recycled|freed | come down ) ) (?P<rest> ...? ) $
""")
_CLEAR = starts("""
    [we|you] [have|got|are|is] [the|a] ( [all] [is] clear | green light | go-?ahead | thumbs up | good to
    go | all set )
    on|for|with [deploying|refunding|stopping|deleting|editing|cancelling|the] (?P<obj> ... ) $
""")
_UNFROZEN = starts("""
    (?P<obj> ... ) is|are|got|has|have [been|now|officially|finally|again]
    ( unfrozen|unblocked|thawed|unlocked|unpaused|unheld | no longer frozen|blocked|locked|paused|protected
    ) ...? $
""")
_SAID_NO_MORE = starts("""
    what|whatever|everything|anything i|we [have] said|wrote|told|ordered|asked
    [you|everyone|earlier|before|last]
    [week|time] about|on|for|regarding (?P<obj> ... ) ( no longer applies|holds|counts|stands
    | does not apply|hold|count|stand | is void|obsolete|moot|outdated|history|over|settled ) ...? $
""")
_RELEASES = starts("""
    [please|you|we] [can|may|should] [now|please] release|approve|authorize|authorise|unblock
    [the|this|that|its]
    (?P<obj> _1? payments?|refunds?|payouts?|money|funds|transfers?|invoices? ...? ) $
""")
_AT_WILL = starts("""
    [please|just|you|we] [can|may] (?P<deed> ... ) ( whenever|when|if you|we|they [ever]
    want|like|wish|please|need
    | any time | anytime | whenever | at will | whenever|when it suits [you|us]
    | whenever|when you are|get|have ready|time | at your convenience | as you like|please|wish|want
    | as|when you see fit ) $
""")
_OPEN_FOR = starts("""
    (?P<obj> ... ) is|are [now|all] ( open|free|available|unlocked|ready|cleared|good|okay|back ) for
    [any|new|more]
    (?P<deed> ... ) $
""")
_OUT_AGAIN = starts("""
    (?P<obj> ... ) can|may|could [now|finally|all]
    ( go|move|ship|roll (?= out|live|through|ahead|forward|again )
    | proceed|continue|resume | leave the house ) ...? $
""")
_OUT = frozenset({ActionClass.DEPLOY, ActionClass.MERGE, ActionClass.PAY, ActionClass.SEND})
_NOT_NEEDED = starts("""
    (?P<obj> ... ) ( [is|are|do|does] no longer | need|needs not | do|does not [really] | is|are not
    | no more ) ( ( have|has|need|needs|needed|required to ( stay|remain|be|keep|run|wait )
    (?P<state> ... )? ) | need|needs|require|requires|use|uses|using (?P<thing> ... )
    | ( need|needs|required|needed|reserved|protected | frozen|restricted|necessary|locked|blocked|valid
    | applicable ) | ( relevant|exempt|exempted|apply|applies|hold | holds|stand|stands ) | on hold
    | off limits | [being] used | in use|force|effect | under hold|freeze|embargo
    | under a|the _1? hold|freeze ) (?P<rest> ...? ) $
""")
_OBSERVED = holds("used|using|uses | in use")
_NO_MORE = holds("no longer | any more|longer | anymore|now | no more")
_NO_NEED = starts("""
    ( there is )? no [longer|more|further] [a|any] need|reason|point|sense to|in|for (
    ( keep|keeping|leave|leaving|hold|holding|wait | protect|protecting|preserve|retain|reserve
    | freeze|stay|have ) | having ) (?P<deed> ... ) $ | ( you|we )? ( do not | need not
    | no longer ) [have|need] [to|need] ( ( keep|leave|hold|wait|protect|preserve|retain
    | freeze|reserve|spare ) [about] ) (?P<kept> ... ) $
    | ( you|we can )? stop|quit ( keeping|holding|protecting|reserving|freezing
    | blocking|withholding ) (?P<stopped> ... ) $
    | [we|qa|i] [am|are|is] [all|now] done|finished|through with (?P<done> ... ) $
""")
_UNNEEDED = starts("""
    ( nobody | no one | none of us ) [really|still] needs?|uses?|wants?|requires? (?P<obj> ... )
    ( any longer|more | anymore|now ) $
""")
_KINDS_OF_HOLD = frozenset({ActionClass.PAY, ActionClass.DEPLOY, ActionClass.MERGE})
_DOUBTS = (Mark.HEDGED, Mark.REPORTED, Mark.HYPOTHETICAL, Mark.CONDITIONAL, Mark.ONCE, Mark.AT_HAND)

Ended = tuple[frozenset[str], tuple[Phrase, ...]]
"""The classes that may be done again, and the words that say to what."""


_NOT_EARLIER = holds(
    "not|no|never earlier|sooner|before | only then | not a day|minute|second earlier|before|sooner"
)
_ON_DAYS = holds("""
    next week|month|year|time|monday|tuesday|wednesday|thursday|friday | tomorrow|soon|later|eventually
    | in|from|on|after|by january|february|march|april|may|june|july|august
    | in|from|on|after|by september|october|november|december
    | on|from|after|by monday|tuesday|wednesday|thursday|friday|saturday|sunday
    | in|within _1 days?|weeks?|hours?|months?
""")
_ON_CONDITION = holds("""
    so that | i|we hope|wish | once|unless|provided|assuming
    | (?<! mind ) if (?! you|we|i like|want|wish|prefer|must|please ) | as soon as | only|not after|when
    | when (?! we|you|i (?= like|want|wish ) )
""")
_FROM_LATER = holds("""
    from|of|starting|beginning|after ( tomorrow|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday
    | january|february|march|april|may|june|july|august|september|october|november|december )
""")
_RESTRICTED = holds("only|except | but not")


def permission(stance: Stance) -> Reading | None:
    """What a clause says to have ended: a permission given back, a hold lifted, a need gone."""
    if stance.has(Mark.DOCUMENT, Mark.QUESTION, Mark.REQUEST, Mark.ASKING):
        return None
    if _NOT_EARLIER.search(stance.clause.phrase):
        return None
    found = None if stance.end.connector else _permitted(stance)
    errand = found is not None
    found = (
        found
        or released(stance)
        or _ends_now(stance.core)
        or _lifted(stance.end.main)
        or _not_needed(stance.end.main)
    )
    if found is None:
        return None
    classes, about = found
    narrow = errand and not _lifts(classes, stance)
    if narrow and _RESTRICTED.search(stance.core):
        return None
    doubtful = stance.has(*_DOUBTS) or _is_unsure(stance.core) or _is_for_later(stance)
    return Reading(
        attribute=attribute_of(classes),
        value=stance.statement,
        about=about,
        kind=FactKind.CONSTRAINT,
        forbids=classes,
        intent="retire",
        hedged=doubtful,
        explicit=not doubtful,
        once=stance.has(Mark.ONCE, Mark.AT_HAND),
        named_only=narrow,
    )


def _is_for_later(stance: Stance) -> bool:
    """Whether it is allowed on a condition, or from some day on, or is no more than about to be."""
    told = stance.clause.whole
    if _ON_CONDITION.search(stance.core) or _FROM_LATER.search(told) or reports.is_almost(told):
        return True
    someday = _ON_DAYS.search(stance.core) is not None and not reports.is_past(told)
    return someday or reports.is_for_later(told)


def _is_unsure(core: Phrase) -> bool:
    """Whether the words report a state ("isn't used any more") or a possibility rather than a decision."""
    if _UNSURE.search(core) or reports.is_of_another(core):
        return True
    return _NOT_NEEDED.match(core) is not None and bool(_OBSERVED.search(core))


def _permitted(stance: Stance) -> Ended | None:
    """As in "you can stop it again", "it may be shut down now"; not an errand ("you can book it")."""
    core = stance.core
    put_first = _PUT_FIRST.match(core)
    if put_first and not _CLAUSAL.search(core.group(put_first, "obj")):
        classes = governed(core.group(put_first, "deed"))
        return (classes, (core.group(put_first, "obj"),)) if classes else None
    passive = PASSIVE.match(core) or _ACTIVE.match(core)
    if passive and (classes := governed(deed := core.group(passive, "deed"))):
        about = (core.group(passive, "obj"),)
        classes = (noun_deeds(about[0]) or classes) if classes == {ActionClass.EXECUTE} else classes
        return classes, (object_of(deed), *about) if _EXPLETIVE.fullmatch(about[0]) else about
    match = PERMITTED.match(core) or _AT_WILL.match(core)
    if match is None:
        return None
    deed = core.group(match, "deed")
    classes = governed(deed)
    return (classes, (object_of(deed), deed)) if classes else None


def _lifts(classes: frozenset[str], stance: Stance) -> bool:
    if classes & _LIFTING or stance.clause.after.endswith("so"):
        return True
    return _TIME_HAS_COME.search(stance.clause.phrase) is not None


def _ends_now(core: Phrase) -> Ended | None:
    """As in "the embargo ends today"; what ends on Monday has not ended."""
    match = _ENDS_NOW.match(core)
    if match is None:
        return None
    about = core.group(match, "obj")
    return lifted_classes(about), (about,)


def _lifted(core: Phrase) -> Ended | None:
    for form in (_LIFTED, _LIFT):
        if match := form.match(core):
            about = core.group(match, "obj") or core.group(match, "freed")
            return lifted_classes(about), (about, core)
    if match := _UNFREEZE.match(core):
        about = core.group(match, "off") or core.group(match, "obj")
        classes = lifted_classes(about or core)
        return (
            (classes, tuple(filter(None, (about,))))
            if match["named"] is None or classes != ANYTHING
            else None
        )
    return _opened(core) or _resumed(core)


def _opened(core: Phrase) -> Ended | None:
    """As in "all clear on db-1", "it is open for changes again", "what I said about it no longer applies"."""
    if (match := _CLEAR.match(core)) or ((match := _OPEN_FOR.match(core)) and _TIME_HAS_COME.search(core)):
        deed = match.groupdict().get("deed")
        found = noun_deeds(core.group(match, "deed")) if deed else ANYTHING
        return found or ANYTHING, (core.group(match, "obj"),)
    if match := _RELEASES.match(core):
        return frozenset({ActionClass.PAY}), (core.group(match, "obj"),)
    if match := _UNFROZEN.match(core) or _SAID_NO_MORE.match(core):
        return ANYTHING, (core.group(match, "obj"),)
    if (match := _OUT_AGAIN.match(core)) and _TIME_HAS_COME.search(core):
        return _OUT, (core.group(match, "obj"),)
    return None


def _resumed(core: Phrase) -> Ended | None:
    """As in "deploys are allowed again", "resume payments", "go ahead with the refund now"."""
    for form in (_BACK_ON, _RESUME):
        match = form.match(core)
        about = core.group(match, "obj") if match else core
        named = noun_deeds(about) or (held_classes(about) if form is _BACK_ON else frozenset())
        if match is None or not (classes := named - {ActionClass.EXECUTE}):
            continue
        if form is _BACK_ON or _RESUMES.match(core) or _TIME_HAS_COME.search(core) or _ALLOWED.match(core):
            return classes, (about,)
    return None


def _not_needed(core: Phrase) -> Ended | None:
    """As in "It no longer needs to stay up", "there's no need to keep it", "nobody needs it any more"."""
    if match := _NO_NEED.match(core):
        groups = (core.group(match, name) for name in ("deed", "kept", "stopped", "done"))
        about = next(filter(None, groups))
        return _kept_classes(about), (about,)
    if match := _UNNEEDED.match(core) or _FAIR_GAME.match(core):
        return PROTECTED, (core.group(match, "obj"),)
    match = _NOT_NEEDED.match(core)
    if match is None or not _NO_MORE.search(core):
        return None
    about = core.group(match, "obj")
    return _kept_classes(about), tuple(filter(None, (core.group(match, "thing"), about, core)))


def _kept_classes(about: Phrase) -> frozenset[str]:
    return (held_classes(about) & _KINDS_OF_HOLD) or PROTECTED

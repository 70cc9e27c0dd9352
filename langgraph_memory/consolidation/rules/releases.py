"""Letting go of a thing in so many words: a blessing, no objection, a change of mind."""

from __future__ import annotations

from langgraph_memory.actions import verbs_in
from langgraph_memory.consolidation.rules.deeds import governed, is_gerund, noun_deeds, object_of
from langgraph_memory.consolidation.rules.rule import ANYTHING
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase

_CONSENT = """
    blessing|okay|approval|permission|consent|go-ahead|authorization|clearance|vote|yes | green light
    | thumbs up | go ahead | all-clear
"""
_BLESSED = starts(f"""
    (?P<obj> ... ) has|have|gets|got [now] [got] my|our|the|full|a|your|his|her [full|official]
    ( {_CONSENT} ) ( [now|today] $ | (?P<deed> to|for ... ) $ )
    | i|we [now|hereby|gladly] [do|can] give (?P<given> ... ) my|our|the [full] ( {_CONSENT} ) [now] $
    | my|our [full] ( {_CONSENT} ) for|on|to (?P<to> ... ) [now] $
    | you have|got|get my|our|the [full] ( {_CONSENT} ) for|on (?P<on> ... ) [now] $
""")
_GIVEN = starts(f"""
    you|we|they|everyone|anyone ( have|has|got|get )+ my|our|the|full|a [full|official] ( {_CONSENT} ) to
    (?P<deed> ... ) $
""")
_UNOPPOSED = starts("""
    ( i|we ( do not | no longer | not ) mind|object|care|worry [any] [more|longer] ( if|when|about|to|that )
    | i|we [have|see] no|zero [more|further|longer] [any] objections?|concerns?|problem|problems|issue|issues
      [left|now|anymore] ( to|against|with|about|regarding|if|over )
    | no [more|further] objections?|concerns [from|on] [my|our|me|us] [side|end|part]
      ( to|against|with|about|regarding|if )
    | i|we [hereby|now] [have] ( withdraw|withdrew|drop|dropped|waive | take back
      | retract|revoke|lifted|lift )
      my|our|the|all|any [earlier|previous] objections?|veto|concerns?|reservations?|ban|no
      ( to|against|with|about|regarding|on|for|over ) )
    (?P<about> ... ) $
""")
_CLEARED = starts("""
    (?P<obj> _6 ) [is|are|was|were|has|have|got] [now|all|been|finally|officially]
    cleared|approved|released|green-lit|greenlit|green-lighted|okayed|authorized|authorised
    for|to (?P<deed> ... ) $
""")
_FINE_TO = starts("""
    (?P<obj> (?! i|we|it|that ) _3 ) [is|are] (?<! felt )
    [now|again|all|perfectly|totally|completely|absolutely] [now|again]
    fine|okay|free|safe|good|clear|ready|cleared|welcome to [be] (?P<deed> ... ) $
""")
_APPROVED = starts("""
    (?P<obj> _6 ) ( is|are|stands | has|have been )? [now|all|finally|officially|hereby]
    approved|cleared|okayed|greenlit|unfrozen|authorized|authorised [now|today|again] $
    | (?P<signed> _6 ) is|are [now|all|finally] signed off [now] $
""")
_UNHINDERED = starts("""
    ( nothing|nobody | no one ) [else] ( stands|stand|is|gets in the|our|your way of | speaks|stands against
    | stops|prevents|keeps|hinders|blocks [us|you|anyone] [from] ) (?P<deed> ... )
    ( any more|longer | anymore | now )? $
""")
_REVERSED = holds("""
    after all | never mind | scratch|forget that | changed my|our minds? | second thoughts?
    | change of heart|mind|plan|plans
""")
_REVERSAL = starts("[never] [mind] [please] [let] [us] [just] [go] [ahead] [and] (?P<deed> ... ) $")
_WITHHOLDS = holds("not|never|no|nobody|hardly|keep|keeping|hold|leave|leaving|wait|only|except")

Released = tuple[frozenset[str], tuple[Phrase, ...]]
"""The classes that may be done again, and the words that say to what."""


def released(meant: Stance) -> Released | None:
    """What a clause lets go of by a blessing, by dropping an objection, or by a change of mind."""
    core = meant.core
    return _blessed(core) or _unopposed(core) or _cleared(core) or _unhindered(core) or _reversed(meant)


def _blessed(core: Phrase) -> Released | None:
    if given := _GIVEN.match(core):
        deed = core.group(given, "deed")
        classes = governed(deed)
        return (classes, (object_of(deed), deed)) if classes else None
    match = _BLESSED.match(core)
    if match is None or _WITHHOLDS.search(core):
        return None
    about = next(filter(None, (core.group(match, name) for name in ("obj", "given", "to", "on"))), core)
    classes = _classes(core.group(match, "deed"))
    return classes or ANYTHING, (about, core)


def _unopposed(core: Phrase) -> Released | None:
    match = _UNOPPOSED.match(core)
    if match is None:
        return None
    about = core.group(match, "about")
    if _WITHHOLDS.search(about):
        return None
    found = [_classes(about.cut(place)) for place in _places(about)]
    classes = next(filter(None, found), frozenset[str]())
    return classes or ANYTHING, (about,)


def _cleared(core: Phrase) -> Released | None:
    if (approved := _APPROVED.match(core)) and not _WITHHOLDS.search(core):
        return ANYTHING, (core.group(approved, "obj") or core.group(approved, "signed"),)
    cleared = _CLEARED.match(core)
    match = cleared or _FINE_TO.match(core)
    if match is None or _WITHHOLDS.search(core):
        return None
    classes = _classes(core.group(match, "deed")) or (ANYTHING if cleared else frozenset())
    return (classes, (core.group(match, "obj"),)) if classes else None


def _unhindered(core: Phrase) -> Released | None:
    """As in "nothing stands in the way of the refund any more"."""
    match = _UNHINDERED.match(core)
    if match is None:
        return None
    deed = core.group(match, "deed")
    classes = _classes(deed)
    return (classes, (object_of(deed), deed)) if classes else None


def _reversed(meant: Stance) -> Released | None:
    """As in "On second thought, cancel it", "let's ship it after all"."""
    decided = _REVERSED.search(meant.clause.phrase) or _follows(meant)
    match = _REVERSAL.match(meant.core) if decided else None
    if match is None or _WITHHOLDS.search(meant.core):
        return None
    deed = meant.core.group(match, "deed")
    classes = frozenset[str]() if is_gerund(deed) or not verbs_in(deed.words[0].norm) else governed(deed)
    return (classes, (object_of(deed), deed)) if classes and object_of(deed) else None


def _follows(meant: Stance) -> bool:
    """Whether a request is drawn from what was said just before: "it's dry, so please pay it"."""
    plain = meant.clause.phrase.plain
    return meant.clause.after in _DRAWN or plain.startswith(
        ("so please ", "therefore please ", "then please ")
    )


_DRAWN = frozenset({", so", "so", "; so", ":"})


def _classes(deed: Phrase) -> frozenset[str]:
    words = deed.cut(deed.plain.index(" ") + 1) if deed.plain.startswith(("to ", "for ", "the ")) else deed
    return (governed(words) or noun_deeds(words)) if words else frozenset()


def _places(phrase: Phrase) -> list[int]:
    return [0, *(place + 1 for place, sign in enumerate(phrase.plain[:-1]) if sign == " ")]

"""Putting things on hold: freezes, holds, pauses, and what a hold on a thing rules out."""

from __future__ import annotations

from langgraph_memory.actions import CODE_FREEZE, ActionClass, verbs_in
from langgraph_memory.consolidation.rules.deeds import (
    governed,
    is_gerund,
    named_verbs,
    noun_deeds,
    object_of,
    told_deeds,
)
from langgraph_memory.consolidation.rules.descriptions import is_nominal
from langgraph_memory.consolidation.rules.obligation import OBLIGED
from langgraph_memory.consolidation.rules.rule import ANYTHING, PROTECTED, Rule
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase

PAYMENT = holds(r"""
    refunds?|payments?|invoices?|payouts?|charges?|billing|bills?|reimbursements?|transfers?|transactions?
    | credits?|payroll|deposit|chargeback|disbursement|money|funds|wire
    | (?:inv|tx|txn|pay|ref|refund|invoice)[-_]\w+
""")
RELEASE = holds("""
    releases?|deploys?|deployments?|rollouts?|launch|launches|publication|prod|production|hotfix|shipping
    | pushes|go-live
""")
CODE = holds("main|master|trunk|branch|branches|merges?|code|repo|repository|prs?|codebase|commits?|develop")

_KINDS = {
    "code": CODE_FREEZE,
    "feature": CODE_FREEZE,
    "merge": frozenset({ActionClass.MERGE}),
    "change": ANYTHING,
    "config": frozenset({ActionClass.MODIFY}),
    "write": frozenset({ActionClass.MODIFY, ActionClass.CREATE, ActionClass.DELETE}),
    "production": frozenset({ActionClass.DEPLOY}),
    "release": frozenset({ActionClass.DEPLOY}),
    "deploy": frozenset({ActionClass.DEPLOY}),
    "deployment": frozenset({ActionClass.DEPLOY}),
    "payment": frozenset({ActionClass.PAY}),
    "refund": frozenset({ActionClass.PAY}),
    "billing": frozenset({ActionClass.PAY}),
    "legal": frozenset({ActionClass.DELETE, ActionClass.MODIFY}),
    "litigation": frozenset({ActionClass.DELETE, ActionClass.MODIFY}),
}
_KIND = "|".join(_KINDS)
_KIND_OF_HOLD = holds(f"(?P<what> {_KIND} ) freeze|hold|moratorium|lock|lockdown|embargo|stop")


def held_classes(phrase: Phrase) -> frozenset[str]:
    """What a hold on the thing that a phrase names rules out; nothing if its noun doesn't say.

    >>> sorted(map(str, held_classes(Phrase.of("the refund for tx_992")))), held_classes(Phrase.of("the box"))
    (['pay'], frozenset())
    """
    if match := _KIND_OF_HOLD.search(phrase):
        return _KINDS[match["what"].strip()]
    if PAYMENT.search(phrase):
        return frozenset({ActionClass.PAY})
    if RELEASE.search(phrase):
        return frozenset({ActionClass.DEPLOY})
    if CODE.search(phrase):
        return CODE_FREEZE
    return noun_deeds(phrase)


def lifted_classes(phrase: Phrase) -> frozenset[str]:
    """What the hold that a phrase names has ruled out, once it is lifted; anything if it doesn't say."""
    named = held_classes(phrase) & (CODE_FREEZE | {ActionClass.PAY})
    kind = _KIND_OF_HOLD.search(phrase)
    if kind and kind["what"].strip() in ("legal", "litigation"):
        return ANYTHING
    return named or (held_classes(phrase) if kind else ANYTHING)


_HOLD = """
    ( hold off on|with | hold off | hold back on|with | hold back | hold up on | wait with|on | sit on
    | put off | lay off | stand down on | back off [from] | ( freeze|freezing|pause|pausing|hold|holding
    | suspend|suspending ) | ( halt|halting|postpone|postponing|delay|delaying
    | block|blocking|withhold|withholding|defer | deferring )
    | stop|stopping|cease|stall|lock|embargo|quarantine|quit )
"""
HELD = starts(f"{_HOLD} (?P<deed> ... ) $")
_HELD_BACK = starts("hold|holding|keep|keeping (?P<obj> ... ) back [please|now|for] ...? $")
_TASKS = holds("stop|stopping|cease|quit|block|blocking|lock|pause|pausing|suspend|suspending|halt|halting")
_ON_HOLD = starts("""
    put|place|keep|impose|leave|get|putting|placing|set
    ( a|an|the _2? hold|freeze|lock|block|moratorium|embargo|pause|stop on|to (?P<held> ... )
    | (?P<obj> ... ) on hold|ice|pause|freeze|standby ) (?P<rest> ...? ) $
""")
_FREEZE_NOUN = starts(f"""
    ( there ( is | will be ) | we are in | we have | we are under | in )?
    [a|an|the] [strict|full|complete|hard|general|current]
    (?P<what> {_KIND} ) freeze|hold|moratorium|lockdown|embargo|stop
    ( is|starts|begins|applies|stands|holds [in|now|still|from] [effect|place|force|on|now|today] )?
    ( on|for|in|over|across|to [the|all] (?P<obj> ... ) )? $
""")
_FROZEN = starts(f"""
    (?! we|i|you ) (?P<obj> ... ) ( is|are|stays?|remains?|goes | {OBLIGED} ( stay | remain | be ) )
    [now|still|currently|all|both|completely|strictly|put|being]
    ( frozen|code-frozen|deploy-frozen|release-frozen|change-frozen
    | locked|blocked|paused|untouchable|embargoed|suspended|halted|held|excluded | off limits
    | off the table | out of scope | on hold | on ice | out of bounds | hands off
    | under|in [a|an|the] [strict|full|code|change|release|legal|litigation|billing]
      freeze|hold|embargo|lockdown|moratorium ) (?P<rest> ...? ) $
""")
_ON_HOLD_BARE = starts("(?P<obj> _6 ) on hold|ice|pause|standby [now|please|everyone] [,] $")
_ON_LIST = starts("""
    ( put|add|place|have|keep|get (?P<obj> ... ) on|to|onto | (?P<listed> ... ) is|goes|are|belongs on|onto )
    [the|my|our|your|a] (?P<name> _4 ) list (?P<rest> ...? ) $
""")
_PROTECTING = holds("""
    keep|keeping|protected|protect|safe|exempt|exempted|exception|exceptions|whitelist|allow|ignore|skip|exclusion
    | keepers|holds?|frozen|freeze|hands-off | do not touch
""")
CLOSED_FOR = starts("""
    (?P<obj> ... ) is|are|stays|remains [now|still|currently|strictly|absolutely]
    ( closed|shut|blocked|locked|frozen|unavailable | off limits | out of bounds
    | not|never|no|hardly [longer] [yet|currently|up|open|available|meant|intended|cleared|approved]
      (?= for ) )
    for|to (?! me|us|you|him|her|them|now|today ) [all|any|new|further|more] (?P<deed> _3 ) $
""")
_HANDS_OFF = starts("""
    ( hands off | stay|steer|keep away|clear from|of | keep [your] [hands|fingers|paws] off|away|clear
      [from|of] | stay|keep out of | no touching ) (?P<obj> ... ) $
    | hands off $
""")
_WAIT_WITH = starts("""
    [please] wait|hold [off] until (?P<when> _6 ) ( with | before ) (?P<deed> ... ) $
""")
_CAN_WAIT = starts(f"""
    (?P<obj> ... ) ( can wait | {OBLIGED} wait | is|are waiting
    | {OBLIGED} be held|delayed|postponed|withheld|deferred|paused [back] ) (?P<rest> ...? ) $
""")


def held(phrase: Phrase) -> Rule | None:
    """As in "Hold the refund", "freeze releases", "wait with the shutdown"; not the task "pause the job"."""
    if back := _HELD_BACK.match(phrase):
        about = phrase.group(back, "obj")
        return Rule(held_classes(about) or ANYTHING, (about,), named_only=True)
    match = HELD.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    if is_gerund(deed):
        return Rule(governed(deed), (object_of(deed), deed))
    classes = held_classes(deed)
    if not classes and _TASKS.match(phrase):
        return None
    return Rule(classes or ANYTHING, (deed,), needs_end=not classes)


def put_on_hold(phrase: Phrase) -> Rule | None:
    """As in "Put it on hold", "put a freeze on main"."""
    match = _ON_HOLD.match(phrase)
    if match is None:
        return None
    about = phrase.group(match, "held") or phrase.group(match, "obj")
    classes = held_classes(phrase if _KIND_OF_HOLD.search(phrase) else about)
    return Rule(classes or ANYTHING, (about,))


def on_list(phrase: Phrase) -> Rule | None:
    """As in "Put it on the do-not-stop list", "it belongs on the exempt list"."""
    match = _ON_LIST.match(phrase)
    if match is None:
        return None
    name = Phrase.of(match["name"].replace("-", " "))
    forbidden = verbs_in(name.plain) if _NOT.search(name) else frozenset[str]()
    if not forbidden and not _PROTECTING.search(phrase.group(match, "name")) and not _PROTECTING.search(name):
        return None
    about = phrase.group(match, "obj") or phrase.group(match, "listed")
    return Rule(forbidden or PROTECTED, (about,))


_NOT = holds("not|no|never|dont|don't")


def frozen(phrase: Phrase) -> Rule | None:
    """As in "main is frozen", "reports-db is off limits"."""
    match = _FROZEN.match(phrase) or _ON_HOLD_BARE.match(phrase)
    if match is None or not is_nominal(phrase.group(match, "obj")):
        return None
    closed = CLOSED_FOR.match(phrase)
    if closed and named_verbs(phrase.group(closed, "deed")):
        return None
    about = phrase.group(match, "obj")
    return Rule(held_classes(about) or ANYTHING, (about,))


def freeze_noun(phrase: Phrase) -> Rule | None:
    """As in "There's a code freeze on main"."""
    match = _FREEZE_NOUN.match(phrase)
    if match is None:
        return None
    return Rule(_KINDS[match["what"].strip()], tuple(filter(None, (phrase.group(match, "obj"),))))


def closed_for(phrase: Phrase) -> Rule | None:
    """As in "Production is closed for deployments"."""
    match = CLOSED_FOR.match(phrase)
    if match is None:
        return None
    return Rule(noun_deeds(phrase.group(match, "deed")), (phrase.group(match, "obj"),))


def hands_off(phrase: Phrase) -> Rule | None:
    """As in "Hands off gpu-bench-01"."""
    match = _HANDS_OFF.match(phrase)
    return Rule(ANYTHING, (phrase.group(match, "obj") or phrase,)) if match else None


def wait_with(phrase: Phrase) -> Rule | None:
    """As in "wait until Friday with the deploy"."""
    match = _WAIT_WITH.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    return Rule(told_deeds(deed), (object_of(deed), deed), until=phrase.group(match, "when").text)


def can_wait(phrase: Phrase) -> Rule | None:
    """As in "The refund can wait"."""
    match = _CAN_WAIT.match(phrase)
    if match is None:
        return None
    about = phrase.group(match, "obj")
    return Rule(held_classes(about), (about,))

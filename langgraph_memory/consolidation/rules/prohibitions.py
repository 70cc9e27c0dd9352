"""Saying that something must not be done."""

from __future__ import annotations

import re

from langgraph_memory.actions import KEEP_RUNNING, ActionClass, verbs_in
from langgraph_memory.consolidation.rules.deeds import governed, is_gerund, noun_deeds, object_of, told_deeds
from langgraph_memory.consolidation.rules.holding import PAYMENT
from langgraph_memory.consolidation.rules.rule import ANYTHING, Rule
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase

_NEVER = "( under no circumstances?|conditions? | at no point|time | in no case | by no means )"
NEGATED = starts(f"""
    ( do not | did not | please not | never , ever | never | not to | not
    | {_NEVER} [should|may|must] [you|we|anyone] )
    ( ever|you|even|just|yet|dare | under any circumstances | at any point | by any means
    | think about|of | consider | try to )* (?P<deed> ... ) $
""")
FORBIDDEN = starts("""
    it is [strictly|absolutely|completely|currently|still]
    ( forbidden|prohibited|banned|disallowed | not allowed|permitted|okay|acceptable|possible|wise|safe [yet]
    | too early|soon ) ( for _2 )? to (?P<deed> ... ) $
""")
MODAL = starts(rf"""
    (?P<who> ... ) ( must|should|may|can|shall|will {_NEVER}
    | must|should|may|shall|can|could|will|ought|would not [to] | must|should|may|can|shall|will never
    | had better not | is|are never to | is|are not [allowed|supposed|permitted|meant] to
    | is|are not [being] (?= \w+ing ) | do|does not get to
    | do|does not want [you|anyone|anybody|us|people|the] [agent|bot|team] [to] | never
    | do|does not ) ( ever | under any circumstances | yet | be allowed to | just | simply | please
    | even )* (?P<deed> ... ) $
""")
AGENT = starts("""
    you|we|they|anyone|anybody|people
    | [the|our|your|all] agents?|bots?|team|assistant|cleanup|job|script|sweep
""")
SPEAKERS = starts("we|you")
OBLIGES = holds("must|should|may|shall|ought|never|allowed|supposed|permitted|meant|better | not to")
NARRATES = holds("do|does|get|gets|will not | never $")
OBLIGES_NEVER = holds("must|should|may|can|shall|will|are|is never")
PASSIVE = starts("( ever | just )* be|being|get|getting|been|gets")
_GOES = holds("go|goes down|offline")
_FINAL = frozenset(
    {ActionClass.DEPLOY, ActionClass.MERGE, ActionClass.PAY, ActionClass.SEND, ActionClass.MIGRATE}
)
"""What is announced rather than reported in "it doesn't ship until …"."""

UNWANTED = starts("""
    i|we ( do|would not want|like|need | never want | refuse to have | can not ( have | allow
    | afford to have ) ) (?P<obj> ... ) $
""")
_INFINITIVE = re.compile(r"(?<![^ ])(?:to|be|being|get|getting|go|anyone|you|anybody) ")
_MONEY_LEAVES = holds("money|funds|cash|payment|payments|cent|penny [being] going|leaving|paid|sent|moving")
LET_NOT = starts("( do|must|should not | never ) let|allow|permit|have (?P<obj> ... ) $")
_CHEER = holds("you|yourself|me|us|your $ | you down | your way")
INVERTED = starts(f"( {_NEVER} | never ) should|may|must|can|shall (?P<who> ... ) (?P<deed> be|get ... ) $")
NOBODY = starts("""
    ( nobody | no one | none of us|you|them | nothing | none of (?P<of> ... )
    | neither (?P<neither> ... nor ... ) (?= may|should|can|must|shall|will|is|are )
    | no [single] (?:human|agent|bot|person|engineer|developer|tool|service|instance|server|team)s? ) ( else
    | here | there | in|on|from|for (?P<where> _3 ) )? ( may|should|can|must|shall|will
    | is|are [allowed|supposed|permitted|going] to | gets? to | has to | is|are | gets? )? (?P<deed> ... ) $
""")
PERFECT = starts("has|have|had|was|were|did [ever|yet|really|been|even]")
"""What tells how things went, not how they are to go."""

NO_DEED = starts("""
    ( there ( are | is | will be | must be | should be | can be | to be )
    | we want|need )? no|zero [more|further|new|other|automatic|unattended|manual] (?P<deed> ... ) ( please
    | allowed | permitted | whatsoever )* $
""")
_STATED = holds("needed|required|necessary|is|are|was|were|has|have|found|made|yet|left|available|pending")
_VERB_NOTHING = starts("""
    [please] [we|you|i] [will|shall|should|must] (?P<deed> _1 ) nothing|none [else] (?P<rest> ...? ) $
""")
_NO_LONGER = starts("""
    we|you|they|i|agents|bots|people ( no longer | do not ) [ever|just|simply] (?P<deed> ... ) $
""")
_NO_LONGER_DONE = starts("""
    (?P<who> ... ) ( is|are no longer | is|are not [being] | does not|no longer get | no longer gets )
    [directly|manually|automatically] (?P<deed> ... ) $
""")
_ANY_MORE = holds(
    "no longer | any more|longer | ourselves|yourselves|directly|manually | by|in hand | by us|you|agents"
)
_ORDERED = frozenset(
    {ActionClass.DEPLOY, ActionClass.MERGE, ActionClass.PAY, ActionClass.SEND, ActionClass.MODIFY}
    | {ActionClass.BOOK, ActionClass.DELETE, ActionClass.CANCEL, ActionClass.MIGRATE}
)
"""What people decide to do or not, so that "it isn't done by us any more" tells a way of working."""

_NOT_GOING = starts("""
    (?P<who> ... ) ( is|are not going | will not go | do|does not go | must|may|can|should not go
    | never goes | does not leave | is not leaving | is not shipping ) (?P<how> out|live|anywhere|in|through
    | the house|building ) (?P<rest> ...? ) $
""")
_NOTHING_OF = starts("""
    nothing of|from|in|on (?P<of> _3 ) ( goes|gets|moves|leaves|ships|changes|happens
    | is going|moving|changing
    | may|can|must|should|will|shall ( go|move|leave|ship|change|happen ) ) (?P<rest> ...? ) $
""")
_SO_DO_NOT = starts("( so|then|please|just|therefore|better|thus )* do not [it|that|this] [yet|please|now] $")
_OUT = frozenset({ActionClass.DEPLOY, ActionClass.SEND, ActionClass.PAY, ActionClass.MERGE})
"""What may be meant by something that doesn't go out."""
BANNED = starts("""
    (?P<deed> ... ) is|are|remains|stays|would [be]
    [strictly|absolutely|completely|simply|currently|still|now] ( [a] no-go|taboo
    | forbidden|prohibited|banned|disallowed|verboten | not an option | out of the question | off the table
    | not ( allowed|permitted|okay|acceptable|possible | wanted|welcome|desired ) ) (?P<rest> ...? ) $
""")
_TABOO = holds("taboo|forbidden|verboten | no-go | off the table | out of the question")
FORBIDS = starts("""
    i|we [hereby|strictly|must] forbid|prohibit|ban|veto|disallow|object
    [you|anyone|anybody|everyone] [any|all|every|to] (?P<deed> ... ) $
""")
_DREADED = starts("""
    it|that would [really|also] be [a|an] [very|really|so|total|complete] (
    ( disaster|catastrophe|catastrophic|disastrous | terrible|bad|awful|horrible|problem|mess|fatal
    | expensive|costly ) ) if|to [we|you|somebody|someone|anyone|anybody] (?P<deed> ... ) $
""")
AVOID = starts("""
    ( (?P<firm> avoid|avoiding | refrain|abstain|desist from | be careful not to | take care not to
    | try not to | think twice before ) | stop | quit ) (?P<deed> ... ) $
""")
_NOT_HAPPENING = starts("""
    (?P<obj> ... ) ( is|are|gets?|does|do|has|have not|never
    | never gets|goes ) ( be|get|being|been )? (?P<deed> ... ) $
""")
_NOT_AGAIN = starts("""
    ( do not | never | please not | must|should not ) [ever] ( do|repeat|try that|this|it|so
    | make that|this|such|the|same [a|same] mistake|error
    | let that|this|it happen ) [ever|again|anymore] ...? $ | that|this|it ( must|should|may|can not|never
    | is never to ) ( ever | be allowed to )* happen [ever|again] ...? $
""")
_DONE = holds("you|it|cleanup|agent|bot|they [just|again|already|accidentally|also] (?P<deed> ... ) $")
_HARMLESS = starts("""
    worry|hesitate|forget|bother|mind|think|expect|assume|know|need|have|want|see|care|feel|say|remember
    | understand|believe|like|love|hate|enjoy|panic|be|apologi[sz]e|rush|hurry|give|let|get|go|come|agree
    | recall|find|look|seem|work|call|ask|use|do|make|mean|miss|hurt|wait|eat|drink|fly|tell|try
""")


def let_not(phrase: Phrase) -> Rule | None:
    """As in "Don't let anyone restart it", "don't let it go down"."""
    match = LET_NOT.match(phrase)
    if match is None:
        return None
    rest = phrase.group(match, "obj")
    if _CHEER.search(rest):
        return None
    return Rule(_anywhere(rest, [m.end() for m in re.finditer(" ", rest.plain)]), (rest,))


def unwanted(phrase: Phrase) -> Rule | None:
    """As in "I don't want it to be stopped", "we can't have it go down"."""
    match = UNWANTED.match(phrase)
    if match is None:
        return None
    rest = phrase.group(match, "obj")
    found = [m.start() if m.group() == "go " else m.end() for m in _INFINITIVE.finditer(rest.plain)]
    if _MONEY_LEAVES.search(rest):
        return Rule(frozenset({ActionClass.PAY}), (rest,))
    return Rule(_anywhere(rest, found), (rest,))


def negated(phrase: Phrase) -> Rule | None:
    """As in "Don't stop it", "never delete anything"."""
    match = NEGATED.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    return Rule(governed(deed), (object_of(deed), deed))


def inverted(phrase: Phrase) -> Rule | None:
    """As in "Under no circumstances should it be rolled back"."""
    match = INVERTED.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    return Rule(governed(deed), (phrase.group(match, "who"), deed))


def nobody(phrase: Phrase) -> Rule | None:
    """As in "Nobody may restart it", "nothing ships to production"."""
    match = NOBODY.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    if PERFECT.match(deed):
        return None
    about = (*(phrase.group(match, name) for name in ("where", "of", "neither")), object_of(deed), deed)
    about = (*about, phrase) if phrase.words[0].norm == "no" else about
    return Rule(governed(deed), tuple(part for part in about if part))


def modal(phrase: Phrase) -> Rule | None:
    """As in "It must not be restarted", "you can't take it offline"; not "it won't start"."""
    match = MODAL.match(phrase)
    if match is None:
        return None
    who, deed = phrase.group(match, "who"), phrase.group(match, "deed")
    verb = phrase.plain[match.end("who") : match.start("deed")]
    classes = governed(deed)
    if who.plain == "i " or not classes or (verb == "never " and deed.words[0].norm.endswith("ed")):
        return None
    if NARRATES.search(verb) and not OBLIGES_NEVER.search(verb) and not SPEAKERS.fullmatch(who):
        announced = classes & _FINAL if "never" not in verb else frozenset[str]()
        return Rule(announced, (who, deed), needs_end=True)
    unable = "can not" in verb
    if AGENT.fullmatch(who):
        doubtful = unable and who.plain == "we "
        return Rule(classes, (object_of(deed), deed), doubtful=doubtful, sure_if_ended=True)
    binding = OBLIGES.search(verb) or PASSIVE.match(deed) or _GOES.search(deed)
    return Rule(classes, (who, deed), doubtful=unable, sure_if_ended=True) if binding else None


def no_deed(phrase: Phrase) -> Rule | None:
    """As in "No deploys on Fridays"."""
    match = NO_DEED.match(phrase)
    deed = phrase.group(match, "deed") if match else Phrase("", ())
    if not deed or _STATED.search(deed):
        return None
    if classes := noun_deeds(deed):
        return Rule(classes, (object_of(deed), deed))
    money = frozenset({ActionClass.PAY}) if PAYMENT.search(deed) else frozenset[str]()
    return Rule(money, (deed,), needs_end=True)


def no_longer(phrase: Phrase) -> Rule | None:
    """As in "We no longer refund it ourselves", "it isn't deployed by us any more"."""
    if match := _NO_LONGER.match(phrase):
        deed = phrase.group(match, "deed")
        classes = governed(deed) & _ORDERED if _ANY_MORE.search(phrase) else frozenset[str]()
        return Rule(classes, (object_of(deed), deed))
    match = _NO_LONGER_DONE.match(phrase)
    if match is None or not _ANY_MORE.search(phrase):
        return None
    return Rule(governed(phrase.group(match, "deed")) & _ORDERED, (phrase.group(match, "who"),))


def not_going(phrase: Phrase) -> Rule | None:
    """As in "It isn't going out until …", "nothing of it goes live before …": it is sent or shipped."""
    match = _NOT_GOING.match(phrase) or _NOTHING_OF.match(phrase)
    if match is None:
        return None
    groups = match.groupdict()
    about = phrase.group(match, "who" if groups.get("who") else "of")
    return Rule(_OUT if groups.get("how") else _OUT | {ActionClass.MODIFY}, (about,), needs_end=True)


def so_do_not(phrase: Phrase, before: Phrase) -> Rule | None:
    """As in "Paying it as well would be wrong, so don't": the deed stands in the clause before."""
    if _SO_DO_NOT.match(phrase) is None or not before:
        return None
    found = verbs_in(before.plain) & (_ORDERED | KEEP_RUNNING | {ActionClass.RESTART})
    return Rule(found, (before,), points_back=True)


def verb_nothing(phrase: Phrase) -> Rule | None:
    """As in "Delete nothing in reports-db"."""
    match = _VERB_NOTHING.match(phrase)
    if match is None:
        return None
    return Rule(governed(phrase.group(match, "deed")), tuple(filter(None, (phrase.group(match, "rest"),))))


def banned(phrase: Phrase) -> Rule | None:
    """As in "Shutting it down is a no-go", "restarts are not allowed"."""
    match = BANNED.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    classes = told_deeds(deed)
    about = (object_of(deed), deed, phrase.group(match, "rest") or deed)
    if not classes and _TABOO.search(phrase) and not is_gerund(deed):
        return Rule(ANYTHING, (deed,), cautious=True)
    return Rule(classes, about)


def forbidden(phrase: Phrase) -> Rule | None:
    """As in "it is forbidden to delete it", "it's not safe to stop it yet"."""
    match = FORBIDDEN.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    return Rule(governed(deed), (object_of(deed), deed))


def forbids(phrase: Phrase) -> Rule | None:
    """As in "I forbid any deployment of it"."""
    match = FORBIDS.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    return Rule(told_deeds(deed), (object_of(deed), deed))


def avoid(phrase: Phrase) -> Rule | None:
    """As in "Avoid restarting it", "stop terminating it"; not the task "stop it"."""
    match = AVOID.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    if not is_gerund(deed) and match["firm"] is None:
        return None
    return Rule(governed(deed) or noun_deeds(deed), (object_of(deed), deed))


def dreaded(phrase: Phrase) -> Rule | None:
    """As in "It would be a disaster if somebody stopped it"."""
    match = _DREADED.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    return Rule(
        _anywhere(deed, [0, *(m.end() for m in re.finditer(" ", deed.plain))]), (deed,), doubtful=True
    )


def not_happening(phrase: Phrase) -> Rule | None:
    """As in "(Make sure that) it isn't killed", "… it doesn't go down"."""
    match = _NOT_HAPPENING.match(phrase)
    if match is None:
        return None
    deed = phrase.group(match, "deed")
    return Rule(governed(deed), (phrase.group(match, "obj"), deed))


def unknown_deed(phrase: Phrase) -> Rule | None:
    """A prohibition with a verb that no class has: whatever it means, it asks for care until its end."""
    match = NEGATED.match(phrase)
    if match is None or _HARMLESS.match(match["deed"]):
        return None
    return Rule(ANYTHING, (phrase.group(match, "deed"),), doubtful=True, needs_end=True)


def not_again(phrase: Phrase, before: Phrase) -> Rule | None:
    """As in "Don't do that again", about what was done a sentence before."""
    if _NOT_AGAIN.match(phrase) is None:
        return None
    done = _DONE.search(before)
    classes = governed(before.group(done, "deed")) if done else frozenset[str]()
    return Rule(classes or ANYTHING, tuple(filter(None, (before, phrase))), doubtful=not classes)


def _anywhere(phrase: Phrase, positions: list[int]) -> frozenset[str]:
    """The classes of the first verbs that stand at one of the positions."""
    return frozenset[str]().union(*(governed(phrase.cut(position)) for position in positions[:_REACH]))


_REACH = 6
"""How many words are tried as the verb of an embedded clause."""

"""How people say that something must stay as it is or must not be done; data for `constraints`."""

from __future__ import annotations

import re

from langgraph_memory.actions import CODE_FREEZE, KEEP_RUNNING, ActionClass
from langgraph_memory.consolidation.rules.wording import holds, starts

A = ActionClass

STATES: tuple[tuple[str, frozenset[ActionClass]], ...] = (
    (
        "up and running | running (?! into|out|late|low|away|over|behind ) | up | online | alive | live | available | powered on|up | switched|turned on | on"
        " | active | reserved | warm | operational | around | in service | reachable | serving | ticking | going"
        " | in operation | in use | working | at full capacity",
        KEEP_RUNNING,
    ),
    (
        "alone | untouched | intact | as is | as it is | as they are | as it stands | unchanged | unmodified"
        " | in place | exactly as _4 | the way it is|was | the way they are | where it|they is|are | on hold | be"
        " | undisturbed | in peace | to qa | frozen | locked | out of it | out of this | off limits | safe | protected"
        " | in its current state | in their current state | as a reference | out",
        frozenset({A.ANY}),
    ),
    (
        "off | down | stopped | powered|switched|turned off | shut down | offline | paused | suspended",
        frozenset({A.START, A.RESTART, A.ENABLE}),
    ),
    ("disabled | deactivated", frozenset({A.ENABLE, A.START})),
    ("enabled | activated", frozenset({A.DISABLE, A.STOP, A.DELETE})),
    ("open", frozenset({A.CLOSE, A.DELETE, A.CANCEL})),
    ("closed", frozenset({A.START, A.ENABLE, A.CREATE})),
    ("unmerged", frozenset({A.MERGE})),
    ("unpublished | unreleased | undeployed", frozenset({A.DEPLOY})),
    ("unpaid | unrefunded | unbilled", frozenset({A.PAY})),
    (
        "private | confidential | secret | internal | in house | between us | to yourself | to ourselves | under wraps"
        " | unshared | under embargo | off the record | hidden",
        frozenset({A.SEND, A.DEPLOY, A.GRANT}),
    ),
    ("read only | readonly | read-only", frozenset({A.MODIFY, A.DELETE, A.CREATE, A.MIGRATE})),
)
"""What a thing is to stay, and what that rules out."""

STATE = " | ".join(wording for wording, _ in STATES)
AMBIGUOUS_STATES = holds("on|off|up|down|out|be|open|going|live|safe|around $")
STATE_FORMS = tuple((starts(f"( {wording} )"), classes) for wording, classes in STATES)

PROTECTED = frozenset({A.STOP, A.DELETE, A.SUSPEND, A.DISABLE, A.CANCEL})
RETAINED = frozenset({A.DELETE})

_NOT_KEPT = (
    "me|us|in|an|track|calm|your|trying|pushing|working|asking|getting|up|at|things?|doing|making|going"
)
_OBLIGED = """
    ( must|should|shall|will|can|may|to [only|always|still|just|definitely|please] | has|have|needs?|ought|got to [always|still|just]
    | is|are [supposed|meant|going] to | had better | better )
"""
"""What obliges a thing to stay as it is."""

KEEP_STATE = starts(f"""
    keep|keeping|leave|leaving|maintain|maintaining|hold|holding (?! {_NOT_KEPT} ) (?P<obj> ... )
    (?P<state> {STATE} ) (?P<rest> ...? ) $
""")
KEEP_STATE_FIRST = starts(
    "keep|leave|keeping|leaving (?P<state> alone|running|online|untouched|intact|open|private ) (?P<obj> ... ) $"
)
LET = starts(
    "let|letting|leave|leaving (?! me|us|you|him|her|know ) (?P<obj> ... ) [to] run|stand|live|stay|finish|soak|bake|sit|complete|be (?P<rest> ...? ) $"
)
KEEP_BARE = starts(f"""
    ( keep|keeping|retain|retaining|preserve|preserving|save | hold|hang on to ) (?! {_NOT_KEPT} ) (?P<obj> ... ) $
""")
PROTECT = starts("""
    ( protect|protecting|exempt|exempting|exclude|excluding|spare|sparing|whitelist|allowlist|safeguard|shield
    | reserve|reserving | skip|skipping | do not include | leave out | be careful with | treat )
    (?P<obj> ... ) ( [out] from|in|for|of|during|when|against|as (?P<rest> ... ) )? $
""")
NEGATED = starts("""
    ( do not | did not | please not | never | not to | not | under no circumstances [should|may|must] [you|we|anyone]
    | by no means | at no point ) ( ever | you | even | just | under any circumstances | at any point | by any means | yet )* (?P<deed> ... ) $
""")
MODAL_NEGATED = starts("""
    (?P<who> ... )
    ( must|should|may|shall|can|could|will|ought not [to] | must|should|may|can|shall|will never | had better not
    | is|are never to | is|are not [allowed|supposed|permitted|meant] to | is|are not [being] (?= \\w+ing ) | do|does not get to
    | do|does not want [you|anyone|anybody|us|people|the] [agent|bot|team] [to] | never | do|does not )
    ( ever | under any circumstances | yet | be allowed to | just | simply | please | even )* (?P<deed> ... ) $
""")
INVERTED = starts("""
    ( under no circumstances?|conditions? | at no point|time | in no case | by no means | never ) should|may|must|can|shall
    (?P<who> ... ) (?P<deed> be|get ... ) $
""")
BANNED = starts("""
    (?P<deed> ... ) is|are|remains|stays|would [be] [strictly|absolutely|completely|simply|currently|still|now] ( [a] no-go|taboo
    | forbidden|prohibited|banned|disallowed|verboten | not an option | not an option | out of the question | off the table
    | not allowed|permitted|okay|acceptable|possible|wanted|welcome|desired ) (?P<rest> ...? ) $
""")
DREADED = starts("""
    it|that would [really|also] be [a|an] [very|really|so|total|complete] disaster|catastrophe|catastrophic|disastrous|terrible|bad|awful|horrible|problem|mess|fatal|expensive|costly
    if|to [we|you|somebody|someone|anyone|anybody] (?P<deed> ... ) $
""")
VERB_NOTHING = starts("[please] (?P<deed> _1 ) nothing|none [else] (?P<rest> ...? ) $")
CLOSED_FOR = starts(
    "(?P<obj> ... ) is|are|stays|remains [now|still] closed|shut|blocked|locked|frozen for|to [all|any|new] (?P<deed> ... ) $"
)
WHOEVER = starts("""
    anyone|anybody|whoever|everyone|people|those|agents [who|that] wants?|wishing|planning|intending|needs? to (?P<deed> ... )
    ( must|should | has|have to | needs?|ought to ) (?P<who> ... ) $
""")
AGREE_BEFORE = starts("""
    (?P<who> ... ) ( must|should | has|have to | needs?|ought to ) (?P<agree> ... ) before|prior [to] [anything|you|we|anyone] [is|are|gets] (?P<deed> ... ) $
    | before [anything|you|we|anyone|any] [is|are|gets] (?P<deed2> ... ) , (?P<who2> ... ) ( must|should | has|have to | needs?|ought to ) (?P<agree2> ... ) $
""")
NOT_HAPPENING = starts(
    "(?P<obj> ... ) ( is|are|gets?|does|do|has|have not|never | never gets|goes ) ( be|get|being|been )? (?P<deed> ... ) $"
)
IGNORABLE = holds("""
    worry|hesitate|forget|bother|mind|think|expect|assume|know|need|have|want|see|care|feel|say|remember|understand|believe|like|love|hate|enjoy|panic|be
    |apologi[sz]e|rush|hurry|give|let|get|go|come|agree|recall|find|look|seem|work|call|ask|use|do|make|mean|miss|hurt|wait|eat|drink|fly|tell|try
""")
UNWANTED = starts("""
    i|we ( do|would not want|like|need | never want | refuse to have | can not have|allow|afford to have )
    (?P<obj> ... ) $
""")
NO_DEED = starts("""
    ( there ( are | is | will be | must be | should be | can be | to be ) | we want|need )? no|zero
    [more|further|new|other|automatic|unattended|manual] (?P<deed> ... ) ( please | allowed | permitted | whatsoever )* $
""")
NOBODY = starts("""
    ( nobody | no one | none of us|you|them | nothing | none of (?P<of> ... )
    | neither (?P<neither> ... nor ... ) (?= may|should|can|must|shall|will|is|are )
    | no [single] (?:human|agent|bot|person|engineer|developer|tool|service|instance|server|team)s? )
    ( else | here | there | in|on|from|for _2 )?
    ( may|should|can|must|shall|will | is|are [allowed|supposed|permitted|going] to | gets? to | has to | is|are | gets? )?
    (?P<deed> ... ) $
""")
STAYS = starts(f"""
    (?P<obj> ... )
    ( {_OBLIGED} ( stay|remain|keep|continue [to] [be] | be kept|left|held )
    | stays|remains|staying|remaining|keeps|continues [to] [be] | is|are [still|currently|now|being] kept|left|held|staying|remaining )
    (?P<state> {STATE} ) (?P<rest> ...? ) $
""")
MUST_BE = starts(f"""
    (?P<obj> ... ) ( must|should|shall [always|still] | has|have|needs?|ought to [always|still] ) be (?P<state> {STATES[0][0]} )
    (?P<rest> ...? ) $
""")
SURVIVES = starts(
    f"(?P<obj> ... ) {_OBLIGED} ( survive|outlive | make it through | be there|here|left|around ) ...? $"
)
KEPT = starts(f"""
    (?P<obj> ... ) ( {_OBLIGED} be | is|are [being] ) [still|only|just|currently|now]
    ( (?P<firm> kept|retained|preserved|reserved|protected|spared|exempt|exempted|earmarked | set aside )
    | needed|required | in use | spoken for ) (?P<rest> ...? ) $
""")
FROZEN = starts(f"""
    (?! we|i|you ) (?P<obj> ... ) ( is|are|stays?|remains?|goes | {_OBLIGED} ( stay | remain | be ) ) [now|still|currently|all|completely|strictly|put|being]
    ( frozen | off limits | on hold | on ice | locked | blocked | paused | untouchable | out of bounds | embargoed
    | under|in [a|an|the] [strict|full|code|change|release|legal|litigation|billing] freeze|hold|embargo|lockdown|moratorium
    | hands off | suspended | halted | held ) (?P<rest> ...? ) $
""")
FREEZE = starts("""
    ( hold off on|with | hold off | hold back on|with | hold back | hold up on | wait with|on | sit on | put off | lay off
    | stand down on | back off [from] | freeze|freezing|pause|pausing|hold|holding|suspend|suspending|halt|halting|postpone|postponing|delay|delaying
    | block|blocking|withhold|withholding|defer|deferring|stop|stopping|cease|stall|lock|embargo|quarantine|quit )
    (?P<deed> ... ) $
""")
HOLD_OFF = starts("( hold off | hold it | stand by | hold fire | wait | sit tight | hang on ) $")
ON_HOLD = starts("""
    put|place|keep|impose|leave|get|putting|placing|set
    ( a|an|the _2? hold|freeze|lock|block|moratorium|embargo|pause|stop on|to (?P<held> ... )
    | (?P<obj> ... ) on hold|ice|pause|freeze|standby ) (?P<rest> ...? ) $
""")
FREEZE_NOUN = starts("""
    ( there ( is | will be ) | we are in | we have | we are under | in )? [a|an|the] [strict|full|complete|hard|general|current]
    (?P<what> code|release|change|deploy|deployment|merge|feature|production|config|payment|refund|billing|legal|litigation|write )
    freeze|hold|moratorium|lockdown|embargo|stop
    ( is|starts|begins|applies|stands|holds [in|now|still|from] [effect|place|force|on|now|today] )?
    ( on|for|in|over|across|to [the|all] (?P<obj> ... ) )? $
""")
HANDS_OFF = starts("""
    ( hands off | stay away from | steer clear of | stay clear of | keep [your] ( hands | away | off | clear ) [off|from|of] | stay out of
    | keep out of | no touching ) (?P<obj> ... ) $
""")
AVOID = starts("""
    ( avoid|avoiding | refrain|abstain|desist from | stop | quit | be careful not to | take care not to | try not to
    | think twice before ) (?P<deed> ... ) $
""")
ONLY_BY = starts("""
    ( only|just (?P<who> ... ) ( may|can|should|must|shall [be] | is|are allowed|permitted|supposed|authorized to | gets? to
      | is|are to | has|have permission to )
    | nobody|anyone|none|anybody ( but | except [for] | other than | besides ) (?P<but> ... )
      ( may|can|should|must|shall | is|are allowed|permitted to | gets? to | is to )
    | no one ( but | except [for] | other than | besides ) (?P<besides> ... ) ( may|can|should|must|shall | is allowed to | gets to ) )
    [ever|also|be] (?P<deed> ... ) $
""")
WITHOUT = starts("""
    ( do not | never | _3 must|should|may|can|shall not | not to | ( nobody | no one | nothing | anything _2? )
      [should|may|can|must|gets] | no ) [ever] (?P<deed> ... ) without (?P<who> ... ) $
""")
CONSENT = holds("""
    (?:pre-?)?approv(?:al|als|e|es|ed|ing) | sign-?offs? | signs?|signed|signing off | sign off | permission | consent | consulting | asking
    | okay|okays|okayed | go-?ahead | go ahead | checking | confirmation | confirming|confirm|confirms|confirmed
    | green light | says? [so|yes|okay] | blessing | review|reviewed|reviews | authorization | clearance | agreement | agree|agrees|agreed
    | ask|asks|asked | tell|tells|telling | permits | allow|allows | consult|consulted | a yes | letting _ know
""")
ASK_FIRST = starts("""
    [always|first] ( ask|consult|notify|tell|ping|warn|alert|inform (?P<who> ... )
    | check|confirm|clear|verify|talk|speak [in] [this|that|it|back|things|everything|them] with|to (?P<with> ... )
    | get|obtain|request|seek|need|require|wait (?P<consent> ... ) | run this|that|it|them|everything by|past (?P<by> ... ) )
    before|prior [to] ( you | we | ever | any | touching )? (?P<deed> ... ) $
""")
NEEDS_CONSENT = starts("""
    (?P<deed> ... ) ( requires?|needs?|takes? | is|are subject to | must|should [be|have|get] | has|have to [be|have|get|go] ) (?P<who> ... ) $
""")
_LATER = "once|after|when | as soon as | if"
ALLOWED_LATER = starts(f"""
    [and|but|so] ( {_LATER} ) (?P<when> ... ) [,|then] you|we|it|anyone can|may [then|be|also] (?P<deed> ... ) $
    | you|we can|may [then] (?P<deed2> ... ) ( {_LATER} ) (?P<when2> ... ) $
""")
NOT_AGAIN = starts("""
    ( do not | never | please not | must|should not ) [ever]
    ( do|repeat|try that|this|it|so | make that|this|such|the|same [a|same] mistake|error | let that|this|it happen ) [ever|again|anymore] ...? $
    | that|this|it ( must|should|may|can not|never | is never to ) ( ever | be allowed to )* happen [ever|again] ...? $
""")
DONE = holds("you|it|cleanup|agent|bot|they [just|again|already|accidentally|also] (?P<deed> ... ) $")
NEEDED = starts("""
    (?P<who> (?! i|you|always|never|please|just|only ) _4 ) [still|also|will|really|is|are] ( needs?|requires?|uses?|using|needing | depends?|relies|rely|runs?|running on ) (?P<obj> ... ) $
""")
CAN_WAIT = starts(f"""
    (?P<obj> ... ) ( can wait | {_OBLIGED} wait | is|are waiting | {_OBLIGED} be held|delayed|postponed|withheld|deferred|paused [back] ) (?P<rest> ...? ) $
""")
ONLY_AFTER = starts("""
    ( (?P<who> ... ) may|can|should|must|are|is [to] )? [be|only|then|just] (?P<deed> ... ) $
""")
PASSIVE = starts("( ever | just )* be|being|get|getting|been|gets")
PASSIVE_DEED = holds("be|get (?P<deed> ... ) $")
LET_NOT = starts(
    "( do | must | should ) not let|allow|permit|have (?P<obj> ... ) $ | never let|allow|permit (?P<obj2> ... ) $"
)

PAYMENT_NOUN = holds("""
    refunds?|payments?|invoices?|payouts?|charges?|billing|bills?|reimbursements?|transfers?|transactions?|credits?|payroll|deposit|chargeback|disbursement|money|funds|wire
    | (?:inv|tx|txn|pay|ref|refund|invoice)[-_]\\w+
""")
RELEASE_NOUN = holds("""
    releases?|deploys?|deployments?|rollouts?|launch(?:es)?|publication|prod|production|hotfix|shipping|pushes|go-live
""")
CODE_NOUN = holds(
    "main|master|trunk|branch|branches|merges?|code|repo|repository|prs?|codebase|commits?|develop"
)
FREEZE_WHAT = {
    "code": CODE_FREEZE, "feature": CODE_FREEZE, "merge": frozenset({A.MERGE}), "change": frozenset({A.ANY}),
    "config": frozenset({A.MODIFY}), "write": frozenset({A.MODIFY, A.CREATE, A.DELETE}),
    "production": frozenset({A.DEPLOY}), "release": frozenset({A.DEPLOY}), "deploy": frozenset({A.DEPLOY}),
    "deployment": frozenset({A.DEPLOY}), "payment": frozenset({A.PAY}), "refund": frozenset({A.PAY}), "billing": frozenset({A.PAY}),
    "legal": frozenset({A.DELETE, A.MODIFY}), "litigation": frozenset({A.DELETE, A.MODIFY}),
}  # fmt: skip

FAMILIES: tuple[tuple[str, frozenset[ActionClass]], ...] = (
    ("payment_policy", frozenset({A.PAY})),
    ("sharing_policy", frozenset({A.SEND})),
    ("release_policy", frozenset({A.DEPLOY, A.MERGE})),
    (
        "lifecycle_policy",
        frozenset(
            {
                A.STOP,
                A.DELETE,
                A.SUSPEND,
                A.RESTART,
                A.START,
                A.RESIZE,
                A.SCALE,
                A.DISABLE,
                A.ENABLE,
                A.CREATE,
                A.ANY,
                A.CLOSE,
            }
        ),
    ),
    ("access_policy", frozenset({A.GRANT, A.REVOKE, A.ROTATE})),
    ("booking_policy", frozenset({A.BOOK, A.CANCEL})),
    ("change_policy", frozenset({A.MODIFY, A.MIGRATE, A.EXECUTE, A.APPROVE})),
)
"""Attributes of constraints by the actions they are about, the more telling first."""

LEGAL_HOLD = re.compile("legal|litigation")

"""What gives a sentence the force of an instruction, whatever its form, and what takes it away; for `unread`.

`thing` stands for the names of known entities, and for pronouns that mean one.
"""

from __future__ import annotations

from langgraph_memory.consolidation.rules.sentences import DEED_NOUNS
from langgraph_memory.consolidation.rules.wording import holds, starts

_LATER = """
    ( tomorrow|tonight|soon|shortly|later|again | next _
    | this ( week|month|quarter|year|weekend|afternoon|evening )
    | the weekend | on|by|from monday|tuesday|wednesday|thursday|friday|saturday|sunday
    | in|by|from january|february|march|april|may|june|july|august|september|october|november|december
    | in [a] _ days?|weeks?|months?|hours?|minutes? | at|by noon|midnight|christmas|easter )
"""
_BACK_TO_IT = """
    ( needs?|needing|wants?|wanting|uses?|using|resumes?|resuming|continues?|continuing|returns?|returning
    | finish|finishes
    | finishing|checks?|checking|reviews?|reviewing|tests?|testing|tries|try|trying|collects?|collecting
    | decides?|deciding
    | handles?|handling|inspects?|inspecting|demos?|presents?|presenting|examines?|borrows?|borrowing
    | takes?|taking over|care | come|comes|coming back | be back | picks?|pick|picking thing up
    | picks?|pick|picking up
    | calls?|call|calling|gets?|getting back | looks?|looking at|into|after|over
    | works?|working on|with|through
    | sorts?|sorting out )
"""
_KEPT = """
    ( frozen|locked|immutable|untouchable|inviolable|read-only|write-protected|protected|sacred|sacrosanct
    | holy
    | off-limits|non-negotiable|reserved|earmarked|quarantined|embargoed|confidential|irreplaceable
    | indispensable
    | priceless|precious|delicate|fragile|load-bearing|mission-critical|business-critical|unfinished
    | incomplete
    | critical|essential|vital|crucial|important|invaluable
    | business|mission critical | an|the|our only|last|single copy|backup|one|source | not an option
    | off limits | spoken for | on hold | in use | in progress | in flight | under way | up in the air
    | under [_] review|investigation|audit|embargo|contract|warranty|observation | dear to | not a toy
    | not|never [quite|nearly|yet] ready|done|finished|safe|final|negotiable|optional|disposable|expendable
    | approved
    | not|never [quite|nearly|yet] signed|reviewed|settled|cleared|paid|mine|ours|yours|available|replaceable
    | not [up] for sale|grabs | not going anywhere | not to be _ )
"""
_HARMS = """
    ( lose|lost|losing|break|breaks|kill|ruin|wreck|hurt|cost|damage|corrupt|crash|miss|regret|sue|fire
    | scream|cry
    |riot|suffer|fail|disappear|vanish|disaster|catastrophe|catastrophic|unhappy|upset|angry|furious|mad
    | livid|trouble
    |devastated|heartbroken|painful|embarrassing|terrible|awful|ugly|nightmare|penalty|stranded|stuck
    | afford|risk
    | be gone | go away|missing|dark | went away | down the drain | back to square )
"""
_TO_SPARE = """
    ( keep|leave|hold|wait|spare|skip|freeze|protect|preserve|postpone|delay|avoid|respect|refrain|survive
    | stay|remain
    |exist|last|live|continue|persist|stick|outlive|endure|pause|park|defer )
"""

_USERS = """
    ( using|use|uses|need|needs|needed|want|wants|run|runs|running|owe|owes|owing|working|investigating
    | debugging|testing
    | reading|writing|waiting|open|pending|going|having|attached|holding|holds|learning|watching|training
    | fond|busy )
"""
_HOLDS_ON = """
    ( needs?|needing|uses|using|owns|wants|borrowed|booked|reserved|loves|watches|claimed|inherited|needed
    | hosts|houses
    | feeds|inspects|reads )
"""
_LOOKED_AT = """
    ( okay|approval|review|check|look|test|signature|sign-off|pair|blessing|go-ahead|confirmation|yes|nod )
"""
_TREATED = """
    ( checked|reviewed|tested|approved|signed|confirmed|discussed|agreed|kept|left|preserved|protected
    | there|here|around
    | available|online|intact|untouched )
"""
_GETS = """
    ( is|are|gets?|may|must|should|shall|can|could|will|goes|touches|leaves|comes|moves )
"""
_ENDS = "(?= (?:[.,!]) | $ )"

_OBLIGED = f"""
    must|shall | ought not | can|may|could|should|would|will not be [_] (?:[a-z]+(?:ed|en|ut|ost|one))
    | has|have got to
    | should|ought|has|have|needs?|had|better [to|better] [still|always|all|just|also] {_TO_SPARE}
    | needs?|requires?|wants?|awaits?|lacks? a|an|another|my|our|his|her|their|two|more|one|the [_] [_]
      {_LOOKED_AT}
    | needs?|has|have to go|come through|to|via|past | needs?|has|have to be|get [_] {_TREATED}
"""
_LASTS = f"""
    until|unless | as|so long as | for now | for the time being | for the moment | at the earliest
    | no earlier
    | before _ | only|not [_] [_] [_] once|after|when|if|then | first|instead {_ENDS} | only then
    | through|throughout the _ | not|never|no [_] [_] while|during | this|next _ at the earliest
"""
_REFUSED = f"""
    nobody|none|nothing|neither|no [one] [_] {_GETS} | under no circumstances | no matter | not on my|our
    | not this|today|tonight|now|without | on my|our watch | radio silence | hands off | no-go | no go
    | do not dare|want|wish|like|let|even | over my|our dead body | no way | fat chance | think again
    | so|thus|therefore no|not $ | no [more|further|new] ( {DEED_NOUNS} ) | not|never before|earlier|sooner $
    | not a|an|one|any|single [single] _ changes|moves|goes|leaves|gets|is
"""
_WANTED = f"""
    i|we|he|she|they [really|still|also|just|would|do]
      want|like|love|rather|prefer|insist|hope|plan|intend|wish [_] [_] [_] [_] ( not | to [_] {_TO_SPARE}
      | myself|ourselves|safe|back|intact|alone|around ) | i|we [would] rather ... not
    | asked|asks|told|want|wants|insists|insisted|begged [_] [_] to|that|not [_] {_TO_SPARE}
    | my|our|his|her|their call|decision|say|say-so|permission|consent|approval|turf|baby|responsibility
    | desk|territory | sign|signs|signed off | green light | go-ahead
    | with|by|past|through|ask me|us|legal|finance|security first
    | check|talk|speak|clear|agree|coordinate|confer [it] with | run thing by|past
"""
_DEPENDS = f"""
    relies|rely|relying|depends?|depending|hinges?|counts?|counting|banking|builds?|rests on|upon
    | still|currently|actively|also|daily|heavily {_USERS} | {_HOLDS_ON} [_] [_] thing
    | owns?|owned|belongs? thing|by|to | busy|mid-way|halfway|midway with|in|through | in the middle of
    | is|are|am (?:mid-[a-z]+) | halfway through | not [quite|yet] done|finished|through with
    | waits?|waiting|wait|hold|park|sit|pending|awaiting for|on|till|thing|with
    | everything|anything around|about
    | works?|runs?|running|bills|lives?|sits?|hangs?|closes?|operates?|reports? [_] [_] [_] [_] [out]
      ( off | out of | on top of ) thing
"""
_CARED_FOR = f"""
    is|are|stays?|remains?|thus|therefore|as|be|it|looks? [still|all|very|really|also|now] {_KEPT}
    | scared|afraid|worried|worry|nervous|anxious|uneasy|wary|dread|concerned
    | fraud|fraudulent|suspicious|dispute|disputed|lawsuit|litigation|subpoena|evidence|chargeback
    | promised|promise|guaranteed|committed|swore|agreed|assured
    | get|gets|got overwritten|wiped|lost|destroyed
    | would|could|will|might|cannot|not [_] [_] [_] [_] [_] {_HARMS}
    | {_BACK_TO_IT} [_] [_] [_] [_] [_] [_] {_LATER} | will|going|about|yet [to] {_BACK_TO_IT}
"""
_PEOPLE = """
    ( people|customers?|clients?|users?|team|teams|colleagues?|folks|everyone|everybody|somebody|someone
    | kids|twins|family
    | mother|father|mom|mum|dad|parents|daughter|son|sister|brother|wife|husband|partner|boss|manager
    | intern|students?
    | finance|legal|marketing|sales|security|support|auditors?|lawyers?|board|lab|hospitals?|vendors?
    | suppliers?|partners | he|she|they|we|i )
"""
_INVOLVED = f"""
    {_PEOPLE} [_] [_] still [_] [_] [_] [_] thing
    | i|we|they|he|she|_ am|are|is [still|all|both|just|currently] (?:[a-z]{{3,}}ing) [_] [_] [_] thing
    | thing [_] [_] still (?:[a-z]{{3,}}ing)
    | {_PEOPLE} am|are|is [still] (?:[a-z]{{3,}}ing) over|about|with|through
    | thing (?! had|was|got|took|came|went|has|seems ) _ my|our|his|her _ | [_] plan is to
    | rented|lent|loaned|leased|assigned|allocated|pledged|booked|reserved|handed thing
    | thing [_] _ lent|rented out | for the rest|remainder of | said yes|no | yet [,] do | whoever
    | anyone|anybody who | except|excluding|besides | apart|aside from | other than | but not|leave thing
    | but thing | stays [_] [_] [_] | stays|stay put | no sooner | no changes? | has|have to be
    | is|are not to be | not|never meant|intended|supposed|designed|built|made for|to|as | you dare | dare you
    | do|can|could not [really|quite|possibly] trust|miss
    | would|will be ( a _ | embarrassing|painful|awkward|illegal|wrong|rude|premature|reckless|terrible
      | expensive ) | have my|our head|hide|neck
    | if thing drops|dies|stops|fails|goes|breaks|disappears|vanishes | i|we will myself|ourselves
    | i|we [_] [_] [_] [_] myself | leave [_] thing to me|us|him|her|them | ask for thing | to be the one
    | to me|us|him|her alone | 's job|business|decision|call|turf | treat thing as
    | date|time|slot|price|amount|text|wording|figure is|are|stays fixed|set|firm|final|agreed
    | takes precedence|priority | by|via|through _ only | personally | thing explicitly|expressly [_] to|that
    | decision|decisions after|on|by | only|just [_] half | half of thing | at any moment
"""
FORCES = tuple(holds(each) for each in (_OBLIGED, _REFUSED, _WANTED, _DEPENDS, _CARED_FOR, _INVOLVED))
"""Obligation, refusal, wanting, dependency, a protected state or a worry, coming back to it."""

LASTS = holds(_LASTS)
"""An end that is named, or a moment before which nothing is to happen."""

HABIT = holds("""
    does|do|did|will|would|can|could|has|have not
    | needs?|takes?|lasts? [about|around|roughly|at] [least|most] _ [_] seconds?|minutes?|hours?|days?|weeks?
""")
"""What somebody doesn't do or can't, and how long it takes: an end beside it ends no instruction."""

ORDERS = starts("""
    ( please|do|just|so|and|but|then )*
    ( keep|leave|hold|wait|sit|park|freeze|spare|skip|plan|postpone|delay|avoid|protect|preserve|respect
    | refrain|beware
    | careful|hands|stick|steer|treat|consider|assume|handle|save|stay|ensure|mind|exclude|exempt|pause
    | suspend|retain
    | maintain|shield|guard|cherish|resist|reserve|tread|tiptoe|easy|patience|quarantine|pretend
    | be careful|gentle|patient | take care|it | back off | better not | watch out | look after
    | make sure|certain
    | ask|call|ping|consult|tell|warn|see|check|talk|speak|come [with|to] me|us|him|her|them first|before
    | check|talk|speak|come with|to _ | give ... time|days?|hours?|weeks?|space|rest | think twice
    | work around
    | let thing | hang|hold on | go|come through|via|to _ )
""")
"""Telling somebody to look after something, by a command."""

NEVERTHELESS = starts("""
    ( please|do|just )* ( keep|have|leave|let|give|hold me|us|an|a|in
      posted|updated|informed|know|eye|mind|look|list|report
    | see|check if|whether|how|what|that | allow me | tell|show me|us [about|how|what|when|which|if]
    | mind you )
""")
"""Commands that look after nothing."""

_WANTED_STILL = "needs?|needed|uses?|used|using|wants?|relevant|required|matters?|valid|apply|applies"
FREES = holds(f"""
    no longer | not|nobody|no [_] [_] [_] {_WANTED_STILL} [_] [_] [_] any more|longer
    | (?<!not ) done|finished|through with|using | over now | nobody|none needs|uses|wants|cares
    | not [_] worried|concerned|afraid|scared|nervous | do|need not worry|bother|fret
    | hold|freeze|lock|ban|restriction _ _ ends?
    | not|hardly|barely|scarcely|rarely [really|actually|even]
      needed|used|required|using|use|needs?|matter|worth
    | can|may|could [now|safely|also|finally|just|always] go|be|get|come|leave|retire (?! not )
    | is|are|be [now|again|perfectly|totally|all] fine|free|okay|welcome|good|clear to|for|with|again|by
    | nothing|nobody [else] stands|stops|prevents|speaks | go ahead | feel free | be my guest
    | my|our|his|her blessing | your call | up to you | whenever you | lifted
    | leftover|leftovers|abandoned|orphaned|unused|disposable|obsolete | do not mind|care|need|use
""")
"""Words by which something is let go."""

TOLD = holds("""
    was|were|had|did|took|came|went|got|gave|used|yesterday|ago|arrived|happened|looked|noticed|worked
    | crashed|broke|failed | found|showed|shipped|started|stopped|moved|passed | last _
    | has|have [_] been|gone|had|seen|risen|grown
    | thing|i|we|they|she|he|you|somebody|someone|nobody|everybody|has|have [_] (?:[a-z]{2,}ed)
""")
"""Words of a story."""

NOW = holds("""
    must|shall|should|please|still|will|would|need|needs|want|wants|is|are|am|stays?|remains?|going|thus
    | therefore|promised | rented|lent|loaned|leased | for the rest | said yes|no | never meant
    | only|just [_] half | no|not|never before|until|without | can not | only|not [_] [_] once|after|when|if
""")
"""Words of what holds now, in a story too."""

ERRAND = holds("""
    ( must|should|shall|please | can|could|would you|we|i
    | need|needs|have|has|want|wants|like [you|us|them] to )
    [also|just|please|now] [be] (?P<deed> _ [_] )
""")
"""An obligation or a wish to act: what is to be done follows."""

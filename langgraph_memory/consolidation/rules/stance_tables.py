"""The phrases that lead a statement or colour it, and what each of them says about it; data for `stance`."""

from __future__ import annotations

import re
from enum import StrEnum

from langgraph_memory.consolidation.rules.hearsay import HEARD, LEAD, WISHED
from langgraph_memory.consolidation.rules.occasions import AT_HAND, OCCASION
from langgraph_memory.consolidation.rules.wording import Form, expression, holds, starts


class Mark(StrEnum):
    """What the speaker signals about a statement."""

    ASKING = "asking"
    AT_HAND = "at hand"
    CONDITIONAL = "conditional"
    CORRECTION = "correction"
    DIRECTIVE = "directive"
    DOCUMENT = "document"
    EXPLICIT = "explicit"
    HEDGED = "hedged"
    HYPOTHETICAL = "hypothetical"
    ONCE = "once"
    QUESTION = "question"
    REPORTED = "reported"
    REQUEST = "request"
    STANDING = "standing"


FROM_NOW = """
    ( from now on | from here on [out|in] | from this point on|forward | going|moving forward
    | in [the] future | henceforth | as of|from ( now | today | tomorrow | [this|next] _ ) (?= ,|— )
    | as of|from now|today|tomorrow|monday|tuesday|wednesday|thursday|friday | as of this|next _1
    | from today|tomorrow|monday|tuesday|wednesday|thursday|friday on|onwards|onward
    | from this|next _ on|onwards | starting now|today | next time | by default | at all times | in all cases
    | without exception | every|each [single] time | permanently | for good | as a default
    | as standing policy|instruction )
"""
_EMPTY = """
    absolutely|definitely|strictly | okay (?! to )
    | hey|hi|hello|so|well|also|and|but|then|now|just|please|kindly|btw|fyi|yes|yeah|yep|sure|right
    | alright|great|good|perfect|look|listen|guys|team|folks|all|anyway|however|though|thanks|meanwhile|first
    | second|third|finally|lastly|additionally|furthermore|moreover|therefore|hence|thus|obviously|clearly|ps
    | oh|ah|um|uh|lol|haha|ugh|argh|gg|omg|tbh|meh|psa|hiya|yo|whoops|oops
    | hmm|sorry|apologies|again|seriously|really|honestly|frankly|basically|essentially|still|or|plus|yet
    | careful|see|too|urgent|everyone|everybody | by the way | all right | thank you | thanks a lot
    | in the meantime | in addition | in that case | for that reason | because of that | that said | of course
    | one|two [more|last] things? | another|last thing | quick note|reminder|one|update|favor
    | do me|us a favor [and] | good news | i repeat | once again | to repeat | to reiterate | to be clear
    | let me be clear | [just] to be safe|clear|sure | to be on the safe side | even so | either way | for now
    | for the moment | for the time being | as a result | it is simple | whatever happens | whatever you do
    | no matter what | at any rate | be careful | watch out | be advised | mind you
    | as|like i|we [have] said|mentioned|asked [before|earlier|already|yesterday]
    | as i told you [before|earlier|already] | as agreed | as discussed | per our call|chat|discussion
    | from|for|on my|our side|part|end|perspective | as far as i am concerned
    | i am afraid|glad|happy|pleased|sorry [to] [say|report] [that|,] | as well | that|this|which means
    | means [that] | that|which is why | dear _ | good morning|afternoon|evening
"""
_CORRECTS = """
    ( [no|nope|oh|ah|but] wait (?! until|for ) | no|nope|actually|correction|update|rather|instead|wrong
    | [a] change of plans? | on second thoughts? | change of mind | i|we [have] changed my|our minds?
    | [the|our|my] plans? [have|has] changed | change of process|procedure|policy | my mistake|bad
    | i mean|meant | typo , [i] meant | meant (?= do not|to ) | to correct myself | never mind
    | forget|strike|scratch that | things|that [have|has] changed | new plan | i was wrong | not quite
    | hold on )
"""
_LAYS_DOWN = """
    ( important|note|policy|reminder|warning|caution|attention|notice|remember|constraint|preference
    | very important | important note | [house|new|hard|golden|general|team|my|our] rule | rule number _
    | heads up | for the record | just so you know | for your information | for your records?
    | for future reference | for next time | please note | [please] make|take [a] note [of] [this]
    | note to self | standing order|instruction|rule | as a [general] rule|policy | effective immediately
    | keep in mind | [please] save|note|keep|remember|store this [rule|fact|one|date|number]
    ( for later | for the future | for next time )? | note for later | note for the future | do not forget
    | until further notice | this is important | one rule | so you know )
"""
GUARDS = """
    keep|leave|hold|not|freeze|pause|wait|avoid|preserve|retain|maintain|protect|postpone|delay|ensure|refrain|respect
    | ask|check|treat|consider|never|remember|exclude|exempt|skip|spare|reserve|suspend|halt|put|ignore
    | make sure | stop \\w+ing | be careful | hang|hold on to
"""
"""Verbs with which one looks after something."""

_GUARDING = """
    keep|keeping|hold|holding|freeze|freezing|leave|leaving|pause|pausing|put|putting|postpone|postponing|retain
    | preserving|reserve|reserving|delaying|withholding | hang|hanging onto|on
"""
_SAYS = """
    ( said|says|say|think|thinks|mentioned|suggests|suggested|claims|claimed|reckons|believes|heard|wrote
    | writes|asks|feels|wanted|wants|requested|insists|insisted|recommends|announced|reported|reports|argues
    | argued | told|tells|informed|informs|warned|warns|advised|advises|notified|instructed|assured me|us
    | asked [me|us|for|that|to|if] )
"""
_DOCUMENT = (
    "(?:ticket|page|email|mail|message|document|doc|article|log|output|tool|wiki|readme|note|comment|website|post"
    "|chat|transcript|bot|report|dashboard|alert|file|contract|webpage|agent|assistant|model|script|result)s?"
)
_SURE = "[very|absolutely] sure|certain|careful"
_BREAKS = r",|:|—|;|\.\.\.|!"

_PEELS: tuple[tuple[str, tuple[Mark, ...]], ...] = (
    # rules and corrections
    (FROM_NOW, (Mark.EXPLICIT, Mark.STANDING)),
    (
        f"""{_CORRECTS} (?= {_BREAKS} | do not | keep|leave|hold|only|not|the|it|we|i|make|please|never|you
        | that|until|my )""",
        (Mark.CORRECTION,),
    ),
    (f"{_LAYS_DOWN} (?= ,|:|—|!|that ) ( ,|:|—|! )* [that]", (Mark.EXPLICIT,)),
    (
        """( do | can|could|will|would you | i would like you to | i want|need you to )? [please] [always]
        ( remember|note|memori[sz]e|save|store|know|understand|record | keep|bear in mind
        | be aware|advised|mindful
        | make a note | take note | write down | do not forget | never forget )
        ( for later | for next time | for the future | for me )? ( this|it|down | the fact )?
        ( that|:|,|— | of this | of the fact that )+ [that]""",
        (Mark.EXPLICIT,),
    ),
    ("[please] ( remember | do not forget ) (?= my|our|the|i|we|never|always|not )", (Mark.EXPLICIT,)),
    (f"( remember | do not forget | be sure ) to (?= always | {GUARDS} )", (Mark.EXPLICIT,)),
    ("i [would|do] want|need|like you to know|remember|note [that]", (Mark.EXPLICIT,)),
    (
        """the|our|my|a [general|first|new|only|hard|team] (?:rule|policy|agreement|deal|decision|plan)s?
        [here|now] is|are|says? [still] [simple] [that|to|:]""",
        (Mark.EXPLICIT,),
    ),
    # orders
    (
        f"""( make {_SURE} | ensure | be {_SURE} | see to it | take care | guarantee | pay attention | mind )
        ( that|you|to|we|, )*""",
        (Mark.DIRECTIVE,),
    ),
    (
        """it is [very|really|absolutely|super|so]
        important|critical|essential|crucial|vital|imperative|mandatory
        [for] ( me|us )? ( that|to|you|we )*""",
        (Mark.DIRECTIVE,),
    ),
    (
        """i [have] [already] told|asked|instructed|ordered you ( already|before|twice|clearly|explicitly )*
        [to|that]""",
        (),
    ),
    ("you were|are supposed|meant|told|asked to", ()),
    ("i am telling|asking|instructing|ordering you [to|that]", ()),
    (f"[please] tell|instruct|remind|ask|have|get the|our _2 [to] (?= {GUARDS} )", ()),
    (
        """i|we [really|absolutely|urgently|strictly]
        ( want|need|expect|require|ask | would like|prefer ) [for]
        ( you|everyone|everybody | the agent|bot | all of you ) to [please]""",
        (),
    ),
    (
        """i|we [would] ( prefer|appreciate | appreciate|love|like|prefer it | be grateful|happy|glad )
        if ( you|we [could|would|can] )?""",
        (),
    ),
    (
        "i|we would [really|much|far] rather|prefer [that|it|if] you|we|they [just] (?= did|do | would not )",
        (Mark.DIRECTIVE,),
    ),
    (
        """i|we [really|absolutely|still|urgently|just|also]
        ( need|want|require|expect | would like ) (?! you|to )
        (?= _5 to [always] stay|remain|be|keep|continue|survive|run )""",
        (Mark.DIRECTIVE,),
    ),
    # requests and questions
    (
        """[please] ( tell|show me|us | let me|us know | check|see|verify | find out | look up | i wonder
        | i want to know | explain [to] [me] ) whether|if|why|how|what|when|which|who|where""",
        (Mark.ASKING,),
    ),
    ("can|could|will|would you|we ( please|kindly|just|all|also|mind )*", (Mark.REQUEST,)),
    ("do you mind", (Mark.REQUEST,)),
    (
        """it|that would be [really|so|very|super|absolutely] (
        great|nice|lovely|good|helpful|appreciated|cool|awesome
        | ideal ) if (?= nobody|everybody|everyone|people|you|we|they | no one )""",
        (Mark.DIRECTIVE,),
    ),
    ("for _2 sake [,]", ()),
    ("by law|contract|order|policy|agreement|decree|statute [,]", ()),
    (
        "my|our only|one|main|last|single|biggest request|wish|ask|demand|plea [here|is|today] [:|is|,]",
        (),
    ),
    (
        f"should|shall|can|could|must|do we|i [still|really|maybe|need|have|perhaps] [to] (?= {GUARDS} )",
        (Mark.QUESTION,),
    ),
    (
        "( is it possible | any chance | would it be possible ) ( to | for you to | you could | that you )",
        (Mark.REQUEST,),
    ),
    ("i am|was wondering|hoping if|that you could|can|would", (Mark.REQUEST,)),
    ("if you|that|it ( could|can|would | do not mind | is okay | is possible ) [please] ,", ()),
    ("if ( possible | you please ) ,", ()),
    # who is bound to it
    (f"should|must|shall [please|always|just] (?= {GUARDS} )", ()),
    (
        f"""( let us | we|you [all] ( should|must | have|need|ought|want to | had better | better | are to )
        | better ) ( please|all|also|just|always|really )* (?= {GUARDS} )""",
        (),
    ),
    (
        f"""i|we ( am|are|will | want|need|have|plan|decided|agreed to | would like to | am|are going to
        | have decided|agreed to ) ( therefore|now|still|just|currently|also|only )* (?= {_GUARDING} )""",
        (),
    ),
    ("we|i [have|all] agreed|decided that", ()),
    (
        """we|i [have|had|all] ( agreed|promised|decided|committed|arranged|undertook|chosen|resolved
        | made a deal ) [with] _4? (?= not to )""",
        (),
    ),
    ("we|i [have] promised|assured|told|guaranteed _3 (?= not to )", ()),
    ("in|on|at|for|over _2 (?= nobody|nothing|never | no one | do not )", ()),
    (
        "for|over|in|on|at [the|our|my|this] _2 (?= , ( do not | never | nobody | no one | nothing | no ) )",
        (),
    ),
    (f"agree|promise|commit|undertake [that|to] (?= {GUARDS} )", ()),
    (f"i|we [always|still] (?= {_GUARDING} )", ()),
    # doubt, chance, hearsay
    (
        """it would|might|may|could [probably|perhaps|maybe|also] be [much|a]
        better|best|good|wise|nice|safer|great|idea [idea] ( to | (?= not to ) | if we|you )""",
        (Mark.HEDGED,),
    ),
    (f"( {OCCASION} ) (?= ,|:|please|keep|leave|hold|avoid|never|nobody | do not )", (Mark.ONCE,)),
    (f"[just|only] {AT_HAND} (?= ,|: )", (Mark.AT_HAND,)),
    (HEARD, (Mark.REPORTED,)),
    ("( according to | [as] per ) _4 , ", ()),
    ("i|we [strongly|really|must] insist [on] [that|:]", ()),
    (WISHED, (Mark.REPORTED, Mark.DIRECTIVE)),
    (
        f"""the|this|that|his|her|their|our|a|an|some _2? {_DOCUMENT} [also|just|still|here]
        ( {_SAYS} | states?|stated|reads?|mentions|recommended|tells?|instructs?|instructed|told )
        ( that|us|me|you|to )*""",
        (Mark.DOCUMENT,),
    ),
    (f"my|the|our|his|her _ [_] [has|have] [just|also|already] {_SAYS} ( that|me|us|to )*", (Mark.REPORTED,)),
    (
        f"""( [my|the|our|his|her] _ 's _ [_] | mr|mrs|ms|dr|prof _ [_] | some|many|most|few people|others
        | the|my|our|a _ of|at|from _ [_] ) [has|have] [just|also|already] {_SAYS} ( that|me|us|to )*""",
        (Mark.REPORTED,),
    ),
    (
        f"""(?! i|you|we|whoever|anyone|anybody|nobody|it ) _ ( from|in|at|of _2 )? [has|have]
        [just|also|already] {_SAYS} ( that|me|us|to )*""",
        (Mark.REPORTED,),
    ),
    # what says nothing
    (
        """i|we [can|hereby|am|are] [now|gladly|officially|happy|glad|pleased] [to]
        confirm|confirming|report|reporting|announce|announcing|declare that|:""",
        (),
    ),
    ("as a|an _5 ,", ()),
    ("due|thanks|owing to|of _8 ,", ()),
    ("because of _8 ,", ()),
    ("for [health|ethical|religious|medical|safety|personal] reasons ,", ()),
    (_EMPTY, ()),
)
PEELS: tuple[tuple[Form, frozenset[Mark]], ...] = tuple(
    (starts(wording), frozenset(marks)) for wording, marks in _PEELS
)
"""Forms tried in turn at the start of a clause, until none takes anything away."""

TRAILING_STANDING = re.compile(rf"(?<![^ ]){expression(FROM_NOW)}$")
"""A standing order's mark at the end of it: "reply in French from now on"."""

LEADING = starts(f"""
    ( {FROM_NOW} | {_CORRECTS} | {_LAYS_DOWN} | {_EMPTY} | {OCCASION} | {AT_HAND}
    | {LEAD}
    | [just|only] for today|tonight
    | [as|by] way | , )+ $
""")
"""What makes no statement of its own: a whole clause of leading phrases."""

_LEADING_DOUBT = """
    maybe|perhaps|probably|possibly|presumably|supposedly|apparently|seemingly|ideally|hopefully|afaik|iirc|imo|imho
    | i|we [would] think|guess|suppose|assume|imagine|suspect|reckon|wonder|doubt | i|we believe (?! in )
    | i feel [like] | i would (?= say|keep|leave|hold|wait|not|avoid|suggest|recommend|probably )
    | [it] looks?|sounds?|feels? ( like | as if|though ) [to] [me]
    | [it] seems?|appears? [to] [me] [like|as|that] | as far as i ( know|remember | can tell | am aware )
    | if i remember|recall [correctly|right] | i do not [really] think
    | i am not [really|entirely|quite] sure|certain|convinced [but|if|that]
    | i am [pretty|fairly|quite|almost|reasonably] sure|certain|confident [that]
    | i|we [would] suggest|recommend|propose | how|what about | why not | thinking about|of
    | i [have] hears?|heard that
"""
DOUBTS = starts(f"( {_LEADING_DOUBT} ) [that|,]")
"""Phrases of doubt that lead a statement."""

HEDGES = holds(f"""
    {_LEADING_DOUBT}
    | likely|unlikely|might|unsure|arguably|potentially|tentatively|considering|toying|leaning|tempted
    | looks?|sounds?|feels? ( like | as if|though ) | seems?|appears? [like|as|to] | could be
    | could [probably|maybe|just] stop | not sure|certain|convinced | no idea | in theory
    | would|might|may|could|should be [a]
      ( good|nice|better|best|great|wise|wiser|safer|smart|fine|okay|safe|possible )
    | do not [really] think
    | may want|wish|need to | might want | more or less | try to | what if | not necessarily | we could
    | could we | hears?|heard that
""")
"""Words that make a statement a guess or a proposal."""

REASONS = holds("""
    because | since|as i|we|it|they|the|this|that|she|he|qa | due|owing to | given that | so that
    | in order to
""")
"""Where a reason begins."""

HYPOTHETICAL = holds("""
    if we|i|you|they|it|anyone|someone|qa ever|were|had|would|could|should | ever want
    | would|could have (?! to ) | imagine | suppose|supposing|hypothetically | in principle | had|were we
    | should we ever | let us say | what if | pretend|pretending | as if|though (?! by )
    | just|only|merely kidding|joking
    | in|for the|our|this|that|a|my [_] story|novel|book|film|movie|play|game|example|exercise|joke|dream
    | in|for the|our|this|that|a|my [_] scenario | in [our|the|this] role play
    | in|at|under the|our|my old|legacy|previous|former _ | back then
    | nobody|none [ever] said|says|claimed|claims|told|asked|wrote|thinks|believes|demanded
    | no one [ever] said|says|claimed|claims|told|asked|wrote|thinks|believes|demanded
    | i|we never said|claimed|told|asked|wrote|demanded | is not true|correct
""")

ASKS = starts("""
    (?! do not you|anyone|anybody )
    ( should|shall|can|could|may|must|do|does|did|is|are|was|were|has|have|will|would|am [not]
    ( i|we|you|they|it|he|she|there|the|this|that|these|those|our|my|anyone|anybody|somebody|someone|any )
    | why|what|when|where|how|who|which|whose
    ( is|are|was|were|do|does|did|should|can|could|would|will|has|have|about|if|not|long|many|much|exactly
    | happened
    | happens|else|come ) )
""")
"""How a question begins."""

TAGS = holds(r"okay|alright|understood|deal|clear|yeah|please \? | got it \? | will you \?")
"""Question tags that ask for assent, not for an answer."""

STANDING = holds(f"{FROM_NOW} | always|never|ever|whenever | no matter")
"""Words that make a statement a rule for all occasions."""

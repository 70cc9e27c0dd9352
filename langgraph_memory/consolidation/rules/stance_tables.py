"""The phrases that lead a statement or colour it, and what each of them says about it; data for `stance`."""

from __future__ import annotations

import re
from enum import StrEnum

from langgraph_memory.consolidation.rules.wording import holds, starts


class Mark(StrEnum):
    """What the speaker signals about a statement."""

    ASKING = "asking"
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
    ( from now on | from here on [out|in] | from this point on|forward | going|moving forward | in [the] future
    | henceforth | as of now|today | as of this week | from today [on] | starting now|today | next time | by default
    | at all times | in all cases | without exception | every|each [single] time | permanently | for good
    | as a default | as standing policy|instruction )
"""
_EMPTY = """
    okay | hey | hi | hello | so | well | also | and | but | then | now | just | please | kindly | btw | by the way
    | fyi | yes | yeah | yep | sure | right | alright | all right | great | good | perfect | look | listen | guys
    | team | folks | all | anyway | however | though | thanks | thank you | thanks a lot | meanwhile
    | in the meantime | first | second | third | finally | lastly | additionally | furthermore | moreover
    | in addition | in that case | for that reason | therefore | hence | thus | because of that | that said
    | of course | obviously | clearly | one|two [more|last] things? | another|last thing
    | quick note|reminder|one|update|favor | ps | oh | ah | um | uh | hmm | sorry | apologies | i repeat | again
    | once again | to repeat | to reiterate | to be clear | let me be clear | [just] to be safe|clear|sure
    | to be on the safe side | seriously | really | honestly | frankly | basically | essentially | still | even so
    | or | plus | yet | either way | for now | for the moment | for the time being | as a result | it is simple
    | whatever happens | whatever you do | no matter what | at any rate | be careful | careful | watch out
    | be advised | as|like i|we [have] said|mentioned|asked [before|earlier|already|yesterday]
    | as i told you [before|earlier|already] | as agreed | as discussed | per our call|chat|discussion | see | too
    | as well | that is why | which is why | urgent | everyone | everybody | dear _ | good morning|afternoon|evening
"""
_CORRECTS = """
    ( no | nope | actually | correction | update | [a] change of plans? | on second thoughts? | wait | rather
    | instead | wrong | change of mind | i|we [have] changed my|our minds? | [the|our|my] plans? [have|has] changed
    | my mistake|bad | i mean|meant | to correct myself | never mind | forget that | strike that | scratch that
    | things|that [have|has] changed | new plan | i was wrong | not quite | hold on )
"""
_LAYS_DOWN = """
    ( [very] important | important note | note | [house|new|hard|golden|general|team|my|our] rule | rule number _
    | policy | reminder | warning | caution | attention | heads up | notice | for the record | just so you know
    | for your information | for your records? | for future reference | for next time | please note | take note
    | note to self | standing order|instruction|rule | as a [general] rule|policy | effective immediately
    | keep in mind | remember | constraint | preference | until further notice | this is important | one rule
    | so you know )
"""
GUARDS = """
    keep | leave | hold | not | freeze | pause | wait | avoid | preserve | retain | maintain | protect | postpone
    | delay | make sure | ensure | stop \\w+ing | refrain | respect | ask | check | treat | consider | never
    | be careful | remember | exclude | exempt | skip | spare | reserve | suspend | halt | put
"""
_GUARDING = """
    keep | keeping | hold | holding | freeze | freezing | leave | leaving | pause | pausing | put | putting
    | postpone | postponing | retain | preserving | reserve | reserving | delaying | withholding
"""
_SAYS = """
    ( said|says|say|think|thinks|mentioned|suggests|suggested|claims|claimed|reckons|believes|heard
    | wrote|writes|asks|feels|wanted|wants|requested|insists|recommends
    | told me|us | asked [me|us|for|that|to|if] )
"""
_DOCUMENT = (
    "(?:ticket|page|email|mail|message|document|doc|article|log|output|tool|wiki|readme|note|comment|website|post"
    "|chat|transcript|bot|report|dashboard|alert|file|contract|webpage|agent|assistant|model|script|result)s?"
)
_SURE = "[very|absolutely] sure|certain|careful"

PEELS: tuple[tuple[re.Pattern[str], frozenset[Mark]], ...] = tuple(
    (starts(wording), frozenset(marks))
    for wording, *marks in (
        (FROM_NOW, Mark.EXPLICIT, Mark.STANDING),
        (
            f"""{_CORRECTS} (?= ,|:|\u2014|;|\\.\\.\\.|! | do not | keep|leave|hold|only|not|the|it|we|i|make|please
            | never|you|that|until|my )""",
            Mark.CORRECTION,
        ),
        (f"{_LAYS_DOWN} (?= ,|:|\u2014|!|that ) ( ,|:|\u2014|! )* [that]", Mark.EXPLICIT),
        (
            """( do | can you | could you | will you | would you | i would like you to | i want|need you to )?
            [please] [always] ( remember | note | keep in mind | bear in mind | be aware | be advised | make a note
            | take note | memori[sz]e | save | store | write down | do not forget | never forget | be mindful | know
            | understand | record ) ( for later | for next time | for the future | for me )?
            ( this | the fact | it | down )? ( that | : | , | of this | of the fact that | \u2014 )+ [that]""",
            Mark.EXPLICIT,
        ),
        ("[please] ( remember | do not forget ) (?= my|our|the|i|we|never|always|not )", Mark.EXPLICIT),
        (f"( remember | do not forget | be sure ) to (?= always | {GUARDS} )", Mark.EXPLICIT),
        ("i [would|do] want|need|like you to know|remember|note [that]", Mark.EXPLICIT),
        (
            """the|our|my|a [general|first|new|only|hard|team] (?:rule|policy|agreement|deal|decision|plan)s? [here|now] is|are|says? [still] [simple] [that|to|:]""",
            Mark.EXPLICIT,
        ),
        (
            f"""( make {_SURE} | ensure | be {_SURE} | see to it | take care | guarantee | pay attention )
            ( that | you | to | we | , )*""",
            Mark.DIRECTIVE,
        ),
        (
            """it is [very|really|absolutely|super|so] important|critical|essential|crucial|vital|imperative|mandatory
            [for] ( me | us )? ( that | to | you | we )*""",
            Mark.DIRECTIVE,
        ),
        (
            """i [have] [already] told|asked|instructed|ordered you ( already | before | twice | clearly
            | explicitly )* [to|that]""",
        ),
        ("you were|are supposed|meant|told|asked to",),
        ("i am telling|asking|instructing|ordering you [to|that]",),
        (
            """i|we [really|absolutely|urgently|strictly] ( want | need | expect | require | ask | would like
            | would prefer ) [for] ( you | the agent | the bot | everyone | everybody | all of you ) to [please]""",
        ),
        (
            """i|we [would] ( appreciate it | be grateful | be happy | be glad | love it | like it | prefer it
            | prefer | appreciate ) if ( you|we [could|would|can] )?""",
        ),
        (
            "i|we would [really|much|far] rather|prefer [that|it|if] you|we|they [just] (?= did|do|would not )",
            Mark.DIRECTIVE,
        ),
        (
            """i|we [really|absolutely|still|urgently|just|also] ( need | want | require | expect | would like )
            (?! you|to ) (?= _5 to [always] stay|remain|be|keep|continue|survive|run )""",
            Mark.DIRECTIVE,
        ),
        (
            """[please] ( tell me|us | show me|us | let me|us know | check | find out | see | verify | look up | i wonder | i want to know
            | explain [to] [me] ) whether|if|why|how|what|when|which|who|where""",
            Mark.ASKING,
        ),
        ("can|could|will|would you|we ( please | kindly | just | all | also )*", Mark.REQUEST),
        ("would|do you mind", Mark.REQUEST),
        (
            f"should|shall|can|could|must|do we|i [still|really|maybe|need|have|perhaps] [to] (?= {GUARDS} )",
            Mark.QUESTION,
        ),
        (f"should|must|shall [please|always|just] (?= {GUARDS} )",),
        (
            "it would|might|may|could [probably|perhaps|maybe|also] be [much|a] better|best|good|wise|nice|safer|great|idea [idea] ( to | (?= not to ) | if we|you )",
            Mark.HEDGED,
        ),
        (
            "( just this once | this once | just once | only this time | just this time | this time | for once ) (?= ,|: )",
            Mark.ONCE,
        ),
        (
            "( is it possible | any chance | would it be possible ) ( to | for you to | you could | that you )",
            Mark.REQUEST,
        ),
        ("i am|was wondering|hoping if|that you could|can|would", Mark.REQUEST),
        ("if you|that|it ( could | can | would | do not mind | is okay | is possible ) [please] ,",),
        ("if ( possible | you please ) ,",),
        (
            f"""( let us | we|you [all] ( should | have to | need to | must | had better | better | ought to | want to
            | are to | can ) | better ) ( please | all | also | just | always | really )* (?= {GUARDS} )""",
        ),
        (
            f"""i|we ( am | are | will | want to | need to | would like to | have to | am going to | are going to
            | plan to | decided to | agreed to | have decided to | have agreed to )
            ( therefore | now | still | just | currently | also | only )* (?= {_GUARDING} )""",
        ),
        ("according to (?:[^\\s,]+ ){1,8}? ,", Mark.REPORTED),
        (
            f"""the|this|that|his|her|their|our|a|an|some _2? {_DOCUMENT} [also|just|still|here]
            ( {_SAYS} | states?|stated|reads?|mentions|recommended|tells?|instructs?|instructed|told )
            ( that | us | me | you | to )*""",
            Mark.DOCUMENT,
        ),
        (
            f"""my|the|our|his|her _ [_] [has|have] [just|also|already] {_SAYS} ( that | me | us | to )*""",
            Mark.REPORTED,
        ),
        (f"(?! i|you|we ) _ [has|have] [just|also|already] {_SAYS} ( that | me | us | to )*", Mark.REPORTED),
        ("as a|an _5 ,",),
        ("due|thanks|owing to|of _8 ,",),
        ("because of _8 ,",),
        ("for [health|ethical|religious|medical|safety|personal] reasons ,",),
        (_EMPTY,),
    )
)
"""Patterns tried in turn at the start of a clause, until none takes anything away."""

LEADING = starts(
    f"( {FROM_NOW} | {_CORRECTS} | {_LAYS_DOWN} | {_EMPTY} | [just|only] this once|time | [as|by] way | , )+ $"
)
"""What makes no statement of its own: a whole clause of leading phrases."""

HEDGES = holds("""
    maybe | perhaps | probably | possibly | presumably | supposedly | apparently | likely | unlikely
    | i|we [would] think|guess|suppose|assume|imagine|suspect|reckon|wonder|doubt | i|we believe (?! in ) | i feel [like]
    | i would (?= say|keep|leave|hold|wait|not|avoid|suggest|recommend|probably )
    | looks?|sounds?|feels? ( like | as if | as though ) | seems?|appears? [like|as|to] | seemingly | might | could be
    | could [probably|maybe|just] stop | not sure|certain|convinced | unsure | no idea | in theory | ideally
    | hopefully | would|might|may|could|should be [a] good|nice|better|best|great|wise|wiser|safer|smart|fine|okay|safe|possible
    | as far as i ( know | can tell | remember | am aware ) | afaik | iirc | imo | imho
    | if i remember|recall [correctly|right] | do not [really] think | may want|wish|need to | might want
    | rumou?r [has] [it] | more or less | arguably | potentially | try to
    | i|we [would] suggest|recommend|propose | how about | what about | what if | why not | tentatively
    | not necessarily | we could | could we | thinking about|of | considering | toying | leaning | tempted
    | hears?|heard that
""")
"""Words that make a statement a guess or a proposal."""

REASONS = holds(
    "because | since i|we|it|they|the|she|he|qa | as i|we|it|they|the|this|that|she|he | due to | owing to | given that | so that | in order to"
)
"""Where a reason begins."""

HYPOTHETICAL = holds("""
    if we|i|you|they|it|anyone|someone|qa ever|were|had|would|could|should | ever want | would have | could have
    | imagine | suppose | supposing | hypothetically | in principle | had we | were we | should we ever
    | let us say | what if
""")

ONCE = holds("""
    [just|only] this once | just once | for|in|with|on this one | this one time | one-time | one time only
    | [just|only] this time [only|around] | as a one-off | exceptionally | one-off | as an exception
    | [just|only] for|in|on|with|during this [particular|specific|single]
      run|trip|task|request|session|conversation|chat|flight|order|booking|job|deploy|deployment|release|pr|commit|cleanup|email|report|answer|reply|response|question|meeting|one|occasion|case|purchase|ticket|visit|stay|instance|message|thread|search|reservation|round|pass|query
    | for today 's _
""")
"""Words that bind a statement to the present occasion."""

ASKS = starts("""
    (?! do not you dare|ever )
    should|shall|can|could|may|must|do|does|did|is|are|was|were|has|have|will|would|am [not]
      i|we|you|they|it|he|she|there|the|this|that|these|those|our|my|anyone|anybody|somebody|someone|any
    | why|what|when|where|how|who|which|whose
      is|are|was|were|do|does|did|should|can|could|would|will|has|have|about|if|not|long|many|much|exactly|happened|happens|else|come
""")
"""How a question begins."""

TAGS = holds("okay|alright|understood|deal|clear|yeah|please \\? | got it \\? | will you \\?")
"""Question tags that ask for assent, not for an answer."""

STANDING = holds(f"{FROM_NOW} | always | never | ever | whenever | no matter")
"""Words that make a statement a rule for all occasions."""

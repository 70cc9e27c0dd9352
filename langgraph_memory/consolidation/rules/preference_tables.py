"""How people say what they like, avoid, or want done in a certain way; data for `preferences`."""

from __future__ import annotations

from langgraph_memory.consolidation.rules.wording import holds, starts

_VERY = r"""
    ( really|strongly|absolutely|truly|much|always|also|just|very|quite|still|now|tend|to|kind|of|so|rather
    | both|even|only|not|\w+ly )*
"""
"""Adverbs before a verb of liking; most of them end in -ly."""

CHOOSES = starts(f"""
    ( [i|we] {_VERY} prefer|favor|preferring [to] | my|our [strong|general|personal] preference is [for|to]
    | [i|we] have {_VERY} a [_] preference for|towards|toward|of
    | [i|we] would {_VERY} rather|prefer [to|have] | [i|we] {_VERY} lean toward|towards ) (?P<what> ... ) $
""")
WISH = starts("[i|we] would")
WISHES = starts("""
    i|we would [really|always|also] like|love|appreciate|want [to] [have|get|be] (?P<what> ... ) $
""")
_CONSUMES = """
    eat|drink|use|wear|watch|read|buy|attend|listen|fly|drive|travel|smoke|consume|take|order
"""
_LIKES = f"""
    ( like|love|enjoy|adore|appreciate|hate|dislike|detest|loathe|despise|avoid|abhor|cherish|value
    | prioritize|crave|support|advocate|boycott | look for | swear by | stick|adhere to | steer clear of
    | stay away from | shy away from | thrive in|on | struggle with | react badly to | suffer from | object to
    | disapprove of | follow|observe|practice a|an|the|my|strict|kosher|halal | refuse|decline to
    | will not {_VERY} eat|drink|wear|watch|read|fly|buy|consider|touch|take | would never
    | can not stand|bear|tolerate|handle|eat|have|take|consume|drink|digest|abide
    | do not {_VERY} ( like|love|enjoy|trust|do|tolerate|believe|support|mind | {_CONSUMES} ) [for|in|to]
    | do not {_VERY} ( care for|about | feel comfortable|safe ) | never {_VERY} ( {_CONSUMES} )
    | no longer ( like|enjoy|want|prefer | care for | {_CONSUMES} ) )
"""
LIKES = starts(f"""
    ( i|we {_VERY} {_LIKES} | love|hate|loving|hating|dislike (?! it|this|that|your|you|the )
    | can not stand | do not like|enjoy | not a [_] fan of
    | allergic|intolerant to ) (?P<what> (?! it|this|that|these|those|your|you ) ... ) $
""")
_STATES = r"""
    vegan|vegetarian|pescatarian|pescetarian|flexitarian|celiac|coeliac|diabetic|teetotal|teetotaler|kosher|halal
    | muslim|jewish|hindu|left-handed|color-?blind|dyslexic|claustrophobic|introvert|introverted|extrovert
    | extroverted|lactose|gluten|asthmatic|pregnant|minimalist|nocturnal|deaf|blind
"""
_OF_NOW = """
    the|this|that|your|my|how|what|if|whether|knowing|moving|proceeding|hearing|seeing|finding|getting|booking
    | receiving|learning|a|an
"""
IS = starts(f"""
    [i|we] ( am|are | have been ) {_VERY} [a|an] {_VERY} (
    (?P<state> [strict|lifelong|committed|devoted|practicing|ethical] ( {_STATES} ) ...? )
    | ( ( allergic|intolerant|sensitive|averse|opposed|partial|drawn|attracted|committed|dedicated|accustomed
      | prone|resistant|used|indifferent ) to
    | afraid|scared|terrified|fond|wary|tired|fearful|skeptical of | against | [that|particularly] ( into
    | a _1? fan of | interested in (?! {_OF_NOW} ) | uninterested in | fascinated by | keen|big on
    | crazy about | comfortable|uncomfortable with|in|using|around | good with | a [_] person
    | fussy|picky about ) | passionate|particular|picky|strict|mad|cautious|selective about|with
    | uncomfortable|obsessed|fed with|in|by|up | hooked on
    | [_] fan|lover|advocate|supporter|believer|enthusiast|proponent|opponent|admirer|hater of|for|in )
    (?P<what> ... )
    | (?P<type> morning|night|cat|dog|coffee|tea|people|visual|early|outdoor person|owl|learner|bird|type ) )
    $
""")
DIET = holds("""
    vegan|vegetarian|pescatarian|pescetarian|flexitarian|kosher|halal|celiac|coeliac|teetotal|teetotaler
""")
_TRAIT = """
    allergy|allergies|intolerance|aversion|fear|phobia|preference|preferences|dislike|disdain|distaste
    | sensitivity|sensitivities|interest|passion|love|hatred|weakness|soft|policy|rule|problem|trouble
    | difficulty|issue|condition|disease|restriction|diet|fondness|skin|moral|ethical|religious|objection
    | objections|principle|desire|appreciation|liking|respect|obsession|craving|tolerance|patience
    | reservation|reservations|concern|concerns
"""
HAS = starts(f"""
    [i|we] have|suffer [from] [had] {_VERY} _4? (?P<trait> {_TRAIT} )
    ( [spot] to|of|for|with|against|towards|toward|in|about|when|on|regarding|using|involving|that
    | (?= $ ) ) (?P<what> ...? ) $
""")
_FOUND = (
    r"(?:un|dis|over|in|bor|annoy|too|exhaust|tir|stress|frustrat|confus|difficult|hard|offens|repuls|ineffect"
    r"|terrif|scary|relax|help|useful|enjoy|sooth|comfort|fascinat|delight|pleas|cruel)\w*"
)
FINDS = starts(f"i|we find [it] (?P<what> ... ) {_VERY} [to] [be] {_FOUND} ...? $")
HABIT = starts("""
    i|we [would] ( only|exclusively|always|usually|generally|typically|normally|mostly|strictly|primarily
    | only ever | tend to
    | make a point of ) (?P<what>
    ( eat|drink|use|wear|watch|read|buy|listen|fly|drive|travel|stay|play|shop|sleep|order|take|sit|book
    | choose|work|exercise|eating|drinking|purchase|consume|support|attend|visit|cook|write|speak|pay|train
    | run|walk|bike
    | adopt|date|accept|invest|trust|follow|rent|commute|study|learn|prefer|want|get|like|consider ) ... ) $
""")
NONE_FOR_ME = starts("no [more] (?P<what> _3 ) for me ...? $")
FAVORITE = starts("""
    ( my|our [all-time|absolute] favorite|preferred|usual|go-to|default (?P<noun> _2 ) ( to _ )? is|are|:
    (?P<what> ... ) | (?P<what2> ... ) is|are my|our [all-time|absolute] favorite|preferred|go-to|usual
    (?P<noun2> _2? ) ) $
""")
EFFECT = starts("""
    (?P<what> _4 )
    ( makes?|make me [feel] [really|very] sick|uncomfortable|nauseous|anxious|nervous|ill|dizzy|sleepy|itchy
    | makes?|make me break out
    | gives? me [terrible|severe|bad] migraines|headaches|hives|anxiety|nightmares|rashes|a
    | is|are not for me | is|are not my thing|style|taste | does|do not agree|sit [well] with me
    | does|do not work for me | upsets? my stomach | works? [best|better|well|great] for me
    | suits? me [best|better|well|fine] | is|are a no-go for|with me ) ...? $
""")
DIRECTED = starts("""
    [always|please]
    ( use|write|answer|reply|respond|speak|talk|format|give|send|show|address|explain|include|summarize
    | present|greet|refer|translate|structure|sign|phrase|book|order|schedule|prefer|choose|pick|suggest
    | recommend|offer|seat|quote
    | display|list|add|avoid|skip|keep|make|put|call | stick [to] | do not [ever] _
    | never _ ) (?P<what> ... ) $
""")
TASK = holds(r"""
    the|this|that first|second|third|last|cheapest|fastest|earliest|latest|following|above|former|latter
    [one] [option] | option \w+
    | this|that|these|those one|ones|option|flight|plan|date|time|seat|way|idea|trip|price|fare
    | my|the original|current|existing|upcoming|recent|previous|next _ | the one|ones | for this | it $
    | that $ | this $ | them $ | at|before|after|than|on|of \d+ (?:am|pm|th|st|nd|rd|[:.]\d+)\w*
    | at|before|after|on|of \d+(?:am|pm|th|st|nd|rd) | today|tomorrow|tonight|yesterday
    | this morning|afternoon|evening|week|weekend|month
    | your help|patience|assistance|quick|prompt|time|support|offer
    | the compensation|details|information|refund|options?
""")
"""What binds a liking to the task at hand: a definite thing, a date, thanks."""

LASTING = holds("always|usually|generally|never|typically|whenever|every|any|ever|all|normally|mostly")
"""What makes a liking a lasting one all the same."""

ALLERGY = holds(r"allerg(?:y|ies|ic)")
HEALTH = holds(r"""
    intolerant|intolerance|intolerances|celiac|coeliac|diabetic|asthmatic|dyslexic|color-?blind|claustrophobic
    | lactose|phobia|diagnosed | suffer|suffers|suffering from | medical condition|reasons|restriction
    | am|are [_] pregnant|deaf|blind | migraines|hives|nauseous|dizzy
    | breaks?|makes?|make me [break] out|ill|sick
""")
FAITH = holds("am|are [a|an] [_] muslim|jewish|hindu|christian|catholic|buddhist|sikh|atheist")
"""What is sensitive in what people say of themselves; their attributes say so, and policies go by these."""

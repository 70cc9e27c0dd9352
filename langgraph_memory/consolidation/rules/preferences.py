"""What the speaker likes, avoids, or wants done in a certain way, as a lasting trait and not for the task at hand."""

from __future__ import annotations

import re

from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.stance import Stance, without_reason
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.styles import style
from langgraph_memory.consolidation.rules.topics import full, head
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase
from langgraph_memory.records import FactKind

_VERY = """
    ( really|strongly|absolutely|truly|generally|usually|typically|greatly|definitely|much|personally|always|also|just|simply
    |particularly|especially|thoroughly|deeply|genuinely|completely|totally|quite|very|actually|still|now|strictly|tend|to
    |normally|mostly|rather|honestly|kind|of|so|consistently|intensely|extremely|severely|highly|mildly|slightly|both|currently|even|only|\\w+ly )*
"""
CHOOSES = starts(f"""
    ( [i|we] {_VERY} prefer|favor|preferring [to] | my|our [strong|general|personal] preference is [for|to] | [i|we] have {_VERY} a [_] preference for|towards|toward|of
    | [i|we] would {_VERY} rather|prefer [to|have] | [i|we] {_VERY} lean toward|towards ) (?P<what> ... ) $
""")
WISHES = starts(
    "i|we would [really|always|also] like|love|appreciate|want [to] [have|get|be] (?P<what> ... ) $"
)
LIKES = starts(f"""
    ( i|we {_VERY} ( like|love|enjoy|adore|appreciate|hate|dislike|detest|loathe|despise|avoid|abhor|cherish|value|prioritize|crave | look for
      | can not stand|bear|tolerate|handle|eat|have|take|consume|drink|digest|abide
      | do not {_VERY} like|love|enjoy|eat|drink|use|wear|watch|read|care|trust|do|consume|attend|listen|smoke|tolerate|believe|support|travel|buy|feel|mind [for|in|to] [comfortable|safe]
      | never {_VERY} eat|drink|use|wear|watch|read|buy|attend|listen|fly|drive|travel|smoke|consume|want|take|order
      | no longer like|enjoy|eat|drink|use|want|prefer|care|wear|watch [for]
      | refuse|decline to | steer clear of | stay away from | shy away from | stick to | adhere to | follow|observe|practice a|an|the|my|strict|kosher|halal
      | will not {_VERY} | would never | object to | disapprove of | support|advocate [for] | boycott | swear by | thrive in|on | struggle with | react badly to | suffer from )
    | love|hate|loving|hating|dislike (?! it|this|that|your|you|the )
    | can not stand | do not like|enjoy | not a [_] fan of | allergic|intolerant to ) (?P<what> (?! it|this|that|these|those|your|you ) ... ) $
""")
IS = starts(f"""
    [i|we] ( am|are | have been ) {_VERY} [a|an] {_VERY}
    ( (?P<state> [strict|lifelong|committed|devoted|practicing|lapsed|severely|highly|mildly|ethical] (?:vegan|vegetarian|pescatarian|flexitarian|pescetarian|celiac|coeliac|diabetic|teetotal(?:er)?|kosher|halal
      |muslim|jewish|hindu|left-handed|color-?blind|dyslexic|claustrophobic|introvert(?:ed)?|extrovert(?:ed)?|lactose|gluten|asthmatic|pregnant|minimalist|nocturnal|deaf|blind) ...? )
    | ( allergic|intolerant|sensitive|averse|opposed|partial|drawn|attracted|committed|dedicated|accustomed|prone|resistant|used|indifferent to | afraid|scared|terrified|fond|wary|tired|fearful|skeptical of | against
      | [not] [really|that|very|particularly] ( into | a _1? fan of | interested in (?! the|this|that|your|my|how|what|if|whether|knowing|moving|proceeding|hearing|seeing|finding|getting|booking|receiving|learning|a|an ) | uninterested in | fascinated by | keen on | big on | crazy about | comfortable|uncomfortable with|in|using|around | good with | a [_] person | fussy|picky about )
      | passionate|particular|picky|strict|mad|cautious|selective about|with | uncomfortable|obsessed|fed with|in|by|up | hooked on | a [_] ( fan | lover | advocate | supporter | believer | enthusiast | proponent | opponent | admirer | hater ) of|for|in ) (?P<what> ... )
    | (?P<type> morning|night|cat|dog|coffee|tea|people|visual|early|outdoor person|owl|learner|bird|type ) ) $
""")
HAS = starts(f"""
    [i|we] have|suffer [from] [had] {_VERY} ( a|an|no|some|this|any _3? (?= \\w+ )
    | (?= _2? (?:allerg|intoleran|avers|fear|phobi|prefer|dislike|disdain|distaste|sensitiv|interest|allergies|aversions) ) )
    _2? (?P<trait> (?:allergy|allergies|intolerance|aversion|fear|phobia|preference|dislike|disdain|distaste|sensitivity|sensitivities|interest|passion|love|hatred|weakness|soft|policy|rule|problem|trouble|difficulty|issue|condition|disease|restriction|diet|preferences|fondness|skin|moral|ethical|religious|objection|objections|principle|desire|appreciation|liking|respect|obsession|craving|tolerance|patience|reservation|reservations|concern|concerns) )
    ( [spot] to|of|for|with|against|towards|toward|in|about|when|on|regarding|using|involving|that | (?= $ ) ) (?P<what> ...? ) $
""")
FINDS = starts(
    f"i|we find (?P<what> ... ) {_VERY} [to] [be] (?:un|dis|over|in|bor|annoy|too|exhaust|tir|stress|frustrat|confus|difficult|hard|offens|repuls|ineffect|terrif|scary|relax|help|useful|enjoy|sooth|comfort|fascinat|delight|pleas)\\w* ...? $"
)
HABIT = starts("""
    i|we ( only ( ever )? | exclusively | always | usually | generally | typically | normally | mostly | strictly | tend to | primarily | make a point of )
    ( (?= eat|drink|use|wear|watch|read|buy|listen|fly|drive|travel|stay|play|shop|sleep|order|take|sit|book|choose|work|exercise|eating|drinking|purchase|consume|support|attend|visit|cook|write|speak|pay|train|run|walk|bike|adopt|date|date|accept|invest|trust|follow|rent|commute|study|learn|prefer|want|get|like )
      (?P<what> ... ) ) $
""")
FAVORITE = starts("""
    ( my|our [all-time|absolute] favorite|preferred|usual|go-to|default (?P<noun> _2 ) ( to _ )? is|are|: (?P<what> ... )
    | (?P<what2> ... ) is|are my|our [all-time|absolute] favorite|preferred|go-to|usual (?P<noun2> _2? ) ) $
""")
EFFECT = starts("""
    (?P<what> _4 ) ( makes?|make me [feel] [really|very] sick|uncomfortable|nauseous|anxious|nervous|ill|dizzy|sleepy|itchy|break | gives? me [terrible|severe|bad] migraines|headaches|hives|anxiety|nightmares|rashes|a
    | is|are not for me | is|are not my thing|style|taste | does|do not agree|sit [well] with me | upsets? my stomach | works? [best|better|well|great] for me | suits? me [best|better|well|fine]
    | is|are a no-go for|with me ) ...? $
""")
DIRECTED = starts("""
    [always|please] ( (?P<verb> use|write|answer|reply|respond|speak|talk|format|give|send|show|address|explain|include|format|summarize|present|address|greet|refer|translate|structure|sign|phrase|book|order|schedule|prefer|choose|pick|suggest|recommend|offer|seat|quote|display|list|add|avoid|skip|keep|make|put|call|stick [to] | do not [ever] _ | never _ )
    (?P<what> ... ) ) $
""")
_TASK = holds(r"""
    the|this|that first|second|third|last|cheapest|fastest|earliest|latest|following|above|former|latter [one] [option]
    | option \w+ | this|that|these|those one|ones|option|flight|plan|date|time|seat|way|idea|trip|price|fare
    | my|the original|current|existing|upcoming|recent|previous|next _ | the one|ones | for this | it $ | that $ | this $ | them $
    | at|before|after|than|on|of \d+ (?:am|pm|th|st|nd|rd|[:.]\d+)\w* | at|before|after|on|of \d+(?:am|pm|th|st|nd|rd)
    | today|tomorrow|tonight|yesterday | this morning|afternoon|evening|week|weekend|month
    | your help|patience|assistance|quick|prompt|time|support|offer | the compensation|details|information|refund|options?
""")
_LASTING = holds("always|usually|generally|never|typically|whenever|every|any|ever|all|normally|mostly")


def preference(stance: Stance) -> Reading | None:
    """The preference that a clause states, if it does.

    Wishes ("I'd like to", "I want to") are tasks; "I'd rather not take calls" is a preference with a doubt.
    """
    if stance.has(
        Mark.DOCUMENT, Mark.QUESTION, Mark.REPORTED, Mark.HYPOTHETICAL, Mark.CONDITIONAL, Mark.REQUEST
    ):
        return None
    end = stance.end
    topic = _topic(stance.core) or _wished(stance) or _directed(stance, passing=end.when is not None)
    if topic is None:
        return None
    wish = _WISH.match(stance.core) is not None and not stance.has(Mark.STANDING)
    return Reading(
        attribute=f"preference_{topic}",
        value=stance.statement,
        kind=FactKind.PREFERENCE,
        ends_when=end.when if _LASTS.search(end.connector or "") or topic == style(stance.core) else None,
        hedged=wish or stance.has(Mark.HEDGED),
        explicit=stance.has(Mark.EXPLICIT, Mark.STANDING),
        once=stance.has(Mark.ONCE),
        personal=True,
    )


_WISH = starts("[i|we] would")
_LASTS = holds("until")


def _topic(core: Phrase) -> str | None:
    if _TASK.search(without_reason(core)) and not _LASTING.search(core):
        return None
    if match := CHOOSES.match(core):
        what = core.group(match, "what")
        return style(what) or head(what)
    for form in (FAVORITE, FINDS, HAS, IS, EFFECT, LIKES, HABIT):
        if match := form.match(core):
            return _named(core, match)
    return None


def _named(core: Phrase, match: re.Match[str]) -> str | None:
    """The topic by the words that the form found, the most telling first."""
    groups = match.groupdict()
    for name in ("noun", "noun2"):
        if groups.get(name):
            return head(core.group(match, name))
    if groups.get("state"):
        return "diet" if _DIET.search(groups["state"]) else full(core.group(match, "state"))
    for name in ("what", "what2", "trait", "type"):
        if groups.get(name) and (topic := full(core.group(match, name))):
            return topic
    return None


_DIET = re.compile(
    r"vegan|vegetarian|pescatarian|pescetarian|flexitarian|kosher|halal|celiac|coeliac|teetotal"
)


def _wished(stance: Stance) -> str | None:
    """ "I'd love a window seat whenever possible": a wish is a preference where it is meant for always."""
    match = WISHES.match(stance.core) if stance.has(Mark.STANDING) else None
    return style(stance.core) or head(stance.core.group(match, "what")) if match else None


def _directed(stance: Stance, *, passing: bool) -> str | None:
    """ "From now on answer in German", "always use metric units": how things are to be done for the speaker."""
    match = DIRECTED.match(stance.core)
    if match is None or not (passing or stance.has(Mark.STANDING, Mark.EXPLICIT, Mark.ONCE)):
        return None
    return style(stance.core)

"""When something ends: the condition or the time that a statement names.

"until QA migrates" ends on what happens, "through Friday" and "during the audit" end with what they name,
"while QA uses it" ends with a state. The words stay the speaker's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase

UNIT = (
    "(?:minute|hour|day|night|week|weekend|fortnight|month|quarter|sprint|year|morning|afternoon|evening|season"
    "|cycle|holiday|vacation)s?"
)
COUNT = (
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|ten|twelve|few|couple|several|next|coming"
    r"|whole|entire)"
)
DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"

_RECURRING = (
    "[the] business|working|office|peak|trading|opening|rush|weekdays|weekends|nights|day|night|week|daytime"
)

_CLOCK = r"""
    ( \d{1,2}(?::\d\d)?(?:am|pm)? [am|pm] [on|in|at] $ | \d{1,2}(?::\d\d)?(?:am|pm)? [am|pm] on
    | noon|midnight|lunch|breakfast|dinner|dawn|sunrise )
"""
"""Times of every day: "not before 9" ends nothing."""

EVENT = "{}"
STATE = "the end of the time that {}"
SPAN = "the end of {}"

_CONNECTORS = [
    (
        template,
        holds(f"(?P<connector> {wording} ) (?P<words> ... ) $"),
        starts(f"(?P<connector> {wording} ) (?P<words> ... ) $"),
    )
    for template, wording in (
        (
            EVENT,
            """[not] ( at least | only | or )* until ( such time as | the time | the point )?
            ( when | that (?! is|happens|has|was|gets ) )?""",
        ),
        (EVENT, "unless [and] [until]"),
        (EVENT, "only|not if|when|after|once"),
        (EVENT, "only as soon as"),
        (EVENT, "pending"),
        (EVENT, f"[not|anytime] before (?! long | {_CLOCK} )"),
        (EVENT, "[not] prior to | [not] ahead of"),
        (STATE, "[only|for] while|whilst | [only|for] as|so long as"),
        (SPAN, "( all the way | right )? through|throughout"),
        (SPAN, f"[only] during (?! {_RECURRING} )"),
        (SPAN, "for the duration|length|rest|remainder of"),
        (SPAN, f"[at] [least] for (?= [about|the] ( {COUNT} )+ [more|of] {UNIT} )"),
        (SPAN, f"[at] [least] for (?= another|the _1? {UNIT} )"),
        (SPAN, "for (?= the ( weekend | holidays | day | week | month | quarter | night ) )"),
        (SPAN, "over (?= the weekend|holidays|break|long|next|coming|christmas|easter )"),
        (SPAN, f"[for] (?= today|tonight|tomorrow | this ( {UNIT} | {DAY} ) | next week|month )"),
        (SPAN, f"on (?= ( {DAY} | \\d+ | {MONTH} ) $ )"),
    )
]
_STOPS = holds("""
    [,] because|since | [,] so that|we | [,] due to | [,] given | [,] in order | [,] as we|it|they|the|i
    | , [and] please|thanks|okay|right|alright|as | please $ | thanks | thank you | \u2014|;|\\?|!|\\.|:
    | okay \\? | and that is final | [,] not before|sooner|earlier
""")
_BACK_REFERENCE = re.compile(
    r"then|that|this|it|that happens"
    r"|(?:that|this|it)(?:'s| is| has been)? (?:done|over|finished|completed?|fixed|sorted)",
    re.IGNORECASE,
)
_INTRODUCED = starts("( and|but|so|also|okay|hey|hi|note|please|just|then [,] )*")


_LEADING_SPAN = starts(f"""
    [only|just] [for] (?P<words> the next|coming|rest ( {COUNT} )* [of] [the] {UNIT}
    | today|tonight|tomorrow | this ( {UNIT} | {DAY} ) ) [,] (?P<rest> ... ) $
""")


@dataclass(frozen=True)
class Ended:
    """A clause taken apart: `main` without its end, `when` in words (None without one), its connector."""

    main: Phrase
    when: str | None = None
    connector: str = ""


def ended(phrase: Phrase) -> Ended:
    """The end that a clause names; what happens counts before states, and states before times.

    >>> ended(Phrase.of("keep it up until QA migrates because we need it")).when
    'QA migrates'
    >>> ended(Phrase.of("no deploys during the audit")).when
    'the end of the audit'
    """
    found = [(match, template) for template, anywhere, _ in _CONNECTORS if (match := anywhere.search(phrase))]
    found = [(match, template) for match, template in found if match.start() > 0]
    found = [(m, t) for m, t in found if not m["connector"].startswith("not ")] or found
    if not found:
        return _leading_span(phrase)
    match, template = found[0]
    begin = match.start("words")
    later = [other.start() for other, _ in found if other.start() > begin]
    words = _bare(phrase.cut(begin, min([*later, begin + _stop(match["words"])])))
    main = phrase.cut(0, min(other.start() for other, _ in found))
    return Ended(main, template.format(words), match["connector"].strip()) if words else Ended(phrase)


def _leading_span(phrase: Phrase) -> Ended:
    """As in "For the next two weeks it stays on", without a comma."""
    match = _LEADING_SPAN.match(phrase)
    if match is None:
        return Ended(phrase)
    return Ended(phrase.group(match, "rest"), SPAN.format(_bare(phrase.group(match, "words"))), "for")


def led(lead: Phrase) -> Ended:
    """The end that a leading clause names, as "until QA migrates" before "keep it up"."""
    skipped = _INTRODUCED.match(lead)
    start = skipped.end() if skipped else 0
    for template, _, leading in _CONNECTORS:
        if match := leading.match(lead, start):
            words = _bare(lead.group(match, "words"))
            return Ended(lead.cut(0, 0), template.format(words), match["connector"].strip())
    return Ended(lead)


def resolved(when: str | None, before: str) -> str | None:
    """A condition that points back ("then", "that is done") together with what it points to.

    >>> resolved("then", "QA migrates on Friday")
    'then (QA migrates on Friday)'
    """
    if when is None or not before or not _BACK_REFERENCE.fullmatch(when):
        return when
    return f"{when} ({before})"


def _bare(phrase: Phrase) -> str:
    return phrase.text.strip(" ,;:.!?\u2014")


def _stop(words: str) -> int:
    match = _STOPS.search(words)
    return match.start() if match else len(words)

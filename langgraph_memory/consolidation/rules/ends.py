"""When something ends: the condition or the time that a statement names.

"until QA migrates" ends on what happens, "through Friday" and "during the audit" end with what they name,
"while QA uses it" ends with a state. The words stay the speaker's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from langgraph_memory.consolidation.rules.words import Phrase

_UNIT = (
    "(?:minute|hour|day|night|week|weekend|fortnight|month|quarter|sprint|year|morning|afternoon|evening|season"
    "|cycle|holiday|vacation|release|time being|moment)s?"
)
_COUNT = "(?:\\d+|an?|one|two|three|four|five|six|seven|eight|ten|twelve|few|couple of|couple|several|next|coming)"
_EVENT = (
    "(?:not )?(?:at least |only |or )*(?:up )?(?:until|unless and until)(?: such time as| the time| the point)?"
    "(?: when| that)?(?= )",
    "unless",
    "pending",
    "(?:not |at any point |any time )?(?:before|prior to|ahead of)(?! long)",
    "(?:only |not )?(?:after|once|as soon as)",
)
_SPAN = (
    "(?:all the way |right )?(?:through|throughout)",
    "(?:only )?during",
    "for the (?:duration|length|rest|remainder) of",
    f"(?:at least )?for (?=(?:at least |about |the |another |the next |the whole |the entire )*(?:{_COUNT} )+{_UNIT}\\b)",
    "for (?=the (?:time being|moment|weekend|holidays|day|week|month|quarter|night)\\b)",
    "over (?=the (?:weekend|holidays|break|long weekend|next|coming|christmas|easter)\\b)",
    f"(?=(?:for )?(?:today|tonight|tomorrow|this (?:{_UNIT}|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\\b)",
)
_STATE = ("(?:only )?(?:while|as long as|so long as|for as long as)",)

_FORMS = (("event", _EVENT), ("state", _STATE), ("span", _SPAN))
_CONNECTORS = [
    (kind, re.compile(rf"(?:^| )(?:, )?(?P<connector>{form})(?: |(?<= )|$)(?P<words>.*)$"))
    for kind, forms in _FORMS
    for form in forms
]
_NEXT = re.compile(
    r" (?:, )?(?:because|since|so that|so we|so as|due to|given|in order|as (?:we|it|they|the|i)|, (?:please|thanks|thank"
    r"|okay|ok|right|alright|as)|please|thanks|thank you|\u2014|--|;|\?|!|\.|okay \?|and that is final|and not before)(?: |$)"
)
_BACK_REFERENCE = re.compile(r"(?:then|that|this|it|that happens|(?:that|this|it) is (?:done|over|finished|complete[d]?|fixed))")
_STATE_END = "the end of the time that {}"
_SPAN_END = "the end of {}"


@dataclass(frozen=True)
class Ended:
    """A clause taken apart: `main` without its end, and `when` in words; None where it names no end."""

    main: Phrase
    when: str | None
    connector: str = ""


def ended(phrase: Phrase) -> Ended:
    """The end that a clause names, the most telling one if there are several.

    >>> ended(Phrase.of("keep it up until QA migrates because we need it")).when
    'QA migrates'
    >>> ended(Phrase.of("no deploys during the audit")).when
    'the end of the audit'
    """
    found = [(match, kind) for kind, form in _CONNECTORS if (match := form.search(phrase.plain))]
    if not found:
        return Ended(phrase, None)
    first = min(match.start("connector") for match, _ in found)
    match, kind = found[0]
    stops = [later.start("connector") for later, _ in found if later.start("connector") > match.start("words")]
    end = min([*stops, _stop(match["words"]) + match.start("words")])
    words = phrase.cut(match.start("words"), end).text.strip(" ,;:.!?")
    main = phrase.cut(0, first)
    if not words or not main:
        return Ended(phrase, None)
    return Ended(main, {"event": "{}", "state": _STATE_END, "span": _SPAN_END}[kind].format(words), match["connector"])


def led_by(lead: Phrase) -> Ended:
    """The end that a leading clause names: "until QA migrates" before its main clause."""
    for kind, form in _CONNECTORS:
        match = form.match(re.sub(r"^(?:and|but|so|also|okay|hey|hi|note|please|just) ,? ?", "", lead.plain))
        if match:
            skipped = len(lead.plain) - len(match.string)
            words = lead.cut(match.start("words") + skipped).text.strip(" ,;:.!?")
            if words:
                template = {"event": "{}", "state": _STATE_END, "span": _SPAN_END}[kind]
                return Ended(Phrase(lead.source, ()), template.format(words), match["connector"])
    return Ended(lead, None)


def resolved_end(when: str | None, before: str) -> str | None:
    """A condition that points back ("then", "that is done") together with what it points to.

    >>> resolved_end("then", "QA migrates on Friday")
    'then (QA migrates on Friday)'
    """
    if when is None or not before or not _BACK_REFERENCE.fullmatch(when.lower().replace("'s", " is")):
        return when
    return f"{when} ({before})"


def _stop(words: str) -> int:
    match = _NEXT.search(words)
    return match.start() if match else len(words)

"""Prohibitions, and their releases, whose verb no class of actions has: "Never sell cow-17".

The verb itself is ruled out, as it was said, of a thing that is called by its name. Whether a tool does that
is for the guard. Grounding has somebody confirm it first, unless the application declares such an action.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from langgraph_memory.actions import is_reading
from langgraph_memory.consolidation.rules import approvals, holding, permissions, prohibitions
from langgraph_memory.consolidation.rules.deeds import from_verb, governed, is_gerund, named_verbs
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.wording import Form, holds, starts
from langgraph_memory.consolidation.rules.words import Phrase, Word, word_set
from langgraph_memory.inflections import base_form
from langgraph_memory.records import FactKind

_OF_THE_MIND = word_set("""
    worry hesitate forget bother mind think expect assume know need have want see care feel say remember
    understand believe like love hate enjoy panic be apologise apologize rush hurry seem mean miss hurt
    wait agree recall hear matter notice doubt hope wish sweat fret trust blame despair dare exist
    depend belong lack fear regret suppose imagine guess wonder realise realize recognise recognize find
    work come go do own deserve suffer become begin happen appear look start stop try manage pretend
    fail afford dream learn remain stay keep kid overthink overlook underestimate ignore disregard lose
    leave let hold
""")
"""Verbs that ask for no deed."""

_EVERYDAY = word_set(
    "give get make use call ask tell fly eat drink show read put take write answer say speak talk"
)
"""Verbs that rule something out only where the thing itself follows them: "don't call C-7"."""

_NO_VERB = word_set("""
    i we you he she it they me us him her them who what which that this these those there here my our
    your his its their the a an any all some no not nor or and but so as at by for from in into of off
    on onto out over to up with under until unless if when while before after because very too more most
    less only just even also else anybody anyone everyone everybody nobody none nothing something
    anything everything one ones am is are was were been being has had did does can could may might must
    shall should will would ought again yet still already never always once twice ever please later
    early late ready able sure happy okay fine good bad safe free true false new old open available
    visible possible necessary right wrong correct clear full empty big small high low long short near
    far due alone both each either neither
""")
_JOINED = word_set("or nor and ,")
_PARTICIPLE = re.compile(r"\w+(?:ed|en|wn|lt|ught|old|ut|one|elt|ept|ung|unk|ound)")
_TOLD = re.compile(r"\w*[^e]ed")
_SHREDS = re.compile(r"(?:em|in)?bed|s?hed|shred|wed|[bfwh]eed|breed|bleed|seed|need|spe{2}d")
_NARRATED = word_set(
    "saw found got went came took gave made had did was were said told knew thought left lost met sent"
)
_DETERMINERS = word_set(
    "the a an this that these those my our your his her its their any all it them him either"
)
_LET = starts("""
    ( you|we|us|anyone|anybody|someone|somebody|everyone|people|others | [the|our|any|an|some] _ )
    (?P<deed> ... ) $
""")
_WANTED = starts("( to be|get | being|getting )? (?P<deed> ... ) $")
_LONGEST_OBJECT = 4
_SURELY_DONE = starts(r"""
    \w{2,}[^e]ed
    | sold|resold|lent|torn|bought|driven|given|taken|shown|hung|built|eaten|broken|written|shot|cut
""")
"""Participles that are told from other words by their form: "the old van sold"."""
_NOUN = re.compile(r"[a-z]{3,}(?:tion|sion|ment|ing|age|sal|isal)s?")
_NOUN_OF = starts("(?P<deed> _ ) of|for|to|on (?P<obj> ... ) $")
_FREELY = holds("may | now | again | any time | anytime | after all | at last | any more")

Found = tuple[Phrase, tuple[Phrase, ...], bool]
"""A deed, the words that say to what, and whether it is in the passive."""


def unclassed(meant: Stance) -> Reading | None:
    """A prohibition of what no class has, or its release; None where a clause is neither."""
    if meant.has(Mark.DOCUMENT, Mark.ASKING, Mark.QUESTION):
        return None
    if (found := _released(meant)) is not None:
        return _reading(meant, *found, intent="retire")
    if (closed := _closed_for(meant.end.main)) is not None:
        return _reading(meant, *closed)
    for deed, about, passive in _ruled_out(meant.end.main):
        if verbs := verbs_at(deed, passive=passive):
            return _reading(meant, verbs, about)
    return None


def _closed_for(phrase: Phrase) -> tuple[frozenset[str], tuple[Phrase, ...]] | None:
    """As in "it is not for sale", "it is off limits for exports"."""
    match = holding.CLOSED_FOR.match(phrase)
    verbs = named_verbs(phrase.group(match, "deed")) if match else frozenset[str]()
    return (verbs, (phrase.group(match, "obj"),)) if match and verbs else None


def left_over(meant: Stance) -> Reading | None:
    """What a prohibition rules out beside what has classes: "must not be suspended or expelled"."""
    if prohibitions.LET_NOT.match(meant.end.main):
        return None
    for deed, about, passive in _ruled_out(meant.end.main):
        if verbs := verbs_at(deed, passive=passive):
            return _reading(meant, verbs, about)
    return None


def _reading(
    meant: Stance, verbs: frozenset[str], about: tuple[Phrase, ...], *, intent: str = "assert"
) -> Reading:
    doubtful = meant.has(Mark.HEDGED, Mark.REPORTED, Mark.HYPOTHETICAL, Mark.CONDITIONAL, Mark.ONCE)
    colored = meant.has(Mark.HYPOTHETICAL, Mark.CONDITIONAL)
    return Reading(
        attribute="usage_policy",
        value=meant.statement,
        about=tuple(filter(None, about)),
        kind=FactKind.CONSTRAINT,
        forbids=verbs,
        ends_when=meant.end.when if intent == "assert" else None,
        intent="assert" if intent == "assert" else "retire",
        hedged=doubtful,
        asks_first=intent == "assert" and doubtful and not colored,
        explicit=not doubtful,
        once=meant.has(Mark.ONCE),
        named_only=True,
        described=False,
        unclassed=True,
    )


def _ruled_out(phrase: Phrase) -> Iterator[Found]:
    """The deeds that a clause may rule out, by the first form of a prohibition that it fits."""
    for form, found in _FORMS:
        if match := form.match(phrase):
            yield from found(phrase, match)
            return
    yield from _by_subject(phrase)
    yield from _by_name(phrase)


def _plain(phrase: Phrase, match: re.Match[str]) -> Iterator[Found]:
    deed = phrase.group(match, "deed")
    passive = prohibitions.PASSIVE.match(deed) is not None
    yield deed, (phrase.group(match, "who"), deed) if passive else (deed,), passive


def _let(phrase: Phrase, match: re.Match[str]) -> Iterator[Found]:
    """As in "don't let anyone sell it"."""
    said = phrase.group(match, "obj")
    if let := _LET.match(said):
        yield said.group(let, "deed"), (said,), False


def _wanted(phrase: Phrase, match: re.Match[str]) -> Iterator[Found]:
    """As in "I don't want it to be sold", "we don't want the old van sold"."""
    said = phrase.group(match, "obj")
    places = [at for at, word in enumerate(said.plain) if word == " "][:_LONGEST_OBJECT]
    for place in places:
        deed = _WANTED.match(said.plain, place + 1)
        if deed and (place == places[0] or _SURELY_DONE.match(deed["deed"])):
            yield said.cut(deed.start("deed")), (said.cut(0, place + 1),), True


def _nobody(phrase: Phrase, match: re.Match[str]) -> Iterator[Found]:
    """As in "nobody may sell it", "nothing of it may be sold"."""
    deed = phrase.group(match, "deed")
    if not prohibitions.PERFECT.match(deed):
        yield deed, (deed, phrase), prohibitions.PASSIVE.match(deed) is not None


_FORMS: tuple[tuple[Form, Callable[[Phrase, re.Match[str]], Iterator[Found]]], ...] = (
    (prohibitions.LET_NOT, _let),
    (prohibitions.UNWANTED, _wanted),
    (prohibitions.INVERTED, _plain),
    (prohibitions.NEGATED, _plain),
    (prohibitions.FORBIDDEN, _plain),
    (prohibitions.FORBIDS, _plain),
    (prohibitions.NOBODY, _nobody),
    (approvals.ONLY_BY, _plain),
)


def _by_name(phrase: Phrase) -> Iterator[Found]:
    """As in "selling it is forbidden", "hold off on selling it", "no irrigation of it"."""
    forms = (prohibitions.BANNED, prohibitions.AVOID, holding.HELD)
    match = next(filter(None, (form.match(phrase) for form in forms)), None)
    if match and is_gerund(deed := phrase.group(match, "deed")):
        yield deed, (deed, phrase), False
    if match := prohibitions.NO_DEED.match(phrase):
        said = phrase.group(match, "deed")
        if (of := _NOUN_OF.match(said)) and _NOUN.fullmatch(said.words[0].norm):
            yield said.group(of, "deed"), (said.group(of, "obj"),), False


def _by_subject(phrase: Phrase) -> Iterator[Found]:
    """As in "Cow-17 must not be sold", "you may not sell it"; not what somebody doesn't or didn't do."""
    p = prohibitions
    match = p.MODAL.match(phrase)
    if match is None:
        return
    who, deed = phrase.group(match, "who"), phrase.group(match, "deed")
    verb = phrase.plain[match.end("who") : match.start("deed")]
    if who.plain == "i " or _UNABLE.search(verb):
        return
    if p.SPEAKERS.fullmatch(who) or p.AGENT.fullmatch(who):
        yield deed, (deed,), False
        return
    if p.NARRATES.search(verb) and not p.OBLIGES_NEVER.search(verb):
        return
    passive = p.PASSIVE.match(deed) or verb.endswith("be ")
    if p.OBLIGES.search(verb) or (passive and "can not" in verb):
        yield deed, (who, deed), bool(passive)


_UNABLE = holds("could|would")


def verbs_at(deed: Phrase, *, passive: bool) -> frozenset[str]:
    """The verbs without a class at the head of a deed, and those joined to them, in their base form.

    >>> sorted(verbs_at(Phrase.of("weld or rivet frame FR-8"), passive=False))
    ['rivet', 'weld']
    >>> verbs_at(Phrase.of("be restarted or sold"), passive=True)
    frozenset({'sell'})
    """
    words = from_verb(deed).words
    while words and words[0].norm.endswith("ly"):
        words = words[1:]
    found: set[str] = set()
    position = 0
    while position < len(words):
        word, rest = words[position], words[position + 1 :]
        first = position == 0
        joint = next((n for n, each in enumerate(rest[:_FAR]) if each.norm in _JOINED), None)
        segment = words[position:] if joint is None else words[position : position + joint + 1]
        if not governed(Phrase(deed.source, segment)):
            if not _is_deed(word, rest, passive=passive, first=first):
                break
            found.add(base_form(word.norm))
        if joint is None or (not passive and joint and not (first and len(rest) > joint + 1)):
            break
        position += joint + 2
        while position < len(words) and words[position].norm in _JOINED:
            position += 1
    return frozenset(found)


_FAR = 3
"""How many words further a verb may be joined: "restarted, moved or sold"."""


def _is_deed(word: Word, rest: tuple[Word, ...], *, passive: bool, first: bool) -> bool:
    """Whether a word is a verb that asks for a deed, by its form and by what follows it."""
    norm, base = word.norm, base_form(word.norm)
    if not norm.isalpha() or norm in _NO_VERB or base in _OF_THE_MIND or is_reading(base) or is_reading(norm):
        return False
    if passive:
        return _PARTICIPLE.fullmatch(norm) is not None or base != norm
    told = norm in _NARRATED or (_TOLD.fullmatch(norm) and not _SHREDS.fullmatch(norm))
    following = rest[0].norm if rest else ""
    has_object = bool(rest) and following not in _NO_VERB and following not in _JOINED
    if base in _EVERYDAY:
        return not told and has_object
    return not told and (first or has_object or following in _DETERMINERS)


def _released(meant: Stance) -> tuple[frozenset[str], tuple[Phrase, ...]] | None:
    """As in "you may sell cow-17 now", "cow-17 may be sold again"."""
    core = meant.core
    if meant.end.connector or not _FREELY.search(meant.clause.phrase):
        return None
    if match := permissions.PASSIVE.match(core):
        verbs = verbs_at(core.group(match, "deed"), passive=True)
        about = core.group(match, "obj")
        return (verbs, (about,)) if verbs else None
    match = permissions.PERMITTED.match(core)
    if match is None:
        return None
    deed = core.group(match, "deed")
    verbs = verbs_at(deed, passive=False)
    return (verbs, (deed,)) if verbs else None

"""What a preference or a remark is about: the noun that names its attribute."""

from __future__ import annotations

import re

from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase

_SKIPPED = starts("""
    (
    a|an|the|any|all|some|my|our|your|his|her|their|more|most|much|many|very|really|just|only|to|of|both|those|these|such
    |anything|everything|something|things?|stuff|kinds?|types?|sorts?|forms?|being|be|having|have|using|use|eating|eat|drinking|drink
    |watching|watch|reading|read|listening|listen|wearing|wear|playing|play|staying|stay|going|go|visiting|visit|buying|buy
    |attending|attend|doing|do|taking|take|consuming|consume|dining|dine|traveling|travelling|travel|working|work|living|live
    |owning|own|getting|get|receiving|receive|keeping|keep|making|make|seeing|see|engaging|engage|participating|participate
    |involving|involve|involves|containing|contain|with|in|at|on|for|from|by|via|about|that|which|is|are|has|extremely|highly|overly|too|excessively
    |traditional|certain|specific|new|large|big|small|good|bad|when|it|not|never|ever|own|other|instead|rather|exclusively|strictly
    |extended|periods?|forms|you|me|i|we|out|up|if|how|as|products?|activities|activity|experiences?|items?|places?|spending|time|driving|drive
    |choosing|choose|booking|book|ordering|order|flying|fly|learning|learn|following|follow|sitting|sit
    |sleeping|sleep|cooking|cook|riding|ride )*
""")
_ENDS = holds("""
    ,|;|:|\\.|!|\\?|\u2014
    | to|for|in|at|on|with|without|over|than|because|due|since|as|when|whenever|while|if|that|which|who
    |and|but|or|so|from|near|by|via|during|after|before|about|instead|rather|where|unless|whose|containing|involving
    |including|such|like|made|located|using|featuring|made|tested|is|are|be|please|now|anymore|any|of|between|within
    |under|above|below|into|every|who
""")
_MAX_WORDS = 3
_IRREGULAR = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "mice": "mouse",
    "series": "series",
    "news": "news",
    "glasses": "glasses",
}
_WORD = re.compile(r"[^\W_]+")


def head(phrase: Phrase) -> str | None:
    """The noun that the first noun phrase is built on: "seat" of "window seats on long flights".

    >>> head(Phrase.of("window seats on long flights"))
    'seat'
    """
    words = _noun_phrase(phrase)
    return singular(words[-1]) if words else None


def full(phrase: Phrase) -> str | None:
    """The first noun phrase with its modifiers and, if there is one, the noun after it: "hotel_airport".

    >>> full(Phrase.of("hotels near busy airports"))
    'hotel_airport'
    """
    first = _noun_phrase(phrase)
    if not first:
        return None
    rest = phrase.cut(_end_of_first(phrase))
    second = _noun_phrase(rest) if rest else []
    return "_".join(dict.fromkeys(singular(word) for word in [*first[-2:], *second[-1:]]))


def singular(word: str) -> str:
    """A noun in the singular, as far as its ending tells.

    >>> [singular(w) for w in ("seats", "allergies", "dishes", "glass", "bus")]
    ['seat', 'allergy', 'dish', 'glass', 'bus']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies") and len(word) > _SHORTEST_PLURAL:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "sis", "nis")) and len(word) >= _SHORTEST_PLURAL:
        return word[:-1]
    return word


_SHORTEST_PLURAL = 4


def _noun_phrase(phrase: Phrase) -> list[str]:
    start, end = _bounds(phrase)
    words = [word.norm.removesuffix("'s") for word in phrase.cut(start, end).words]
    return [part for word in words for part in _WORD.findall(word)][-_MAX_WORDS:]


def _bounds(phrase: Phrase) -> tuple[int, int]:
    skipped = _SKIPPED.match(phrase)
    start = skipped.end() if skipped else 0
    ends = _ENDS.search(phrase.plain, start)
    return start, ends.start() if ends else len(phrase.plain)


def _end_of_first(phrase: Phrase) -> int:
    ends = _ENDS.search(phrase.plain, _bounds(phrase)[0])
    return ends.end() if ends else len(phrase.plain)

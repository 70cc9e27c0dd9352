"""The assistant without a model: it answers from what memory tells it, and says when that is nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from langgraph_memory.conversation.wording import is_decision
from langgraph_memory.records import Record
from langgraph_memory.store.tokens import tokenize

_FACT = re.compile(
    r"^- (?:IDENTITY|PREFERENCE|PROJECT|FACT|CONSTRAINT) \(current[^)]*\)[^)]*?\)? ?"
    r"(?P<entity>[^,]*), (?P<attribute>[^:]*): (?P<value>.*?)\.?$"
)
_QUOTE = re.compile(r'#\d+ (?P<who>\S+): "(?P<words>.*?)"(?= #\d+ |$)')
_RESOLVED = re.compile(r"Resolution: Decided: (?P<words>.*?)(?: Open: | #\d+ |$)")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_QUESTION = re.compile(
    r"(\?\s*$)|^\W*(what|which|who|whose|when|where|why|how|do|does|did|is|are|can|could|should)\b"
    r"|^\W*(please )?(remind me|tell me)\b(?! to\b)",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(again|last time|earlier|before|previous(ly)?|remind|remember|recall|did (you|we|i)|was your"
    r"|you (said|told|recommended|suggested)|we (said|decided|agreed))\b",
    re.IGNORECASE,
)
_ADVICE = re.compile(r"\b(which|what|recommend|suggest|should i (use|pick|take))\b", re.IGNORECASE)
_ONE = re.compile(r"\b(one|single)\b.*\b(option|recommendation|suggestion|choice)s?\b", re.IGNORECASE)
_WHO_AM_I, _NAME = re.compile(r"\bwho (am i|i am)\b", re.IGNORECASE), set(tokenize("name"))
_DECIDING = re.compile(r"\b(decid|decision|recommend|suggest|agree|advice|advise|plan)", re.IGNORECASE)
_UNKNOWN = "I don't know that yet."
AGENT = "agent"
_AGENT = f"{AGENT}: "
_SHARED = 0.34
_ALSO = {
    "role": "job work living profession do",
    "location": "live city home",
    "timezone": "time zone",
}

SHELF: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "pdf": {
        "react": ("react-pdf draws it from components", "pdfme fills templates", "jsPDF draws by hand"),
        "": ("WeasyPrint prints HTML", "ReportLab draws by hand", "Typst typesets"),
    },
    "date picker": {
        "react": ("react-aria is accessible", "react-day-picker is small", "MUI X has ranges"),
        "": ("flatpickr is small", "Pikaday is smaller", "the browser's own input will do"),
    },
    "form": {"react": ("react-hook-form is fast", "Formik is known", "Final Form is small")},
}
"""What the assistant knows to recommend: by topic, then by the word of a user's project it is made for.

Enough for a demonstration; a model knows more.
"""


class Known(Record):
    """A fact as the text of memory tells it."""

    attribute: str
    value: str


class Quoted(Record):
    """Words of an earlier session as the text of memory tells them."""

    who: str
    date: str
    words: str


def reply(request: str, memory: str, said: Sequence[str] = ()) -> str:
    """The assistant's answer to a request, from the text of memory and the present session; a pure function.

    Args:
        request: what the user says now.
        memory: what recall tells, as a model would read it.
        said: what the user said before in this session.

    >>> told = "- IDENTITY (current, set 2026-03-02 by ana (self), source ev_1) user:ana, name: I'm Ana."
    >>> reply("What's my name?", told)
    'You are Ana.'
    >>> reply("What's my name?", "")
    "I don't know that yet."
    """
    heard = [Known(attribute="", value=text.strip(" .")) for text in said if not _QUESTION.search(text)]
    facts, quotes = [*_facts(memory), *heard], list(_quotes(memory))
    if not _QUESTION.search(request):
        return "Noted."
    if _PAST.search(request):
        return _said_before(request, quotes) or _about_user(request, facts) or _UNKNOWN
    advice = _advice(request, facts) if _ADVICE.search(request) else None
    return advice or _about_user(request, facts) or _said_before(request, quotes) or _UNKNOWN


def _facts(memory: str) -> Iterator[Known]:
    for line in memory.splitlines():
        if match := _FACT.match(line):
            yield Known(attribute=match["attribute"], value=match["value"].split(". Ends when:")[0])


def _quotes(memory: str) -> Iterator[Quoted]:
    """What episodes quote, and what they say was decided, sentence by sentence."""
    for line in memory.splitlines():
        date, resolved = _DATE.search(line), _RESOLVED.search(line)
        if date is None or not line.startswith("- EPISODE"):
            continue
        for match in _QUOTE.finditer(line):
            for words in _SENTENCE.split(match["words"]):
                yield Quoted(who=match["who"], date=date.group(), words=words)
        for words in _SENTENCE.split(resolved["words"].strip()) if resolved else ():
            by_agent = words.startswith(_AGENT)
            yield Quoted(who=AGENT if by_agent else "", date=date.group(), words=words.removeprefix(_AGENT))


def _about_user(request: str, facts: Sequence[Known]) -> str | None:
    """All facts that the question names by attribute, or the one that shares most words with it."""
    asked = set(tokenize(request)) | (_NAME if _WHO_AM_I.search(request) else set())
    named = [fact for fact in facts if asked & _words_for(fact.attribute)]
    if not named:
        meant = {words for also in _ALSO.values() if asked & (words := frozenset(tokenize(also)))}
        named = [fact for fact in facts if any(group & set(tokenize(fact.value)) for group in meant)]
    if not named:
        shared = [(len(asked & set(tokenize(fact.value))) / max(len(asked), 1), fact) for fact in facts]
        named = [fact for share, fact in sorted(shared, key=lambda each: -each[0])[:1] if share >= _SHARED]
    said = dict.fromkeys(_to_you(fact.value) for fact in named)
    return " ".join(f"{_capital(words)}." for words in said) or None


def _words_for(attribute: str) -> set[str]:
    """The words by which people ask for an attribute."""
    name = attribute.replace("preference", "").strip()
    return set(tokenize(f"{name} {_ALSO.get(name, '')}"))


def _said_before(request: str, quotes: Sequence[Quoted]) -> str | None:
    """The sentence of an earlier session that is nearest to the question, decisions first."""
    asked = set(tokenize(request))
    mine = re.search(r"\byou(r)?\b", request, re.IGNORECASE) is not None
    scored = [
        (
            len(asked & set(tokenize(quote.words))),
            is_decision(quote.words),
            (quote.who == AGENT) == mine,
            quote.date,
            quote,
        )
        for quote in quotes
        if not quote.words.endswith("?")
    ]
    best = max(scored, key=lambda each: each[:4], default=None)
    if best is None or not (best[0] or (best[1] and _DECIDING.search(request))):
        return None
    quote = best[4]
    who = "I" if quote.who == AGENT else "you"
    return f'On {quote.date} {who} said: "{quote.words.strip()}"'


def _advice(request: str, facts: Sequence[Known]) -> str | None:
    """What to use for a topic on the shelf, for the user's project, and one or three as they like it."""
    topic = next((topic for topic in SHELF if topic in request.lower()), None)
    if topic is None:
        return None
    known = " ".join(fact.value.lower() for fact in facts)
    fitting = next((made for made in SHELF[topic] if made and made in known), "")
    options = SHELF[topic].get(fitting) or next(iter(SHELF[topic].values()))
    why = f", since you use {fitting.capitalize()}" if fitting else ""
    if any(_ONE.search(fact.value) for fact in facts):
        return f"I recommend one{why}: {options[0]}."
    return f"I recommend one of three{why}: {'; '.join(options)}."


def _to_you(words: str) -> str:
    """A statement about oneself, as said to the one who made it."""
    turned = words
    for mine, yours in _TURNED:
        turned = mine.sub(yours, turned)
    return turned


_TURNED = [
    (re.compile(rf"\b{mine}\b", re.IGNORECASE), yours)
    for mine, yours in (
        ("i'm|i am", "you are"), ("i've|i have", "you have"), ("i", "you"), ("my", "your"),
        ("mine", "yours"), ("me", "you"), ("we're|we are", "you are"), ("we", "you"), ("our", "your"),
    )
]  # fmt: skip


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]

"""The speaker's own words: a message without what it quotes, forwards or pastes.

What a page, a mail, a log or another person said can stand in a user's message and is still not the
user's instruction. Everything here goes line by line, in a time that grows with the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import groupby

from langgraph_memory.consolidation.rules.sentences import sentences
from langgraph_memory.consolidation.rules.words import Phrase, spelled
from langgraph_memory.recent import kept_of_texts

QUOTED = "\u2026"
"""Stands where quoted words were taken out of a sentence."""

_FENCE = re.compile(r"\s*(```|~~~)")
_QUOTE_LINE = re.compile(r"\s*(>|\|\s|&gt;)")
_MACHINE = re.compile(
    r"""\s*(
        [\[{]\s*["{\[\]}]                                   # JSON
      | \[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d                     # log lines
      | \d\d:\d\d:\d\d\b
      | (DEBUG|INFO|WARN(ING)?|ERROR|FATAL|TRACE)\b[:\s]
      | [$\#%]\s\w+\s[-./\w]                                # shell prompts
      | (diff\s--git|@@\s|[+-]{3}\s)                        # patches
      | at\s[\w.$<>]+\(.*\)$ | Traceback\s | File\s".*",\sline
      | <\|.*\|>                                            # chat templates
    )""",
    re.VERBOSE,
)
_ROLE = re.compile(
    r"\s*[\W_]*(system|assistant|agent|ai|bot|tool|developer|user|human|instructions?|function)\b[\W_]*:",
    re.IGNORECASE,
)
_MAIL_HEADER = re.compile(
    r"\s*\**(from|to|cc|bcc|subject|sent|date|reply-to|von|an|betreff|gesendet|de|à|objet|para|asunto)\**\s*:",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"\s*(-{3,}|_{5,}|={5,}|begin forwarded message|fwd?:|forwarded (message|from))", re.IGNORECASE
)
_SOURCE = (
    r"(e?-?mails?|messages?|logs?|output|tickets?|text|articles?|pages?|threads?|transcripts?|errors?|snippets?"
    r"|docs?|documents?|excerpts?|quotes?|responses?|repl(y|ies)|comments?|reviews?|posts?|letters?|files?"
    r"|readme|contracts?|notifications?|announcements?|code|stack ?trace|screenshots?)"
)
_RULE = re.compile(r"\s*([-_=*~\u2014]\s?){3,}\s*")
"""A line across the page: it parts what is said, and ends nothing by itself."""

_SIGNATURE = re.compile(r"--\s*")
_HANDS_ON = re.compile(
    r"""(
        :\s*$ | ^\s*\W*(fyi|fwd?|see|read|look)\b
      | \b(this|these|below|following|attach(ed|ment)|past(ed|ing)|quot(e|ed|ing)|forward(ed|ing)?|excerpt)\b
      | \b(here|there)\s?('s|is|are|comes|goes)\b | \bwhat\b.*\b(wrote|sent|said|got|received)\b
      | \b(the|a|an|my|our|his|her|their|\w+['\u2019]s)\s(\w+\s)?"""
    + _SOURCE.replace("(", "(?:")
    + r"""\b )""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words before such a line after which somebody else's text stands, up to the next one."""

_WROTE = re.compile(
    r"\s*(on|am|le|el)\s.{4,120}\b(wrote|schrieb|écrit|escribió)\b.{0,60}:\s*$", re.IGNORECASE
)
_INTRODUCES = re.compile(
    rf"""(
        (?<!\bi\s)(?<!\bwe\s)(?<!\bpolicy\s)(?<!\brule\s)(?<!\balready\s)
        \b(says?|said|reads?|wrote|writes|states?|stated|shows?|claims?|mentions?|told\s(me|us))
      | \b(here|this)(\sis|'s|\sare)?\s(the|an?|his|her|their|its|that|what)\b[^:]{{0,40}}\b{_SOURCE}\b
        [^:]{{0,40}}
      | \b(pasted?|pasting|quot(e|ing)|transcript|excerpt|output|logs?|forwarding)\b[^:]{{0,40}}
    )\s*:\s*(?P<rest>.*)$""",
    re.IGNORECASE | re.VERBOSE,
)
_HANDS_OVER = re.compile(
    r"\b(summari[sz]e|translate|proofread|rewrite|review|classify|rephrase|paraphrase|analy[sz]e|edit|explain)"
    r"\b[^:]{0,80}:\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_TAG = re.compile(r"\s*<(?P<end>/?)(?P<name>[A-Za-z][\w-]*)[^>]{0,200}>")
_SPEAKER = re.compile(
    r"\s*(\[[\d: apm./-]+\]\s*)?(?P<name>@?[A-Z][\w.]*( [A-Z][\w.]*)?( \([^)]{1,30}\))?):\s+\S"
)
_LABELS = re.compile(
    r"(note|notes|rule|rules|reminder|remember|important|policy|update|correction|fyi|ps|heads|warning|caution"
    r"|attention|preference|preferences|context|background|todo|task|btw|also|edit|name|goal)",
    re.IGNORECASE,
)
_QUOTATION = re.compile(r'"(?P<words>[^"]{1,2000})"')
_PATH = re.compile(r"(?:[A-Za-z]:|\\)\\[^']+$")
_OWN_RULE = re.compile(
    r"\b(remember|note|rule|policy|instruction|following)\b[^\"]{0,20}:?\s*$", re.IGNORECASE
)
_LONGEST_NAME = 3
"""Quoted words up to this number are a name ("main", "gpu bench 01"), more are a quotation."""


def own_words(text: str) -> list[str]:
    """The paragraphs and list items of a message that are the speaker's own words.

    >>> own_words('> never stop it' + chr(10) + 'The ticket says "keep it up until May 3". What now?')
    ['The ticket says \u2026. What now?']
    """
    blocks = [[spelled(line) for line in block] for block in _written(_unwrapped(text))]
    return [_without_quotations(part) for block in blocks for part in _joined(_without_transcript(block))]


@kept_of_texts(64)
def own_sentences(text: str) -> tuple[Phrase, ...]:
    """The sentences of a message that are the speaker's own words; cut once for all who look at it."""
    return tuple(sentence for paragraph in own_words(text) for sentence in sentences(paragraph))


def _written(text: str) -> Iterator[list[str]]:
    """The lines that were written rather than pasted, paragraph by paragraph."""
    pasted_next, handed_on, last = False, False, ""
    for block in _blocks(_outside_fences(text.splitlines())):
        if _RULE.fullmatch(block[0]):
            handed_on = not handed_on and _HANDS_ON.search(last) is not None
            pasted_next = False
            continue
        last = block[-1]
        if handed_on or pasted_next or _is_tagged(block):
            pasted_next = False
            continue
        kept, ending = _own_lines(block)
        yield kept
        if ending is _Ending.ALL:
            return
        pasted_next = ending is _Ending.NEXT


class _Ending(Enum):
    """What a paragraph leaves for those after it."""

    OWN = "own"
    NEXT = "next is pasted"
    ALL = "all the rest is pasted"


def _unwrapped(text: str) -> str:
    """A message that stands in quotation marks as a whole, without them."""
    stripped = text.strip()
    inner = stripped[1:-1]
    return inner if stripped[:1] == stripped[-1:] == '"' and '"' not in inner else text


def _outside_fences(lines: Sequence[str]) -> Iterator[str]:
    fenced = False
    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
            yield ""
        elif not fenced:
            yield line


def _blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    for (blank, _), block in groupby(lines, key=lambda line: (not line.strip(), bool(_RULE.fullmatch(line)))):
        if not blank:
            yield list(block)


def _is_tagged(block: Sequence[str]) -> bool:
    """Whether the paragraph opens with an XML tag, as documents do that are handed over."""
    return _TAG.match(block[0]) is not None


def _own_lines(block: Sequence[str]) -> tuple[list[str], _Ending]:
    kept: list[str] = []
    for position, line in enumerate(block):
        if (
            _SIGNATURE.fullmatch(line)
            or _FORWARDED.match(line)
            or _WROTE.match(line)
            or _is_mail_header(block, position)
        ):
            return kept, _Ending.ALL
        if match := _HANDS_OVER.search(line):
            return [*kept, line[: match.start("rest")]], _Ending.ALL
        if match := _INTRODUCES.search(line):
            done = bool(match["rest"].strip()) or position + 1 < len(block)
            return [*kept, line[: match.start("rest")]], _Ending.OWN if done else _Ending.NEXT
        if not any(form.match(line) for form in (_QUOTE_LINE, _MACHINE, _ROLE)):
            kept.append(line)
    return kept, _Ending.OWN


def _is_mail_header(block: Sequence[str], position: int) -> bool:
    following = block[position + 1 : position + 2]
    return bool(_MAIL_HEADER.match(block[position]) and following and _MAIL_HEADER.match(following[0]))


def _without_transcript(block: list[str]) -> list[str]:
    """The lines without those of a pasted chat: at least two lines that begin with a speaker's name."""
    spoken = [position for position, line in enumerate(block) if _is_turn(line)]
    if len(spoken) < 2:  # noqa: PLR2004 - one line could be a heading
        return block
    return [line for position, line in enumerate(block) if position not in spoken]


def _is_turn(line: str) -> bool:
    match = _SPEAKER.match(line)
    return match is not None and not _LABELS.match(match["name"])


def _joined(lines: Iterable[str]) -> Iterator[str]:
    """Lines put together that were only wrapped."""
    part = ""
    for line in (line.strip() for line in lines):
        if part and (part[-1] in ".!?:;" or not line[:1].islower()):
            yield part
            part = ""
        part = f"{part} {line}" if part else line
    if part:
        yield part


def _without_quotations(part: str) -> str:
    return _QUOTATION.sub(lambda match: _quoted(part, match), part)


def _quoted(part: str, match: re.Match[str]) -> str:
    if _PATH.match(match["words"]):
        return f" '{match['words']}' "
    if len(match["words"].split()) <= _LONGEST_NAME or _OWN_RULE.search(
        part, max(0, match.start() - 60), match.start()
    ):
        return f" {match['words']} "
    return QUOTED

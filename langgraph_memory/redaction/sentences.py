"""Secrets that people tell in sentences: "the password for the staging db is …", "use … as the PIN"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from langgraph_memory.redaction.assignments import name_at
from langgraph_memory.redaction.credentials import positions
from langgraph_memory.redaction.names import bar_of, qualifies
from langgraph_memory.redaction.spans import Span
from langgraph_memory.redaction.values import Bar, holds_secret

_ABOUT = (
    r"(?:[ ](?:for|of|to|on|at|in|für|zum|zur|von|de|del|para|du|des|pour|di|per|da|do|van|voor|от|для)\b"
    r"[^\n.:=?!;]{1,48}?|[ ](?:here|there))?"
)
"""What a secret is for, between its name and the word that gives it."""
_VALUE = r"[\"'`“„«]?(?P<value>[^\s\"'`<>,;”»]{4,256}+)"
_REST = re.compile(r"[A-Za-z0-9_\xc0-\u024f-]{0,24}+")
_FOLLOWS = re.compile(
    r"[\"'`*]{0,2}(?:[ ](?:is|was|are|ist|lautet|es|est|to|from|here|there|for|of|on|at|in|für|zum|zur|von|"
    r"de|del|para|du|des|pour|di|per|da|do|van|voor|от|для|\xe8|\xe9|[=\u2192\u2013\u2014-])|\u306f|\ub294|\uc740)"
)
"""How what follows a name in a sentence begins; what assigns at once is found elsewhere."""
_SAID = re.compile(
    rf"""
    ["'`*]{{0,2}} {_ABOUT}
    (?: [ ]{{1,2}}(?:(?:is|was|are|ist|lautet|es|est|\xe8|\xe9)\b|[=\u2192\u2013\u2014]|->|-(?=[ ])) | :
      | \u306f | \ub294 | \uc740 )
    (?:[ ](?:now|still|currently|again|jetzt|ahora))? \s{{0,3}} {_VALUE}
    """,
    re.VERBOSE,
)
"""What follows a name: perhaps what it is for, then the word or sign that gives its value."""
_CHANGED = re.compile(rf"{_ABOUT}(?:[ ]from[ ](?P<old>\S{{4,64}}+))?[ ]to[ ]{_VALUE}")
_CHANGES = re.compile(r"(?i)\b(?:set|change|changed|reset|update|updated|rotate|rotated|switch|switched)\b")
_CHANGES_REACH = 40
_AS = re.compile(r"[ ](?:is|as|was|ist|als|es|est|como)[ ]")
_GIVEN = re.compile(
    r"[\"'`“„«]?(?P<value>[^\s\"'`<>,;”»]{4,256}+)[\"'`”»]?,?[ ](?:is|as|was|ist|als|es|est|como)[ ]"
    r"(?:[A-Za-z'-]{1,16}[ ]){0,3}"
)
_GIVEN_REACH = 60
_ENDS = re.compile(r"\s*(?:$|[.,;:!?)\n])|[ ](?:for|of|on|to|at|in|now|please|and|here)\b")
"""What ends a statement after the name of what it gave."""


def find_told(text: str, lower: bytes, names: Sequence[int]) -> Iterator[Span]:
    """Secrets told in sentences.

    Args:
        text: to look in.
        lower: the text in lower case, one byte a character.
        names: where names have letters that tell them.
    """
    past = 0
    for position in names:
        rest = _REST.match(text, position)
        end = rest.end() if rest else position
        follows, given = _FOLLOWS.match(text, end), _may_be_given(text, position, end)
        if position < past or not (follows or given):
            continue
        identifier, words = name_at(text, position, end)
        bar = bar_of(" ".join([*filter(qualifies, words), identifier]))
        if bar not in (Bar.PASSWORD, Bar.SECRET):
            continue
        for match in _told(text, end - len(identifier), end):
            for span in _judged(match, bar):
                past = max(past, span.end)
                yield span
    yield from _pairs(text, lower)
    yield from _of_people(text, lower)


def _may_be_given(text: str, position: int, end: int) -> bool:
    return bool(_AS.search(text, max(0, position - _GIVEN_REACH), position) and _ENDS.match(text, end))


def _told(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """What may give the value of a name that stands from `start` to `end`."""
    if match := _SAID.match(text, end) or _changed(text, start, end):
        yield match
    if _ENDS.match(text, end):
        for word in _AS.finditer(text, max(0, start - _GIVEN_REACH), start):
            if given := _GIVEN.fullmatch(text, text.rfind(" ", 0, word.start()) + 1, start):
                yield given


def _changed(text: str, start: int, end: int) -> re.Match[str] | None:
    changes = _CHANGES.search(text, max(0, start - _CHANGES_REACH), start)
    return _CHANGED.match(text, end) if changes else None


def _judged(match: re.Match[str], bar: Bar) -> Iterator[Span]:
    """What of a match reads like a secret."""
    for group in match.groupdict():
        value = (match[group] or "").rstrip(".,;:!?)]}|*")
        if value and holds_secret(value, bar, quoted=False):
            yield Span(match.start(group), match.start(group) + len(value), bar.kind)


_LOGINS = (b"login", b"log in", b"logon", b"sign in", b"creds", b"credentials")
_PAIR = re.compile(
    r"""
    (?i: (?:s|ed)? (?:[ ](?:for|to|on|of|at)[ ][^\n:=]{1,40}?)? (?:[ ](?:is|are|as|with|using)|[:=]){1,2} )
    \s{0,2} ["'`]? (?P<user>[\w.@+-]{2,64}+) ["'`]? (?:\s?[:/]\s?|,?[ ]and[ ])
    ["'`]? (?P<value>[^\s"'`<>,;/][^\s"'`<>,;]{5,128}+)
    """,
    re.VERBOSE,
)


def _pairs(text: str, lower: bytes) -> Iterator[Span]:
    """A user and a password together: in "log in as ana:…", "the admin login is ana / …"."""
    for login in _LOGINS:
        for position in positions(lower, login) if login in lower else ():
            match = _PAIR.match(text, position + len(login))
            value = match["value"].rstrip(".,;:!?)]}|*") if match else ""
            if match and value != match["user"] and holds_secret(value, Bar.PASSWORD, quoted=False):
                yield Span(match.start("value"), match.start("value") + len(value), "password")


_PIN = re.compile(
    rf"\bPIN\b(?![ -]?[Cc]ode\b){_ABOUT}\s{{0,2}}(?:\b(?:is|was|ist|es|est)\b|[:=])\s{{0,3}}"
    r"(?P<value>\d{4,8})\b"
)
_PHRASE = re.compile(
    r"""
    (?i: (?:seed|recovery|mnemonic|backup|secret)[ -](?:phrase|words?) | mnemonic )\b
    [^\n:=]{0,40}? (?:\bis\b|[:=]) \s{0,3} ["'`]?
    (?P<value> (?:[a-z]{3,8}[ ,]{1,2}){11,23} [a-z]{3,8} )\b
    """,
    re.VERBOSE,
)
_CODES = re.compile(
    r"""
    (?i: (?:recovery|backup|scratch|2fa|mfa|one-time)[ -](?:codes?|keys?) )\b
    [^\n:=]{0,40}? (?:\b(?:is|are)\b|[:=])
    (?P<value> (?: [\s,;*-]{1,8} [A-Za-z0-9]{2,10} (?:-?[A-Za-z0-9]{2,10}){1,7}\b ){1,24} )
    """,
    re.VERBOSE,
)
_CODE = re.compile(r"[A-Za-z0-9-]{6,}")


def _of_people(text: str, lower: bytes) -> Iterator[Span]:
    """PINs, seed phrases and recovery codes."""
    if "PIN" in text:
        for match in _PIN.finditer(text):
            yield Span(*match.span("value"), "pin")
    if b"phrase" in lower or b"mnemonic" in lower or b"words" in lower:
        for match in _PHRASE.finditer(text):
            yield Span(*match.span("value"), "seed-phrase")
    if b"code" in lower or b"recovery key" in lower:
        for match in _CODES.finditer(text):
            for code in _CODE.finditer(text, *match.span("value")):
                if any(map(str.isdigit, code.group())):
                    yield Span(*code.span(), "recovery-code")

"""A name that means a secret and the value beside it: in data, code, commands, headers and prose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from langgraph_memory.redaction.credentials import positions
from langgraph_memory.redaction.names import FOREIGN_STEMS, STEMS, bar_of, qualifies
from langgraph_memory.redaction.spans import Span
from langgraph_memory.redaction.values import Bar, holds_secret

_NESTED = 4
"""How many names are looked at inside the value of another, so that the time stays linear."""
_SHORTEST_VALUE = 4
_NAME_REACH = 72
"""How many characters before a stem its name may begin."""

_VALUE = r"""
    (?:(?:str(?:ing)?|String|SecretStr|char\[\])\s{0,2}=\s{0,2})?
    (?:(?i:bearer|basic|token|apikey|key|ssws)\s{1,3}+)?
    (?:\[\s{0,8}+(?=\\*["']))?
    (?:
        [bruf@LN$]?"(?![,:\]}])(?P<double>(?:[^"\\\n]|\\.){0,4096}+)"
      | [bruf@$]?'(?P<single>(?:[^"'\\\n]|"(?!\s?[,:\]}])|\\.){0,4096}+)'
      | `(?P<back>(?:[^"`\n]|"(?!\s?[,:\]}])){0,4096}+)`
      | \\+["'](?P<escaped>[^"'\\\n]{0,4096}+)\\
      | \\?["'`]?(?![\[{(:\]}])(?P<bare>[^\s"'`<>,;\\]{1,4096}+)
    )
"""
_ASSIGNMENT = re.compile(
    r"""
    (?P<rest>[A-Za-z0-9_\xc0-\u024f-]{0,40}+(?:\.[A-Za-z0-9_-]{1,40}+){0,4}+)
    (?P<close>\\*["'`]\]?|\]|\*\*|__)?
    (?:
        \s{0,8}+
        (?::=|=>|\?=|\|\|=|->|={1,3}+|:{1,2}+|%3[Dd]|\bis\b|\bwas\b|\uff1a|\u662f)
        \s{0,8}+ (?:\*\*\s?)?
      | (?P<comma>\s{0,2},\s{0,4}+)
      | (?P<call>\(\s{0,4}+)
      | >
      | \s{1,40}+\|\s{1,40}+
      | (?P<blank>[ \t]{1,4}+)
    )
    """
    + _VALUE,
    re.VERBOSE,
)
"""A name, from a stem in it on, then what assigns, then the value."""
_PAIR = re.compile(
    r"""
    (?P<rest>[\w.-]{0,40}+) (?:\\*["'])?
    (?:\s{0,2},?\s{0,12}+\\*["']? | (?:\s[\w-]{1,20}=["'][^"'<>]{0,40}["']){0,3}\s | \s{0,3}\{[^{}]{0,160}?\s)
    (?:value|Value|VALUE|default) \\*["']? \s{0,3} [:=] \s{0,3}
    """
    + _VALUE,
    re.VERBOSE,
)
"""A name that is itself a value, and what stands beside it as `value` or `default`."""
_PAIR_WORDS = (b"value", b"default")
_PAIR_REACH = 240
_BACKWARDS = re.compile(r"(?P<name>[\w.-]{0,40}+)(?P<words>(?: [A-Za-z]{1,16}+){0,2})")
_NEXT_PARAMETER = re.compile(r"&(?:[\w.-]+=|quot|apos|[lg]t;|amp;|#)|%26")
_REPLACED = "[redacted:"


def find_assignments(text: str, lower: bytes, names: Sequence[int]) -> Iterator[Span]:
    """Values under names that mean a secret.

    Args:
        text: to look in.
        lower: the text in lower case, one byte a character.
        names: where `stems` finds names.
    """
    past, inside, tries = 0, 0, 0
    for position in names:
        tries = tries + 1 if position < inside else 0
        if position < past or tries > _NESTED:
            continue
        match = _pair(text, lower, position) or _ASSIGNMENT.match(text, position)
        if match is not None:
            span = _assigned(text, position, match)
            past, inside = match.end("rest"), max(inside, match.end() if match["bare"] else 0)
            if span is not None:
                past = span.end
                yield span


def _pair(text: str, lower: bytes, position: int) -> re.Match[str] | None:
    near = any(lower.find(word, position, position + _PAIR_REACH) >= 0 for word in _PAIR_WORDS)
    return _PAIR.match(text, position) if near else None


def stems(text: str, lower: bytes) -> list[int]:
    """Where a name that can mean a secret has its telling letters, in order."""
    found = {position for stem in STEMS if stem in lower for position in positions(lower, stem)}
    if not text.isascii():
        found.update(start + len(stem) for stem in FOREIGN_STEMS for start in positions(text, stem))
    return sorted(found)


def _assigned(text: str, position: int, match: re.Match[str]) -> Span | None:
    group = match.lastgroup or "bare"
    start, end = match.span(group)
    start, end = (start, _bare_end(text, start, end)) if group == "bare" else _inner(text, start, end)
    if end - start < _SHORTEST_VALUE or text.startswith(_REPLACED, start):
        return None
    bar = _bar(text, position, match)
    if bar is None or not holds_secret(text[start:end], bar, quoted=group != "bare"):
        return None
    return Span(start, end, bar.kind, _missing_quote(text[start:end], match))


def _inner(text: str, start: int, end: int) -> tuple[int, int]:
    """The value without a second pair of quotes, as in `'"value"'`."""
    doubled = end - start > 1 and text[start] in "\"'" and text[start] == text[end - 1]
    return (start + 1, end - 1) if doubled else (start, end)


def _missing_quote(value: str, match: re.Match[str]) -> str:
    """The quote that a number under a quoted name needs once it is text, so that JSON stays JSON."""
    close = (match.re is _ASSIGNMENT and match["close"]) or ""
    return close if value.isdigit() and close.endswith('"') and match["bare"] else ""


def _bare_end(text: str, start: int, end: int) -> int:
    """A bare value ends before the next parameter of a query and before closing punctuation."""
    parameter = _NEXT_PARAMETER.search(text, start, end)
    end = parameter.start() if parameter else end
    while end > start and text[end - 1] in ".,;:!?)]}|*":
        end -= 1
    return end


def name_at(text: str, position: int, end: int) -> tuple[str, list[str]]:
    """The name that a stem at `position` belongs to and that ends at `end`, and the words before it."""
    backwards = _BACKWARDS.match(text[max(0, position - _NAME_REACH) : position][::-1])
    head, words = (backwards["name"][::-1], backwards["words"][::-1].split()) if backwards else ("", [])
    return head + text[position:end], words


def _bar(text: str, position: int, match: re.Match[str]) -> Bar | None:
    """The bar that the name sets, raised where the syntax alone doesn't say that the value belongs to it."""
    identifier, words = name_at(text, position, match.end("rest"))
    if text.endswith(_REPLACED, 0, match.end("rest") - len(identifier)):
        return None
    before = words if identifier.lower() == "pass" else filter(qualifies, words)
    bar = bar_of(" ".join([*before, identifier.removeprefix("-D")]))
    if bar is None or match.re is _PAIR:
        return bar
    if match["comma"] or match["call"]:
        return bar if match["bare"] is None and (match["close"] or match["call"]) else None
    if match["blank"] is None or identifier.startswith("-") or words[-1:] == ["setenv"]:
        return bar
    sure = bar is Bar.PASSWORD or words[-1:] == ["private"]
    return bar if sure and identifier.lower() != "pass" else Bar.RANDOM

"""Things that people name by a number: order 4411, PR #142, room 214; and how calls name the same thing.

A number alone is no name: 4411 may be an order, an amount or a year. What it is called makes it one. People
say it before the number, a tool's call in the key under which the number stands, or in the tool's own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_NAME = re.compile(
    r"(?P<noun>[^\W\d_]+(?: [^\W\d_]+)??)(?:[ :]+(?:number|no|nr|id)\.?)?(?:[ :]+#?| *#)(?P<number>\d+)"
)
_LONG_FORMS = {
    "pr": ("pull request", "pull", "merge request"),
    "pull request": ("pull", "pr", "merge request"),
    "mr": ("merge request", "pull request"),
    "merge request": ("mr", "pull request", "pull"),
    "po": ("purchase order",),
}
_FILLERS = ("id", "number", "no", "nr")
_SAYS_NOTHING = frozenset(
    {"id", "identifier", "number", "no", "nr", "num", "ref", "reference", "key", "name", "value"}
)
_PLAIN = re.compile(r"#?\d{1,30}")


def forms_of(name: str) -> Iterator[str]:
    """Other ways to write a name that is a noun with its number; none for other names.

    >>> list(forms_of("PR #142"))[:4]
    ['pr 142', 'prs 142', 'pr id 142', 'pr number 142']
    >>> list(forms_of("web-7"))
    []
    """
    match = _NAME.fullmatch(name.lower())
    if match is None:
        return
    noun, number = _singular(match["noun"]), match["number"]
    for called in (noun, *_LONG_FORMS.get(noun, ())):
        yield f"{called} {number}"
        yield f"{called}s {number}"
        yield from (f"{called} {filler} {number}" for filler in _FILLERS)


def _singular(noun: str) -> str:
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def number_of(name: str) -> str | None:
    """The number in a name that is a noun with its number.

    >>> number_of("order no. 4411"), number_of("room:214"), number_of("web-7")
    ('4411', '214', None)
    """
    match = _NAME.fullmatch(name.lower())
    return match["number"] if match else None


def called(value: object, key: Sequence[str], tool: Sequence[str]) -> Iterator[str]:
    """What a number in a call's arguments is called: by its key, or by the tool where the key says nothing.

    >>> list(called(4411, ("order", "id"), ("refund", "payment")))
    ['order 4411']
    >>> list(called("#142", ("number",), ("merge", "pull", "request")))
    ['merge 142', 'pull 142', 'request 142', 'merge pull 142', 'pull request 142']
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        return
    number = str(value).strip()
    if _PLAIN.fullmatch(number) is None:
        return
    own = [word for word in key if word not in _SAYS_NOTHING]
    nouns = own or list(tool)
    for length in (1, 2):
        for at in range(len(nouns) - length + 1):
            yield f"{' '.join(nouns[at : at + length])} {number.lstrip('#')}"

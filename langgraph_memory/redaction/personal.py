"""Personal data that rules can tell: mail addresses, telephone and card numbers, accounts, birth dates.

Names of people and street addresses are not among them: no rule finds them reliably, and names are how memory
knows its entities. An IP address is an entity as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, NamedTuple

from pydantic import JsonValue

from langgraph_memory.errors import PersonalDataError
from langgraph_memory.redaction.redactor import Redacted
from langgraph_memory.redaction.spans import Span, cleaned
from langgraph_memory.redaction.strings import rewritten


class PersonalKind(StrEnum):
    """A class of personal data."""

    EMAIL = "email"
    PAYMENT_CARD = "payment-card"
    IBAN = "iban"
    US_SSN = "us-ssn"
    PHONE = "phone"
    BIRTH_DATE = "birth-date"


Handling = Literal["keep", "redact", "refuse"]
"""What becomes of personal data of a class: kept, replaced, or a reason not to take the record at all."""

EVERY_KIND = frozenset(PersonalKind)

STRICTLY_PERSONAL = frozenset(EVERY_KIND - {PersonalKind.EMAIL, PersonalKind.PHONE})
"""The classes by which someone can be harmed at once: numbers of accounts and of persons, dates of birth."""


class PersonalSpan(NamedTuple):
    """Personal data at `text[start:end]`."""

    kind: PersonalKind
    start: int
    end: int


def find_personal(text: str, kinds: Collection[PersonalKind] = EVERY_KIND) -> list[PersonalSpan]:
    """The personal data of a text in order, none overlapping; where two classes fit, the stricter one.

    >>> [(span.kind.value, span.start) for span in find_personal("ana@example.org or +44 7700 900123.")]
    [('email', 0), ('phone', 19)]
    """
    found: list[PersonalSpan] = []
    for kind, find in _FINDERS.items():
        found += [
            span
            for span in (PersonalSpan(kind, start, end) for start, end in find(text))
            if all(span.end <= other.start or other.end <= span.start for other in found)
        ]
    return sorted((span for span in found if span.kind in kinds), key=lambda span: span.start)


@dataclass(frozen=True)
class PersonalRules:
    """What becomes of each class of personal data; a `Redactor` for the classes to redact.

    >>> rules = PersonalRules({PersonalKind.EMAIL: "redact", PersonalKind.US_SSN: "refuse"})
    >>> rules({"contact": "ana@example.org"}).value
    {'contact': '[redacted:email]'}
    >>> rules.refused({"note": "SSN 536-22-8741"})
    (<PersonalKind.US_SSN: 'us-ssn'>,)

    Args:
        handling: by class; what is not named is kept.
    """

    handling: Mapping[PersonalKind, Handling] = field(default_factory=dict)

    def __call__(self, value: JsonValue, /) -> Redacted:
        """The value without the classes to redact, and which of them it held."""
        kinds = self._kinds("redact")
        found: set[str] = set()

        def rewrite(key: str, text: str) -> str:
            return cleaned(text, lambda current: [_span(span) for span in _under(key, current, kinds)], found)

        return Redacted(rewritten(value, rewrite) if kinds else value, tuple(sorted(found)))

    def refused(self, value: JsonValue) -> tuple[PersonalKind, ...]:
        """The classes in the value for which it must be refused; empty when it may be taken."""
        kinds = self._kinds("refuse")
        found: set[PersonalKind] = set()

        def look(key: str, text: str) -> str:
            found.update(span.kind for span in _under(key, text, kinds))
            return text

        if kinds:
            rewritten(value, look)
        return tuple(sorted(found))

    def without_refusals(self) -> PersonalRules:
        """The rules for what can't be refused any more: redact what is to be refused as well."""
        chosen = self.handling.items()
        return PersonalRules({kind: "keep" if how == "keep" else "redact" for kind, how in chosen})

    def admit(self, value: JsonValue) -> None:
        """Take the value, or refuse it.

        Raises:
            PersonalDataError: it holds a class of personal data to refuse.
        """
        if kinds := self.refused(value):
            named = ", ".join(kind.value for kind in kinds)
            raise PersonalDataError(
                f"this holds personal data ({named}) that Policy.personal refuses: leave it out"
            )

    def _kinds(self, handling: Handling) -> frozenset[PersonalKind]:
        return frozenset(kind for kind, chosen in self.handling.items() if chosen == handling)


def _span(span: PersonalSpan) -> Span:
    return Span(span.start, span.end, span.kind.value)


def _under(key: str, text: str, kinds: Collection[PersonalKind]) -> list[PersonalSpan]:
    """Personal data in a string under a key, which may say what it is (`{"dob": "1990-04-05"}`)."""
    lead = f"{key}: " if key else ""
    spans = find_personal(lead + text, kinds)
    return [
        PersonalSpan(span.kind, span.start - len(lead), span.end - len(lead))
        for span in spans
        if span.start >= len(lead)
    ]


_EMAIL = re.compile(
    r"(?<![\w.+-])[\w.%+-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}(?![\w-])"
)


def _emails(text: str) -> Iterator[tuple[int, int]]:
    if "@" in text:
        yield from (match.span() for match in _EMAIL.finditer(text))


_DIGIT_GROUPS = re.compile(r"(?<![\w.+/#$-])\d(?:[ -]?\d){11,18}(?![\w/-]|\.\d)")
_CARD_BEGINNINGS = re.compile(
    r"4|5[0-8]|6(?:011|[2-7])|3[0-9]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720|131|014|149)|1800|9792|8[1-9]|60|81"
)
_CARD_GROUPS = {(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3), (4, 4, 4), (4, 4, 5)}


def _payment_cards(text: str) -> Iterator[tuple[int, int]]:
    for match in _DIGIT_GROUPS.finditer(text):
        groups = re.split(r"[ -]", match.group())
        digits = "".join(groups)
        grouped = len(groups) == 1 or tuple(map(len, groups)) in _CARD_GROUPS
        if grouped and _CARD_BEGINNINGS.match(digits) and _passes_luhn(digits):
            yield match.span()


def _passes_luhn(digits: str) -> bool:
    doubled = [sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2]]
    return (sum(doubled) + sum(map(int, digits[-1::-2]))) % 10 == 0


_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])")
_SHORTEST_IBAN = 15


def _ibans(text: str) -> Iterator[tuple[int, int]]:
    for match in _IBAN.finditer(text):
        account = match.group().replace(" ", "")
        if (
            len(account) >= _SHORTEST_IBAN
            and int("".join(str(int(c, 36)) for c in account[4:] + account[:4])) % 97 == 1
        ):
            yield match.span()


_SSN = re.compile(
    r"(?<![\w.+/#-])(?!000|666|9\d\d)\d{3}(?P<gap>[- ])(?!00)\d{2}(?P=gap)(?!0000)\d{4}(?![\w/-]|\.\d)"
)


def _social_security_numbers(text: str) -> Iterator[tuple[int, int]]:
    yield from (match.span() for match in _SSN.finditer(text))


_NUMBER = re.compile(r"(?<![\w.+/#:$€£-])(?:\+|\(\+?)?\d(?:[ \t().\-/]{0,3}\d){5,14}(?![\w@%]|[.,:/-]\d)")
_SURELY_PHONE = re.compile(
    r"\+\(?\d"  # with a country code
    r"|00[1-9]\d{0,2}[ .\-/]\d"
    r"|(?:001-|1[ .-])?\(?[2-9]\d\d\)?[ .-]?\d{3}[.-]\d{4}$"  # North American plan
    r"|\(?0\d{1,5}\)?[ ./-]\d{2,}"  # with a trunk prefix
    r"|0\d[. ]\d\d[. ]\d\d[. ]\d\d[. ]\d\d$"
)
_PHONE_CUE = re.compile(
    r"(?i)\b(?:phone|telephone|tel|mobile|cell|cellphone|fax|whatsapp|landline|handynummer|handy|telefon|t[ée]l[ée]phone"
    r"|tel[ée]fono|call|text|sms|dial|ring|reach(?:able)?)(?:[ _-]?(?:number|no|nr|num))?\b[^\d\n]{0,24}\Z"
)
_CUE_BEHIND = re.compile(r"(?i)[ \t(,\-]{1,3}(?:office|mobile|cell|fax|home|work|tel)\b")
_DATE_LIKE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|(?:19|20)\d\d[ -]+(?:19|20)\d\d$"
)
_DIGITS_OF_PHONE = range(7, 16)
_LONG_NUMBER = 9
"""A shorter number is one of a telephone only behind a word that says so."""
_CUE_REACH = 48


def _phones(text: str) -> Iterator[tuple[int, int]]:
    for match in _NUMBER.finditer(text):
        number = match.group()
        count = sum(map(str.isdigit, number))
        if count not in _DIGITS_OF_PHONE or number.count("(") > 1 or _DATE_LIKE.match(number):
            continue
        sure = (count >= _LONG_NUMBER or number.startswith("+")) and _SURELY_PHONE.match(number)
        if sure or _is_called_phone(text, *match.span()):
            yield match.span()


def _is_called_phone(text: str, start: int, end: int) -> bool:
    """Whether a word before or behind says that the number is one of a telephone."""
    return bool(_PHONE_CUE.search(text, max(0, start - _CUE_REACH), start) or _CUE_BEHIND.match(text, end))


_BIRTH = re.compile(
    r"(?i)\b(?:d\.?o\.?b\.?|date[ _-]of[ _-]birth|birth[ _-]?(?:date|day)|born)\b[^\d\n]{0,24}?"
    r"(?P<date>\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
    r"|\d{1,2}(?:st|nd|rd|th|\.)?(?: of)? [A-Z][a-z]{2,8},? \d{4})"
    r"|(?i:\b(?:date of birth|birthday|born)\b)[^\d\n]{0,16}?"
    r"(?P<worded>\b[A-Z][a-z]{2,8}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})"
)


def _birth_dates(text: str) -> Iterator[tuple[int, int]]:
    for match in _BIRTH.finditer(text):
        yield match.span("date" if match["date"] else "worded")


_FINDERS = {
    PersonalKind.EMAIL: _emails,
    PersonalKind.IBAN: _ibans,
    PersonalKind.PAYMENT_CARD: _payment_cards,
    PersonalKind.US_SSN: _social_security_numbers,
    PersonalKind.BIRTH_DATE: _birth_dates,
    PersonalKind.PHONE: _phones,
}
"""In order of strictness: what a checksum confirms is not taken for a telephone number."""

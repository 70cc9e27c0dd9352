"""Personal data by class, and what policy makes of it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.redaction import Redacted
from langgraph_memory.redaction.personal import PersonalKind, PersonalRules, find_personal


def found(text):
    return [(span.kind, text[span.start : span.end]) for span in find_personal(text)]


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (PersonalKind.EMAIL, "Write to ana.lopez+shop@mail.example.org.", "ana.lopez+shop@mail.example.org"),
        (PersonalKind.PAYMENT_CARD, "card 4111 1111 1111 1111, thanks", "4111 1111 1111 1111"),
        (PersonalKind.PAYMENT_CARD, "amex 378282246310005", "378282246310005"),
        (PersonalKind.IBAN, "to DE89 3704 0044 0532 0130 00 please", "DE89 3704 0044 0532 0130 00"),
        (PersonalKind.IBAN, "GB82WEST12345698765432", "GB82WEST12345698765432"),
        (PersonalKind.US_SSN, "SSN 536-22-8741", "536-22-8741"),
        (PersonalKind.PHONE, "call +44 7700 900123 today", "+44 7700 900123"),
        (PersonalKind.PHONE, "reach me at (212) 555-0147", "(212) 555-0147"),
        (PersonalKind.PHONE, "01.84.17.61.18", "01.84.17.61.18"),
        (PersonalKind.PHONE, "my phone number is 450 0840", "450 0840"),
        (PersonalKind.PHONE, "9472 7916 (mobile)", "9472 7916"),
        (PersonalKind.BIRTH_DATE, "date of birth: 1990-04-05", "1990-04-05"),
        (PersonalKind.BIRTH_DATE, "She was born on March 3, 1961 in Lisbon", "March 3, 1961"),
        (PersonalKind.BIRTH_DATE, '"dob": "1990-04-05"', "1990-04-05"),
    ],
)
def test_each_class_is_found(kind, text, value):
    assert found(text) == [(kind, value)]


@pytest.mark.parametrize(
    "text",
    [
        "credit_card_4421486, order #W1234567, flight HAT069, reservation NO6JO3",
        "4111 1111 1111 1112",
        "DE89 3704 0044 0532 0130 01",
        "536-00-8741 and 900-22-8741",
        "from 2024-05-20 to 2024-05-27 at 18:30, 2019-2020",
        "203.0.113.17:8443 and version 10.2.33.4",
        "ISSN 0261-3077, ISBN 978-3-16-148410-0, timestamp 1715692800000",
        "area = sqrt(20(20-8)(20-15)(20-17))",
        "call me at 9 or text 12 people",
        "user@localhost and @ana",
        "the release of 1990-04-05",
        "$1,234,567.00 for 1234567 units",
    ],
)
def test_ids_dates_and_numbers_are_not_personal(text):
    assert found(text) == []


def test_only_the_classes_asked_for():
    text = "ana@example.org, +44 7700 900123"
    assert [span.kind for span in find_personal(text, {PersonalKind.PHONE})] == [PersonalKind.PHONE]


def test_by_default_everything_is_kept():
    value = {"email": "ana@example.org"}
    assert PersonalRules()(value) == Redacted(value, ())
    assert PersonalRules().refused(value) == ()


def test_what_is_to_be_redacted_is_and_the_rest_stays():
    rules = PersonalRules({PersonalKind.EMAIL: "redact", PersonalKind.PHONE: "keep"})
    value = {"contact": ["ana@example.org", "+44 7700 900123"]}
    assert rules(value) == Redacted({"contact": ["[redacted:email]", "+44 7700 900123"]}, ("email",))


def test_the_key_may_say_what_the_value_is():
    rules = PersonalRules({PersonalKind.BIRTH_DATE: "redact", PersonalKind.PHONE: "redact"})
    assert rules(
        {"dob": "1990-04-05", "day": "1990-04-05", "phone": "450 0840", "code": "450 0840"}
    ).value == {
        "dob": "[redacted:birth-date]",
        "day": "1990-04-05",
        "phone": "[redacted:phone]",
        "code": "450 0840",
    }


def test_what_is_to_be_refused_is_told_but_not_changed():
    rules = PersonalRules({PersonalKind.US_SSN: "refuse"})
    value = {"note": "SSN 536-22-8741"}
    assert rules.refused(value) == (PersonalKind.US_SSN,)
    assert rules(value) == Redacted(value, ())
    assert rules.refused({"note": "SSN pending"}) == ()


personal = st.lists(
    st.sampled_from(
        [
            "ana@example.org",
            "+44 7700 900123",
            "4111111111111111",
            "536-22-8741",
            "born ",
            "1990-04-05",
            " ",
            "1",
            "-",
        ]
    ),
    max_size=8,
).map("".join)


@given(personal)
def test_spans_are_in_order_and_apart(text):
    spans = find_personal(text)
    assert all(first.end <= second.start for first, second in pairwise(spans))
    assert all(0 <= span.start < span.end <= len(text) for span in spans)


@given(personal)
def test_redacting_all_classes_twice_changes_nothing_more(text):
    rules = PersonalRules(dict.fromkeys(PersonalKind, "redact"))
    once = rules(text)
    assert rules(once.value) == Redacted(once.value, ())

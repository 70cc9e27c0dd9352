"""JSON values: what is walked, what stays, and the laws that hold for all of them."""

import json
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import ANY, HEX, HUMAN_MADE, MACHINE_MADE, NAMED, letters, private_key

from langgraph_memory.redaction import Redacted, chain, redact, redact_text


def test_strings_at_any_depth_and_keys():
    secret = NAMED["github-token"]
    value = {"a": [{"b": f"see {secret}"}], secret: 1}
    assert redact(value) == Redacted(
        {"a": [{"b": "see [redacted:github-token]"}], "[redacted:github-token]": 1}, ("github-token",)
    )


def test_two_keys_that_are_secrets_stay_two():
    value = {NAMED["github-token"]: 1, "ghp_" + letters(ANY, 36): 2}
    result = redact(value).value
    assert isinstance(result, dict)
    assert sorted(result.values()) == [1, 2]


@pytest.mark.parametrize("name", ["password", "api_key", "clientSecret", "Authorization"])
def test_a_value_under_a_name_of_a_secret(name):
    for value in MACHINE_MADE:
        result = redact({"user": "ana", name: value})
        assert result.kinds in {("password",), ("secret",)}
        assert result.value == {"user": "ana", name: f"[redacted:{result.kinds[0]}]"}


def test_a_name_covers_lists_and_wrapped_values():
    first, second = MACHINE_MADE[:2]
    assert redact({"tokens": [first, second]}).value == {"tokens": ["[redacted:secret]"] * 2}
    assert redact({"token": {"value": first, "id": second}}).value == {
        "token": {"value": "[redacted:secret]", "id": second}
    }


def test_a_name_beside_a_value():
    assert redact({"name": "DB_PASSWORD", "value": HUMAN_MADE[0]}).value == {
        "name": "DB_PASSWORD",
        "value": "[redacted:password]",
    }
    assert redact({"name": "CITY", "value": HUMAN_MADE[0]}).kinds == ()


def test_an_option_before_a_value():
    assert redact(["login", "--password", HUMAN_MADE[0]]).value == [
        "login",
        "--password",
        "[redacted:password]",
    ]
    assert redact(["login", "--user", HUMAN_MADE[0]]).kinds == ()


def test_a_word_alone_under_a_password_is_one_in_data_but_not_in_prose():
    assert redact({"password": "sunshine"}).value == {"password": "[redacted:password]"}
    for value in ("required", "string", "at least 12 characters", "https://example.org/reset", "short"):
        assert redact({"password": value}).kinds == ()
    assert redact({"note": "password: sunshine"}).kinds == ()


def test_numbers_under_a_password_only():
    assert redact({"password": 94817263, "order": 94817263, "count": True}).value == {
        "password": "[redacted:password]",
        "order": 94817263,
        "count": True,
    }


def test_a_key_in_lines():
    lines = private_key().splitlines()
    result = redact({"lines": lines}).value
    assert result == {"lines": [lines[0], *["[redacted:private-key]"] * (len(lines) - 2), lines[-1]]}


def test_private_members_of_a_web_key():
    secret = letters(ANY, 80)
    assert redact({"kty": "RSA", "n": secret, "d": secret}).value == {
        "kty": "RSA",
        "n": secret,
        "d": "[redacted:secret]",
    }


def test_entities_stay():
    value = {
        "user_id": "mia_li_3668",
        "payment_id": "credit_card_4421486",
        "reservation": "NO6JO3",
        "instance": "i-09a8f00112233445566",
        "order": "#W1234567",
        "address": "203.0.113.17",
        "sha": letters(HEX, 40),
        "tool_call_id": "call_" + letters(ANY, 24),
        "usage": {"total_tokens": 812, "prompt_tokens": 12},
        "next_token": letters(ANY, 32),
    }
    assert redact(value) == Redacted(value, ())


def test_chained_redactors_run_in_order_and_tell_all_kinds():
    def no_cities(value):
        text = value.replace("Lisbon", "[redacted:city]")
        return Redacted(text, ("city",) if text != value else ())

    both = chain(redact, no_cities)
    assert both(f"Lisbon {NAMED['jwt']}") == Redacted("[redacted:city] [redacted:jwt]", ("city", "jwt"))
    assert chain()("x") == Redacted("x", ())


FRAGMENTS = [
    *(
        "password",
        "api_key",
        "token",
        "secret",
        "Authorization: ",
        "Bearer ",
        "Basic ",
        "curl -u ",
        "://",
        "user:",
    ),
    *(
        '"',
        "'",
        "\\",
        "\\n",
        ": ",
        "=",
        "=>",
        ", ",
        ",",
        "{",
        "}",
        "[",
        "]",
        "<",
        ">",
        "|",
        "`",
        " is ",
        "\n",
        " ",
    ),
    *(
        "@host",
        "value",
        "name",
        "1",
        "94817263",
        "null",
        "[redacted:secret]",
        "[redacted:",
        "-----BEGIN PRIVATE KEY",
    ),
    *("-----", "&", "sk-", "kind: Secret\ndata:\n  a: ", "Cookie: sid=", "密码", "\u0000", "\ud800"),
    *MACHINE_MADE,
    *HUMAN_MADE,
    *NAMED.values(),
]
texts = st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join)
names = st.sampled_from(
    ["password", "api_key", "note", "name", "value", "key", "tokens", "kty", "d", "--token"]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names | texts, inner, max_size=4),
    max_leaves=12,
)


@given(texts)
def test_a_second_call_changes_no_text(text):
    once, _ = redact_text(text)
    assert redact_text(once) == (once, ())


def test_a_password_beside_a_private_key_is_one_too():
    key = "-----BEGIN RSA PRIVATE KEY-----\nPKBL5eRji0lSvt2s8ubnuWG3wEqYWS4N\n-----END RSA PRIVATE KEY-----"
    assert redact({"password": f"hunter2_aff6d4fd93643c{key}"}).value == {"password": "[redacted:password]"}
    assert redact({"password": f"see\n{key}"}).value == {"password": "see\n[redacted:private-key]"}


@given(values)
def test_a_second_call_changes_no_value(value):
    once = redact(value)
    assert redact(once.value) == Redacted(once.value, ())


@given(values)
def test_nothing_found_means_nothing_changed(value):
    result = redact(value)
    assert bool(result.kinds) is (result.value != value)


@given(values)
def test_json_in_a_text_stays_json(value):
    for separators in ((", ", ": "), (",", ":")):
        assert json.loads(redact_text(json.dumps(value, separators=separators))[0]) is not ...
    assert json.loads(json.dumps(redact(value).value)) == redact(value).value


@given(texts)
def test_a_text_grows_by_no_more_than_its_markers(text):
    redacted, _ = redact_text(text)
    new = redacted.count("[redacted:") - text.count("[redacted:")
    assert len(redacted) <= len(text) + max(new, 0) * 40


@given(st.sampled_from(sorted(NAMED)), st.text(string.ascii_letters + " .,\n", max_size=30))
def test_no_named_secret_survives_whatever_surrounds_it(kind, around):
    text, _ = redact_text(f"{around} {NAMED[kind]} {around}")
    assert NAMED[kind] not in text


@pytest.mark.parametrize(
    "unit",
    [
        "key = ",
        "token=token=",
        "a1B2_",
        "a.",
        "-----BEGIN PRIVATE KEY-----",
        'password="',
        "https://a:",
        " -u a:b",
        'token=\\"',
        "eyJhbGciOiJIUzI1NiJ9.",
        "sk-ant-",
        "(((((",
        "((0 ",
        '"name": "token", ',
        "kind: Secret\ndata:\n",
        "cookie: a=",
        "mysql -",
    ],
)
def test_time_is_linear_on_hostile_texts(unit):
    """Ten times the text takes some ten times the time; a quadratic rule would take a hundred."""
    short, long = unit * (4_000 // len(unit)), unit * (40_000 // len(unit))
    assert seconds(long) < 30 * max(seconds(short), 0.001)


def seconds(text):
    timings = []
    for _ in range(3):
        start = time.process_time()
        redact_text(text)
        timings.append(time.process_time() - start)
    return min(timings)

"""JSON that other readers would change is refused with the reason."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory import strict_json

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(json_values)
def test_what_json_writes_is_read_back(value):
    assert strict_json.loads(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": NaN}', "NaN is not JSON"),
        ("[-Infinity]", "-Infinity is not JSON"),
        ("[1e999]", "beyond a float"),
        ('{"a": 1, "b": {"x": 1, "x": 2}}', "the key 'x' stands twice"),
        ("[" * 150 + "]" * 150, "nested deeper"),
        ("[" * 100_000, "nested deeper"),
        ('{"a": 1', "Expecting"),
        ('"\x00"', "control character"),
    ],
)
def test_what_is_refused_says_why(text, reason):
    with pytest.raises(ValueError, match=reason):
        strict_json.loads(text)


def test_half_of_a_surrogate_pair_is_replaced_and_a_whole_one_is_a_character():
    assert strict_json.loads(r'{"a\ud800": ["\udc00b", "\ud83d\ude00"]}') == {"a\ufffd": ["\ufffdb", "😀"]}


def test_nesting_up_to_the_limit_is_read():
    text = "[" * strict_json.MAX_DEPTH + "]" * strict_json.MAX_DEPTH
    assert json.dumps(strict_json.loads(text)) == text

"""Whether an output is a result or the report of a failure."""

import pytest

from langgraph_memory.outputs import failure_text, parsed, reports_failure


@pytest.mark.parametrize(
    "output",
    [
        "Error: user not found",
        "error: no such file",
        "  Error",
        "ValueError: bad date",
        "requests.exceptions.HTTPError: 404",
        "Error executing tool stop_instance",
        "Error 404",
        "HTTP error 500: bad gateway",
        "Tool error: timeout",
        "Traceback (most recent call last):\n  File ...",
        "❌ Error: denied",
        {"error": "no seats"},
        {"error": {"code": 5}},
        {"errors": [{"message": "no field x"}]},
        {"success": False, "id": "x1"},
        {"ok": False},
        {"isError": True, "content": []},
        {"status": "error", "message": "down"},
        {"exit_code": 1, "stdout": ""},
        {"status_code": 503},
    ],
)
def test_failures(output):
    assert reports_failure(output)


@pytest.mark.parametrize(
    "output",
    [
        "",
        "ok",
        "Error rate is 0.2 %",
        "Error budget left: 99 %",
        "Errors were fixed",
        "No error: all good",
        "Failed logins: 3",
        {"error": None, "id": "x1"},
        {"error": ""},
        {"error": 0.02},
        {"errors": []},
        {"errors": 3},
        {"data": {"id": 1}, "errors": [{"message": "partial"}]},
        {"success": True},
        {"status": "failed", "job": "j-1"},
        {"status": "error"},
        {"exit_code": 0},
        {"status_code": 200},
        {"ok": None},
        ["Error"],
        None,
        0,
        False,
    ],
)
def test_results(output):
    assert not reports_failure(output)


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("Error: no seats", "Error: no seats"),
        ({"error": "no seats"}, "no seats"),
        ({"error": {"message": "no seats", "code": 5}}, "no seats"),
        ({"errors": [{"message": "é"}]}, '[{"message": "é"}]'),
        ({"success": False}, '{"success": false}'),
    ],
)
def test_what_went_wrong(output, text):
    assert failure_text(output) == text


@pytest.mark.parametrize(
    ("output", "value"),
    [
        (' {"a": [1]} ', {"a": [1]}),
        ("[]", []),
        ("42", "42"),
        ('"quoted"', '"quoted"'),
        ("{broken", "{broken"),
        ('{"a": NaN}', '{"a": NaN}'),
        ("[1e999]", "[1e999]"),
        ({"a": 1}, {"a": 1}),
        (None, None),
    ],
)
def test_json_is_read_where_it_is_json(output, value):
    assert parsed(output) == value

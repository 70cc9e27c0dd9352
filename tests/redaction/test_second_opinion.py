"""A detector of others behind our own rules."""

import sys

import pytest
from made_up import NAMED

from langgraph_memory.errors import ConfigurationError
from langgraph_memory.redaction import Redacted, chain, redact
from langgraph_memory.redaction.second_opinion import SecondOpinion, detect_secrets


def door_codes(line):
    return [("Door Code!", word) for word in line.split() if word.isdigit()] + [("Empty", "")]


def test_finds_are_replaced_line_by_line_and_named_after_the_detectors_kind():
    assert SecondOpinion(door_codes)({"a": ["code 4711\nno code", "4711 4711"], "n": 4711}) == Redacted(
        {
            "a": ["code [redacted:door-code]\nno code", "[redacted:door-code] [redacted:door-code]"],
            "n": 4711,
        },
        ("door-code",),
    )


def test_what_was_replaced_before_is_left_alone():
    def everything(line):
        return [("any", word) for word in ("redacted", "jwt", "4711") if word in line]

    both = chain(redact, SecondOpinion(everything))
    once = both(f"{NAMED['jwt']} 4711")
    assert once == Redacted("[redacted:jwt] [redacted:any]", ("any", "jwt"))
    assert both(once.value) == Redacted(once.value, ())


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "detect_secrets.core.plugins.util", None)
    with pytest.raises(ConfigurationError, match="pip install"):
        SecondOpinion(detect_secrets)("anything")


def test_detect_secrets_is_asked_for_named_kinds_and_key_names():
    pytest.importorskip("detect_secrets")
    token = NAMED["aws-access-key"]
    assert SecondOpinion(detect_secrets)(f"use {token}").value == "use [redacted:aws-access-key]"
    digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    assert SecondOpinion(detect_secrets)(f'"{digest}" at 203.0.113.17').kinds == ()

"""A protected thing that a call means without writing its name out: a person is asked, and only then."""

import base64
import codecs
import json
import math

import pytest
from acceptance.world import DAN, GPU, STAGING, constrain, use

OTHER = "web-77"


def encoded(name):
    plain = base64.b64encode(name.encode()).decode()
    return {
        "base64": {"id": plain},
        "base64 for addresses": {"id": base64.urlsafe_b64encode(name.encode()).decode().rstrip("=")},
        "base64 twice": {"id": base64.b64encode(plain.encode()).decode()},
        "base64 of JSON": {"payload": base64.b64encode(json.dumps({"id": name}).encode()).decode()},
        "base64 in JSON": {"payload": json.dumps({"x": plain})},
        "base64 as bytes": {"id": plain.encode()},
        "base32": {"id": base64.b32encode(name.encode()).decode()},
        "hexadecimal": {"id": name.encode().hex()},
        "hexadecimal in pairs": {"id": name.encode().hex(" ")},
        "wide bytes": {"id": name.encode("utf-16")},
        "character codes": {"id": [ord(c) for c in name]},
        "a key of None": {None: name},
        "numbers as keys": {1: {2: name}},
        "beside no number": {"x": math.nan, "id": name},
        "a list": [name],
        "a text": name,
    }


def meant(name):
    first, _, number = name.rpartition("-")
    return {
        "two arguments": {"prefix": first, "number": number},
        "two arguments, turned round": {"number": number, "force": True, "zone": "eu", "base": f"{first}-"},
        "a number": {"base": first, "n": int(number)},
        "three arguments": {"a": name[:3], "b": name[3:5], "c": name[5:]},
        "pieces in a list": {"parts": [first, number]},
        "pieces in JSON": {"payload": json.dumps({"base": first, "number": number})},
        "pieces in a key": {"m": {(first, number): 1}},
        "letters in a list": {"id": list(name)},
        "code": {"note": f"'{name[:4]}' + '{name[4:]}'"},
        "spaces": {"id": " ".join(name)},
        "control characters": {"id": "\0".join(name)},
        "blank patterns": {"id": "\u2800".join(name)},
        "lookalikes": {"id": name.replace("e", "\u0435").replace("-", "\u2011")},
        "a letter for a digit": {"id": name.replace("0", "O").replace("7", "\uff17").replace("w", "\u051d")},
        "accents": {"id": name.replace("e", "\u00e9")},
        "struck out": {"id": "\u0336".join(name)},
        "beginning of an expression": {"match": f"^{name[:3]}"},
        "end of an expression": {"match": f"{name[-3:]}$"},
        "choice": {"match": f"{name[:3]}(-x|{name[3:]})"},
        "digits": {"match": f"{first}-\\d+"},
        "anything": {"match": f"{name[:3]}.+"},
        "slashes": {"match": f"/^{name[:3]}.+/i"},
        "expression that takes for ever": {"match": f"({name[0]}+)+$"} if name == GPU else {"match": "^web"},
        "prefix": {"name_prefix": first},
        "suffix": {"name_suffix": name[-4:]},
        "part": {"filter": {"name": {"contains": name[1:5]}}},
        "operator": {"field": "host", "op": "starts_with", "value": name[:4]},
        "function": {"filter": f"startswith(name,'{name[:4]}')"},
        "row": {"ids": f"{first}-00..{first}-99"},
        "row in words": {"ids": f"{first}-00 to {first}-99"},
        "short row": {"ids": f"{first}-00..99"},
        "backwards": {"id": name[::-1]},
        "backwards in a command": {"run": f"echo {name[::-1]} | rev"},
        "half an alphabet on": {"id": codecs.encode(name.upper(), "rot13")},
        "first and last": {"from": f"{first}-00", "to": f"{first}-99"},
    }


def outcome(memory, args, action="stop_instance"):
    return memory.check(action, args, principal=DAN, scope=STAGING).outcome


@pytest.mark.parametrize("way", sorted(encoded(GPU)))
def test_an_encoded_name_is_the_name(memory, way):
    constrain(memory)
    assert outcome(memory, encoded(GPU)[way]) == "block"
    assert outcome(memory, encoded(OTHER)[way]) == "allow"


@pytest.mark.parametrize("way", sorted(meant(GPU)))
def test_what_a_call_may_mean_is_asked_about(memory, way):
    assert outcome(memory, meant(GPU)[way]) == "allow"
    constrain(memory)
    assert outcome(memory, meant(GPU)[way]) == "defer"
    assert outcome(memory, meant(OTHER)[way]) == "allow"
    assert outcome(memory, meant(GPU)[way], "restart_instance") == "allow"


@pytest.mark.parametrize(
    "action", ["stop_gpu_bench_01", "gpu-bench-01.stop", "stopGpuBench01", "mcp__gpu-bench-01__halt"]
)
def test_a_tool_may_have_the_name_of_what_it_acts_on(memory, action):
    constrain(memory)
    assert outcome(memory, {}, action) == "defer"
    assert outcome(memory, {}, action.replace("01", "02")) == "allow"
    assert outcome(memory, {}, "restart_gpu_bench_01") == "allow"
    assert outcome(memory, {"number": "01"}, "stop_gpu_bench") == "block"


def test_other_names_of_a_thing_are_meant_as_well(memory):
    use(memory, "list", {}, {"instances": [{"id": "i-09a8f", "name": GPU}]}, activity="act-list")
    constrain(memory, entity="i-09a8f")
    assert outcome(memory, {"match": "^gpu"}) == "defer"
    assert outcome(memory, {"prefix": "i-09"}) == "defer"
    assert outcome(memory, {"match": "^web"}) == "allow"


def test_the_message_says_that_it_is_a_guess_and_on_what(memory):
    constrain(memory)
    told = memory.check("stop_instance", {"match": "^gpu"}, principal=DAN, scope=STAGING)
    assert "it may concern what is protected" in told.message
    assert told.facts[0].value in told.message
    named = memory.check("stop_instance", {"name": GPU}, principal=DAN, scope=STAGING)
    assert "may concern" not in named.message


@pytest.mark.parametrize(
    "args",
    [
        {"first": "gpu", "last": "bench"},
        {"text": "gpu bench results: 01"},
        {"note": "(do not) stop it? [ok] * 100% yes|no"},
        {"from": "gpu-bench-02", "to": "gpu-bench-09"},
        {"ids": ["gpu-bench-00", "gpu-bench-02"]},
        {"name": "gpu-bench-0l-old", "next": "gpu-bench-011"},
        {"name_prefix": "gpu-bench-02"},
        {"match": "web-[0-9]+"},
        {"size": 1, "gpu": True, "zone": "bench"},
        {"id": f"{GPU[::-1]}-old", "next": "20-hcneb-upg"},
    ],
    ids=str,
)
def test_what_means_something_else_stays_free(memory, args):
    constrain(memory)
    assert outcome(memory, {"target": OTHER, **args}) == "allow"
    assert outcome(memory, {"target": GPU, **args}) == "block"

"""However a constrained entity is written in arguments, the guard sees it; and it judges in bounded time."""

import array
import json
import time
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from acceptance.world import DAN, GPU, SANDBOX, STAGING, constrain, use
from pydantic import BaseModel

OTHER = "web-77"


class Target(BaseModel):
    host: str


@dataclass
class Selector:
    names: list


class Plain:
    def __init__(self, name):
        self.name = name


def written(name):
    """The ways to write a name."""
    return {
        "json in a string": {"payload": json.dumps({"id": name})},
        "json twice": {"payload": json.dumps(json.dumps({"id": name}))},
        "json with escaped letters": {
            "payload": '{"id": "' + "".join(f"\\u{ord(c):04x}" for c in name) + '"}'
        },
        "escaped twice": {"payload": json.dumps("".join(f"\\u{ord(c):04x}" for c in name))},
        "after a written tab": {"command": f"go\\t{name}\\nnow"},
        "percent": {"url": "https://cloud/" + "".join(f"%{ord(c):02X}" for c in name)},
        "percent twice": {"url": quote(quote(name.replace("-", "%2D"), safe=""), safe="")},
        "character references": {"text": name.replace("-", "&#45;")},
        "hexadecimal references": {"text": name.replace("-", "&#x2d;")},
        "annotation characters": {"name": "\ufff9".join(name)},
        "bytes": {"name": name.encode()},
        "memory view": {"name": memoryview(name.encode())},
        "array": {"name": array.array("B", name.encode())},
        "model": {"target": Target(host=name)},
        "dataclass": {"target": Selector([name])},
        "object": {"target": Plain(name)},
        "key": {name: True},
        "deep key": {"targets": {"all": {name: {"force": True}}}},
        "dict view": {"targets": {name: 1}.keys()},
        "first letter": {"name": f"{name[0]}*"},
        "class": {"name": f"{name[:-1]}[{name[-1]}]"},
        "question mark": {"name": f"{name[:-1]}?"},
        "ending": {"name": f"*{name[1:]}"},
        "in a list": {"names": [f"{name[:2]}*"]},
        "like": {"name": f"{name[0]}%"},
        "expression": {"name": f"{name[:2]}.*"},
    }


def outcome(memory, args, action="stop_instance"):
    return memory.check(action, args, principal=DAN, scope=STAGING).outcome


@pytest.mark.parametrize("way", sorted(written(GPU)))
def test_a_name_is_seen_however_it_is_written(memory, way):
    constrain(memory)
    assert outcome(memory, written(GPU)[way]) == "block"
    assert outcome(memory, written(OTHER)[way]) == "allow"


@pytest.mark.parametrize("everything", ["*", " * ", "**", ".*", "%"])
def test_what_means_everything_touches_everything(memory, everything):
    assert outcome(memory, {"name": everything}) == "allow"
    constrain(memory)
    assert outcome(memory, {"name": everything}) == "block"


@pytest.mark.parametrize("text", ["**bold** and *plain*", "is it ready?", "100%", "SELECT * FROM t"])
def test_marks_in_prose_are_no_patterns(memory, text):
    constrain(memory)
    assert outcome(memory, {"note": text}) == "allow"
    assert outcome(memory, {"note": f"{text} {GPU}"}) == "block"


def test_an_alias_that_is_the_name_of_a_parameter_blocks_nothing_else(memory):
    use(memory, "list", {}, {"instances": [{"id": "i-1", "name": "instance_id"}]}, activity="act-list")
    constrain(memory, entity="i-1")
    assert outcome(memory, {"instance_id": "i-2"}) == "allow"
    assert outcome(memory, {"targets": [{"instance_id": "i-2"}]}) == "allow"
    assert outcome(memory, {"instance_id": "i-1"}) == "block"
    assert outcome(memory, {"name": "instance_id"}) == "block"


def test_what_would_be_used_up_by_looking_is_held(memory):
    constrain(memory)
    assert outcome(memory, {"names": iter([GPU])}) == "defer"
    assert outcome(memory, {"names": [SANDBOX]}) == "allow"


@pytest.mark.parametrize(
    "args",
    [
        {"body": "lorem ipsum " * 900_000},
        {"body": "%25" * 3_000_000},
        {"body": ["x"] * 2_000_000},
        {"body": {str(n): n for n in range(400_000)}},
        {"body": "-".join(["gpu"] * 2_000_000)},
    ],
    ids=["text", "encoded", "list", "mapping", "names"],
)
def test_arguments_that_are_too_large_are_held_at_once_and_told_why(memory, args):
    constrain(memory)
    started = time.perf_counter()
    decision = memory.check("stop_instance", args, principal=DAN, scope=STAGING)
    assert time.perf_counter() - started < 5
    assert decision.outcome == "defer"
    assert "to be judged" in decision.message


def test_arguments_just_below_the_bound_are_judged_in_a_moment(memory):
    constrain(memory)
    for body in ("%25" * 60_000, "gpu-bench-" * 19_000, "\\u0067" * 30_000, "a*b?" * 40_000):
        started = time.perf_counter()
        assert outcome(memory, {"body": f"{body} {GPU}"}) == "block"
        assert time.perf_counter() - started < 5


@pytest.mark.parametrize("name", ["find_and_zap", "check_and_drain", "get_stop_instance", "list_then_evict"])
def test_a_name_that_goes_on_to_act_is_no_reading(memory, name):
    constrain(memory)
    assert outcome(memory, {"id": GPU}, name) in ("block", "defer")
    assert outcome(memory, {"id": OTHER}, name) == "allow"


@pytest.mark.parametrize(
    "name",
    ["get_terms_and_conditions", "list_instances", "search_and_list_hosts", "find_bus_stops", "get_stop"],
)
def test_a_name_that_only_reads_stays_free(memory, name):
    constrain(memory)
    assert outcome(memory, {"id": GPU}, name) == "allow"


@pytest.mark.parametrize(
    ("action", "args", "expected"),
    [
        ("scale_service", {"replicas": 0}, "block"),
        ("scale_service", {"replicas": 3}, "allow"),
        ("update_group", {"desired_capacity": "0"}, "block"),
        ("update_group", {"desired_capacity": 2}, "allow"),
        ("modify", {"desired": "terminated"}, "block"),
        ("modify", {"desired": "running"}, "allow"),
        ("update_instance", {"spec": {"min_size": 0}}, "block"),
        ("update_instance", {"retries": 0}, "allow"),
    ],
)
def test_states_and_numbers_that_end_the_running_count(memory, action, args, expected):
    constrain(memory)
    assert outcome(memory, {"name": GPU, **args}, action) == expected

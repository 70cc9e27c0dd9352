"""Where the names of entities occur."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.entities import NameIndex, normalise, touches

NAME = "gpu-bench-01"

TOUCHED = [
    "gpu-bench-01",
    "GPU-Bench-01.",
    "gpu-bench-01's disk",
    "instances/gpu-bench-01",
    "https://cloud.example/v1/gpu-bench-01?force=1",
    "gpu-bench-00,gpu-bench-01",
    "host=gpu-bench-01;stop",
    "--name='gpu-bench-01'",
    '{"name": "gpu-bench-01"}',
    "root@gpu-bench-01:22",
    "gpu-bench-01.internal.example",
    "gpu_bench_01",
    "gpu bench 01",
    "gpu-bench\\\n-01",
    "gpu%2Dbench%2D01",
    "gpu\u2011bench\u201101",
    "\uff47\uff50\uff55-bench-01",
    "gpu-\u200bbench-\u200d01",
    "不要停止gpu-bench-01服务器",
    "gpu-bench-01을 중지",
    "gpu-bench-*",
    "stop gpu-b?nch-01 now",
    "gpu-bench-[0-9]*",
    "WHERE name LIKE 'gpu-bench%'",
    "gpu-bench-01-7d9f8c-x2k4z",
]

UNTOUCHED = [
    "",
    "gpu-bench-011",
    "gpu-bench-02",
    "gpu-bench",
    "xgpu-bench-01",
    "old-gpu-bench-01",
    "gpu-bench-01-old",
    "gpu-bench-01_backup",
    "bench-01",
    "gpu, or rather: bench ... 01",
    "gpu ----- bench ----- 01",
    "Which gpu? The **gpu** one, 100%.",
    "dev-*",
]


@pytest.mark.parametrize("text", TOUCHED)
def test_a_name_is_found_as_whole_tokens_in_any_spelling(text):
    assert touches([NAME], {"command": text})


@pytest.mark.parametrize("text", UNTOUCHED)
def test_another_name_is_not_it(text):
    assert not touches([NAME], {"command": text})


@pytest.mark.parametrize(
    "arguments",
    [
        NAME,
        [NAME],
        {"a": {"b": [{"c": ("x", NAME)}]}},
        {NAME: True},
        {"ids": {NAME}},
        {"raw": NAME.encode()},
    ],
)
def test_strings_are_looked_for_at_any_depth_and_in_keys(arguments):
    assert touches([NAME], arguments)


def test_a_structure_that_contains_itself_ends():
    loop = [NAME]
    loop.append(loop)
    assert touches([NAME], loop)


def test_numbers_count():
    assert touches(["order:35436"], {"order_id": 35436})


@pytest.mark.parametrize(
    ("text", "touched"),
    [("i-09a8f", True), ("cloud-instance:i-09a8f", True), ("cloud-instance", False), ("09a8f", False)],
)
def test_a_typed_id_is_found_by_its_id(text, touched):
    assert touches(["cloud-instance:i-09a8f"], text) is touched


def test_a_resource_name_is_found_by_its_last_part():
    assert touches(["arn:aws:ec2:us-east-1:123456789012:instance/i-09a8f"], "terminate i-09a8f")


class TestWeakNumbers:
    @pytest.mark.parametrize(
        "arguments", [{"pull_number": 7}, "7", "PR #7", "see #7", "merge pr 7", "pr:7", "pr/7"]
    )
    def test_alone_with_a_hash_or_with_its_kind(self, arguments):
        assert touches(["pr:7"], arguments)

    @pytest.mark.parametrize("arguments", ["in 7 days", "7-day plan", "issue 17", {"cpu": 0.7}])
    def test_not_as_any_number(self, arguments):
        assert not touches(["pr:7"], arguments)


class TestIndex:
    def test_all_names_of_an_entity_lead_to_it(self):
        index = NameIndex({NAME: "vm-1", "QA box": "vm-1", "vm-1": "vm-1"})
        assert all(index.find(text) == {"vm-1"} for text in ("use the QA box", NAME, "vm-1"))

    def test_an_ambiguous_name_gives_all_that_have_it(self):
        index = NameIndex([("web", "vm-1"), ("web", "vm-2"), ("db", "vm-3")])
        assert index.find({"host": "web"}) == {"vm-1", "vm-2"}
        assert index.find(["web", "db"]) == {"vm-1", "vm-2", "vm-3"}

    def test_a_shorter_name_inside_a_longer_one_is_found_only_as_a_whole(self):
        index = NameIndex({"payments": "a", "payments api": "b"})
        assert index.find_text("restart payments api") == {"a", "b"}
        assert index.find_text("restart payments-api") == {"b"}

    def test_an_empty_index_and_names_without_letters(self):
        assert NameIndex({}).find({"a": "b"}) == frozenset()
        assert NameIndex({"": "x", "--": "y", "\u200b": "z"}).find({"a": "-- b"}) == frozenset()


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Straße", "strasse"),
        ("ﬁle", "file"),
        ("İ", "i̇"),
        ("a\u00adb", "ab"),
        ("A–B", "a-b"),
        ("\uff21\uff22\uff11", "ab1"),
    ],
)
def test_one_spelling(text, plain):
    assert normalise(text) == plain


@given(st.text())
def test_normalising_twice_is_normalising_once(text):
    assert normalise(normalise(text)) == normalise(text)


tokens = st.text(alphabet="abcxyz019", min_size=1, max_size=6)
names = st.lists(tokens, min_size=1, max_size=4).map("-".join).filter(lambda name: not name.isdecimal())


@given(names, st.sampled_from(["{}", "x {} y", "({})", "a/{}/b", "id={}", "«{}»", "日本{}語"]))
def test_every_name_is_found_where_it_stands(name, place):
    assert touches([name], {"deep": [place.format(name)]})


@given(names, tokens)
def test_a_name_that_goes_on_in_its_last_token_is_another(name, more):
    assert not touches([name], f"{name}{more}") or name in (f"{name}{more}").split("-")


@given(names)
def test_compatible_forms_are_the_same_name(name):
    wide = "".join(chr(ord(c) + 0xFEE0) if c.isalnum() else c for c in name)
    assert unicodedata.normalize("NFKC", wide) == name
    assert touches([name], wide.upper())


@given(
    st.recursive(
        st.none() | st.booleans() | st.text() | st.floats() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_arguments_can_be_looked_through(arguments):
    assert NameIndex({"gpu-bench-01": "vm", "7": "seven"}).find(arguments) <= {"vm", "seven"}

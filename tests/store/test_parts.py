"""The parts of the store as algebra: what holds for every input."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from langgraph.store.base import MatchCondition

from langgraph_memory.store import HybridStore, filters, namespaces, values
from langgraph_memory.store.arrays import Growing, product
from langgraph_memory.store.namespaces import Territory
from langgraph_memory.store.ranking import page, ranked
from langgraph_memory.store.texts import Fields
from langgraph_memory.testing.store_conformance import HashEmbeddings

LABEL = st.text(
    st.characters(exclude_characters=".\x00", exclude_categories=("Cs",)), min_size=1, max_size=5
) | st.sampled_from(["a", "b", "a-", "a/", "langgraph_memory", "*"])
NAMESPACE = st.lists(LABEL, min_size=1, max_size=4).map(tuple)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
OBJECT = st.dictionaries(st.text(), JSON, max_size=4)


# Namespaces


@given(NAMESPACE)
def test_a_namespace_survives_its_encoding(namespace):
    assert namespaces.decode(namespaces.encode(namespace)) == namespace


@given(NAMESPACE, NAMESPACE)
def test_a_subtree_is_one_range(namespace, prefix):
    start, end = namespaces.subtree(namespaces.encode(prefix))
    encoded = namespaces.encode(namespace)
    assert (start <= encoded and (end is None or encoded < end)) == (namespace[: len(prefix)] == prefix)


@given(NAMESPACE)
def test_each_namespace_lies_in_one_territory(namespace):
    encoded = namespaces.encode(namespace)
    homes = [t for t in Territory if t.covers(encoded)]
    assert len(homes) == 1
    spans = homes[0].spans("")
    assert any(start <= encoded and (end is None or encoded < end) for start, end in spans)


@given(st.lists(NAMESPACE, max_size=8), NAMESPACE, st.integers(0, 4))
def test_cut_listings_are_prefixes(listed, prefix, depth):
    conditions = [MatchCondition("prefix", prefix)]
    found = namespaces.listed(map(namespaces.encode, set(listed)), conditions, depth, 100, 0)
    assert found == sorted(set(found))
    matching = [n for n in listed if namespaces.matches(n, conditions[0])]
    assert set(found) == {n[:depth] for n in matching}
    assert all(namespaces.encode(n).startswith(namespaces.literal_prefix(conditions)) for n in matching)


# Values and filters


@given(OBJECT)
def test_a_value_survives_its_encoding(value):
    assert values.decode(values.encode(value)) == value
    values.encode(value).encode()


@given(OBJECT)
def test_a_value_equals_itself_and_nothing_more(value):
    assert filters.matches(value, {key: {"$eq": part} for key, part in value.items()})
    for key, part in value.items():
        assert not filters.matches(value, {key: {"$ne": part}})


@given(JSON, JSON)
def test_equality_is_what_json_says(one, other):
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    if same:
        assert filters.equal(one, other)
    assert filters.equal(one, other) == filters.equal(other, one)


@given(st.integers() | st.floats(allow_nan=False), st.integers() | st.floats(allow_nan=False))
def test_orderings_of_numbers_are_exact(one, other):
    value = {"n": one}
    assume(all(abs(n) != float("inf") for n in (one, other)))
    assert filters.matches(value, {"n": {"$gt": other}}) == (one > other)
    assert filters.matches(value, {"n": {"$lte": other}}) == (one <= other)


@pytest.mark.parametrize(
    ("value", "condition", "met"),
    [
        ({"a.b": 1, "a": {"b": 2}}, {"a.b": 1}, True),
        ({"a": {"b.c": 1}}, {"a.b.c": 1}, True),
        ({"a": {"b": {"c": 1}}}, {"a.b.c": {"$gte": 1}}, True),
        ({"a": [1, 2]}, {"a": (1, 2)}, True),
        ({"a": [1, 2]}, {"a": [2, 1]}, False),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, True),
        ({"a": {"b": 1, "c": 2}}, {"a": {"$eq": {"b": 1}}}, False),
        ({}, {"a": None}, True),
        ({"a": 1}, {"a": {"$ne": None}}, True),
        ({"a": "x"}, {"a.b": None}, True),
        ({"a": True}, {"a": {"$gte": 0}}, False),
    ],
)
def test_filters_by_example(value, condition, met):
    assert filters.matches(value, condition) == met


@pytest.mark.parametrize("condition", [{"a": {"$gt": 1, "b": 2}}, {"a": {"b": {"$like": "x"}}}])
def test_filters_that_can_t_be_meant(condition):
    with pytest.raises(ValueError, match="filter"):
        filters.check(condition)


def test_a_filter_value_is_json():
    with pytest.raises(TypeError):
        filters.check({"a": {1, 2}})


# Texts


def test_words_of_an_object_are_its_leaves_and_keys():
    texts = Fields(["$"]).texts({"note": 'say "hi"\nplease', "list": [1, None, {"deep": True}]})
    assert texts.said == ['note: say "hi"\nplease\nlist: 1\ndeep: True']
    assert texts.meant == ['{"list": [1, null, {"deep": true}], "note": "say \\"hi\\"\\nplease"}']


def test_blank_texts_are_not_embedded():
    assert Fields(["a", "b"]).texts({"a": "  ", "b": ""}).meant == []


# Ranking and arrays


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0, float("nan")]), st.integers(0, 3)), max_size=200),
    st.integers(1, 50),
)
def test_ranking_sorts_completely_however_little_is_asked_for(rows, first):
    scores = np.array([score for score, _ in rows], float)
    updated = np.array([moment for _, moment in rows], np.int64)
    keys = np.nan_to_num(scores, nan=-1)
    wanted = sorted(range(len(rows)), key=lambda i: (-keys[i], -updated[i], -i))
    found = [rows.tolist() for rows in ranked(scores, updated, first)]
    assert [row for some in found for row in some] == wanted
    assert not found or found[0][:first] == wanted[:first]


@given(st.lists(st.booleans(), max_size=300), st.integers(0, 300), st.integers(0, 100))
def test_a_page_is_a_slice_of_what_is_accepted(good, offset, limit):
    accepted = [i for i, each in enumerate(good) if each]
    found = page(range(len(good)), lambda some: [good[i] for i in some], offset, limit)
    assert found == accepted[offset : offset + limit]


@given(st.lists(st.lists(st.integers(-100, 100), max_size=20), max_size=20))
def test_a_growing_array_is_a_list(chunks):
    array, wanted = Growing(np.int64), []
    for chunk in chunks:
        array.append(chunk)
        wanted += chunk
        assert array.values.tolist() == wanted
    chosen = np.array([n % 2 == 0 for n in wanted], bool)
    array.keep(chosen)
    assert array.values.tolist() == [n for n in wanted if n % 2 == 0]


def test_a_product_in_parts_is_the_product():
    rng = np.random.default_rng(1)
    matrix, vector = rng.random((2500, 8), np.float32), rng.random(8, np.float32)
    assert np.allclose(product(matrix, vector), matrix @ vector)


# A store over time against a plain dict, and its caches against none


class StoreOverTime(RuleBasedStateMachine):
    """Whatever is done in whatever order, a store that remembers finds what a fresh one finds."""

    keys = st.sampled_from("abcdef")
    spaces = st.sampled_from([("x",), ("x", "y"), ("z",)])
    words = st.lists(st.sampled_from(["red", "green", "blue", "gpu-7", "café"]), max_size=4).map(" ".join)

    @initialize()
    def open(self):
        self.store = HybridStore(
            ":memory:", index={"dims": 16, "embed": HashEmbeddings(16), "fields": ["text", "more[*]"]}
        )
        self.model = {}

    @rule(
        space=spaces,
        key=keys,
        text=words,
        more=st.lists(words, max_size=2),
        index=st.sampled_from([None, False]),
    )
    def put(self, space, key, text, more, index):
        self.model[space, key] = {"text": text, "more": more}
        self.store.put(space, key, {"text": text, "more": more}, index=index)

    @rule(space=spaces, key=keys)
    def delete(self, space, key):
        self.model.pop((space, key), None)
        self.store.delete(space, key)

    @rule(space=spaces)
    def delete_namespace(self, space):
        self.model = {name: v for name, v in self.model.items() if name[0][: len(space)] != space}
        self.store.delete_namespace(space)

    @rule(prefix=st.sampled_from([(), ("x",), ("z",)]), query=words)
    def search(self, prefix, query):
        found = self.store.search(prefix, query=query, limit=100)
        self.store._engine._scopes._partitions.clear()
        again = self.store.search(prefix, query=query, limit=100)
        assert [(i.namespace, i.key) for i in found] == [(i.namespace, i.key) for i in again]
        assert [i.score for i in found] == pytest.approx([i.score for i in again], abs=1e-6)

    @rule(prefix=st.sampled_from([(), ("x",)]), query=words)
    def look(self, prefix, query):
        """Leaves its scope in the cache, for the changes to come."""
        self.store.search(prefix, query=query)

    @invariant()
    def holds_what_was_put(self):
        if hasattr(self, "store"):
            found = {(i.namespace, i.key): i.value for i in self.store.search((), limit=100)}
            assert found == self.model

    def teardown(self):
        if hasattr(self, "store"):
            self.store.close()


TestStoreOverTime = StoreOverTime.TestCase
TestStoreOverTime.settings = settings(
    max_examples=25, stateful_step_count=25, suppress_health_check=list(HealthCheck)
)

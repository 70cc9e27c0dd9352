"""The word index against rank-bm25 itself, whatever was added, replaced and removed before."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Plus

from langgraph_memory.store import postings
from langgraph_memory.store.words import K1, SMALL, B, WordIndex

WORDS = st.sampled_from([f"w{i}" for i in range(12)])
ROWS = st.integers(0, 30)
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("add"), ROWS, st.lists(WORDS, max_size=8)),
        st.tuples(st.just("remove"), ROWS, st.just([])),
    ),
    min_size=1,
)
QUERY = st.lists(WORDS | st.just("nowhere"), max_size=6)


def oracle(rows, query, height):
    """rank-bm25's scores of these rows, 0 elsewhere."""
    scores = np.zeros(height)
    if any(rows.values()):
        numbers = sorted(rows)
        index = BM25Plus([rows[number] for number in numbers], k1=K1, b=B, delta=0)
        scores[numbers] = index.get_scores(query)
    return scores


def changed(changes, first=0, small=True):
    """An index after these changes, and what its rows should be."""
    index, rows = WordIndex(), {}
    if not small:
        index.add(SMALL, ["passing"])
        index.remove(SMALL)
    for change, row, tokens in changes:
        if change == "add":
            index.add(first + row, tokens)
            rows[first + row] = tokens
        else:
            index.remove(first + row)
            rows.pop(first + row, None)
    return index, rows


def assert_same(found, expected):
    np.testing.assert_allclose(found, expected[: len(found)], rtol=0, atol=1e-6)
    assert not expected[len(found) :].any()
    order = np.argsort(-found.round(9), kind="stable")
    assert (order == np.argsort(-expected[: len(found)].round(9), kind="stable")).all()


@given(CHANGES, QUERY)
def test_a_small_scope_scores_as_rank_bm25(changes, query):
    index, rows = changed(changes)
    assert_same(index.scores(query), oracle(rows, query, 31))


@given(CHANGES, QUERY, st.integers(1, 40))
def test_a_large_scope_scores_as_rank_bm25(changes, query, tail):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "TAIL", tail)
        index, rows = changed(changes, small=False)
        assert_same(index.scores(query), oracle(rows, query, SMALL + 1))


@settings(max_examples=8)
@given(st.integers(0, 2**32), st.sampled_from([SMALL - 1, SMALL, SMALL + 1, 3 * SMALL]))
def test_the_change_of_implementation_changes_no_score(seed, size):
    rng = random.Random(seed)

    def tokens():
        return [f"w{int(rng.paretovariate(0.5)) % 500}" for _ in range(rng.randrange(30))]

    changes = [("add", row, tokens()) for row in range(size)]
    for _ in range(200):
        row = rng.randrange(size)
        changes.append(rng.choice([("remove", row, []), ("add", row, tokens())]))
    index, rows = changed(changes)
    for _ in range(3):
        query = tokens()
        assert_same(index.scores(query), oracle(rows, query, size))


def test_removed_rows_leave_in_the_end():
    index = WordIndex()
    for row in range(3 * SMALL):
        index.add(row, [f"only-{row}", "all"])
    for row in range(2 * SMALL + 10):
        index.remove(row)
    assert not index.scores(["only-5"]).any()
    assert np.count_nonzero(index.scores(["all"])) == SMALL - 10


def test_replacing_rows_for_ever_takes_no_more_memory():
    index = WordIndex()
    sizes = []
    for turn in range(16):
        for row in range(SMALL + 200):
            index.add(row, [f"{turn}-{row}", f"{turn}-{row}-b", "all"])
        sizes.append(index.nbytes)
    assert max(sizes[8:]) <= max(sizes[:8])


def test_rows_without_tokens_count_as_documents():
    index = WordIndex()
    index.add(0, ["one"])
    alone = index.scores(["one"])[0]
    index.add(1, [])
    assert index.scores(["one"])[0] > alone
    assert index.scores(["one"])[1] == 0


@pytest.mark.parametrize("small", [True, False])
def test_an_empty_index_scores_nothing(small):
    index, _ = changed([], small=small)
    assert not index.scores(["word"]).any()
    index.remove(7)
    assert index.ceiling([]) == 0


@given(CHANGES, QUERY, st.booleans())
def test_no_row_passes_the_ceiling(changes, query, small):
    index, _ = changed(changes, small=small)
    assert index.scores(query).max(initial=0) <= index.ceiling(query) + 1e-9


def test_words_that_no_row_holds_raise_the_ceiling():
    index, _ = changed([("add", row, ["deploy"]) for row in range(9)])
    assert index.ceiling(["deploy", "nowhere"]) > index.ceiling(["deploy"])


def test_memory_follows_the_rows():
    index = WordIndex()
    empty = index.nbytes
    for row in range(100):
        index.add(row, [f"w{row}", "all"])
    full = index.nbytes
    for row in range(100):
        index.remove(row)
    assert empty < full
    assert index.nbytes < full / 2


def test_many_rows_answer_and_change():
    rng = random.Random(3)
    index = WordIndex()
    for row in range(30_000):
        index.add(row, [f"w{int(rng.paretovariate(0.6)) % 30_000}" for _ in range(12)] + [f"id-{row}"])
    index.add(500, ["moved", "id-500"])
    scores = index.scores(["id-27777", "moved"])
    assert {int(row) for row in np.flatnonzero(scores)} == {500, 27_777}
    assert index.nbytes < 20_000_000


@given(CHANGES, QUERY, st.booleans())
def test_scores_follow_every_change(changes, query, small):
    index, rows = changed([], small=small)
    for change in changes:
        _, after = changed([change])
        index.scores(query)
        if change[0] == "add":
            index.add(change[1], change[2])
            rows |= after
        else:
            index.remove(change[1])
            rows.pop(change[1], None)
        assert_same(index.scores(query), oracle(rows, query, SMALL + 1))

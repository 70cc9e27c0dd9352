"""How the two kinds of score come together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from langgraph_memory.store.fusion import centred, fuse
from langgraph_memory.store.tokens import query_tokens
from langgraph_memory.store.words import WordIndex

NAN = float("nan")
COSINES = st.floats(-1, 1) | st.just(NAN)
BM25 = st.floats(0, 50) | st.just(NAN)


def fused(words, vectors, query="deploy failed", ceiling=20.0):
    vectors = None if vectors is None else np.array(vectors)
    return fuse(query, query_tokens(query), np.array(words), vectors, ceiling=ceiling)


def best_first(scores):
    return np.argsort(-scores, kind="stable").tolist()


@given(st.lists(st.tuples(BM25, COSINES), min_size=1), st.floats(0, 100), st.booleans())
def test_scores_lie_between_0_and_1_and_rows_without_any_have_none(rows, ceiling, embedded):
    words, cosines = (np.array(column) for column in zip(*rows, strict=True))
    scores = fused(words, cosines if embedded else None, ceiling=ceiling)
    absent = np.isnan(words) & (np.isnan(cosines) if embedded else True)
    assert (np.isnan(scores) == absent).all()
    assert ((scores[~absent] >= 0) & (scores[~absent] <= 1)).all()


@given(st.lists(BM25, min_size=1))
def test_without_vectors_the_words_decide(words):
    given_words = np.array(words)
    assert best_first(np.nan_to_num(fused(given_words, None), nan=-1)) == best_first(
        np.nan_to_num(given_words / 100, nan=-1)
    )


def test_no_rows_no_scores():
    assert fused([], []).tolist() == []
    assert fused([], None).tolist() == []


def test_without_words_the_vectors_decide():
    assert best_first(fused([NAN, NAN, NAN], [0.1, 0.9, 0.4])) == [1, 2, 0]
    assert best_first(fused([0, 0, 0], [0.1, 0.9, 0.4])) == [1, 2, 0]


def test_vectors_lead_where_words_say_little():
    """A common word in one row, a near vector in another."""
    rng = np.random.default_rng(1)
    cosines = rng.normal(0.1, 0.1, 300)
    cosines[7], words = 0.6, np.zeros(300)
    words[20:200] = 0.5
    assert best_first(fused(words, cosines))[0] == 7


def test_words_lead_where_they_are_rare_and_met():
    rng = np.random.default_rng(1)
    cosines = rng.normal(0.1, 0.1, 300)
    cosines[7], words = 0.6, np.zeros(300)
    words[20] = 15.0
    assert best_first(fused(words, cosines))[0] == 20


def test_the_row_that_an_identifier_names_comes_first():
    texts = [[f"gpu-bench-{i:02d}", "gpu", "bench", f"{i:02d}", "kept"] for i in range(60)]
    texts += [["kernel", "upgrad", "restart", "night", "stage"]] * 3
    index = WordIndex()
    for row, tokens in enumerate(texts):
        index.add(row, tokens)
    query = "why did gpu-bench-07 restart last night after the kernel upgrade in staging"
    tokens = query_tokens(query)
    cosines = np.where(np.arange(63) >= 60, 0.9, 0.1)
    scores = fuse(query, tokens, index.scores(tokens), cosines, ceiling=index.ceiling(tokens))
    assert best_first(scores)[0] == 7


@given(arrays(np.float64, 40, elements=st.floats(-0.5, 0.5)), st.integers(0, 39), st.floats(0.01, 5))
def test_a_better_word_score_never_costs_a_place(cosines, row, more):
    words = np.linspace(0, 10, 40)
    before = fused(words, cosines)
    words[row] += more
    after = fused(words, cosines)
    assert (after > after[row]).sum() <= (before > before[row]).sum()


def test_models_with_narrow_and_wide_cosines_weigh_the_same():
    rng = np.random.default_rng(2)
    cosines, words = rng.normal(0, 0.1, 2_000), rng.gamma(1, 2, 2_000)
    wide, narrow = fused(words, cosines), fused(words, 0.8 + cosines / 4)
    assert len(set(best_first(wide)[:20]) & set(best_first(narrow)[:20])) >= 19


def test_a_row_without_a_vector_counts_as_average():
    cosines = [0.1, 0.2, 0.3, NAN, 0.5, 0.0]
    scores = fused([0.0] * 6, cosines)
    assert scores[2] < scores[4]
    assert scores[1] < scores[3] < scores[2]


def test_one_row_alone_is_judged_by_its_cosine():
    assert fused([0.0], [0.95], ceiling=2.0)[0] > 0.5 > fused([0.0], [0.05], ceiling=2.0)[0]


def test_a_list_of_the_nearest_alone_weighs_like_the_whole():
    """As from an index search: the rows that it didn't find have the cosine of the last one that it found."""
    rng = np.random.default_rng(3)
    cosines = rng.normal(0, 0.1, 20_000)
    words = np.where(rng.random(20_000) < 0.1, rng.gamma(3, 1, 20_000), 0)
    floor = np.sort(cosines)[-400]
    cut = np.maximum(cosines, floor)
    cut[-5:] = -0.1  # written since, and compared one by one
    found = np.flatnonzero(cut > floor)
    whole, nearest = fused(words, cosines)[found], fused(words, cut)[found]
    assert len(set(best_first(whole)[:50]) & set(best_first(nearest)[:50])) >= 47


def test_a_row_that_an_index_search_did_not_find_counts_as_average():
    cosines = np.full(1_000, 0.3)
    cosines[:50] = np.linspace(0.31, 0.6, 50)
    cosines[999] = 0.25  # known, though lower than those found
    scores = fused(np.zeros(1_000), cosines)
    assert scores[999] > scores[500]


def test_equal_cosines_leave_it_to_the_words():
    assert best_first(fused([1.0, 3.0, 2.0], [0.4, 0.4, 0.4])) == [1, 2, 0]


def test_centring_takes_off_what_rows_have_in_common():
    rows = np.array([[1, 1, 0], [1, 0, 1]], np.float32) / np.float32(2**0.5)
    query = np.array([0.9, 0.1, 0.3], np.float32) / np.linalg.norm([0.9, 0.1, 0.3]).astype(np.float32)
    turned = centred(query, rows.mean(axis=0), 1_000)
    assert turned.dtype == np.float32
    assert np.linalg.norm(turned) == pytest.approx(1)
    assert turned[0] < query[0]
    near, far = rows @ turned
    assert far - near > (rows @ query)[1] - (rows @ query)[0] > 0


def test_few_rows_change_a_query_little():
    query, mean = np.array([0.6, 0.8], np.float32), np.array([1, 0], np.float32)
    few, many = (float(centred(query, mean, rows) @ query) for rows in (1, 1_000))
    assert few > 0.99 > many


def test_a_query_that_says_nothing_stays_as_it_is():
    nothing, mean = np.zeros(2, np.float32), np.array([1, 0], np.float32)
    assert (centred(nothing, mean, 1_000) == nothing).all()
    assert (centred(nothing, nothing, 3) == nothing).all()

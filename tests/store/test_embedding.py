"""Vectors as the models give them, and what is made of them."""

import numpy as np
import pytest
from langgraph.store.base import PutOp

from langgraph_memory.errors import EmbeddingError
from langgraph_memory.store import HybridStore
from langgraph_memory.store.embedding import Embedder
from langgraph_memory.testing.store_conformance import HashEmbeddings

NS = ("docs",)


def embedder(*vectors):
    return Embedder.of(
        {"embed": lambda texts: [list(vector) for vector, _ in zip(vectors, texts, strict=True)]}
    )


@pytest.mark.parametrize(
    ("vector", "unit"),
    [
        ([3, 4], [0.6, 0.8]),
        ([0.6, 0.8], [0.6, 0.8]),
        ([0, 0], [0, 0]),
        ([3e37, 4e37], [0.6, 0.8]),
        ([3e-30, 4e-30], [0.6, 0.8]),
    ],
    ids=str,
)
def test_vectors_of_any_length_become_unit_vectors(vector, unit):
    found = embedder(vector, [1, 0]).documents(["a", "b"])
    np.testing.assert_allclose(found, [unit, [1, 0]], rtol=1e-6)
    assert found.dtype == np.float32


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")], ids=str)
def test_a_number_that_isn_t_finite_is_refused(number):
    with pytest.raises(EmbeddingError, match="finite"):
        embedder([number, 0]).documents(["a"])


def test_a_slow_model_s_vectors_are_looked_up_a_quick_one_s_made_again(tmp_path, monkeypatch):
    embed = HashEmbeddings()
    with HybridStore(tmp_path, index={"embed": embed, "dims": 64, "fields": ["text"]}) as store:
        store.batch([PutOp(NS, str(n), {"text": f"text {n}"}) for n in range(100)])
        for seconds, calls in ((0.0, 101), (1.0, 101), (0.0, 102)):
            monkeypatch.setattr(store._model._embedder, "_seconds", 100 * seconds)
            store.put(NS, "1", {"text": "text 1", "changed": seconds})
            assert len(embed.documents) == calls
        assert store.search(NS, query="text 1")[0].key == "1"

"""A sentence model through onnxruntime, from a folder."""

import hashlib

import numpy as np
import pytest

from langgraph_memory.errors import EmbeddingError
from langgraph_memory.store.embedding import Embedder, MiniLM

from . import tiny_onnx


@pytest.fixture
def folder(tmp_path):
    return tiny_onnx.write(tmp_path / "model")


def test_a_vector_is_the_mean_over_the_tokens_of_a_text(folder):
    vectors = MiniLM(folder).embed_documents(["red blue", "green", "red red red blue"])
    np.testing.assert_allclose(vectors, [[0.5, 0, 0.5], [0, 1, 0], [0.75, 0, 0.25]])


def test_padding_changes_nothing_and_order_is_kept(folder):
    texts = [" ".join(["red", "sky", "blue", "green"][: 1 + i % 4] * (1 + i % 7)) for i in range(100)]
    model = MiniLM(folder)
    np.testing.assert_allclose(
        model.embed_documents(texts), [model.embed_query(text) for text in texts], atol=1e-6
    )


def test_texts_are_cut_at_the_longest_that_the_model_knows(folder):
    assert MiniLM(folder, max_tokens=1).embed_query("red blue blue") == [1, 0, 0]


def test_it_is_an_embed_of_an_index(folder):
    embedder = Embedder.of({"embed": MiniLM(folder)})
    assert embedder.dims == 3
    np.testing.assert_allclose(embedder.query("red blue"), [0.5**0.5, 0, 0.5**0.5], atol=1e-6)
    assert embedder.documents(["", "sky"]).tolist()[0] == [0, 0, 0]


def test_the_layout_of_a_repository_is_known(folder):
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    assert MiniLM(folder).embed_query("green") == [0, 1, 0]


def test_the_digest_is_checked(folder):
    digest = hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest()
    assert MiniLM(folder, sha256=digest.upper()).embed_query("green") == [0, 1, 0]
    with pytest.raises(EmbeddingError, match=digest):
        MiniLM(folder, sha256="0" * 64)


def test_another_file_is_another_model(folder):
    before = Embedder.of({"embed": MiniLM(folder)}).name
    changed = (
        (folder / "model.onnx")
        .read_bytes()
        .replace(tiny_onnx.TABLE.tobytes(), (2 * tiny_onnx.TABLE).tobytes())
    )
    (folder / "model.onnx").write_bytes(changed)
    assert Embedder.of({"embed": MiniLM(folder)}).name != before


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(EmbeddingError, match=name):
        MiniLM(folder).embed_query("green")


def test_a_file_that_is_no_model_is_an_embedding_error(folder):
    (folder / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(EmbeddingError, match="MiniLM"):
        Embedder.of({"embed": MiniLM(folder)}).query("green")

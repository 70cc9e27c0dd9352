"""Every way in which an index may say how texts become vectors."""

import asyncio
import functools
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings
from langgraph.store.base.embed import ensure_embeddings

from langgraph_memory.errors import ConfigurationError, EmbeddingError
from langgraph_memory.store import local_models
from langgraph_memory.store.embedding import Embedder


def lengths(texts):
    """A plain function: vectors that tell the texts apart."""
    return [[len(text) + 1.0, 1.0, 0.0] for text in texts]


async def lengths_later(texts):
    await asyncio.sleep(0)
    return lengths(texts)


class Callable:
    async def __call__(self, texts):
        return await lengths_later(texts)


class Asymmetric(Embeddings):
    model = "asymmetric-1"

    def embed_documents(self, texts):
        return [[1.0, 0.0]] * len(texts)

    def embed_query(self, text):
        return [0.0, 2.0]


FUNCTIONS = [
    lengths,
    lengths_later,
    Callable(),
    functools.partial(lengths_later),
    lambda texts: lengths_later([*texts]),
    ensure_embeddings(lengths),
    ensure_embeddings(lengths_later),
]


@pytest.mark.parametrize("embed", FUNCTIONS)
def test_functions_plain_and_async_serve_a_synchronous_caller(embed):
    embedder = Embedder.of({"embed": embed, "dims": 3})
    assert embedder.documents(["a", "abcd"]).shape == (2, 3)
    np.testing.assert_allclose(embedder.query("ab"), np.array([3, 1, 0]) / 10**0.5, rtol=1e-6)


@pytest.mark.parametrize("embed", FUNCTIONS)
async def test_functions_serve_a_caller_inside_a_running_loop(embed):
    assert Embedder.of({"embed": embed}).documents(["a"]).shape == (1, 3)


def test_an_async_function_serves_many_threads_and_loops_at_once():
    embedder = Embedder.of({"embed": lengths_later})
    results = []

    def ask():
        async def twice():
            return [embedder.query("abc"), embedder.query("abc")]

        results.extend(asyncio.run(twice()))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 16
    assert all((vector == results[0]).all() for vector in results)


def test_an_async_client_keeps_its_loop():
    loops = set()

    async def embed(texts):
        loops.add(asyncio.get_running_loop())
        return lengths(texts)

    embedder = Embedder.of({"embed": embed})
    for _ in range(3):
        asyncio.run(asyncio.to_thread(embedder.query, "a"))
    assert len(loops) == 1


def test_queries_are_embedded_as_queries():
    embedder = Embedder.of({"embed": Asymmetric()})
    assert embedder.query("a").tolist() == [0, 1]
    assert embedder.documents(["a"]).tolist() == [[1, 0]]
    assert "asymmetric-1" in embedder.name


def test_dims_are_asked_for_where_the_index_does_not_say():
    assert Embedder.of({"embed": DeterministicFakeEmbedding(size=17)}).dims == 17
    assert Embedder.of({"embed": DeterministicFakeEmbedding(size=17)}).documents([]).shape == (0, 17)


def test_names_tell_models_apart():
    embeds = [None, lengths, lengths_later, Asymmetric(), DeterministicFakeEmbedding(size=3), Callable()]
    assert len({Embedder.of({"embed": embed}).name for embed in embeds}) == len(embeds)
    assert Embedder.of(None).name == Embedder.of({"fields": ["text"]}).name


def test_a_name_stays_when_the_code_moves():
    moved = type("Asymmetric", (Asymmetric,), {"__module__": "elsewhere"})
    assert Embedder.of({"embed": moved()}).name == Embedder.of({"embed": Asymmetric()}).name


# --- failures -----------------------------------------------------------------------------------------------


def failing(texts):
    raise TimeoutError("no answer")


@pytest.mark.parametrize(
    "embed",
    [
        failing,
        lambda texts: [[1.0, 2.0]],
        lambda texts: [[1.0], [1.0, 2.0]],
        lambda texts: [[float("nan"), 1.0]] * len(texts),
        lambda texts: [1.0] * len(texts),
        lambda texts: "vectors",
        lambda texts: None,
        lambda texts: [[]] * len(texts),
    ],
)
def test_whatever_a_model_does_wrong_is_an_embedding_error(embed):
    embedder = Embedder.of({"embed": embed, "dims": 2})
    with pytest.raises(EmbeddingError, match=r"failing|<lambda>"):
        embedder.documents(["a", "b"])


def test_the_error_of_the_model_is_the_cause():
    with pytest.raises(EmbeddingError, match="no answer") as caught:
        Embedder.of({"embed": failing}).query("a")
    assert isinstance(caught.value.__cause__, TimeoutError)


def test_an_interrupt_is_not_an_embedding_error():
    def interrupted(texts):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Embedder.of({"embed": interrupted}).query("a")


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


def test_other_dims_than_the_index_says_are_a_configuration_error():
    with pytest.raises(ConfigurationError, match="3 dimensions, but dims of the index is 4"):
        Embedder.of({"embed": lengths, "dims": 4}).query("a")


@pytest.mark.parametrize("dims", [0, -1, 2.5, "256", True])
def test_dims_have_to_be_a_number(dims):
    with pytest.raises(ConfigurationError, match="dims"):
        Embedder.of({"embed": lengths, "dims": dims})


def test_dims_that_the_bundled_model_lacks_are_refused():
    with pytest.raises(ConfigurationError, match="256"):
        Embedder.of({"dims": 1536})
    assert Embedder.of({"dims": 256}).dims == 256


def test_an_unknown_provider_is_an_embedding_error():
    with pytest.raises(EmbeddingError, match="nowhere:model"):
        Embedder.of({"embed": "nowhere:model", "dims": 3})


# --- the bundled model --------------------------------------------------------------------------------------


def test_near_texts_are_nearer_than_others():
    embedder = Embedder.of(None)
    server, cat = embedder.documents(["the database server crashed", "my cat sleeps on the sofa"])
    query = embedder.query("which machine is down?")
    assert query @ server > query @ cat


@given(st.lists(st.text(st.characters()), min_size=1, max_size=5))
def test_any_text_gives_a_unit_vector_that_its_neighbours_do_not_change(texts):
    embedder = Embedder.of(None)
    vectors = embedder.documents(texts)
    norms = np.linalg.norm(vectors, axis=1)
    assert (np.isclose(norms, 1, atol=1e-5) | (norms == 0)).all()
    assert all((vector == embedder.query(text)).all() for text, vector in zip(texts, vectors, strict=True))


def test_the_empty_text_is_the_zero_vector():
    assert not Embedder.of(None).query("").any()


def test_half_a_surrogate_pair_is_no_obstacle():
    assert Embedder.of(None).documents(["a \ud83d b"]).any()


def test_a_long_text_beside_short_ones_takes_little_memory():
    import tracemalloc  # noqa: PLC0415

    embedder = Embedder.of(None)
    embedder.query("warm")
    tracemalloc.start()
    embedder.documents(["a long text about servers " * 20_000, *["short"] * 63])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100_000_000


def test_a_missing_model_is_named_with_its_remedy(monkeypatch):
    import wordllama  # noqa: PLC0415

    def load(**_arguments):
        raise FileNotFoundError("l2_supercat_256.safetensors")

    monkeypatch.setattr(local_models, "_loaded", [])
    monkeypatch.setattr(wordllama.WordLlama, "load", load)
    with pytest.raises(EmbeddingError, match="pip install --force-reinstall wordllama"):
        Embedder.of(None).query("a")


def test_threads_load_it_once(monkeypatch):
    loads = []
    real = local_models._load_wordllama
    monkeypatch.setattr(local_models, "_loaded", [])
    monkeypatch.setattr(local_models, "_load_wordllama", lambda: loads.append(1) or real())
    threads = [threading.Thread(target=Embedder.of(None).query, args=("a",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert loads == [1]


def test_it_asks_no_network_and_leaves_logging_to_the_application():
    program = """
import logging, socket
def refuse(*_):
    raise AssertionError("network")
socket.socket.connect = refuse
from langgraph_memory.store.embedding import Embedder
Embedder.of(None).query("a")
assert logging.getLogger().handlers == [], logging.getLogger().handlers
assert logging.getLogger().level == logging.WARNING
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

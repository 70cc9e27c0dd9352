"""`langgraph-memory bench store`: the same calls against each store, in one run."""

import json

import pytest
from typer.testing import CliRunner

from langgraph_memory.bench.finding import CONVERSATIONS, QUESTIONS
from langgraph_memory.bench.storing import corpus_of, load, measure_store, ratios, table
from langgraph_memory.cli import app
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.store import HybridStore

WORDS = ["harbour", "regatta", "fee", "boat", "wind", "captain", "mast", "rope", "tide", "lamp"]


@pytest.fixture
def data(tmp_path):
    said = [f"{WORDS[n % 10]} number {n} left the {WORDS[n // 10]} at noon" for n in range(30)]
    chats = [
        {"conversation_id": name, "records": [{"id": str(n), "text": text} for n, text in part]}
        for name, part in (("one", list(enumerate(said))[:20]), ("two", list(enumerate(said))[18:]))
    ]
    (tmp_path / CONVERSATIONS).write_text("\n".join(map(json.dumps, chats)))
    asked = {"conversation_id": "one", "question": "Who left?", "evidence_ids": ["0"]}
    (tmp_path / QUESTIONS).write_text(json.dumps(asked))
    return tmp_path


def test_each_text_is_stored_once_with_a_vector_of_its_own(data):
    corpus = corpus_of(data, 100)
    assert len(corpus.texts) == len(set(corpus.texts)) == len(corpus.vectors) == 30
    assert {corpus.namespace(n) for n in range(30)} == {("bench", "one"), ("bench", "two")}
    assert len(corpus_of(data, 12).texts) == 12


def test_what_is_measured_is_in_the_store_and_found(data):
    corpus = corpus_of(data, 100)
    with HybridStore(":memory:", index=corpus.index) as store:
        assert load(store, corpus, 30) > 0
        assert store.get(corpus.namespace(3), "3").value == corpus.value(3)
        found = store.search(("bench",), query=corpus.query(0))
        assert found
        measured = measure_store(store, corpus, 5)
    assert min(measured.values()) > 0


def test_a_ratio_says_how_many_times_as_fast_a_store_is():
    found = {"HybridStore": {"put": 0.5, "load": 200.0}, "Chroma": {"put": 5.0, "load": 100.0}, "x": {}}
    rows = list(ratios(found))
    assert rows[2:] == ["| bulk load, items/s | 2.00 |  |", "| put, ms | 10.00 |  |"]
    assert list(table(found))[2] == "| bulk load, items/s | 200.00 | 100.00 |  |"


def test_the_console_prints_all_stores_and_keeps_the_numbers(data, tmp_path):
    kept = tmp_path / "out.json"
    given = ["--data", str(data), "--times", "10", "--json", str(kept)]
    done = CliRunner().invoke(app, ["bench", "store", *given])
    assert done.exit_code == 0, done.output
    assert "| | HybridStore | InMemoryStore | Chroma |" in done.output
    assert "| HybridStore is … times as fast as | InMemoryStore | Chroma |" in done.output
    numbers = json.loads(kept.read_text())
    assert {"put", "get", "scope p50", "all p50"} <= numbers["Chroma"].keys()
    assert numbers["HybridStore"]["put, NORMAL"] > 0


def test_a_folder_without_a_set_is_named(tmp_path):
    with pytest.raises(ConfigurationError, match="no set below"):
        corpus_of(tmp_path, 10)

"""`langgraph-memory bench retrieval`: sets of questions and their evidence, measured on any store."""

import json
from contextlib import nullcontext

import pytest
from langgraph.store.memory import InMemoryStore
from typer.testing import CliRunner

from langgraph_memory import HybridStore
from langgraph_memory.bench.finding import CONVERSATIONS, QUESTIONS, measure, sets_in, twins
from langgraph_memory.cli import app
from langgraph_memory.errors import ConfigurationError

from . import tiny_onnx

TEXTS = {"a": "the ledger service is slow", "b": "invoices are sent on Friday", "c": "Ana leads billing"}
ASKED = [
    {"question": "when are invoices sent?", "evidence_ids": ["b"]},
    {"question": "who leads billing?", "evidence_ids": ["c", "b"], "category": "people"},
    {"question": "who leads nothing?", "evidence_ids": ["a"], "category": "adversarial"},
    {"question": "what is unknown?", "evidence_ids": []},
]

STORES = ("HybridStore", "words alone", "vectors alone")


@pytest.fixture
def data(tmp_path):
    """A folder with one set in a folder of its own."""
    folder = tmp_path / "data" / "small"
    folder.mkdir(parents=True)
    records = [{"id": key, "text": text, "speaker": "Eva"} for key, text in TEXTS.items()]
    chat = {"conversation_id": "v1.0", "records": records}
    (folder / CONVERSATIONS).write_text(json.dumps(chat) + "\n")
    lines = [json.dumps({"conversation_id": "v1.0"} | question) for question in ASKED]
    (folder / QUESTIONS).write_text("\n".join(lines))
    return tmp_path / "data"


def test_a_set_is_read_with_what_can_be_found(data):
    for folder in (data, data / "small"):
        (evidence,) = sets_in(folder)
        assert (evidence.name, len(evidence.questions)) == ("small", 2)
        assert evidence.texts["v1-0"]["a"] == "Eva: the ledger service is slow"


def test_recall_and_rank_are_means_over_the_questions(data):
    (evidence,) = sets_in(data)
    found = measure(evidence, "words", lambda: HybridStore(":memory:", index=None))
    assert (found.questions, found.recall, found.mrr) == (2, {1: 0.75, 5: 1.0, 10: 1.0}, 1.0)
    lost = measure(evidence, "nothing", lambda: nullcontext(_Empty()))
    assert (lost.recall, lost.mrr) == ({1: 0.0, 5: 0.0, 10: 0.0}, 0.0)


class _Empty(InMemoryStore):
    def batch(self, ops):
        return [[] for _ in ops]


def test_names_that_differ_in_a_character_are_told_apart():
    found = measure(twins(), "HybridStore", lambda: HybridStore(":memory:", index={"fields": ["text"]}))
    assert found.recall[1] == 1.0


def test_the_command_prints_every_set_and_store(data, tmp_path):
    told, model = tmp_path / "found.json", tiny_onnx.write(tmp_path / "model")
    given = ["--data", str(data), "--json", str(told), "--minilm", str(model)]
    done = CliRunner().invoke(app, ["bench", "retrieval", *given])
    assert done.exit_code == 0, done.output
    rows = [line.split(" | ")[:3] for line in done.stdout.splitlines()[2:]]
    assert ["| small", "HybridStore", "2"] in rows
    assert {name for _, name, _ in rows} == {*STORES, "HybridStore, MiniLM", "vectors alone, MiniLM"}
    first = json.loads(told.read_text())[0]
    assert first["recall"]["5"] == 1.0


def test_a_folder_without_sets_and_lines_that_are_none_are_named(data, tmp_path):
    with pytest.raises(ConfigurationError, match=QUESTIONS):
        sets_in(tmp_path / "data" / "small" / "nothing")
    (data / "small" / QUESTIONS).write_text('{"question": "who?", "evidence_ids": ["a"]}\n')
    with pytest.raises(ConfigurationError, match=r"line 1 .* has no 'conversation_id'"):
        sets_in(data)
    (data / "small" / QUESTIONS).write_text("who?\n")
    with pytest.raises(ConfigurationError, match="no JSON"):
        sets_in(data)
    done = CliRunner().invoke(app, ["bench", "retrieval", "--data", str(data)])
    assert done.exit_code == 2

"""`langgraph-memory bench memory`: conversations told to a memory, and what its recalls bring back."""

import json

import pytest
from typer.testing import CliRunner

from langgraph_memory.bench.finding import CONVERSATIONS, QUESTIONS
from langgraph_memory.bench.remembering import remembered
from langgraph_memory.cli import app
from langgraph_memory.errors import ConfigurationError

TURNS = [
    ("ana", "The regatta starts in Lisbon on Friday.", 1),
    ("bo", "How many boats will there be?", 1),
    ("ana", "Forty, if the weather holds.", 1),
    ("bo", "The harbour fee is 900 euros.", 1),
    ("bo", "They raised the harbour fee to 1,200 euros.", 2),
]
ASKED = [
    {"question": "Where does the regatta start?", "evidence_ids": ["0"]},
    {"question": "How many boats will there be?", "evidence_ids": ["2"]},
    {
        "question": "How much is the harbour fee?",
        "evidence_ids": ["3", "4"],
        "evidence_groups": {"original_info": ["3"], "updated_info": ["4"]},
    },
    {"question": "Who is the mayor of Porto?", "evidence_ids": [], "category": "abstention"},
]


@pytest.fixture
def data(tmp_path):
    records = [
        {
            "id": str(n),
            "speaker": speaker,
            "text": text,
            "session": session,
            "timestamp": f"2026-03-0{session}",
        }
        for n, (speaker, text, session) in enumerate(TURNS)
    ]
    chat = {"conversation_id": "harbour", "records": records}
    (tmp_path / CONVERSATIONS).write_text(json.dumps(chat) + "\n")
    lines = [json.dumps({"conversation_id": "harbour"} | question) for question in ASKED]
    (tmp_path / QUESTIONS).write_text("\n".join(lines))
    return tmp_path


def test_evidence_updates_and_doubts_are_counted(data):
    (row,) = remembered(data)
    assert (row.questions, row.shown, row.single_turns) == (3, 1.0, 1.0)
    assert (row.updates, row.updated_first) == (1, 1.0)
    assert (row.doubted, row.doubted_rightly) == (0.0, 1.0)


def test_evidence_that_no_recall_brings_counts_as_missing(data):
    line = {"conversation_id": "harbour", "question": "Where does the regatta start?", "evidence_ids": ["x"]}
    (data / QUESTIONS).write_text(json.dumps(line))
    (row,) = remembered(data)
    assert (row.questions, row.shown, row.updated_first, row.doubted_rightly) == (1, 0.0, None, None)


def test_the_console_prints_the_table_and_keeps_the_numbers(data, tmp_path):
    kept = tmp_path / "out.json"
    done = CliRunner().invoke(app, ["bench", "memory", "--data", str(data), "--json", str(kept)])
    assert done.exit_code == 0, done.output
    assert "| 3 | 1.000 | 1.000 | 1.00 of 1 | 0.00 | 1.00 |" in done.output
    assert json.loads(kept.read_text())[0]["updated_first"] == 1.0


def test_a_folder_without_a_set_is_named(tmp_path):
    with pytest.raises(ConfigurationError, match="no set below"):
        remembered(tmp_path)

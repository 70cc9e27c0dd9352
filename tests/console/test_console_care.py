"""`doctor` and `rebuild`, and what the command says about itself."""

import re
import sqlite3

import pytest
from typer.testing import CliRunner

from langgraph_memory.cli import DISTRIBUTION, app
from langgraph_memory.store.hybrid import DATABASE_FILE

from .conftest import chat

COMMANDS = ("demo", "ingest", "recall", "facts", "episodes", "doctor", "rebuild")


def test_a_damaged_index_is_found_and_mended(ingest, chats, console, folder):
    assert ingest(chats(chat(1), chat(2))).exit_code == 0
    assert console("doctor", scope=None).stdout == "All is well.\n"
    with sqlite3.connect(folder / DATABASE_FILE) as database:
        database.execute("UPDATE store_index SET model = 0, vectors = x''")
    database.close()
    ill = console("doctor", scope=None)
    assert ill.exit_code == 1
    assert re.search(r"vectors: \d+ items were put", ill.stdout)
    assert "rebuild" in ill.stdout
    assert console("rebuild", scope=None).exit_code == 0
    assert console("doctor", scope=None).stdout == "All is well.\n"
    assert "ep_chat-2" in console("recall", "what about my order").stdout


@pytest.mark.parametrize("command", ["doctor", "rebuild"])
def test_there_is_nothing_to_care_for_in_a_folder_that_is_no_memory(console, folder, command):
    done = console(command, scope=None)
    assert done.exit_code == 2
    assert str(folder) in done.stderr
    assert not folder.exists()


def test_help_names_every_command():
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "120"}).stdout
    assert all(command in shown for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command):
    shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "120"})
    assert shown.exit_code == 0
    assert f"Example: langgraph-memory {command}" in shown.stdout
    assert "--path" in shown.stdout


def test_the_version_is_that_of_the_distribution():
    assert CliRunner().invoke(app, ["--version"]).stdout.startswith(f"{DISTRIBUTION} ")

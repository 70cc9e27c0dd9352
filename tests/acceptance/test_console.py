"""The console command as a person uses it."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from langgraph_memory import Memory, Scope, cli

from .recordings import POISON, messages_in, write_chats
from .world import EVERY_STATUS

AIRLINE = Scope.of(org="airline", workspace="desk")
COMMAND = Path(sys.executable).with_name("langgraph-memory")
PLAIN = {"NO_COLOR": "1", "COLUMNS": "200", "TERM": "dumb"}


@dataclass
class Done:
    """What one call of the command gave."""

    returncode: int
    stdout: str
    stderr: str

    @property
    def all(self):
        return self.stdout + self.stderr


def installed(folder, *arguments):
    """One call of the installed command, in a process of its own."""
    environment = {key: value for key, value in os.environ.items() if key != "OPENAI_API_KEY"} | PLAIN
    done = subprocess.run(
        [str(COMMAND), *map(str, arguments)],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def console(tmp_path, monkeypatch, capsys):
    """Calls the command in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for name, value in PLAIN.items():
        monkeypatch.setenv(name, value)

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["langgraph-memory", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as leave:
            cli.main()
        return Done(leave.value.code or 0, *capsys.readouterr())

    return call


@pytest.fixture
def ingest(console, tmp_path):
    return lambda chats: console("ingest", chats, "--scope", AIRLINE, "--path", tmp_path / "memory")


@pytest.fixture
def ingested(tmp_path, ingest):
    chats = write_chats(tmp_path / "chats.jsonl", conversations=3)
    done = ingest(chats)
    assert done.returncode == 0, done.all
    return tmp_path, chats, done


def remembered(folder):
    with Memory.open(folder / "memory") as memory:
        return {
            "events": sorted(event.event_id for event in memory.events(AIRLINE)),
            "episodes": sorted(episode.episode_id for episode in memory.episodes(AIRLINE)),
            "facts": sorted(fact.fact_id for fact in memory.facts(AIRLINE, status=EVERY_STATUS)),
        }


def test_the_installed_command_ingests_a_file(tmp_path):
    chats = write_chats(tmp_path / "chats.jsonl", conversations=1)
    done = installed(tmp_path, "ingest", chats, "--scope", AIRLINE)
    assert done.returncode == 0, done.all
    assert len(remembered(tmp_path)["episodes"]) == 1


def count(output, name):
    return int(re.search(rf"{name}\D*?(\d+)", output, re.IGNORECASE)[1])


def test_ingest_counts_what_it_read(ingested):
    folder, _, done = ingested
    held = remembered(folder)
    assert len(held["episodes"]) == 3
    assert len(held["events"]) >= messages_in(3) - 3
    assert count(done.stdout, "episodes") == 3
    assert count(done.stdout, "events") == len(held["events"])
    assert count(done.stdout, "failed") == 0
    for name in ("facts", "entities", "skipped"):
        assert re.search(rf"{name}", done.stdout, re.IGNORECASE)


def test_ingest_finds_the_entities_of_the_tools(ingested):
    folder, _, _ = ingested
    with Memory.open(folder / "memory") as memory:
        found = {entity for episode in memory.episodes(AIRLINE) for entity in episode.entities}
    for number in range(3):
        for entity in (f"BKG{4100 + number}", f"lena_park_{700 + number}"):
            assert any(entity in name for name in found), entity


def test_ingest_takes_no_orders_from_tools_and_assistants_and_no_error_for_a_fact(ingested):
    folder, chats, _ = ingested
    assert POISON in json.dumps(json.loads(chats.read_text().splitlines()[0]))
    with Memory.open(folder / "memory") as memory:
        assert memory.facts(AIRLINE) == []
        failed = [event for event in memory.events(AIRLINE) if event.event_type == "tool.failed"]
        completed = [event for event in memory.events(AIRLINE) if event.event_type == "tool.completed"]
    assert len(failed) == 3
    assert all("not found" in str(event.data["error"]) for event in failed)
    assert len(completed) == 6


def test_ingest_again_adds_nothing(ingested, ingest):
    folder, chats, _ = ingested
    before = remembered(folder)
    done = ingest(chats)
    assert done.returncode == 0, done.stderr
    assert remembered(folder) == before
    longer = write_chats(folder / "longer.jsonl", conversations=4)
    assert ingest(longer).returncode == 0
    after = remembered(folder)
    assert len(after["episodes"]) == len(before["episodes"]) + 1
    assert set(before["events"]) < set(after["events"])


@pytest.mark.parametrize(
    "line",
    [
        "{not json",
        '"a text"',
        "[]",
        '{"conversation_id": "x"}',
        '{"conversation_id": "x", "messages": [{"content": "no role"}]}',
    ],
)
def test_a_malformed_line_is_named_by_file_and_line_and_what_came_before_is_kept(tmp_path, ingest, line):
    chats = write_chats(tmp_path / "chats.jsonl", conversations=2)
    good = chats.read_text().splitlines()
    chats.write_text("\n".join([good[0], line, good[1]]) + "\n")
    done = ingest(chats)
    assert done.returncode != 0
    assert "chats.jsonl:2" in done.all
    assert "Traceback" not in done.all
    assert "ep_" in "".join(remembered(tmp_path)["episodes"])


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("ingest", "absent.jsonl", "--scope", "org=a"), "absent.jsonl"),
        (("facts", "--scope", "tenant=a"), "tenant"),
        (("facts", "--scope", "org=*"), r"org='\*'"),
        (("facts", "--scope", "acme"), "acme"),
        (("recall", "x", "--scope", ""), "scope"),
    ],
)
def test_wrong_arguments_are_named_without_a_traceback(console, tmp_path, arguments, named):
    done = console(*arguments, "--path", tmp_path / "memory")
    assert done.returncode != 0
    assert re.search(named, done.all)
    assert "Traceback" not in done.all


def test_a_folder_of_someone_else_is_refused(console, tmp_path):
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "thesis.txt").write_text("years of work")
    done = console("facts", "--scope", "org=a", "--path", tmp_path / "memory")
    assert done.returncode != 0
    assert "memory" in done.all
    assert "Traceback" not in done.all
    assert [path.name for path in (tmp_path / "memory").iterdir()] == ["thesis.txt"]


def test_recall_facts_and_episodes_show_what_an_agent_would_get(ingested, console):
    folder, _, _ = ingested
    where = ("--scope", str(AIRLINE), "--path", folder / "memory")
    recalled = console("recall", "moved to Sunday", "--entity", "BKG4101", *where)
    assert recalled.returncode == 0, recalled.stderr
    assert "BKG4101" in recalled.stdout
    episodes = console("episodes", *where)
    assert episodes.returncode == 0, episodes.stderr
    assert episodes.stdout.count("chat-") >= 3 or episodes.stdout.count("ep_") >= 3
    assert console("facts", *where).returncode == 0
    elsewhere = console("episodes", "--scope", "org=other", "--path", folder / "memory")
    assert elsewhere.returncode == 0
    assert "BKG4101" not in elsewhere.stdout


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    return installed(tmp_path_factory.mktemp("demo"), "demo")


def test_the_demo_runs_without_key_or_server(demo):
    assert demo.returncode == 0, demo.stderr
    assert "Traceback" not in demo.stderr


def test_only_the_full_configuration_neither_stops_nor_holds_wrongly(demo):
    rows = decisions(demo.stdout)
    assert len(rows) == 4
    right = [name for name, (stops, holds) in rows.items() if (stops, holds) == (0, 0)]
    assert len(right) == 1
    assert "full" in right[0].lower()


def test_the_demo_shows_what_was_recalled_and_why(demo):
    assert "gpu-bench-01" in demo.stdout
    assert re.search(r"recall", demo.stdout, re.IGNORECASE)
    assert "Kubernetes" in demo.stdout


def decisions(output):
    """Wrong stops and wrong holds by configuration, from the table at the end."""
    lines = output.splitlines()
    header = next(i for i, line in enumerate(lines) if re.search(r"(?i)wrong stops.*wrong holds", line))
    titles = [cell.strip().lower() for cell in re.split(r"[│┃|]", lines[header]) if cell.strip()]
    stops, holds = (next(i for i, title in enumerate(titles) if word in title) for word in ("stop", "hold"))
    rows = {}
    for line in lines[header + 1 :]:
        cells = [cell.strip() for cell in re.split(r"[│┃|]", line) if cell.strip()]
        if len(cells) == len(titles) and cells[stops].isdigit():
            rows[cells[0]] = (int(cells[stops]), int(cells[holds]))
    return rows

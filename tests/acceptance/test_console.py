"""The console command as a person uses it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from langgraph_memory import Memory, Scope

from .recordings import POISON, messages_in, write_chats
from .world import EVERY_STATUS

AIRLINE = Scope.of(org="airline", workspace="desk")
COMMAND = Path(sys.executable).with_name("langgraph-memory")


def console(folder, *arguments, timeout=120):
    """One call of the command in `folder`."""
    plain = {"NO_COLOR": "1", "COLUMNS": "200", "TERM": "dumb"}
    environment = {key: value for key, value in os.environ.items() if key != "OPENAI_API_KEY"} | plain
    return subprocess.run(  # noqa: S603 - the command under test
        [str(COMMAND), *map(str, arguments)],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=timeout, check=False,
    )  # fmt: skip


def ingest(folder, chats, *more):
    return console(folder, "ingest", chats, "--scope", str(AIRLINE), "--path", folder / "memory", *more)


@pytest.fixture
def ingested(tmp_path):
    chats = write_chats(tmp_path / "chats.jsonl", conversations=3)
    done = ingest(tmp_path, chats)
    assert done.returncode == 0, done.stderr
    return tmp_path, chats, done


def remembered(folder):
    with Memory.open(folder / "memory") as memory:
        return {
            "events": sorted(event.event_id for event in memory.events(AIRLINE)),
            "episodes": sorted(episode.episode_id for episode in memory.episodes(AIRLINE)),
            "facts": sorted(fact.fact_id for fact in memory.facts(AIRLINE, status=EVERY_STATUS)),
        }


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


def test_ingest_again_adds_nothing(ingested):
    folder, chats, _ = ingested
    before = remembered(folder)
    done = ingest(folder, chats)
    assert done.returncode == 0, done.stderr
    assert remembered(folder) == before
    longer = write_chats(folder / "longer.jsonl", conversations=4)
    assert ingest(folder, longer).returncode == 0
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
def test_a_malformed_line_is_named_by_file_and_line_and_what_came_before_is_kept(tmp_path, line):
    chats = write_chats(tmp_path / "chats.jsonl", conversations=2)
    good = chats.read_text().splitlines()
    chats.write_text("\n".join([good[0], line, good[1]]) + "\n")
    done = ingest(tmp_path, chats)
    assert done.returncode != 0
    assert "chats.jsonl:2" in done.stderr + done.stdout
    assert "Traceback" not in done.stderr
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
def test_wrong_arguments_are_named_without_a_traceback(tmp_path, arguments, named):
    done = console(tmp_path, *arguments, "--path", tmp_path / "memory")
    assert done.returncode != 0
    assert re.search(named, done.stderr + done.stdout)
    assert "Traceback" not in done.stderr


def test_a_folder_of_someone_else_is_refused(tmp_path):
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "thesis.txt").write_text("years of work")
    done = console(tmp_path, "facts", "--scope", "org=a", "--path", tmp_path / "memory")
    assert done.returncode != 0
    assert "memory" in done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    assert [path.name for path in (tmp_path / "memory").iterdir()] == ["thesis.txt"]


def test_recall_facts_and_episodes_show_what_an_agent_would_get(ingested):
    folder, _, _ = ingested
    where = ("--scope", str(AIRLINE), "--path", folder / "memory")
    recalled = console(folder, "recall", "moved to Sunday", "--entity", "BKG4101", *where)
    assert recalled.returncode == 0, recalled.stderr
    assert "BKG4101" in recalled.stdout
    episodes = console(folder, "episodes", *where)
    assert episodes.returncode == 0, episodes.stderr
    assert episodes.stdout.count("chat-") >= 3 or episodes.stdout.count("ep_") >= 3
    assert console(folder, "facts", *where).returncode == 0
    elsewhere = console(folder, "episodes", "--scope", "org=other", "--path", folder / "memory")
    assert elsewhere.returncode == 0
    assert "BKG4101" not in elsewhere.stdout


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    return console(tmp_path_factory.mktemp("demo"), "demo", timeout=180)


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
    header = max(i for i, line in enumerate(lines) if re.search(r"wrong\s*stops?", line, re.IGNORECASE))
    titles = [cell.strip().lower() for cell in re.split(r"[│┃|]", lines[header]) if cell.strip()]
    stops, holds = (next(i for i, title in enumerate(titles) if word in title) for word in ("stop", "hold"))
    rows = {}
    for line in lines[header + 1 :]:
        cells = [cell.strip() for cell in re.split(r"[│┃|]", line) if cell.strip()]
        if len(cells) == len(titles) and cells[stops].isdigit():
            rows[cells[0]] = (int(cells[stops]), int(cells[holds]))
    return rows

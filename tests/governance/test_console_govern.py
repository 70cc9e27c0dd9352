"""The console's forget, export, import and audit."""

import json
from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from langgraph_memory import Memory
from langgraph_memory.cli import app
from langgraph_memory.testing import FrozenClock

from .world import ANA, GPU, KEEP, KEEP_SANDBOX, LEAD, POLICY, SANDBOX, TEAM, state, tell, traces, values

SCOPE = "org=acme,workspace=staging"


def run(*arguments):
    return CliRunner().invoke(app, [str(each) for each in arguments])


@pytest.fixture
def clock():
    """The console reads by today's clock: what was laid down long ago would be due for confirmation."""
    return FrozenClock(datetime.now(UTC))


@pytest.fixture
def folder(tmp_path, clock):
    with Memory.open(tmp_path / "memory", policy=POLICY, clock=clock) as memory:
        tell(memory, LEAD, f"{KEEP}.", activity="act-1")
        state(memory, KEEP_SANDBOX, entity=SANDBOX)
    return tmp_path / "memory"


def held(folder):
    with Memory.open(folder, policy=POLICY) as memory:
        return values(memory.facts(TEAM))


def test_an_entity_is_forgotten_and_told_of(folder):
    assert traces(folder, GPU)
    done = run("forget", "--path", folder, "--scope", SCOPE, "--entity", GPU)
    assert done.exit_code == 0, done.output
    assert "facts" in done.output
    assert held(folder) == [KEEP_SANDBOX]
    assert traces(folder, GPU) == []


def test_a_slip_in_a_name_is_told_as_nothing_found(folder):
    done = run("forget", "--path", folder, "--scope", SCOPE, "--entity", f"{GPU}-x")
    assert done.exit_code == 0, done.output
    assert "Nothing was found to forget" in done.output
    assert "Forgotten" not in done.output
    assert len(held(folder)) == 2


def test_a_source_goes_and_what_others_said_keeps_its_authority(folder, clock):
    with Memory.open(folder, policy=POLICY, clock=clock) as memory:
        again = tell(memory, LEAD, f"{KEEP}.", activity="act-2")
    assert run("forget", "--path", folder, "--scope", SCOPE, "--source", again.event_id).exit_code == 0
    assert held(folder) == sorted([KEEP, KEEP_SANDBOX])


def test_a_whole_scope_goes(folder):
    assert run("forget", "--path", folder, "--scope", SCOPE).exit_code == 0
    assert held(folder) == []


def test_what_is_not_there_is_an_error_of_one_line(folder, tmp_path):
    for arguments in (
        ("forget", "--path", folder, "--scope", SCOPE, "--fact", "fact_none"),
        ("forget", "--path", tmp_path / "nowhere", "--scope", SCOPE),
        ("export", tmp_path / "x.jsonl", "--path", tmp_path / "nowhere", "--scope", SCOPE),
        ("import", tmp_path / "none.jsonl", "--path", tmp_path / "other"),
        ("import", tmp_path / "none.jsonl", "--path", tmp_path / "other", "--role", "lead"),
    ):
        failed = run(*arguments)
        assert failed.exit_code == 2, arguments
        assert failed.stderr.startswith("error: ")
    assert not (tmp_path / "other").exists()
    assert held(folder) == sorted([KEEP, KEEP_SANDBOX])


def test_an_export_goes_into_another_folder_by_the_authority_that_is_named(folder, tmp_path):
    file = tmp_path / "out.jsonl"
    assert run("export", file, "--path", folder, "--scope", SCOPE).exit_code == 0
    assert all("schema_version" in json.loads(line) for line in file.read_text("utf-8").splitlines())
    done = run("import", file, "--path", tmp_path / "second", "--role", "lead", "--scope", "org=acme")
    assert done.exit_code == 0, done.output
    assert held(tmp_path / "second") == sorted([KEEP, KEEP_SANDBOX])
    assert run("import", file, "--path", tmp_path / "third").exit_code == 0
    assert held(tmp_path / "third") == []


def test_decisions_are_listed(folder):
    with Memory.open(folder, policy=POLICY) as memory:
        fact = memory.facts(TEAM, entity=SANDBOX)[0]
    assert "established" in run("audit", fact.fact_id, "--path", folder).output
    run("forget", "--path", folder, "--scope", SCOPE, "--fact", fact.fact_id)
    assert "forgotten" in run("audit", fact.fact_id, "--path", folder).output
    unknown = run("audit", "fact_none", "--path", folder)
    assert unknown.exit_code == 1
    assert "there is no such record" in unknown.output


def test_merged_facts_are_taken_apart(folder, clock):
    with Memory.open(folder, policy=POLICY, clock=clock) as memory:
        twins = [state(memory, KEEP, attribute=name).fact.fact_id for name in ("power", "uptime")]
        memory.merge(twins, principal=ANA)
        assert len(memory.facts(TEAM, entity=GPU)) == 2
    done = run("review", "--path", folder, "--scope", SCOPE, "--restore", twins[1])
    assert done.output == f"restored: 1 from {twins[1]}\n"
    with Memory.open(folder, policy=POLICY) as memory:
        assert {*twins} <= {fact.fact_id for fact in memory.facts(TEAM)}
    again = run("review", "--path", folder, "--scope", SCOPE, "--restore", twins[1])
    assert again.exit_code != 0
    assert "nothing was merged" in again.output

"""Procedures as files under version control."""

import pytest
from typer.testing import CliRunner

from langgraph_memory import Memory
from langgraph_memory.cli import app
from langgraph_memory.errors import ConfigurationError, InvalidProcedureError
from langgraph_memory.playbooks.documents import read, to_markdown

from .conftest import ANA, DAN, NAME, STAGING

YAML = """\
trigger_intent: weekly cleanup of idle compute
tools: [stop_instance]
steps:
  - List the running instances.
  - Stop those that were idle
    for 72 hours.
checks:
  - Nothing else went down.
"""
MARKDOWN = """\
---
trigger: restart a server
tools: [start_instance]
---
# Restart

Why this exists.

## Steps

1. Look at its state.
2. Start it, and wait
   until it answers.

## Checks

- It answers.
"""


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "playbooks"
    (place / "more").mkdir(parents=True)
    (place / f"{NAME}.yaml").write_text(YAML)
    (place / "more" / "restart.md").write_text(MARKDOWN)
    (place / "README.md").write_text("# Our playbooks")
    return place


def test_yaml_and_markdown_say_the_same_things(folder):
    first, second = read(folder / f"{NAME}.yaml"), read(folder / "more" / "restart.md")
    assert (first.procedure_id, first.steps[1]) == (NAME, "Stop those that were idle for 72 hours.")
    assert (second.procedure_id, second.trigger_intent) == ("restart", "restart a server")
    assert second.steps == ("Look at its state.", "Start it, and wait until it answers.")
    assert (second.checks, second.tools) == (("It answers.",), ("start_instance",))


def test_files_become_current_once(memory, folder):
    first = memory.procedures.sync(folder, scope=STAGING, principal=ANA)
    assert set(first.current) == set(first.changed) == {f"{NAME} v1", "restart v1"}
    assert memory.procedures.get("restart", scope=STAGING).approved_by == "ana"
    again = memory.procedures.sync(folder, scope=STAGING, principal=ANA)
    assert (set(again.current), again.changed) == ({f"{NAME} v1", "restart v1"}, ())
    (folder / f"{NAME}.yaml").write_text(YAML.replace("72", "96"))
    assert memory.procedures.sync(folder, scope=STAGING, principal=ANA).changed == (f"{NAME} v2",)


def test_whoever_may_not_decide_brings_drafts(memory, folder):
    report = memory.procedures.sync(folder, scope=STAGING, principal=DAN)
    assert (report.current, len(report.drafts)) == ((), 2)
    assert memory.procedures.sync(folder, scope=STAGING, principal=ANA).current == report.drafts


def test_a_file_may_ask_to_be_a_draft(memory, folder):
    (folder / f"{NAME}.yaml").write_text(f"status: draft\n{YAML}")
    assert memory.procedures.sync(folder, scope=STAGING, principal=ANA).drafts == (f"{NAME} v1",)


def test_an_old_checkout_does_not_undo_an_approval(memory, folder):
    memory.procedures.sync(folder, scope=STAGING, principal=ANA)
    (folder / f"{NAME}.yaml").write_text(YAML.replace("72", "96"))
    memory.procedures.sync(folder, scope=STAGING, principal=ANA)
    (folder / f"{NAME}.yaml").write_text(YAML)
    report = memory.procedures.sync(folder, scope=STAGING, principal=ANA)
    assert (report.behind, report.changed) == ((f"{NAME} v1",), ())
    assert memory.procedures.get(NAME, scope=STAGING).version == 2


def test_what_is_exported_is_in_step(memory, folder, tmp_path):
    memory.procedures.sync(folder, scope=STAGING, principal=ANA)
    written = memory.procedures.export(tmp_path / "out", scope=STAGING)
    assert [path.name for path in written] == [f"{NAME}.md", "restart.md"]
    report = memory.procedures.sync(tmp_path / "out", scope=STAGING, principal=ANA)
    assert (report.changed, len(report.current)) == ((), 2)
    current = memory.procedures.get(NAME, scope=STAGING)
    (tmp_path / "again.md").write_text(to_markdown(current))
    assert read(tmp_path / "again.md").steps == current.steps


def test_a_procedure_that_no_file_has_is_told_of_and_kept(memory, folder):
    memory.procedures.sync(folder, scope=STAGING, principal=ANA)
    (folder / "more" / "restart.md").unlink()
    assert memory.procedures.sync(folder, scope=STAGING, principal=ANA).missing == ("restart v1",)
    assert memory.procedures.get("restart", scope=STAGING).status == "current"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("steps: [a]", "trigger_intent"),
        ("trigger_intent: x\nsteps: []", "steps"),
        ("trigger_intent: x\nsteps: a", "steps"),
        ("trigger_intent: x\nsteps: [a]\nstpes: [b]", "stpes"),
        ("trigger_intent: x\nsteps: [a]\napproved_by: me", "approved_by"),
        ("trigger_intent: [", "bad.yaml"),
        ("- a", "fields"),
        ("trigger_intent: x\nsteps: [!!python/object/apply:os.system [ls]]", "python"),
    ],
)
def test_a_bad_file_is_named_and_nothing_is_written(memory, folder, text, told):
    (folder / "bad.yaml").write_text(text)
    with pytest.raises(InvalidProcedureError, match=r"bad\.yaml") as error:
        memory.procedures.sync(folder, scope=STAGING, principal=ANA)
    assert told in str(error.value)
    assert memory.procedures.versions(STAGING) == []


def test_numbers_and_names_are_not_taken_twice(memory, folder):
    memory.procedures.sync(folder, scope=STAGING, principal=ANA)
    (folder / f"{NAME}.yaml").write_text(f"version: 1\n{YAML.replace('72', '96')}")
    with pytest.raises(InvalidProcedureError, match="above 1"):
        memory.procedures.sync(folder, scope=STAGING, principal=ANA)
    (folder / f"{NAME}.yaml").write_text(f"version: 5\n{YAML.replace('72', '96')}")
    assert memory.procedures.sync(folder, scope=STAGING, principal=ANA).changed == (f"{NAME} v5",)
    (folder / "twice.yaml").write_text(f"id: {NAME}\n{YAML}")
    with pytest.raises(InvalidProcedureError, match="two files"):
        memory.procedures.sync(folder, scope=STAGING, principal=ANA)
    with pytest.raises(ConfigurationError, match="there is no"):
        memory.procedures.sync(folder / "nowhere", scope=STAGING, principal=ANA)


def test_the_console_does_all_of_it(folder, tmp_path):
    place = str(tmp_path / "memory")
    Memory.open(place, index=None).close()

    def run(*arguments, by=None):
        more = ("--by", by) if by else ()
        words = [
            "procedures",
            *arguments,
            "--path",
            place,
            "--scope",
            "org=acme,workspace=staging-cloud",
            *more,
        ]
        return CliRunner().invoke(app, words)

    assert "no such procedures" in run("list").stdout
    assert f"changed: {NAME} v1" in run("sync", str(folder), by="ana").stdout
    (folder / f"{NAME}.yaml").write_text(f"status: draft\n{YAML.replace('72', '96')}")
    run("sync", str(folder), by="ana")
    assert f"{NAME} v2  draft" in run("list", "--status", "draft").stdout
    assert "+2. Stop those that were idle for 96 hours." in run("diff", NAME, "1", "2").stdout
    assert f"{NAME} v2  current  engineer, approved by ana" in run("approve", NAME, by="ana").stdout
    assert f"{NAME} v1  current" in run("rollback", NAME, by="ana").stdout
    shown = run("show", NAME).stdout
    assert "rolled back by ana" in shown
    assert "1. List the running instances." in shown
    assert f"{NAME} v1  deprecated" in run("reject", NAME, "--reason", "old", by="ana").stdout
    (folder / f"{NAME}.yaml").write_text(f"status: draft\n{YAML.replace('72', '48')}")
    run("sync", str(folder), by="ana")
    review = ["review", "--path", place, "--scope", "org=acme,workspace=staging-cloud"]
    assert f"{NAME} v3  draft" in CliRunner().invoke(app, review).stdout
    assert f"{NAME} v3  current" in CliRunner().invoke(app, [*review, "--approve", NAME]).stdout
    assert "restart.md" in run("export", str(tmp_path / "out")).stdout
    assert run("approve", "nothing", by="ana").exit_code == 2
    assert run("list", "--status", "odd").exit_code == 2

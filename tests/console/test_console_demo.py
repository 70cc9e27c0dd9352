"""`demo`: the whole story in a terminal, and a memory to look into afterwards."""

import re

import pytest
from typer.testing import CliRunner

from langgraph_memory.cli import app

STAGING = "org=acme,workspace=staging-cloud"


def run(*arguments):
    offline = {"OPENAI_API_KEY": "", "COLUMNS": "160"}
    return CliRunner().invoke(app, [*map(str, arguments)], env=offline)


def wrong(output):
    """Wrong stops and holds by configuration."""
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in output.splitlines()]
    return {row[0]: (int(row[1]), int(row[2])) for row in rows if len(row) > 3 and row[1].isdigit()}


def test_the_demo_tells_the_story_and_keeps_its_memory(folder):
    shown = run("demo", "--path", folder)
    assert shown.exit_code == 0, shown.output
    found = wrong(shown.stdout)
    assert len(found) == 4
    assert [name for name, counts in found.items() if counts == (0, 0)] == ["full"]
    assert re.search(r"entity, text +constraint +Keep the instance", shown.stdout)
    assert "the guard would say: block" in shown.stdout
    facts = run("facts", "--path", folder, "--scope", STAGING, "--status", "retired")
    assert "gpu-bench-01" in facts.stdout or "i-09a8f" in facts.stdout
    again = run("demo", "--path", folder)
    assert again.exit_code == 2
    assert str(folder) in again.stderr


@pytest.mark.parametrize("option", ["--no-correction", "--by-developer"])
def test_without_an_authorised_correction_no_configuration_is_right(option):
    shown = run("demo", option)
    assert shown.exit_code == 0, shown.output
    assert all(counts != (0, 0) for counts in wrong(shown.stdout).values())

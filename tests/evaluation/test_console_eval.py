"""`langgraph-memory eval` and `doctor --canary`, as people call them."""

import json
import sys

import pytest
from typer.testing import CliRunner

from langgraph_memory import Actor, Memory, Scope
from langgraph_memory.cli import app
from langgraph_memory.console.places import imported
from langgraph_memory.evaluation import Arm
from langgraph_memory.evaluation.live import sightings

from .test_agents import Notebook
from .test_scenarios import PAGE

OWN = Arm("notebook", Notebook)


def run(*arguments):
    return CliRunner().invoke(app, [str(each) for each in arguments], env={"COLUMNS": "220"})


def test_own_scenarios_are_played_and_reported(tmp_path):
    place, found, html = tmp_path / "own.yaml", tmp_path / "found.json", tmp_path / "found.html"
    place.write_text(PAGE)
    result = run("eval", place, "--seeds", 1, "--json", found, "--html", html)
    assert result.exit_code == 0, result.output
    assert "Told as speech" in result.output
    assert "raw-log retrieval" in result.output
    assert {play["scenario"] for play in json.loads(found.read_text())["plays"]} == {"keep-the-bench"}
    assert "<svg" in html.read_text()


def test_one_telling_one_scenario_and_an_arm_of_ones_own():
    arm = "tests.evaluation.test_console_eval:OWN"
    options = ["--only", "bench-box-still-needed", "--telling", "speech", "--seeds", 1, "--arm", arm]
    result = run("eval", *options)
    assert result.exit_code == 0, result.output
    assert "notebook" in result.output
    assert "Told as structure" not in result.output


def test_an_arm_is_found_in_the_working_folder(tmp_path, monkeypatch):
    (tmp_path / "arm_of_this_folder.py").write_text(
        "from langgraph_memory.evaluation import Arm\narm = Arm('lies here', lambda stage: None)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place not in ("", str(tmp_path))])
    assert imported("--arm", "arm_of_this_folder:arm").name == "lies here"
    assert sys.path[0] == str(tmp_path)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--only", "nothing"], "no scenario is called ['nothing']: the domains are coding agent"),
        (["--telling", "song"], "--telling 'song' is not one of structure, speech"),
        (["--arm", "no.such:thing"], "'no.such:thing' can't be imported"),
        (["--arm", "json:loads"], "is no langgraph_memory.evaluation.Arm"),
        (["none.yaml"], "no scenarios at 'none.yaml'"),
    ],
)
def test_mistakes_are_told_on_one_line(options, told):
    result = run("eval", *options)
    assert result.exit_code == 2
    assert told in result.output


def test_canaries_of_a_live_folder(tmp_path):
    with Memory.open(tmp_path) as memory:
        for user in ("bo", "mia"):
            memory.assert_fact(
                scope=Scope.of(org="home", user=user),
                entity=f"user:{user}",
                attribute="city",
                value=f"{user} lives in Oslo",
                actor=Actor("user", user),
            )
        assert [(each.seen, each.expected) for each in sightings(memory)] == [
            (True, True),
            (False, False),
            (False, False),
        ] * 2
    result = run("doctor", "--path", tmp_path, "--canary")
    assert result.exit_code == 0, result.output
    assert "2 facts found at home, none seen in 4 looks from elsewhere" in result.output


def test_a_fact_that_is_not_found_at_home_is_told(tmp_path):
    with Memory.open(tmp_path) as memory:
        memory.assert_fact(
            scope=Scope.of(user="bo"),
            entity="user:bo",
            attribute="city",
            value="lives in Oslo",
            actor=Actor("user", "bo"),
        )
        (fact,) = memory.facts(Scope.of(user="bo"))
        deaf = memory.recall
        memory.recall = lambda query, **options: deaf(query, **options, kinds=["event"])
        assert [each.seen for each in sightings(memory) if each.expected] == [False]
    assert fact.value == "lives in Oslo"

"""Scenarios as data: what is shipped, what can be written, and how mistakes are told."""

import re
from datetime import timedelta

import pytest

from langgraph_memory import Scope
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.evaluation import Scenario, load, shipped
from langgraph_memory.evaluation.judging import in_force
from langgraph_memory.evaluation.scenario import EVERYTHING
from langgraph_memory.evaluation.telling import Told, _may

DOMAINS = {"operations", "support", "coding agent", "release freeze", "personal assistant"}
HARD = {
    "partial evidence",
    "condition met",
    "condition not met",
    "superseded",
    "unauthorised",
    "irrelevant noise",
    "cross-scope",
    "stale",
    "many entities",
    "budget overflow",
    "poisoned tool output",
    "procedure changed",
}
PAGE = """
name: keep-the-bench
people: {ana: [lead], cron: []}
authority: [lead]
things: {type: server, named: {gpu-1: {idle_days: 9}, gpu-2: {idle_days: 9}}}
routine: {asked: Clean up., look: list_servers, act: stop_server, when: {idle_days: 3}}
sessions:
  - by: ana
    states:
      - {id: keep, about: gpu-1, forbids: [stop], value: Keep it up until May, until: May,
         said: Please keep gpu-1 up until May.}
  - {after: 3d, by: cron, asks: true, must: [gpu-2], must_not: [gpu-1], because: [keep]}
"""


def test_the_shipped_ones_cover_the_domains_and_what_is_hard():
    scenarios = shipped()
    assert len(scenarios) >= 24
    assert len({each.name for each in scenarios}) == len(scenarios)
    assert {each.domain for each in scenarios} == DOMAINS
    assert {hard for each in scenarios for hard in each.tests} == HARD


@pytest.mark.parametrize("each", shipped(), ids=lambda each: each.name)
def test_what_is_expected_follows_from_what_was_laid_down(each):
    told = []
    for session in each.sessions:
        scope = session.scope or each.scope
        told += [
            Told(
                statement=statement,
                thing=thing,
                authorised=_may(each, session, scope),
                here=scope == each.scope,
                sources=frozenset(),
            )
            for statement in session.states
            for thing in statement.about
        ]
        for name in (*session.must, *session.must_not):
            ruling = in_force(told, name)
            held = ruling is not None and bool(ruling.statement.forbids)
            assert held == (name in session.must_not), name
            assert each.routine.due(each.thing(name).fields), name
    assert any(session.asks for session in each.sessions)


@pytest.mark.parametrize("each", shipped(), ids=lambda each: each.name)
def test_everything_is_said_in_several_ways_by_its_name(each):
    for statement in each.statements():
        assert len(statement.said) >= 3
        for thing in statement.about:
            if thing != EVERYTHING:
                assert all(thing in said.replace("{thing}", thing) for said in statement.said)


def test_a_page_of_yaml_is_a_scenario(tmp_path):
    place = tmp_path / "own.yaml"
    place.write_text(PAGE)
    (scenario,) = load(place)
    assert scenario.sessions[1].after == timedelta(days=3)
    assert scenario.scope == Scope.of(org="acme", workspace="staging")
    assert scenario.thing("gpu-2").id == "gpu-2"
    place.write_text("- " + PAGE.strip().replace("\n", "\n  "))
    assert load(place) == [scenario]


def test_things_in_series_differ_by_their_number(scenario):
    names = [thing.name for thing in scenario("forty-workers").things.all()]
    assert (len(set(names)), names[0], names[-1]) == (40, "worker-01", "worker-40")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("must: [gpu-2]", "must: [gpu-9]", "has no thing 'gpu-9': there are gpu-1, gpu-2"),
        ("because: [keep]", "because: [kept]", "has no statement 'kept': there are keep"),
        ("by: cron", "by: eve", "has no person 'eve': there are ana, cron"),
        ("forbids: [stop], ", "", "statement 'keep' has to forbid something or to lift a statement"),
        ("forbids: [stop], ", "forbids: [stopp], ", "sessions.0.states.0.forbids: forbids='stopp' names no"),
        ("after: 3d", "after: soon", "sessions.1.after"),
        ("authority:", "authorities:", "authorities: Extra inputs are not permitted"),
        ("name: keep-the-bench", "name: [", "is not YAML"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path, old, new, told):
    place = tmp_path / "own.yaml"
    assert old in PAGE
    place.write_text(PAGE.replace(old, new))
    with pytest.raises(ConfigurationError, match=re.escape(told)):
        load(place)


def test_all_mistakes_are_told_at_once_with_their_fields(tmp_path):
    place = tmp_path / "own.yaml"
    place.write_text(PAGE.replace("must: [gpu-2]", "must: [gpu-9]").replace("by: cron", "by: eve"))
    with pytest.raises(ConfigurationError) as failed:
        load(place)
    told = str(failed.value)
    assert "sessions.1.must: scenario 'keep-the-bench' has no thing 'gpu-9'" in told
    assert "sessions.1.by: scenario 'keep-the-bench' has no person 'eve'" in told
    assert "Value error" not in told
    assert ": :" not in told


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(ConfigurationError, match="no scenarios at"):
        load(tmp_path / "none.yaml")


def test_things_without_statements_are_free_for_the_one_who_has_a_say(scenario):
    keeping = scenario("bench-box-released")
    assert keeping.policy.authority[0].roles == {"infra_lead"}
    assert isinstance(keeping, Scenario)

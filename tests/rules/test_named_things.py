"""A rule is about a thing that is known or named; one about a mere phrase is asked about."""

import pytest

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope
from langgraph_memory.testing import FrozenClock

from .speaking import heard

TEAM = Scope.of(org="acme", workspace="staging")
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
AGENT = Principal("agent", grants=(TEAM,))


@pytest.fixture
def memory():
    with Memory.open(":memory:", policy=POLICY, clock=FrozenClock(), index=None) as opened:
        yield opened


def seen(memory, *names):
    listed = [{"id": f"acc-{number}", "name": name} for number, name in enumerate(names, 71)]
    told = {"scope": TEAM, "activity_id": "look", "actor": Actor("tool", "list_accounts")}
    memory.publish(
        **told, event_type="tool.completed", data={"tool": "list_accounts", "args": {}, "output": listed}
    )


def say(memory, text):
    told = {"scope": TEAM, "activity_id": "say", "actor": Actor("user", "ana", roles={"lead"})}
    memory.publish(**told, event_type="message.user", data={"text": text}, wait=True)
    return [(fact.entity, fact.status.value) for fact in memory.facts(TEAM, status=("current", "candidate"))]


@pytest.mark.parametrize(
    ("said", "phrase"),
    [
        ("Leave Ms Novak's account active.", "Ms Novak's account"),
        ("Never delete the staging cluster.", "staging cluster"),
        ("Don't touch the reporting database until the audit is over.", "reporting database"),
    ],
)
def test_a_rule_about_a_phrase_that_nobody_knows_is_asked_about(memory, said, phrase):
    assert say(memory, said) == [(phrase, "candidate")]
    args = {"target": phrase}
    assert memory.check("delete_account", args, principal=AGENT, scope=TEAM).outcome == "defer"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Don't stop gpu-bench-07.", "gpu-bench-07"),
        ("Keep order 4411 open.", "order 4411"),
        ("Freeze main.", "main"),
    ],
)
def test_an_identifier_that_a_person_uses_names_its_thing(memory, said, name):
    assert say(memory, said) == [(name, "current")]


def test_a_rule_about_a_phrase_that_tools_have_shown_holds(memory):
    seen(memory, "Ms Novak's account", "staging cluster")
    assert say(memory, "Leave Ms Novak's account active.") == [("acc-71", "current")]
    assert memory.check("delete_account", {"id": "acc-71"}, principal=AGENT, scope=TEAM).outcome == "block"


PATHS = [
    r"C:\data\raw",
    r"D:\Backups\2024",
    r"C:\data\raw\file.csv",
    r"\\nas-1\share\raw",
    r"src\app\main.py",
    "c:/data/raw",
    "/var/log/app",
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "said",
    ["Don't delete {}.", "Don't delete {} until the audit is over.", "{} must not be deleted, please."],
)
def test_a_path_is_one_name(path, said):
    (rule,) = [each for each in heard(said.format(path), known={}) if each.forbids == ("delete",)]
    assert rule.entity == path


@pytest.mark.parametrize("quote", ["'", '"', "`"])
def test_a_quoted_path_may_have_spaces(quote):
    (rule,) = heard(f"Don't delete {quote}C:\\Program Files\\Acme{quote}.", known={})
    assert rule.entity == r"C:\Program Files\Acme"


def test_what_is_no_path_names_no_drive():
    assert all(
        each.entity is None or len(each.entity) > 1 for each in heard("Plan C: keep x \\ y up until May.")
    )

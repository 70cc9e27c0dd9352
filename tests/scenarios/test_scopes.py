"""Canaries in every scope: what belongs to one is told in no other, and mixed with nothing."""

import pytest

from langgraph_memory import Actor, AuthorityRule, Policy, Principal, Scope
from langgraph_memory.errors import AccessDeniedError, InvalidScopeError

from .cast import AGENT, GPU, Session

SCOPES = {
    "org": Scope.of(org="acme"),
    "team": Scope.of(org="acme", workspace="staging"),
    "look-alike team": Scope.of(org="acme", workspace="staging-2"),
    "dotted team": Scope.of(org="acme", workspace="staging.user=bob"),
    "bob": Scope.of(org="acme", user="bob"),
    "bobby": Scope.of(org="acme", user="bobby"),
    "bob in the team": Scope.of(org="acme", workspace="staging", user="bob"),
    "agent": Scope.of(org="acme", workspace="staging", agent="costguard"),
    "other org": Scope.of(org="acme2", workspace="staging"),
    "other bob": Scope.of(org="acme2", user="bob"),
}
POLICY = Policy(
    authority=[AuthorityRule(roles={"root"}, scope=Scope.of(org=org)) for org in ("acme", "acme2")]
)
ROOT = Actor("user", "root", roles={"root"})


def canary(name):
    return f"Canary {name.replace(' ', '-')} sings on {GPU}"


@pytest.fixture(scope="module")
def aviary():
    """A memory with a canary fact and a canary episode in every scope."""
    session = Session(policy=POLICY)
    for name, scope in SCOPES.items():
        session.memory.assert_fact(
            scope=scope, entity=GPU, attribute="canary", value=canary(name), actor=ROOT
        )
        session.says(AGENT, f"Seen: {canary(name)} episode.", scope=scope)
    yield session
    session.memory.close()


def heard(session, scope, *grants):
    """The names of the canaries that a recall in a scope tells, by entity and by words."""
    principal = Principal("asker", grants=grants)
    found = [
        session.memory.recall(query, principal=principal, scope=scope, entities=entities, token_budget=20_000)
        for query, entities in (("canary sings", ()), ("canary", (GPU,)))
    ]
    text = " ".join(each.render() for each in found)
    return {name for name in SCOPES if f"{canary(name)}" in text.replace(f"{canary(name)}-", "")}


@pytest.mark.parametrize("name", SCOPES)
def test_with_a_grant_for_one_scope_only_its_canary_is_heard(aviary, name):
    assert heard(aviary, SCOPES[name], SCOPES[name]) == {name}


def test_ancestors_are_heard_where_a_grant_covers_them(aviary):
    team, bob = SCOPES["team"], SCOPES["bob in the team"]
    assert heard(aviary, bob, bob, team) == {"bob in the team", "team"}
    assert heard(aviary, bob, bob, team, SCOPES["org"]) == {"bob in the team", "team", "org"}


@pytest.mark.parametrize("name", ["look-alike team", "bob", "bobby", "agent", "bob in the team", "other org"])
def test_a_grant_for_the_team_reaches_no_other_scope(aviary, name):
    with pytest.raises(AccessDeniedError):
        heard(aviary, SCOPES[name], SCOPES["team"])
    assert heard(aviary, SCOPES[name], SCOPES[name]) == {name}


def test_a_grant_for_the_org_reaches_no_person(aviary):
    with pytest.raises(AccessDeniedError):
        heard(aviary, SCOPES["bob"], SCOPES["org"])
    assert heard(aviary, SCOPES["team"], SCOPES["org"]) == {"team", "org"}


@pytest.mark.parametrize("name", ["bob", "team"])
def test_nobody_decides_across_scopes(aviary, name):
    fact = aviary.memory.facts(SCOPES[name])[0]
    stranger = Principal("root", roles={"root"}, grants=(SCOPES["other org"],))
    with pytest.raises(AccessDeniedError):
        aviary.memory.reject(fact.fact_id, principal=stranger, reason="mine")
    assert aviary.memory.facts(SCOPES[name]) == [fact]


def test_questions_and_listings_keep_to_their_scope(aviary):
    for name, scope in SCOPES.items():
        assert [fact.value for fact in aviary.memory.facts(scope)] == [canary(name)]
        assert len(aviary.memory.episodes(scope)) == 1


def test_tidying_mixes_nothing(aviary):
    aviary.memory.tidy()
    for name, scope in SCOPES.items():
        held = aviary.memory.facts(scope, status=["current", "candidate", "superseded"])
        assert {fact.value for fact in held} == {canary(name)}
        assert all(episode.scope == scope for episode in aviary.memory.episodes(scope))


def test_a_retirement_in_one_scope_leaves_the_others_alone():
    session = Session(policy=POLICY)
    for name in ("team", "look-alike team", "other org"):
        session.rule(ROOT, scope=SCOPES[name])
    session.later(days=1)
    session.says(ROOT, f"{GPU} can be stopped now.", scope=SCOPES["team"])
    assert session.values(SCOPES["team"]) == []
    assert len(session.values(SCOPES["look-alike team"])) == len(session.values(SCOPES["other org"])) == 1
    session.memory.close()


@pytest.mark.parametrize("label", ["*", "st?ging", "", " ", "stag\u200bing", "a\nb"])
def test_wild_and_invisible_scopes_are_refused(label):
    with pytest.raises(InvalidScopeError):
        Scope.of(org="acme", workspace=label)
    assert Scope.of(org="acme", workspace="staging").workspace == "staging"


def test_more_matches_than_the_budget_leave_the_rules_in():
    session = Session(policy=POLICY)
    team = SCOPES["team"]
    for number in range(200):
        session.memory.assert_fact(
            scope=team,
            entity=GPU,
            attribute=f"note_{number}",
            value=f"Note {number} about {GPU} " * 5,
            actor=ROOT,
        )
    session.rule(ROOT, scope=team)
    found = session.memory.recall(
        "note", principal=Principal("asker", grants=(team,)), scope=team, entities=(GPU,), token_budget=300
    )
    assert [fact.value for fact in found.constraints] == [f"Keep {GPU} running"]
    assert found.tokens <= 300
    assert sum(omission.reason == "budget" for omission in found.omitted) > 100
    session.memory.close()

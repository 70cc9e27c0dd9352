"""Which scopes a recall reads: the one asked for and its granted ancestors, never beside or below."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory import Actor, AuthorityRule, Memory, Principal, Scope
from langgraph_memory.errors import AccessDeniedError, InvalidScopeError

from .world import ANA, GPU, STAGING, leads_policy, values

ACME = Scope.of(org="acme")
PRODUCTION = Scope.of(org="acme", workspace="production")
BOBS = Scope.of(org="acme", workspace="staging-cloud", user="bob")
CHIEF = Actor("user", "ida", roles={"chief"})


@pytest.fixture
def everywhere(clock):
    """The same entity has a fact in each of four scopes."""
    rule = AuthorityRule(roles={"chief"}, scope=ACME, attributes="*")
    with Memory.open(":memory:", policy=leads_policy(rule), clock=clock) as memory:
        for scope, value in _FACTS.items():
            speaker = Actor("user", scope.user) if scope.personal else CHIEF
            memory.assert_fact(scope=scope, entity=GPU, attribute="note", value=value, actor=speaker)
        yield memory


_FACTS = {
    ACME: "the whole company pays for it",
    STAGING: "staging runs benchmarks on it",
    PRODUCTION: "production never touches it",
    BOBS: "bob calls it the old lady",
}


def seen(memory, scope, *grants):
    principal = Principal("reader", grants=grants)
    recall = memory.recall("note", principal=principal, scope=scope, entities=(GPU,))
    return values(item.record for item in recall.items if item.kind == "fact")


@pytest.mark.parametrize(
    ("scope", "grants", "expected"),
    [
        (STAGING, (STAGING,), [STAGING]),
        (STAGING, (ACME,), [ACME, STAGING]),
        (STAGING, (STAGING, PRODUCTION), [STAGING]),
        (PRODUCTION, (STAGING, PRODUCTION), [PRODUCTION]),
        (ACME, (ACME, STAGING, BOBS), [ACME]),
        (BOBS, (BOBS,), [BOBS]),
        (BOBS, (ACME, BOBS), [ACME, STAGING, BOBS]),
    ],
)
def test_a_recall_reads_the_scope_and_its_granted_ancestors(everywhere, scope, grants, expected):
    assert seen(everywhere, scope, *grants) == sorted(_FACTS[each] for each in expected)


@pytest.mark.parametrize(
    ("scope", "grants"),
    [
        (STAGING, ()),
        (STAGING, (PRODUCTION,)),
        (ACME, (STAGING,)),
        (BOBS, (ACME,)),
        (BOBS, (STAGING,)),
        (Scope.of(org="other", workspace="staging-cloud"), (STAGING,)),
    ],
)
def test_a_scope_without_a_grant_is_refused_by_name(everywhere, scope, grants):
    assert seen(everywhere, scope, scope) == ([_FACTS[scope]] if scope in _FACTS else [])
    with pytest.raises(AccessDeniedError, match=r"(?s)reader.*grant") as refusal:
        seen(everywhere, scope, *grants)
    assert str(scope) in str(refusal.value)


def test_nobody_is_refused_and_a_person_is_not(everywhere):
    with pytest.raises(AccessDeniedError, match="anonymous"):
        everywhere.recall("note", principal=Principal.anonymous(), scope=STAGING, entities=(GPU,))
    assert everywhere.recall("note", principal=ANA, scope=STAGING, entities=(GPU,)).items


def test_roles_open_no_scope(everywhere):
    with pytest.raises(AccessDeniedError):
        everywhere.recall("note", principal=Principal("ida", roles={"chief"}), scope=STAGING)


@pytest.mark.parametrize(
    ("levels", "named"),
    [
        ({}, "empty"),
        ({"org": ""}, "org=''"),
        ({"org": "  "}, "org="),
        ({"org": "*"}, r"org='\*'"),
        ({"org": "acme", "workspace": "stag?ng"}, r"stag\?ng"),
        ({"tenant": "acme"}, "'tenant'.*org, workspace, user, agent"),
        ({"org": 7}, "org=7"),
    ],
)
def test_a_scope_that_can_name_nothing_is_refused(levels, named):
    with pytest.raises(InvalidScopeError, match=named):
        Scope.of(**levels)


ODD = ["a.b", "a/b", "a b", "a@b.c", "a%2Eb", "ä", "a\u0308", "日本", "user=bob", "a=b,c", "..", "'; --"]


def test_odd_labels_are_kept_apart(memory):
    for name in ODD:
        memory.assert_fact(
            scope=Scope.of(org="acme", user=name),
            entity="x",
            attribute="name",
            value=name,
            actor=Actor("user", name),
        )
    assert {name: values(memory.facts(Scope.of(org="acme", user=name))) for name in ODD} == {
        name: [name] for name in ODD
    }


_LABEL = st.text(
    st.characters(exclude_categories=("C", "Z"), exclude_characters="*?"), min_size=1, max_size=12
)
_SCOPE = st.dictionaries(st.sampled_from(["org", "workspace", "user", "agent"]), _LABEL, min_size=1).map(
    lambda levels: Scope.of(**levels)
)


@given(_SCOPE)
def test_labels_can_be_read_back_and_hold_no_dot(scope):
    assert Scope.from_labels(scope.labels) == scope
    assert not any("." in label for label in scope.labels)
    assert [label.partition("=")[0] for label in scope.labels] == [level for level, _ in scope.levels]


@given(_SCOPE, _SCOPE)
def test_two_scopes_never_share_a_key(one, other):
    assert (one.labels == other.labels) == (one == other)
    assert (one.key == other.key) == (one == other)

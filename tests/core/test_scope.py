"""Scopes, grants and labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from langgraph_memory.errors import AccessDeniedError, InvalidScopeError
from langgraph_memory.scope import LEVELS, MemoryContext, Principal, Scope, decode_label, encode_label

names = st.text(
    st.characters(exclude_categories=["Cc", "Cf", "Cs"], exclude_characters="*?"), min_size=1, max_size=20
).filter(lambda text: text == text.strip() and text.strip())
scopes = st.dictionaries(st.sampled_from(LEVELS), names, min_size=1).map(lambda levels: Scope.of(**levels))


@given(st.text(min_size=1))
def test_any_text_becomes_a_label_and_comes_back(text):
    label = encode_label(text)
    assert decode_label(label) == text
    assert not set(label) & set("./\\\x00\n")


@given(st.text(min_size=1), st.text(min_size=1))
def test_different_texts_have_different_labels(one, other):
    assert (encode_label(one) == encode_label(other)) == (one == other)


@given(scopes)
def test_a_scope_comes_back_from_its_key(scope):
    assert Scope.from_key(scope.key) == scope
    assert Scope.from_labels(scope.labels) == scope


@given(scopes, scopes)
def test_keys_of_different_scopes_differ_and_none_is_a_prefix_level_of_an_unrelated_one(one, other):
    assert (one.key == other.key) == (one == other)
    below = other.key.startswith(f"{one.key}.")
    assert below == (other.levels[: len(one.levels)] == one.levels and one != other)


@given(scopes)
def test_a_principal_without_grants_reads_nothing_and_with_its_own_grant_reads_it(scope):
    assert not Principal("eve").may_read(scope)
    assert Principal("eve", grants=(scope,)).may_read(scope)


def test_a_grant_reaches_no_user_or_agent_that_it_does_not_name():
    admin = Principal("root", grants=(Scope.of(org="acme"),))
    assert admin.may_read(Scope.of(org="acme", workspace="web"))
    assert not admin.may_read(Scope.of(org="acme", workspace="web", user="bob"))
    assert not admin.may_read(Scope.of(org="acme", agent="bot"))


def test_recall_reads_the_scope_and_granted_ancestors_never_siblings_or_below():
    web = Scope.of(org="acme", workspace="web")
    bob = Principal("bob", grants=(web, Scope.of(org="acme", workspace="web", user="bob")))
    assert bob.readable(Scope.of(org="acme", workspace="web", user="bob")) == (
        Scope.of(org="acme", workspace="web", user="bob"),
        web,
    )
    assert bob.readable(web) == (web,)
    with pytest.raises(AccessDeniedError, match="'bob' has no grant for the scope 'org=acme,workspace=api'"):
        bob.readable(Scope.of(org="acme", workspace="api"))


@pytest.mark.parametrize(
    ("levels", "told"),
    [
        ({}, "empty scope"),
        ({"team": "x"}, "unknown scope level 'team'"),
        ({"org": ""}, "org='' is empty"),
        ({"org": " acme"}, "outer spaces"),
        ({"org": "ac*"}, "wildcard"),
        ({"user": "bob\u202e"}, "invisible"),
        ({"user": "a\x00b"}, "control"),
        ({"user": "x" * 257}, "longer than 256"),
        ({"user": 7}, "not a text"),
    ],
)
def test_scopes_that_name_nothing_are_refused(levels, told):
    with pytest.raises(InvalidScopeError, match=told):
        Scope.of(**levels)


@pytest.mark.parametrize("text", ["acme", "org=acme,org=b", "org=acme;user=b,x", "", "team=x"])
def test_console_scopes_that_cannot_be_read_are_refused(text):
    with pytest.raises(InvalidScopeError):
        Scope.parse(text)


def test_a_rule_covers_scopes_with_all_its_levels():
    rule = Scope.of(workspace="staging")
    assert rule.covers(Scope.of(org="acme", workspace="staging"))
    assert not rule.covers(Scope.of(org="acme", workspace="staging2"))


def test_records_are_frozen():
    with pytest.raises(ValidationError, match="frozen"):
        Scope.of(org="acme").org = "other"


def test_a_context_comes_back_from_json():
    context = MemoryContext(Principal("bob", grants=(Scope.of(org="a"),)), Scope.of(org="a"))
    assert MemoryContext.model_validate_json(context.model_dump_json()) == context


def worked_out(scope):
    return scope.levels, scope.labels, scope.key, scope.entity, scope.top, list(scope.ancestors())


def test_a_copy_with_another_level_is_that_scope_and_no_other():
    wide = Scope.of(org="acme", workspace="staging")
    before = worked_out(wide)
    narrow = wide.model_copy(update={"agent": "bot"})
    assert worked_out(narrow) == worked_out(Scope.of(org="acme", workspace="staging", agent="bot"))
    assert worked_out(wide) == before

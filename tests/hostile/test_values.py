"""What applications make themselves (actors, principals, policies, …) is whole, or refused by the field."""

from datetime import timedelta

import pytest

from langgraph_memory import Actor, AuthorityRule, MemoryContext, Policy, Principal, Scope
from langgraph_memory.arguments import described
from langgraph_memory.policy import FileLimits, LearningRules, RankingWeights, ToolRule

from .values import HOSTILE, Call, offer

TEAM = Scope.of(org="acme", workspace="staging")
ANA = Principal("ana", grants=(TEAM,))
RULE = {"roles": {"lead"}, "scope": TEAM}


def _fields(kind, given=None):
    return Call(kind.__name__, kind, given or {}), list(kind.model_fields)


MADE = [
    _fields(Scope, {"org": "acme"}),
    _fields(Principal, {"user_id": "ana"}),
    _fields(MemoryContext, {"principal": ANA, "scope": TEAM}),
    _fields(Actor, {"kind": "user", "id": "ana"}),
    _fields(AuthorityRule, RULE),
    *map(_fields, (ToolRule, RankingWeights, LearningRules, FileLimits, Policy)),
]


@pytest.mark.parametrize(("call", "fields"), MADE, ids=[call.name for call, _ in MADE])
def test_a_hostile_field_is_taken_or_refused_by_name(call, fields):
    assert offer(call, fields[0], call.given or {fields[0]: call.work().model_dump()[fields[0]]})[0]
    troubles = [offer(call, field, call.given | {field: value})[1] for field in fields for value in HOSTILE]
    assert not any(troubles), "\n".join(filter(None, troubles))


OPEN = [call for call, _ in MADE if call.work is not MemoryContext]


@pytest.mark.parametrize("call", OPEN, ids=[call.name for call in OPEN])
def test_a_field_that_is_not_there_is_named(call):
    taken, trouble = offer(call, "colour", call.given | {"colour": "red"})
    assert not taken
    assert trouble is None
    assert call.work(**call.given)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda value: described(value)[:20])
def test_a_text_that_is_no_scope_is_refused_by_its_value(text):
    taken, trouble = offer(Call("parse", Scope.parse, {}), "text", {"text": text})
    assert not taken
    assert trouble is None
    assert Scope.parse("org=acme") == Scope.of(org="acme")


@pytest.mark.parametrize(
    "wrong",
    [
        {"idle_after": timedelta(seconds=-1)},
        {"retention": {"event": timedelta(days=-1)}},
        {"shares": {"fact": -0.5}},
        {"ranking": {"recency": float("nan")}},
        {"ranking": {"half_life": timedelta(0)}},
    ],
    ids=str,
)
def test_an_amount_that_cannot_be_meant_is_refused_by_name(wrong):
    (name,) = wrong
    taken, trouble = offer(Call("Policy", Policy, {}), name, wrong)
    assert (taken, trouble) == (False, None)
    assert Policy(idle_after=timedelta(0), retention={"event": timedelta(days=1)}, shares={"fact": 0.5})


def test_half_a_character_in_an_actor_is_refused():
    for fields in ({"id": "a\ud800"}, {"id": "ana", "roles": {"\udfff"}}):
        taken, trouble = offer(Call("Actor", Actor, {}), next(reversed(fields)), {"kind": "user", **fields})
        assert (taken, trouble) == (False, None)
    assert Actor("user", "ána 👩‍🔧", roles={"lead"}).id == "ána 👩‍🔧"

"""What a user wants for themselves holds where they act, and is nothing to other users."""

import pytest

from langgraph_memory import Actor, Memory, Principal, Scope

ORG = Scope.of(org="acme")
ANN, BEN = Scope.of(org="acme", user="ann"), Scope.of(org="acme", user="ben")
BOOKING = {"traveller": "someone", "airline": "RyanFly"}


@pytest.fixture(params=["consolidated", "waiting"])
def memory(request):
    """Ann has said for herself what must not be done, and it has been consolidated, or not yet."""
    with Memory.open(":memory:", index=None) as opened:
        opened.publish(
            scope=ANN,
            activity_id="monday",
            event_type="feedback.correction",
            actor=Actor("user", "ann"),
            data={"text": "Never book RyanFly for me."},
            wait=request.param == "consolidated",
        )
        yield opened


def outcome(memory, scope, user="bot"):
    principal = Principal(user, grants=(scope,))
    return memory.check("book_flight", BOOKING, principal=principal, scope=scope).outcome


def test_between_two_users_nothing_is_asked(memory):
    assert outcome(memory, ANN, "ann") in ("block", "defer")
    assert outcome(memory, BEN, "ben") == "allow"


def test_in_a_shared_scope_somebody_is_asked(memory):
    assert outcome(memory, ORG) == "defer"

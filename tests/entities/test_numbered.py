"""Things that people name by a number are the things that calls name by a key and a number."""

import pytest

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope
from langgraph_memory.entities.numbered import called, forms_of

SHOP = Scope.of(org="acme", workspace="shop")
LEAD = Actor("user", "ana", roles={"lead"})
AGENT = Principal("agent", grants=(SHOP,))


@pytest.fixture
def memory():
    policy = Policy(authority=[AuthorityRule(roles={"lead"}, scope=SHOP)])
    with Memory.open(":memory:", policy=policy, index=None) as opened:
        yield opened


def tell(memory, text, *, listed=None):
    """A rule said by the lead, after a tool has listed what there is."""
    if listed is not None:
        memory.publish(
            scope=SHOP,
            activity_id="look",
            event_type="tool.completed",
            actor=Actor("tool", "list"),
            data={"tool": "list_orders", "args": {}, "output": listed},
            wait=True,
        )
    memory.publish(
        scope=SHOP, activity_id="say", event_type="message.user", actor=LEAD, data={"text": text}, wait=True
    )


def held(memory, tool, args):
    return memory.check(tool, args, principal=AGENT, scope=SHOP).outcome != "allow"


LISTINGS = [None, {"orders": [{"order_id": "8123"}]}, [{"id": 8123}], [{"id": "8123", "type": "order"}]]


@pytest.mark.parametrize("listed", LISTINGS)
@pytest.mark.parametrize("said", ["Never refund order 8123.", "Order #8123 must not be refunded."])
@pytest.mark.parametrize("number", ["8123", 8123])
def test_an_order_by_its_number_is_protected_and_no_other(memory, listed, said, number):
    tell(memory, said, listed=listed)
    assert held(memory, "refund_order", {"order_id": number, "amount": 20})
    assert not held(memory, "refund_order", {"order_id": "8124", "amount": 20})


@pytest.mark.parametrize(
    ("said", "tool", "args", "other"),
    [
        ("Don't merge PR #77.", "merge_pull_request", {"number": 77}, {"number": 78}),
        ("Don't merge pull request 77.", "merge_pr", {"pr": 77}, {"pr": 770}),
        ("Please don't close ticket 901.", "close_ticket", {"ticket_id": "901"}, {"ticket_id": "902"}),
        ("Never delete room 12.", "delete_room", {"room": {"number": 12}}, {"room": {"number": 13}}),
        ("Don't cancel order number 4411.", "cancel", {"path": "/orders/4411"}, {"path": "/orders/4412"}),
    ],
)
def test_what_the_key_or_the_tool_says_is_what_the_number_is_called(memory, said, tool, args, other):
    tell(memory, said)
    assert held(memory, tool, args)
    assert not held(memory, tool, other)


def test_a_number_alone_is_one_thing_and_not_the_whole_scope(memory):
    tell(memory, "No refunds for 8123 please.")
    assert held(memory, "refund_order", {"order_id": "8123"})
    assert not held(memory, "refund_order", {"order_id": "8124"})


def test_a_key_with_a_noun_of_its_own_is_another_thing(memory):
    tell(memory, "Never refund order 8123.")
    assert held(memory, "refund", {"order": "8123"})
    assert not held(memory, "refund", {"customer_id": "8123", "order": "8124"})


def test_what_lacks_the_number_asked_for_stands_below_what_has_it(memory):
    for order, activity in (("8123", "a"), ("5500", "b")):
        memory.publish(
            scope=SHOP,
            activity_id=activity,
            event_type="message.user",
            actor=LEAD,
            data={"text": f"Where is order {order} now, and was it refunded?"},
            wait=True,
        )
    recall = memory.recall("refund of order 8123", principal=AGENT, scope=SHOP)
    assert [item.record.activity_id for item in recall.items] == ["a", "b"]


def test_only_a_noun_with_its_number_has_other_forms():
    assert "pull request 7" in forms_of("PR #7")
    assert list(forms_of("gpu-bench-01")) == list(forms_of("web-7")) == list(forms_of("QA team")) == []


def test_truth_and_long_texts_are_no_numbers():
    assert list(called(True, ("order",), ())) == list(called("8123 or so", ("order",), ())) == []
    assert list(called(7, ("order",), ())) == ["order 7"]

"""The guard's decision as a function of values."""

from datetime import UTC, datetime

import pytest

from langgraph_memory.policy import Policy, ToolRule
from langgraph_memory.records import Actor, Event, Fact, FactKind
from langgraph_memory.retrieval.calls import Call
from langgraph_memory.retrieval.deeds import deed
from langgraph_memory.retrieval.guard import Constraints
from langgraph_memory.retrieval.held import Held
from langgraph_memory.retrieval.verdicts import Touched, Waiting, decide, message
from langgraph_memory.scope import Principal, Scope

TEAM = Scope.of(org="acme", workspace="staging")
AT = datetime(2026, 11, 2, 9, tzinfo=UTC)
KEEP = Fact(
    fact_id="fact_1",
    scope=TEAM,
    entity="cloud-instance:i-09a8f",
    attribute="lifecycle_policy",
    value="Keep gpu-bench-01 running",
    kind=FactKind.CONSTRAINT,
    forbids=("stop", "delete"),
    status="current",
    valid_from=AT,
    asserted_at=AT,
    confirmed_at=AT,
    sources=("trace://act_1043/message",),
)
NAMES = [("gpu-bench-01", "i-09a8f"), ("i-09a8f", "cloud-instance:i-09a8f"), ("gpu-bench-02", "i-2")]
PENDING = Waiting(
    event=Event(
        event_id="ev_9",
        occurred_at=AT,
        scope=TEAM,
        activity_id="a",
        actor=Actor("user", "ana"),
        event_type="message.user",
        data={"text": "Keep db-1 running"},
    ),
    entity="db-1",
    forbids=("stop",),
)


def outcome(action, args, *, waiting=(), unread=frozenset(), policy=None) -> str:
    call = Call(action, args)
    facts = tuple(Constraints(Held((KEEP,), NAMES)).named(call))
    return decide(deed(call, policy or Policy()), Touched(facts, waiting=waiting, unread=unread)).outcome


@pytest.mark.parametrize(
    ("action", "args", "expected"),
    [
        ("stop_instance", {"instance_id": "i-09a8f"}, "block"),
        ("stop_instance", {"instance_id": "cloud-instance:i-09a8f"}, "block"),
        ("terminateInstances", {"targets": [{"deep": ["GPU-Bench-01"]}]}, "block"),
        ("stop_instance", {"instance_id": "\uff47pu-bench-01"}, "block"),
        ("stop_instance", {"gpu-bench-01": True}, "block"),
        ("stop_instance", {"instance_id": "i-2"}, "allow"),
        ("stop_instance", {"instance_id": "gpu-bench-011"}, "allow"),
        ("get_instance_metrics", {"instance_id": "i-09a8f"}, "allow"),
        ("restart_instance", {"instance_id": "i-09a8f"}, "allow"),
        ("run_shell", {"command": "echo gpu-bench-01"}, "defer"),
        ("run_shell", {"command": "echo hello"}, "allow"),
        ("get_rows", {"sql": "DROP TABLE x -- i-09a8f"}, "defer"),
        ("frobnicate", {"id": "i-09a8f"}, "defer"),
        ("set_state", {"id": "i-09a8f", "state": "stopped"}, "block"),
        ("instance_action", {"id": "i-09a8f", "action": "stop"}, "block"),
        ("update_instance", {"id": "i-09a8f", "power": "off"}, "block"),
        ("update_instance", {"id": "i-09a8f", "label": "qa"}, "allow"),
        ("check_instance", {"id": "i-09a8f", "action": "stop"}, "block"),
        ("fetch_url", {"method": "DELETE", "url": "https://cloud/i-09a8f"}, "block"),
        ("fetch_url", {"method": "GET", "url": "https://cloud/i-09a8f"}, "allow"),
        ("list_instances", {"name": "gpu-bench-01", "state": "stopped"}, "allow"),
        ("query_database", {"q": "DELETE FROM hosts WHERE id = 'i-09a8f'"}, "defer"),
        ("query_database", {"statements": ["DROP TABLE i-09a8f"]}, "defer"),
    ],
)
def test_touch_and_cover(action, args, expected):
    assert outcome(action, args) == expected


def test_a_declared_tool_is_taken_at_its_word():
    policy = Policy(tools={"frobnicate": ToolRule(actions={"start"}), "run_shell": ToolRule(read_only=True)})
    assert outcome("frobnicate", {"id": "i-09a8f"}, policy=policy) == "allow"
    assert outcome("run_shell", {"command": "uptime gpu-bench-01"}, policy=policy) == "allow"
    assert outcome("frobnicate", {"id": "i-09a8f"}) == "defer"


def test_an_unread_constraint_defers_what_it_would_allow_and_lets_others_pass():
    assert outcome("restart_instance", {"id": "i-09a8f"}, unread=frozenset({"fact_1"})) == "defer"
    assert outcome("restart_instance", {"id": "i-2"}, unread=frozenset({"fact_1"})) == "allow"
    assert outcome("get_instance", {"id": "i-09a8f"}, unread=frozenset({"fact_1"})) == "allow"


def test_what_someone_just_said_defers_what_it_forbids():
    assert outcome("stop_instance", {"id": "db-1"}, waiting=(PENDING,)) == "defer"
    assert outcome("restart_instance", {"id": "db-1"}, waiting=(PENDING,)) == "allow"


def test_the_message_names_value_source_and_date_unless_it_may_not_be_read():
    verdict = decide(deed(Call("stop_instance", {}), Policy()), Touched((KEEP,)))
    told = message("stop_instance", verdict, Principal("bot", grants=(TEAM,)))
    assert "Keep gpu-bench-01 running" in told
    assert "2026-11-02" in told
    assert "trace://act_1043/message" in told
    hidden = message("stop_instance", verdict, Principal("eve"))
    assert "Keep" not in hidden
    assert "may not read" in hidden
    assert "2026-11-02" in hidden


def test_a_message_names_some_of_many_constraints_and_says_how_many_more():
    many = tuple(KEEP.model_copy(update={"fact_id": f"fact_{n}", "value": f"rule {n}."}) for n in range(40))
    verdict = decide(deed(Call("stop_instance", {}), Policy()), Touched(many))
    told = message("stop_instance", verdict, Principal("bot", grants=(TEAM,)))
    assert len(verdict.facts) == 40
    assert told.count("source trace://act_1043/message") == 12
    assert told.endswith("28 more constraints.")


def test_a_constraint_under_a_display_name_covers_the_id_that_turns_up_later():
    under_name = KEEP.model_copy(update={"entity": "gpu-bench-01"})
    assert Constraints(Held((under_name,), NAMES)).named(Call("stop", {"id": "i-09a8f"})) == [under_name]
    assert Constraints(Held((under_name,), NAMES)).named(Call("stop", {"id": "i-2"})) == []
    assert Constraints(Held((under_name,))).named(Call("stop", {"id": "i-09a8f"})) == []

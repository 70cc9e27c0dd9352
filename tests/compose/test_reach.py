"""Calls that say what they do, but not to what: held where a constraint stands."""

import pytest
from acceptance.world import DAN, GPU, KEEP, LEAD, STAGING, constrain, say

from langgraph_memory import AuthorityRule, Memory, Policy, Principal, Scope
from langgraph_memory.policy import ToolRule

ELSEWHERE = Scope.of(org="acme", workspace="sandbox")


def outcome(memory, action, args, scope=STAGING):
    return memory.check(action, args, principal=DAN, scope=scope).outcome


REACHING = [
    ("execute_sql", {"sql": "DELETE FROM instances"}),
    ("execute_sql", {"sql": "DELETE FROM instances WHERE 1=1"}),
    ("execute_sql", {"sql": "DELETE FROM instances WHERE status = 'idle'"}),
    ("execute_sql", {"sql": "UPDATE instances SET state='stopped'"}),
    ("execute_sql", {"sql": "TRUNCATE TABLE instances"}),
    ("run_query", {"query": "DROP DATABASE prod"}),
    ("run_command", {"command": "cloud terminate --all"}),
    ("run_command", {"command": "kubectl delete ns staging"}),
    ("run_command", {"command": "kubectl delete pod -l app=bench"}),
    ("run_command", {"command": "terraform destroy -auto-approve"}),
    ("run_command", {"command": "shutdown -h now"}),
    ("run_command", {"command": "cloud list | xargs cloud stop"}),
    ("run_command", {"command": "aws terminate-instances --ids $(aws list)"}),
    ("run_command", {"command": "x=gpu-; stop ${x}bench-01"}),
    ("run_command", {"command": "rm -rf /"}),
    ("run_code", {"code": "for box in boxes():\n    box.terminate()"}),
    ("stop_instances", {}),
    ("stop_instances", None),
    ("stop_instances", {"ids": []}),
    ("stop_instances", {"ids": None, "force": True}),
    ("stop_instances", {"filter": {"status": "idle"}}),
    ("stop_instances", {"Filters": [{"Name": "tag:env", "Values": ["qa"]}]}),
    ("stop_instances", {"count": 50}),
    ("stop_instances", {"cluster": "c1"}),
    ("stop_idle_instances", {"older_than_days": 3}),
    ("delete_instances", {"label_selector": "team=qa"}),
    ("stop_instance", {"names_except": ["web-77"]}),
    ("delete_namespace", {"name": "batch"}),
    ("delete_thing", {"name": "staging-cloud"}),
    ("shutdown", {}),
]
NAMING = [
    ("execute_sql", {"sql": "DELETE FROM carts WHERE id = 17"}),
    ("execute_sql", {"sql": "DELETE FROM hosts WHERE name = 'web-77'"}),
    ("run_command", {"command": "systemctl stop nginx"}),
    ("run_command", {"command": "kubectl delete pod web-77 -n staging-cloud"}),
    ("run_command", {"command": "docker stop web-77 && docker rm web-77"}),
    ("run_command", {"command": "rm -rf build/"}),
    ("run_command", {"command": "git commit -am 'drop all support for the old format'"}),
    ("run_command", {"command": "pytest -k 'not slow' && ls *"}),
    ("run_command", {"command": "grep -rn 'terminate' src | head"}),
    ("run_code", {"code": "timer.stop()\nprint(total * 2)"}),
    ("stop_instances", {"ids": ["web-77", "web-78"], "force": True}),
    ("stop_instances", {"filter": {"name": "web-77"}}),
    ("stop_instance", {"name": "web-77", "env": "staging-cloud", "region": "eu", "cluster": "c1"}),
    ("stop_instances", {"name": "web-77", "namespace": "staging-cloud"}),
    ("cancel_subscription", {"subscription_id": "sub-2", "account": "acme"}),
    ("stop_timer", {}),
    ("close_tab", {}),
    ("delete_row", {"row": 12}),
    ("cancel_order", {"order_id": "#W123"}),
    ("start_instances", {}),
    ("restart_all_instances", {}),
]


@pytest.mark.parametrize(("action", "args"), REACHING, ids=str)
def test_what_names_nothing_may_reach_what_is_protected(memory, action, args):
    assert outcome(memory, action, args) == "allow"
    constrain(memory, forbids=("stop", "delete"))
    assert outcome(memory, action, args) == "defer"
    assert outcome(memory, action, args, ELSEWHERE) == "allow"


@pytest.mark.parametrize(("action", "args"), NAMING, ids=str)
def test_what_names_its_thing_passes(memory, action, args):
    constrain(memory, forbids=("stop", "delete"))
    assert outcome(memory, action, args) == "allow"
    assert outcome(memory, "stop_instance", {"name": GPU}) == "block"


@pytest.mark.parametrize(
    ("action", "args", "expected"),
    [
        ("send_email", {"to": "bob", "body": "hello"}, "allow"),
        ("issue_refund", {"amount": 10}, "allow"),
        ("process_payment", {"customer": "bob", "sum": 3}, "allow"),
        ("send_emails", {"body": "hello"}, "defer"),
        ("send", {}, "defer"),
        ("shut_down", {}, "defer"),
    ],
)
def test_a_verb_that_names_a_thing_is_the_thing(memory, action, args, expected):
    constrain(memory, forbids=("send", "pay", "stop"))
    assert outcome(memory, action, args) == expected


def test_a_rule_that_nobody_has_consolidated_is_reached_as_well(memory):
    assert outcome(memory, "stop_instances", {}) == "allow"
    say(memory, LEAD, KEEP, activity="act-said")
    assert outcome(memory, "stop_instances", {}) == "defer"
    assert outcome(memory, "stop_instance", {"match": "^gpu"}) == "defer"
    assert outcome(memory, "stop_instances", {}, ELSEWHERE) == "allow"
    assert outcome(memory, "stop_instance", {"match": "^web"}) == "allow"
    assert outcome(memory, "restart_instances", {}) == "allow"


@pytest.fixture
def declared(clock):
    rule = AuthorityRule(roles={"infra_lead"}, scope=STAGING)
    policy = Policy(authority=[rule], tools={"page": ToolRule(read_only=True)})
    with Memory.open(":memory:", policy=policy, clock=clock) as memory:
        constrain(memory, forbids=("stop", "delete"))
        yield memory


@pytest.mark.parametrize("tool", ["page", "fetch_url", "http_get", "browse"])
@pytest.mark.parametrize(
    ("more", "acts"),
    [
        ({"url": f"https://cloud/api?action=terminate&id={GPU}"}, True),
        ({"url": f"https://cloud/api?%61ction=%74erminate&id={GPU}"}, True),
        ({"url": f"https://cloud/{GPU}/stop"}, True),
        ({"url": "https://cloud/instances/terminate_all"}, True),
        ({"url": f"https://cloud/{GPU}", "method": "DELETE"}, True),
        ({"url": f"https://cloud/api?action=describe&id={GPU}"}, False),
        ({"url": f"https://cloud/instances/{GPU}/status"}, False),
        ({"url": f"https://docs/how-to-stop-instances#{GPU}"}, False),
        ({"url": "https://cloud/api?action=terminate&id=web-77"}, False),
    ],
    ids=str,
)
def test_an_address_that_acts_is_no_reading_whatever_fetches_it(declared, tool, more, acts):
    assert (outcome(declared, tool, more) != "allow") is acts


@pytest.mark.parametrize(
    ("tool", "args", "acts"),
    [
        ("query_api", {"gql": f'mutation {{ terminateInstance(id: "{GPU}") }}'}, True),
        ("query_api", {"gql": f'{{ instance(id: "{GPU}") {{ state }} }}'}, False),
        ("query_database", {"q": f"DELETE FROM hosts WHERE id = '{GPU}'"}, True),
        ("web_search", {"query": f"how to stop {GPU}"}, False),
        ("search_logs", {"query": f"{GPU} terminated"}, False),
    ],
)
def test_a_question_is_reading_until_it_is_a_statement(declared, tool, args, acts):
    assert (outcome(declared, tool, args) != "allow") is acts


def test_what_others_hold_for_themselves_is_asked_about_and_decided_where_the_run_acts(memory):
    ana = Scope.of(org="acme", user="ana")
    constrain(memory, scope=ana, value="Mine, leave it alone", forbids=("stop",))
    decision = memory.check("stop_instance", {"name": GPU}, principal=DAN, scope=STAGING)
    assert decision.outcome == "defer"
    assert "Mine" not in decision.message
    assert decision.authority_over == ((STAGING, "lifecycle_policy"),)
    assert outcome(memory, "stop_instances", {}) == "allow"
    own = memory.check("stop_instance", {"name": GPU}, principal=Principal("ana", grants=(ana,)), scope=ana)
    assert own.outcome == "block"

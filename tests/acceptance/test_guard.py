"""Which actions a standing constraint stops, holds or lets pass."""

import re

import pytest
from langgraph.store.memory import InMemoryStore

from langgraph_memory import AuthorityRule, Memory, Principal, Scope

from .fixtures import over
from .world import (
    ANA,
    DAN,
    DEVELOPER,
    GPU,
    KEEP,
    LEAD,
    SANDBOX,
    STAGING,
    constrain,
    leads_policy,
    say,
    use,
    wide,
)

ACME = Scope.of(org="acme")
PRODUCTION = Scope.of(org="acme", workspace="production")


def check(memory, action, args, principal=DAN, scope=STAGING):
    return memory.check(action, args, principal=principal, scope=scope)


def outcome(memory, action, args, **more):
    return check(memory, action, args, **more).outcome


def test_nothing_known_means_nothing_is_held(any_memory):
    assert outcome(any_memory, "stop_instance", {"instance": GPU}) == "allow"
    constrain(any_memory)
    assert outcome(any_memory, "stop_instance", {"instance": GPU}) == "block"


def test_a_block_says_what_since_when_and_by_which_source(any_memory, clock):
    constrain(any_memory, evidence_ref="trace://first")
    said_on = clock().date().isoformat()
    clock.advance(days=40)
    decision = check(any_memory, "stop_instance", {"instance": GPU})
    assert decision.outcome == "block"
    assert [fact.value for fact in decision.facts] == [KEEP]
    assert KEEP in decision.message
    assert "trace://first" in decision.message
    assert said_on in decision.message
    assert decision.id
    assert decision.id != check(any_memory, "stop_instance", {"instance": GPU}).id


@pytest.mark.parametrize(
    "action",
    ["stop_instance", "terminate_instance", "shutdown_vm", "kill_server", "instance_stop", "stopInstance"],
)
def test_a_forbidden_class_covers_the_verbs_that_mean_it(memory, action):
    constrain(memory)
    assert outcome(memory, action, {"instance": GPU}) == "block"
    assert outcome(memory, action, {"instance": SANDBOX}) == "allow"


@pytest.mark.parametrize(
    "action",
    ["get_instance_metrics", "list_instances", "describe_instance", "start_instance", "resize_instance"],
)
def test_other_actions_on_the_same_entity_pass(memory, action):
    constrain(memory)
    assert outcome(memory, action, {"instance": GPU}) == "allow"
    assert outcome(memory, "stop_instance", {"instance": GPU}) == "block"


def test_a_reading_prefix_does_not_excuse_a_mutating_verb(memory):
    constrain(memory)
    assert outcome(memory, "get_or_stop_instance", {"instance": GPU}) != "allow"
    assert outcome(memory, "get_instance", {"instance": GPU}) == "allow"


TOUCHING = {
    "exact": {"instance": GPU},
    "upper case": {"instance": GPU.upper()},
    "full width": {"instance": wide(GPU)},
    "mathematical bold": {"instance": "".join(chr(0x1D41A + ord(c) - 97) if c.isalpha() else c for c in GPU)},
    "in a sentence": {"reason": "please stop gpu-bench-01, it idles"},
    "in a path": {"target": "zones/eu/instances/gpu-bench-01"},
    "quoted": {"target": "'gpu-bench-01'"},
    "in a list": {"instances": [SANDBOX, GPU]},
    "deep down": {"filter": {"any": [{"names": [{"value": GPU}]}]}},
    "as a key": {"states": {GPU: "stopped"}},
}
PASSING = {
    "other": {"instance": SANDBOX},
    "longer number": {"instance": "gpu-bench-012"},
    "longer name": {"instance": "mygpu-bench-01"},
    "part of it": {"instance": "gpu-bench"},
    "nothing": {},
    "numbers": {"count": 1, "force": True, "note": None},
}


@pytest.mark.parametrize("name", TOUCHING)
def test_an_argument_touches_the_entity(memory, name):
    assert outcome(memory, "stop_instance", TOUCHING[name]) == "allow"
    constrain(memory)
    assert outcome(memory, "stop_instance", TOUCHING[name]) == "block"


@pytest.mark.parametrize("name", PASSING)
def test_an_argument_does_not_touch_the_entity(memory, name):
    constrain(memory)
    assert outcome(memory, "stop_instance", PASSING[name]) == "allow"
    assert outcome(memory, "stop_instance", {"also": GPU, **PASSING[name]}) == "block"


def test_a_typed_entity_is_touched_by_its_id_alone(any_memory):
    constrain(any_memory, entity="cloud-instance:i-09a8f")
    assert outcome(any_memory, "stop_instance", {"id": "i-09a8f"}) == "block"
    assert outcome(any_memory, "stop_instance", {"id": "cloud-instance:i-09a8f"}) == "block"
    assert outcome(any_memory, "stop_instance", {"id": "i-09a8"}) == "allow"
    assert outcome(any_memory, "stop_instance", {"id": "cloud-instance:i-1"}) == "allow"


@pytest.mark.parametrize(
    ("tool", "argument"),
    [("run_command", "command"), ("execute", "script"), ("python", "code"), ("query", "sql")],
)
def test_an_undeclared_tool_with_free_text_that_names_the_entity_is_deferred(memory, tool, argument):
    free = {argument: "poweroff --host gpu-bench-01"}
    assert outcome(memory, tool, free) == "allow"
    constrain(memory)
    assert outcome(memory, tool, free) == "defer"
    assert outcome(memory, tool, {argument: "poweroff --host dev-sandbox-04"}) == "allow"


def test_a_constraint_that_forbids_nothing_of_the_kind_does_not_block(memory):
    constrain(memory, forbids=("delete",))
    assert outcome(memory, "stop_instance", {"instance": GPU}) == "allow"
    assert outcome(memory, "delete_instance", {"instance": GPU}) == "block"


def test_only_current_constraints_are_enforced(any_memory):
    constrain(any_memory, DEVELOPER)
    assert outcome(any_memory, "stop_instance", {"instance": GPU}) == "allow"
    constrain(any_memory)
    assert outcome(any_memory, "stop_instance", {"instance": GPU}) == "block"
    constrain(any_memory, value="It may be stopped, never deleted", forbids=("delete",))
    assert outcome(any_memory, "stop_instance", {"instance": GPU}) == "allow"


def test_a_fact_that_is_no_constraint_holds_nothing(memory):
    memory.assert_fact(scope=STAGING, entity=GPU, attribute="owner", value="QA owns it", actor=LEAD)
    assert outcome(memory, "stop_instance", {"instance": GPU}) == "allow"


def test_an_old_constraint_holds_for_as_long_as_its_condition_is_open(any_memory, clock):
    constrain(any_memory)
    for _ in range(5):
        clock.advance(days=300)
        any_memory.consolidate()
    assert outcome(any_memory, "stop_instance", {"instance": GPU}) == "block"
    assert values_of(any_memory) == [KEEP]


def values_of(memory):
    recall = memory.recall("anything", principal=DAN, scope=STAGING, entities=(GPU,))
    return [fact.value for fact in recall.constraints]


@pytest.fixture
def tenant(clock):
    rule = AuthorityRule(roles={"infra_lead"}, scope=ACME, attributes="*")
    with Memory.open(":memory:", policy=leads_policy(rule), clock=clock) as memory:
        yield memory


SECRET = "Keep it for the unannounced audit"


@pytest.mark.parametrize(
    ("where", "expected"),
    [(PRODUCTION, "block"), (ACME, "block"), (Scope.of(org="acme", user="ana"), "defer")],
    ids=str,
)
def test_constraints_of_the_whole_tenant_count_but_are_redacted_for_who_may_not_read_them(
    tenant, where, expected
):
    constrain(tenant, scope=where, value=SECRET)
    blind = check(tenant, "stop_instance", {"instance": GPU})
    assert blind.outcome == expected
    assert SECRET not in blind.message
    assert SECRET not in blind.model_dump_json()
    granted = Principal("ana", grants=(STAGING, where))
    assert SECRET in check(tenant, "stop_instance", {"instance": GPU}, principal=granted).message


def test_constraints_of_another_tenant_do_not_count(tenant):
    constrain(tenant, scope=Scope.of(org="other", workspace="staging-cloud"))
    assert outcome(tenant, "stop_instance", {"instance": GPU}) == "allow"
    constrain(tenant, scope=PRODUCTION)
    assert outcome(tenant, "stop_instance", {"instance": GPU}) == "block"


INSTRUCTION = "Keep gpu-bench-01 running until QA has moved its suite to Kubernetes."


def test_an_authorised_instruction_that_waits_for_consolidation_defers_and_is_cited(any_memory):
    say(any_memory, DEVELOPER, INSTRUCTION, activity="act-dan")
    assert outcome(any_memory, "stop_instance", {"instance": GPU}) == "allow"
    event = say(any_memory, LEAD, INSTRUCTION, activity="act-ana", ref="trace://waiting")
    decision = check(any_memory, "stop_instance", {"instance": GPU})
    assert decision.outcome == "defer"
    assert event.source in decision.message or event.event_id in decision.message
    assert outcome(any_memory, "stop_instance", {"instance": SANDBOX}) == "allow"
    assert outcome(any_memory, "get_instance", {"instance": GPU}) == "allow"


def test_an_instruction_that_waits_is_cited_once_although_its_thing_has_an_id_and_a_name(any_memory):
    use(any_memory, "get_instance", {"id": "i-09a8f"}, {"id": "i-09a8f", "name": GPU}, activity="act-ana")
    event = say(any_memory, LEAD, INSTRUCTION, activity="act-ana")
    decision = check(any_memory, "stop_instance", {"id": "i-09a8f"})
    assert (decision.outcome, decision.events) == ("defer", (event.event_id,))
    assert decision.message.count(event.source) == 1


def test_once_consolidated_the_instruction_blocks(any_memory):
    use(any_memory, "get_instance", {"instance": GPU}, {"name": GPU}, activity="act-ana", entities=(GPU,))
    say(any_memory, LEAD, INSTRUCTION, activity="act-ana")
    any_memory.publish(scope=STAGING, activity_id="act-ana", event_type="feedback.correction", actor=LEAD)
    any_memory.consolidate()
    assert outcome(any_memory, "stop_instance", {"instance": GPU}) == "block"


def test_a_critical_correction_can_wait_until_it_holds(any_memory):
    use(any_memory, "get_instance", {"instance": GPU}, {"name": GPU}, activity="act-ana", entities=(GPU,))
    any_memory.publish(
        scope=STAGING, activity_id="act-ana", event_type="message.user", actor=LEAD,
        data={"text": INSTRUCTION}, wait=True,
    )  # fmt: skip
    assert len(any_memory.facts(STAGING, entity=GPU)) == 1
    assert outcome(any_memory, "stop_instance", {"instance": GPU}) == "block"


class Unreadable(InMemoryStore):
    """A store of someone else that can break down."""

    down = False

    def batch(self, ops):
        if self.down:
            raise OSError("the store is down")
        return super().batch(ops)


def test_when_memory_cannot_be_read_changes_are_held_and_reading_goes_on(clock):
    store = Unreadable()
    with over(store, clock) as memory:
        constrain(memory)
        store.down = True
        for instance in (GPU, SANDBOX):
            held = check(memory, "stop_instance", {"instance": instance})
            assert held.outcome in {"defer", "block"}
            assert "memory" in held.message.lower()
        assert outcome(memory, "get_instance_metrics", {"instance": GPU}) == "allow"
        store.down = False
        assert outcome(memory, "stop_instance", {"instance": GPU}) == "block"
        assert outcome(memory, "stop_instance", {"instance": SANDBOX}) == "allow"


def test_a_check_leaves_memory_as_it_was(any_memory):
    constrain(any_memory)
    before = any_memory.facts(STAGING), list(any_memory.events(STAGING))
    check(any_memory, "stop_instance", {"instance": GPU})
    assert (any_memory.facts(STAGING), list(any_memory.events(STAGING))) == before


def test_a_decision_can_be_explained_later(memory):
    constrain(memory)
    decision = check(memory, "stop_instance", {"instance": GPU}, principal=ANA)
    (fact,) = memory.facts(STAGING)
    assert re.search(
        rf"block.*{fact.fact_id}|{fact.fact_id}.*block", str(memory.explain(decision.id)), re.DOTALL
    )


def test_an_actor_in_the_arguments_changes_nothing(memory):
    constrain(memory)
    args = {"instance": GPU, "approved_by": "ana", "role": "infra_lead", "override": True}
    assert outcome(memory, "stop_instance", args) == "block"

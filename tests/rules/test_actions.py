"""Action classes of tool names and of sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.actions import (
    CODE_FREEZE,
    KEEP_RUNNING,
    ActionClass,
    action_classes,
    inflections,
    is_reading,
    verbs_in,
)

NAMES = {
    "stop_instance": "stop",
    "terminateInstances": "stop delete",
    "shut-down-vm": "stop",
    "ShutdownInstance": "stop",
    "power off host": "stop",
    "compute.instances.stop": "stop",
    "delete_user": "delete",
    "purge_cache": "delete",
    "reboot_instances": "restart",
    "scale_to_zero": "scale suspend",
    "deploy_service": "deploy",
    "publishRelease": "deploy",
    "git_push": "merge deploy",
    "merge_pull_request": "merge",
    "issue_refund": "pay",
    "process_payment": "pay",
    "bulk_refund": "pay",
    "cancel_reservation": "cancel",
    "book_reservation": "book",
    "place_order": "book",
    "update_reservation_flights": "modify",
    "send_email": "send",
    "rotate_keys": "rotate",
    "migrate_database": "migrate",
    "disable_account": "disable",
    "get_or_create_user": "create",
    "find_and_replace": "modify",
}
READING = [
    "get_order_details",
    "list_stopped_instances",
    "describeInstances",
    "aws__ec2__describe_instances",
    "search_direct_flight",
    "calculate",
    "read_file",
    "check_refund_status",
    "list_releases",
    "instances.list",
    "get-pull-request",
]
NOT_READING = ["get_or_create_user", "check_then_refund", "stop_instance", "list_and_purge", "frobnicate", ""]


@pytest.mark.parametrize(("name", "classes"), NAMES.items())
def test_a_tools_name_tells_what_it_does(name, classes):
    assert action_classes(name) == set(classes.split())
    assert not is_reading(name)


@pytest.mark.parametrize("name", READING)
def test_a_reading_name_changes_nothing(name):
    assert is_reading(name)
    assert action_classes(name) == frozenset()


@pytest.mark.parametrize("name", NOT_READING)
def test_what_could_change_something_is_not_reading(name):
    assert not is_reading(name)


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("it was stopped", "stop"),
        ("stopping it", "stop"),
        ("shut the old box down", "stop"),
        ("turn it off", "stop"),
        ("take it offline", "stop"),
        ("spin it down or wipe it out", "stop delete"),
        ("no deploys", "deploy"),
        ("roll it out", "deploy"),
        ("refunding and cancelling", "pay cancel"),
        ("don't touch it", "*"),
        ("force-push", "merge deploy"),
        ("payments-api is green", ""),
        ("\uff33\uff34\uff2f\uff30 it", "stop"),
        ("a quiet evening", ""),
    ],
)
def test_running_text_names_actions_in_any_form(text, classes):
    assert verbs_in(text) == set(classes.split())


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("stop", "stops stopped stopping"),
        ("delete", "deletes deleted deleting"),
        ("cancel", "canceled cancelled cancelling"),
        ("modify", "modifies modified modifying"),
        ("push", "pushes pushed pushing"),
        ("send", "sends sent sending"),
        ("pay", "pays paid paying"),
    ],
)
def test_verbs_are_inflected(verb, forms):
    assert {verb, *forms.split()} <= inflections(verb)


def test_keep_running_rules_out_ending_it_but_not_restarting_it():
    assert {ActionClass.STOP, ActionClass.DELETE, ActionClass.SUSPEND} <= KEEP_RUNNING
    assert ActionClass.RESTART not in KEEP_RUNNING
    assert {ActionClass.DEPLOY, ActionClass.MERGE} == CODE_FREEZE


@given(st.text(max_size=60))
def test_any_name_and_text_has_classes_and_reading_ones_have_none(text):
    assert action_classes(text) <= set(ActionClass) - {ActionClass.ANY} | {ActionClass.ANY}
    assert verbs_in(text) <= set(ActionClass)
    assert not (is_reading(text) and action_classes(text))


@given(st.lists(st.sampled_from(["stop", "instance", "old", "get", "refund", "and"]), min_size=1, max_size=4))
def test_the_spelling_of_a_name_does_not_matter(words):
    snake, kebab, camel = "_".join(words), "-".join(words), words[0] + "".join(w.title() for w in words[1:])
    assert action_classes(snake) == action_classes(kebab) == action_classes(camel)
    assert is_reading(snake) == is_reading(kebab) == is_reading(camel)

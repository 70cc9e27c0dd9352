"""Entities in the arguments and outputs of tools of many kinds, by general rules alone."""

import json

import pytest

from langgraph_memory import Actor, Event, Scope
from langgraph_memory.entities import Discovered, discover, discover_event

EC2 = {
    "Instances": [
        {
            "InstanceId": "i-09a8f",
            "InstanceType": "p4d.24xlarge",
            "State": {"Code": 16, "Name": "running"},
            "Placement": {"AvailabilityZone": "us-east-1a"},
            "VpcId": "vpc-1a2b",
            "LaunchTime": "2026-05-20T10:00:00Z",
            "Tags": [{"Key": "Name", "Value": "gpu-bench-01"}, {"Key": "env", "Value": "staging"}],
        }
    ]
}
POD = {
    "kind": "Pod",
    "metadata": {"name": "payments-api-7d9f8c-x2k4z", "namespace": "prod"},
    "status": {"phase": "Running", "podIP": "10.1.2.3"},
}
BOOKING = {
    "reservation_id": "4WQ150",
    "user_id": "chen_jackson_3290",
    "origin": "DFW",
    "cabin": "business",
    "flights": [{"flight_number": "HAT170", "date": "2024-05-22", "price": 883}],
    "passengers": [{"first_name": "Chen", "last_name": "Jackson", "dob": "1956-07-07"}],
    "payment_history": [{"payment_id": "gift_card_3576581", "amount": 4986}],
    "created_at": "2024-05-11T10:37:53",
    "insurance": "no",
}
PROFILE = {
    "name": {"first_name": "Ana", "last_name": "Li"},
    "address": {"address1": "975 Sunset Drive", "address2": "Suite 217", "zip": "78750", "state": "TX"},
    "email": "ana.li3818@example.com",
    "payment_methods": {
        "credit_card_4421486": {"source": "credit_card", "last_four": "7447"},
        "paypal_6213278": {"source": "paypal"},
    },
    "orders": ["#W6067464", "#W3504269"],
    "membership": "gold",
}
ISSUE = {
    "key": "PROJ-123",
    "fields": {"summary": "Flaky test in src/auth.py", "status": {"name": "In Progress"}, "priority": "High"},
}
TICKET = {
    "ticket": {"id": 35436, "subject": "Printer on fire!", "requester_id": 20978392, "tags": ["enterprise"]}
}
ACCOUNT = {"Id": "001D000000IRFmaIAH", "Name": "Acme Corp", "Phone": "+1 415 555 0100", "Employees": 120}
CUSTOMER = {
    "customer_id": "C1001",
    "full_name": "John Smith",
    "date_of_birth": "1985-06-15",
    "line_ids": ["L1001", "L1002"],
    "account_status": "Active",
}
METRICS = {"p95_ms": 210, "p99_ms": 400, "error_rate": 0.02, "last_30_days": 3, "window": "24h"}
WEATHER = {"temp_c": 21, "condition": "Partly cloudy", "wind": "12km/h", "sunrise": "05:58"}


@pytest.mark.parametrize(
    ("args", "output", "entities"),
    [
        ({"region": "us-east-1"}, EC2, {"i-09a8f", "vpc-1a2b"}),
        (
            {"deployment": "payments-api"},
            POD,
            {"payments-api", "payments-api-7d9f8c-x2k4z", "prod", "10.1.2.3"},
        ),
        (
            {"reservation_id": "4WQ150"},
            BOOKING,
            {"4WQ150", "chen_jackson_3290", "HAT170", "gift_card_3576581"},
        ),
        ({}, PROFILE, {"credit_card_4421486", "paypal_6213278", "#W6067464", "#W3504269"}),
        ({"jql": "project = PROJ"}, ISSUE, {"PROJ-123", "src/auth.py"}),
        ({"ticket_id": 35436}, TICKET, {"35436", "20978392"}),
        ({"query": "Acme"}, ACCOUNT, {"001D000000IRFmaIAH"}),
        ({"phone_number": "555-123-2002"}, CUSTOMER, {"C1001", "L1001", "L1002"}),
        ({"service": "checkout", "window": "24h"}, METRICS, {"checkout"}),
        ({"city": "Paris", "units": "metric"}, WEATHER, set()),
        ({"charge": "ch_3MmlLr"}, {"id": "re_1Nispe2", "status": "succeeded"}, {"ch_3MmlLr", "re_1Nispe2"}),
        (
            {"command": "git show a3f9c21 --stat"},
            " src/auth.py | 4 ++--\n 1 file changed",
            {"a3f9c21", "src/auth.py"},
        ),
        ({"owner": "acme", "repo": "web", "pull_number": 481}, "merged", {"web", "pull:481"}),
        ({"sql": "UPDATE orders SET state='held' WHERE id='SO-20993'"}, {"rows": 1}, {"SO-20993"}),
        ({"zip": "28236", "first_name": "Mei"}, "mei_kovacs_8020", {"mei_kovacs_8020"}),
        ({"host": "web1"}, "ERROR-free since 2024-05-20 on db-primary-02", {"web1", "db-primary-02"}),
        ({"path": "/srv/app/prod.yaml", "content": "replicas: 3"}, "ok", {"/srv/app/prod.yaml"}),
        ({"invoice": "INV-2024-0042"}, {"total": "1,200.50", "due": "2024-06-01"}, {"INV-2024-0042"}),
        (None, None, set()),
        ({}, 42, set()),
        ({}, True, set()),
    ],
)
def test_entities_of_tools(args, output, entities):
    assert set(discover(args, output).entities) == entities


@pytest.mark.parametrize("output", [EC2, POD, BOOKING, PROFILE, ISSUE, TICKET, ACCOUNT])
def test_a_json_text_and_what_python_prints_give_the_same_as_the_structure(output):
    assert discover({}, json.dumps(output)) == discover({}, output)
    assert discover({}, str(output)) == discover({}, output)


def test_ids_come_once_and_in_the_order_in_which_they_turn_up():
    found = discover({"order_id": "SO-2"}, {"orders": [{"id": "SO-1"}, {"id": "SO-2"}, {"id": "SO-1"}]})
    assert found.entities == ("SO-2", "SO-1")


def test_nested_messages_of_content_parts_are_read():
    assert discover({}, [{"type": "text", "text": "restarted i-1f2e"}]).entities == ("i-1f2e",)


class TestNames:
    def test_a_display_name_is_an_alias_of_the_id(self):
        found = discover({}, [{"id": "i-09a8f", "name": "gpu-bench-01", "state": "running"}])
        assert found.entities == ("i-09a8f",)
        assert found.aliases == {"gpu-bench-01": "i-09a8f"}

    def test_a_declared_type_gives_the_typed_form_as_an_alias(self):
        found = discover({}, {"id": "i-09a8f", "type": "cloud-instance"})
        assert found == Discovered(entities=("i-09a8f",), names=(("cloud-instance:i-09a8f", "i-09a8f"),))

    def test_a_typed_id_is_kept_as_it_is(self):
        found = discover({}, {"id": "cloud-instance:i-09a8f", "name": "gpu-bench-01", "type": "g5.xlarge"})
        assert found.entities == ("cloud-instance:i-09a8f",)
        assert found.aliases == {"gpu-bench-01": "cloud-instance:i-09a8f"}

    def test_a_name_that_two_things_have_stands_with_both(self):
        found = discover({}, [{"id": "vm-1a", "name": "web"}, {"id": "vm-2b", "name": "web"}])
        assert found.names == (("web", "vm-1a"), ("web", "vm-2b"))
        assert found.aliases == {"web": "vm-1a"}

    def test_the_name_belongs_to_the_thing_itself_not_to_what_it_refers_to(self):
        listed = {"items": [{"name": "Wall Clock", "product_id": "2344688344", "order_id": "SO-11"}]}
        assert discover({}, listed).aliases == {}

    def test_the_id_that_is_named_after_the_list_is_the_own_one(self):
        found = discover({}, {"instances": [{"vpc_id": "vpc-7", "instance_id": "i-77", "label": "dev-04"}]})
        assert found.aliases == {"dev-04": "i-77"}

    def test_a_directory_of_names_and_ids(self):
        found = discover({}, {"T-Shirt": "9523456873", "Laptop": "4760268021", "Lamp": "6817146515"})
        assert found.entities == ("9523456873", "4760268021", "6817146515")
        assert found.aliases["Laptop"] == "4760268021"

    def test_objects_under_ids_have_those_ids(self):
        found = discover({}, {"vm-00a1": {"name": "gpu-bench-01"}, "vm-00a2": {"name": "dev-04"}})
        assert found.aliases == {"gpu-bench-01": "vm-00a1", "dev-04": "vm-00a2"}

    def test_an_announced_id_stays_an_entity_even_if_something_is_called_so(self):
        found = discover({"ticket_id": "OPS-7"}, {"id": "x-11", "name": "OPS-7"})
        assert found.entities == ("OPS-7", "x-11")


class TestWeakNumbers:
    def test_a_short_number_needs_its_kind(self):
        assert discover({"pull_number": 481}, None).entities == ("pull:481",)
        assert discover({}, {"users": [{"id": 7, "name": "Ana"}]}).entities == ("user:7",)

    def test_without_a_kind_it_names_nothing(self):
        assert discover({}, [{"id": 7}, {"number": 3}]).entities == ()

    def test_a_long_one_is_an_id_by_itself(self):
        assert discover({"ticket_id": 35436}, None).entities == ("35436",)


class TestCodes:
    def test_codes_of_one_form_vouch_for_each_other(self):
        assert discover({}, {"bookings": ["VAAOXJ", "4WQ150", "PGAGLM"]}).entities == (
            "VAAOXJ",
            "4WQ150",
            "PGAGLM",
        )

    def test_words_of_one_length_do_not(self):
        assert discover({}, {"airports": ["DFW", "SFO"], "states": ["ACTIVE", "CLOSED"]}).entities == ()

    def test_field_names_with_digits_are_no_ids(self):
        assert discover({}, {"address1": "x", "address2": "y"}).entities == ()


class TestFailures:
    @pytest.mark.parametrize(
        "output",
        [
            "Error: booking 9ZZ999 not found",
            {"error": "no booking 9ZZ999"},
            {"success": False, "id": "9ZZ999"},
        ],
    )
    def test_a_failure_names_only_what_was_asked(self, output):
        assert discover({"booking_id": "4WQ150"}, output).entities == ("4WQ150",)

    def test_a_failure_that_only_the_caller_knows(self):
        assert discover({"id": "4WQ150"}, "no booking 9ZZ999", failed=True).entities == ("4WQ150",)


class TestBounds:
    def test_deep_nesting_is_left_alone(self):
        deep = value = {}
        for _ in range(5_000):
            value["next"] = {}
            value = value["next"]
        value["id"] = "i-09a8f"
        assert discover({}, deep).entities == ()

    def test_a_structure_that_contains_itself_ends(self):
        loop = {"id": "i-09a8f"}
        loop["self"] = loop
        assert discover({}, loop).entities == ("i-09a8f",)

    def test_a_document_does_not_flood_the_entities(self):
        text = " ".join(f"host-{number:05d}" for number in range(1_000))
        assert len(discover({}, text).entities) == 50


def test_the_entities_of_an_event_are_those_of_its_data():
    event = Event(
        event_id="e1",
        occurred_at="2026-05-20T10:00:00Z",
        scope=Scope.of(org="acme"),
        activity_id="a1",
        actor=Actor("tool", "stop_instance"),
        event_type="tool.completed",
        data={"tool": "stop_instance", "args": {"instance": "gpu-bench-01"}, "output": '{"id": "i-09a8f"}'},
    )
    assert discover_event(event).entities == ("gpu-bench-01", "i-09a8f")
    failed = event.model_copy(update={"event_type": "tool.failed"})
    assert discover_event(failed).entities == ("gpu-bench-01",)

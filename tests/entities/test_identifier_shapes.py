"""What has the shape of an identifier, and what only looks like one."""

import pytest

from langgraph_memory.entities import identifiers_in, is_identifier
from langgraph_memory.entities.identifiers import is_compound, is_name, is_number, is_slug, is_token
from langgraph_memory.entities.keys import Announces, announced_by, key_words

IDENTIFIERS = [
    "gpu-bench-01",
    "i-09a8f",
    "HAT069",
    "4WQ150",
    "#W6067464",
    "#481",
    "PROJ-123",
    "CVE-2024-1234",
    "tx_992",
    "credit_card_4421486",
    "mia_li_3668",
    "refund:tx_992",
    "cloud-instance:i-09a8f",
    "pull:481",
    "cus_NffrFeUfNV2Hib",
    "a3f9c21",
    "6dcb09b5b57875f334f61aebed695e2e4193db5e",
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    "arn:aws:s3:::backups",
    "src/auth.py",
    "./deploy/prod.yaml",
    ".github/workflows/ci.yml",
    "10.0.0.5",
    "fe80::1",
    "INV-2024-0042",
    "decoder-01",
    "market-7-eu",
    "X10023",
    "IP10023",
    "4821AB",
    "1234567-abc",
]

LOOK_ALIKES = [
    "2024-05-20",
    "2024-05-20T10:00:00Z",
    "20240520T1000Z",
    "20.05.2024",
    "06:00:00",
    "03:00:00+1",
    "2024-W21",
    "2024-Q3",
    "PT15M",
    "1d12h",
    "10.5GB",
    "1920x1080",
    "128mAh",
    "24-hour",
    "2-year-old",
    "12.50",
    "1,200.50",
    "$305",
    "85%",
    "v2.3.1",
    "1.25.3",
    "1st",
    "basic_economy",
    "one-way",
    "available",
    "SFO",
    "USA",
    "us-east-1",
    "eu-west-2a",
    "78750",
    "+1-555-0100",
    "555-625-1199",
    "mia.li3818@example.com",
    "Mia Li",
    "975 Sunset Drive",
    "utf-8",
    "sha256",
    "HTTP/1.1",
    "49.99/month",
    "true",
    "null",
    "N/A",
    "20-May-2024",
    "june-12",
    "time:10am",
    "size:10GB",
    "x86-64",
    "h264",
    "iso-8859-1",
    "20000mAh",
    "#fff",
    "",
    "   ",
    "x" * 201,
]


@pytest.mark.parametrize("text", IDENTIFIERS)
def test_identifiers_are_told_by_their_shape(text):
    assert is_identifier(text)


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_dates_measures_words_and_persons_are_no_identifiers(text):
    assert not is_identifier(text)


def test_a_sentence_gives_the_identifiers_that_it_mentions_in_order():
    text = (
        "Closes PROJ-99 (PR #481): move gpu-bench-01, i.e. i-09a8f, see src/auth.py and reservation 4WQ150."
    )
    assert list(identifiers_in(text)) == [
        "PROJ-99",
        "#481",
        "gpu-bench-01",
        "i-09a8f",
        "src/auth.py",
        "4WQ150",
    ]


def test_a_command_gives_what_it_works_on():
    assert list(identifiers_in("aws ec2 stop-instances --instance-ids i-09a8f --region=us-east-1")) == [
        "i-09a8f"
    ]


def test_ordinary_prose_mentions_nothing():
    text = (
        "In Q3 2024 we saw COVID-19 numbers fall by 12%. The 24-hour run with python3 and UTF-8 took 3h20m "
        "on 20 May at 10:30am; it cost $1,200.50 for 5-10 people, e.g. at https://example.com/a-10/b2c3d4. "
        "Mail mia.li3818@example.com or call 555-625-1199, mid-1990s style, iPhone15 in hand. "
        "Total:150, port:8080, Time:10am, gpt-4o and http/2 on boeing-737, 1/2 and 9/10."
    )
    assert list(identifiers_in(text)) == []


@pytest.mark.parametrize(
    "key",
    [
        "id",
        "user_id",
        "orderIds",
        "InstanceId",
        "flight_number",
        "sku",
        "arn",
        "LoadBalancerArns",
        "uuid",
        "login",
    ],
)
def test_keys_that_announce_identifiers(key):
    assert announced_by(key) is Announces.IDENTIFIER


@pytest.mark.parametrize(
    "key",
    [
        "departureDate",
        "zip",
        "phone_number",
        "total_price",
        "api_key",
        "access_token",
        "request_id",
        "card_number",
        "email",
        "html_url",
        "instance_type",
        "created_at",
        "status",
        "address1",
    ],
)
def test_keys_that_announce_something_else(key):
    assert announced_by(key) is Announces.OTHER


def test_keys_that_leave_it_to_the_value():
    assert {announced_by(key) for key in ("origin", "reservations", "", "_", "note", "target")} == {
        Announces.NOTHING
    }


def test_resources_are_announced_by_kind():
    assert {announced_by(key) for key in ("service", "instance", "pods", "file_path", "cluster_name")} == {
        Announces.RESOURCE
    }


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("payment_method_ids", ("payment", "method", "id")),
        ("VpcId", ("vpc", "id")),
        ("HTTPServer", ("http", "server")),
        ("policies", ("policy",)),
        ("addresses", ("address",)),
        ("status", ("status",)),
        ("order-items", ("order", "item")),
    ],
)
def test_words_of_keys(key, words):
    assert key_words(key) == words


def test_the_looser_shapes():
    assert is_token("bob")
    assert not is_token("two words")
    assert is_slug("checkout")
    assert not is_slug("10GB")
    assert is_compound("payments-api")
    assert not is_compound("checkout")
    assert is_number("9624127908")
    assert not is_number("20240520")
    assert is_name("Wall Clock")
    assert not is_name("7")
    assert not is_name("a\nb")

"""What is told as a secret in a text, and what is not although it looks like one."""

import base64

import pytest
from made_up import ANY, HUMAN_MADE, MACHINE_MADE, NAMED, SMALL, WEBHOOKS, letters, private_key

from langgraph_memory.redaction import find_secrets, redact_text
from langgraph_memory.redaction.kinds import KINDS


@pytest.mark.parametrize("kind", NAMED)
@pytest.mark.parametrize("around", ["{}", "use {} from now on", '{{"note": "{}"}}', "export X={}\n", "({})"])
def test_named_kinds_are_told_by_their_shape_alone(kind, around):
    text, kinds = redact_text(around.format(NAMED[kind]))
    assert kinds == (kind,)
    assert f"[redacted:{kind}]" in text
    assert NAMED[kind][12:24] not in text


@pytest.mark.parametrize("kind", WEBHOOKS)
def test_addresses_that_let_anyone_post(kind):
    address, secret = WEBHOOKS[kind]
    assert redact_text(f"post to {address}{secret}, please") == (
        f"post to {address}[redacted:{kind}], please",
        (kind,),
    )


def test_escapes_of_json_end_no_word():
    for lead in ("\\n", "\\t", "\\u00e9", "\\\\n"):
        text, kinds = redact_text(f'{{"note": "x{lead}{NAMED["aws-access-key"]}"}}')
        assert text == f'{{"note": "x{lead}[redacted:aws-access-key]"}}'
        assert kinds == ("aws-access-key",)


def test_every_row_of_the_table_has_hints_and_a_name_that_fits_a_marker():
    assert all(kind.hints and kind.name.replace("-", "").isalnum() and kind.name.islower() for kind in KINDS)


SYNTAXES = {
    "json": '{{"{name}": "{value}"}}',
    "compact json": '{{"a":1,"{name}":"{value}","b":2}}',
    "json in json": '{{\\"{name}\\": \\"{value}\\"}}',
    "code": '{name} = "{value}"',
    "typed code": "private readonly {name}: string = '{value}';",
    "go": "{name} := `{value}`",
    "hash rocket": ":{name} => '{value}',",
    "define": "define('{name}', '{value}');",
    "item": 'os.environ["{name}"] = "{value}"',
    "default of a lookup": 'os.environ.get("{name}", "{value}")',
    "setter": 'client.set_{name}("{value}")',
    "keyword": "connect(user='a', {name}='{value}')",
    "shell": "export {name}={value}\n",
    "env file": "{name}={value}",
    "yaml": "  {name}: {value}\n",
    "quoted yaml": '{name}: "{value}"',
    "yaml pair": "- name: {name}\n  value: {value}\n",
    "json pair": '[{{"name": "{name}", "value": "{value}"}}]',
    "terraform": 'variable "{name}" {{ default = "{value}" }}',
    "xml": "<{name}>{value}</{name}>",
    "xml attribute": '<add key="{name}" value="{value}" />',
    "form field": '<input name="{name}" type="hidden" value="{value}">',
    "option": "run --{name} {value} --verbose",
    "option with sign": "run --{name}={value} --verbose",
    "property": "java -D{name}={value} -jar app.jar",
    "query": "https://a.example.net/p?x=1&{name}={value}&y=2",
    "header": "{name}: {value}\r\nAccept: */*",
    "connection string": "Server=db;User Id=sa;{name}={value};Timeout=3",
    "markdown": "**{name}**: `{value}`",
    "list": "- **{name}:** {value}",
    "table": "| {name} | {value} |",
    "sentence": "My {name} is {value}, thanks.",
}


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("name", ["API_KEY", "client_secret", "accessToken", "X-Auth-Token"])
def test_machine_made_values_are_told_by_the_name_beside_them(syntax, name):
    for value in MACHINE_MADE:
        text, kinds = redact_text(SYNTAXES[syntax].format(name=name, value=value))
        assert value not in text
        assert kinds == ("secret",)
        assert text == SYNTAXES[syntax].format(name=name, value="[redacted:secret]")


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("name", ["password", "DB_PASSWORD", "redisPasswd"])
def test_passwords_are_told_by_the_name_beside_them(syntax, name):
    for value in HUMAN_MADE:
        text, kinds = redact_text(SYNTAXES[syntax].format(name=name, value=value))
        assert value[:-1] not in text
        assert kinds == ("password",)


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize(
    "value",
    [
        "${VALUE}",
        "<value>",
        "{{ value }}",
        "xxxxxxxxxxxxxxxx",
        "********",
        "your-value-here",
        "changeme",
        "null",
    ],
)
def test_placeholders_are_left_in_every_syntax(syntax, value):
    for name in ("API_KEY", "password", "client_secret"):
        text = SYNTAXES[syntax].format(name=name, value=value)
        assert redact_text(text) == (text, ())


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("token", True),
        ("next_page_token", False),
        ("token_id", False),
        ("api_key", True),
        ("api_key_name", False),
        ("public_key", False),
        ("primary_key", False),
        ("secret", True),
        ("secretName", False),
        ("author", False),
        ("monkey", False),
        ("max_tokens", False),
        ("csrf_token", False),
    ],
)
def test_the_last_word_of_a_name_decides(name, told):
    text = f'{{"{name}": "{letters(SMALL, 32)}"}}'
    assert bool(find_secrets(text)) is told


@pytest.mark.parametrize(
    "text",
    [
        "contraseña: {}",
        "пароль: {}",
        "密码是{}",
        "mysql -u root -p{} shop",
        "sshpass -p '{}' ssh host",
        "docker login -u ana -p {} registry.example.net",
        "curl -u ana:{} https://example.net",
        'curl --user "ana:{}" https://example.net',
        "curl -s -u ana:'{}' -X POST https://example.net",
        'curl -u ":{}" https://example.net',
        'curl -u "{}:" https://example.net',
        "postgresql+psycopg://ana:{}@db.example.net:5432/shop",
        "machine api.example.net login ana password {}",
        "ALTER USER ana WITH PASSWORD '{}'",
        "the password is {}.",
    ],
)
def test_passwords_are_told_by_their_place(text):
    for value in HUMAN_MADE:
        redacted, kinds = redact_text(text.format(value))
        assert value[:-1] not in redacted
        assert kinds == ("password",)


def test_headers_of_authentication():
    pair = base64.b64encode(f"ana:{HUMAN_MADE[0]}".encode()).decode()
    assert (
        redact_text(f"Authorization: Basic {pair}")[0] == "Authorization: Basic [redacted:basic-credentials]"
    )
    token = letters(ANY, 30)
    assert redact_text(f"curl -H 'Authorization: Bearer {token}'")[0].endswith(
        "Bearer [redacted:bearer-token]'"
    )
    assert (
        redact_text(f"Cookie: lang=en; sessionid={token}")[0]
        == "Cookie: lang=en; sessionid=[redacted:cookie]"
    )
    assert redact_text("Authorization: Basic realm=x and Bearer tokens are explained")[1] == ()


def test_tokens_of_unknown_issuers_are_told_by_a_prefix_before_a_random_body():
    assert redact_text("here is acme_live_" + letters(ANY, 20))[1] == ("token",)
    assert redact_text("here is zzq-" + letters(ANY, 40) + ".") == ("here is [redacted:token].", ("token",))
    assert redact_text("here is fw_" + letters(ANY, 12) + "Aa1" + letters(ANY, 9))[1] == ("token",)
    assert redact_text("here is rack_sk_Zq-" + "-".join(letters(SMALL, 9) for _ in range(4)))[1] == ("token",)
    for prefix in ("ev_", "fact_", "asserted_", "guard_", "zzq-"):
        assert redact_text("here is " + prefix + letters("0123456789abcdef", 32))[1] == ()
    for prefix in ("call_", "msg_", "run-", "cus_", "toolu_01", "chatcmpl-", "image-"):
        assert redact_text("here is " + prefix + letters(ANY, 24))[1] == ()


def test_private_keys_in_every_layout():
    key = private_key("EC PRIVATE KEY")
    for text in (
        key,
        key.replace("\n", "\\n"),
        key[:200],
        f'"{key}"',
        "key: |\n  " + key.replace("\n", "\n  "),
    ):
        redacted, kinds = redact_text(text)
        assert kinds == ("private-key",)
        assert key.splitlines()[1][:40] not in redacted
    lines = ",\n".join(f'"{line}"' for line in key.splitlines())
    assert all(line not in redact_text(lines)[0] for line in key.splitlines()[1:-1])
    public = key.replace("EC PRIVATE", "PUBLIC")
    assert redact_text(public) == (public, ())
    assert redact_text("-----BEGIN PRIVATE KEY-----\nanything\n-----END PRIVATE KEY-----")[1] == ()


def test_manifests_of_secrets_whatever_the_names_in_them():
    value = base64.b64encode(letters(ANY, 9).encode()).decode()
    manifest = (
        "apiVersion: v1\nkind: {}\nmetadata:\n  name: shop\ndata:\n  first: {}\n  second: plain-text-1\n"
    )
    assert redact_text(manifest.format("Secret", value))[1] == ("secret",)
    assert redact_text(manifest.format("ConfigMap", value))[1] == ()


ORDINARY = [
    "credit_card_1955700 certificate_4856383 i-09a8f00112233445566 #W1234567 mia_li_3668 HAT069 NO6JO3",
    "i-0abcd1234ef567890 is in vpc-0a1b2c3d4e5f67890",
    "The server 203.0.113.17 answers on port 8443",
    "commit 5b1d3f6a7c8e9f0a1b2c3d4e5f60718293a4b5c6",
    "image@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    '"id": "123e4567-e89b-12d3-a456-426614174000", "key": "users/2024/03/report-final.pdf"',
    '"etag": "33a64df551425fcc55e4d42a148795d9f25f89d4"',
    "https://docs.example.com/spreadsheets/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
    "https://cdn.example.org/assets/index-BX7f9aQ2kLmN8pRsTuVwXyZ0123.js",
    "arn:aws:iam::123456789012:role/service-role/my-token-role",
    "public key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5hXkN2dWvLQf0m1k3b2rT8uYp7cVnXsZqE4wGdKjHo ana@host",
    "The token budget is 4096 tokens; max_tokens=4096, total_tokens: 1234567890",
    "boarding pass: QF12ABC for 3 passengers, pass rate: 98.5%",
    "Password reset link: https://example.org/reset",
    "Password must have 12 characters and has been reset to the default",
    "the secret ingredient is cinnamon, the key insight is attention2024",
    "password: string | None = None",
    "password VARCHAR(255) NOT NULL",
    "def login(user: str, password: str) -> Token:",
    "token = await get_token(request.headers['X-Auth-Token'])",
    "self._token = token; cfg.password = config.get('password')",
    "password=os.environ['DB_PASSWORD']; SECRET_KEY = env('DJANGO_SECRET_KEY')",
    "const API_KEY = process.env.API_KEY;",
    "PASSWORD=$(cat /run/secrets/db) && token: ${{ secrets.GITHUB_TOKEN }}",
    "secretName: db-credentials-v2, secretKeyRef: {name: db, key: password}",
    "--key-file /etc/ssl/private/server.key --token-ttl 3600s --password-file ./secrets/pw.txt",
    "postgres://postgres:postgres@localhost:5432/db, redis://localhost:6379/0, git@github.com:org/repo.git",
    "curl -u user:pass https://example.org; curl -u '$USER:$PASSWORD' https://example.org; curl -u ana",
    "tests/test_auth.py::test_token_refresh_v2 PASSED in 0.12s",
    "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')",
    "key=lambda item: item[1], cache_key = 'user:42:profile:v3:9f86d081'",
    "The API key was rotated on 2024-05-01T12:00:00Z, token expires at 2024-06-01",
    "Access denied for user 'root'@'localhost' (using password: YES)",
    "primary key: order_id_2024; foreign key (token_id) references tokens(id)",
    "dpl_8Fh2kQz7LmNp3RsTuVwXyZ1aBcD deployed prj_8Fh2kQz7LmNp3RsTuVwXyZ1aBcD, vs_68fA2bC3dE4fG5hI6jK7lM8nO",
    "sk-circle-fade-dot-12-with-a-shadow and api-v2-users-get-by-id-2026-11-30",
    "bitcoin address 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_alone(text):
    assert redact_text(text) == (text, ())

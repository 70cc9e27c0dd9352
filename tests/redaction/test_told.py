"""Secrets told in sentences and laid out in columns, links and files, and what only looks like them."""

import base64
import time

import pytest

from langgraph_memory.redaction import redact_text

PASSWORD, TOKEN = "Gr4nite!Fox9", "9a1fQ7xLr2Tn8Vb4KdWm3Yp6"

SAID = [
    "the password for the staging db is §",
    "Password of the admin account: §",
    "Password - §",
    "the root password → §",
    "The wifi password here is §",
    "set the root password to § please",
    "use § as the password",
    '"§" is my password',
    "login with ana and §",
    "log in as ana:§",
    "the admin login is ana / §",
    "temp pw for the new laptop = §",
    "I reset ana's password to §",
    "la contraseña del servidor es §",
    "le mot de passe du wifi est §",
    "Das WLAN-Passwort lautet §",
    "a senha do servidor é §",
    "la password del router è §",
    "пароль от сервера: §",
    "服务器密码是§",
    "パスワードは § です",
    "비밀번호는 § 입니다",
]
LAID_OUT = [
    "host,user,password\ndb-1,ana,§\ndb-2,dan,other-Sec9ret\n",
    "| user | password |\n|---|---:|\n| ana | § |\n",
    "user\tpassword\nana\t§",
    "smtp:\n  password: |\n    §\n",
    "db.acme.io:5432:app:ana:§",
    "CREATE USER app IDENTIFIED BY '§';",
    "WIFI:T:WPA;S:Home;P:§;;",
    "echo '§' | sudo -S systemctl restart nginx",
    "requests.get(url, auth=('ana', '§'))",
    "ConvertTo-SecureString '§' -AsPlainText -Force",
]
OF_MACHINES = [
    "api key for the shop: §",
    "token for the CI = §",
    "https://§@gitlab.acme.io/infra/app.git",
    "https://cdn.acme.io/a?X-Amz-Expires=60&X-Amz-Signature=§",
    "https://acme.io/reset-password/§",
    "https://acme.io/x;jsessionid=§?page=1",
    "token: >-\n  §\n",
]
NO_SECRETS = [
    "the password for the staging db is stored in vault",
    "password - at least 12 characters",
    "we changed the password policy from 8 to 12 characters",
    "set the token limit to 4096",
    "I use gpu-bench-01 as the password store",
    "log in as ana on gpu-bench-01, or as dan",
    "account: acme / gpu-bench-01",
    "PIN code 560001 is Bangalore",
    "error codes: E4921-a, E5002-b",
    "the recovery plan: RP-2026-04, RP-2026-05",
    "| user | password changed |\n|---|---|\n| ana | 2026-03-02 |",
    "name,token_count\nrun-1,48213\n",
    "tokens: |\n  none\n",
    "db.acme.io:5432:ok:up:healthy",
    "12:30:45:ana:left",
    "This was identified by 'ana' in review",
    "https://acme.io/verify/order-W2378156-status",
    '{"Bucket": "logs", "Key": "2026/03/02/app-7f9c-000123.json.gz"}',
    f"body: {base64.b64encode(b'the quick brown fox jumps over the lazy dog').decode()}",
]


def left(text, secret):
    told = redact_text(text.replace("§", secret))[0]
    assert redact_text(told)[0] == told
    return told


@pytest.mark.parametrize("text", SAID + LAID_OUT)
def test_a_password_goes_and_all_around_it_stays(text):
    before, _, after = text.partition("§")
    told = left(text, PASSWORD)
    assert told.startswith(f"{before}[redacted:password]")
    assert told.strip().endswith(after.strip()) or "other-Sec9ret" in after
    assert "Sec9ret" not in told


@pytest.mark.parametrize("text", OF_MACHINES)
def test_a_token_goes(text):
    assert TOKEN not in left(text, TOKEN)


@pytest.mark.parametrize("text", NO_SECRETS)
def test_what_only_looks_like_it_stays(text):
    assert redact_text(text) == (text, ())


def test_numbers_words_and_codes_of_people_go():
    words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    assert left("My bank PIN is §.", "8305") == "My bank PIN is [redacted:pin]."
    assert left("seed phrase: §", words) == "seed phrase: [redacted:seed-phrase]"
    told = left("Backup codes: §, 7h2k-mm1p", "8f3k-29sk")
    assert told == "Backup codes: [redacted:recovery-code], [redacted:recovery-code]"


def test_what_base64_is_laid_around_goes_with_it():
    inner = f"user=ana&password={PASSWORD}x"
    assert (
        left("the blob § from CI", base64.b64encode(inner.encode()).decode())
        == "the blob [redacted:secret] from CI"
    )
    key = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkq" * 6
    assert "LS0tLS1CRUdJTi" not in left("KEY=§", base64.b64encode(key.encode()).decode())


def test_the_key_of_a_wallet_is_told_by_its_checksum():
    key = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ"
    assert left("here §", key) == "here [redacted:wallet-key]"
    assert redact_text(f"here {key[:-1]}K")[1] != ("wallet-key",)


@pytest.mark.parametrize(
    "unit",
    [
        "the password for ",
        "x is my password ",
        "password,password\n",
        "|password|password|\n",
        "login with a:",
        "backup codes: " + "ab " * 40,
        "seed phrase: " + "abc " * 30,
        "change password from ",
        "A" * 25 + "-",
        "key: |\n",
        "h:10:a:b",
        "token for token ",
    ],
)
def test_time_grows_no_faster_than_the_text(unit):
    def seconds(length):
        text = (unit * length)[:length]
        begun = time.process_time()
        redact_text(text)
        return time.process_time() - begun

    assert min(seconds(40_000) for _ in range(2)) < 40 * max(min(seconds(4_000) for _ in range(3)), 0.002)

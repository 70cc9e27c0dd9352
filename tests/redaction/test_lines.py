"""Lines made for a password or a code are told by their form; lines of other forms are not."""

import json
import random

import pytest

from langgraph_memory.redaction import redact, redact_text

WORD = "Tig3rLamp"
LINES = {
    "password": [
        f"AUTH {WORD}",
        f"cache-1:6379> AUTH default {WORD}",
        f"127.0.0.1:6379> auth {WORD}",
        f"requirepass {WORD}",
        f"masterauth {WORD}",
        f"sentinel auth-pass cache {WORD}",
        f"ACL SETUSER ana on >{WORD} ~* +@all",
        f"snmp-server community {WORD} RO",
        f"rocommunity {WORD} 10.0.0.0/8",
        f"com2sec reader default {WORD}",
        f"snmpwalk -v2c -c {WORD} 10.0.0.1 system",
        f"The SNMP community string for the core switch is {WORD}.",
        f"net use Z: \\\\files\\share /user:corp\\ana {WORD}",
        f"net use \\\\files\\ipc$ {WORD} /user:ana",
        f"net user ana {WORD} /add",
        f"machine api.acme.test login ana password {WORD}",
        f'psk="{WORD}9"',
        f': PSK "{WORD}"',
        f"wpa_passphrase={WORD}",
        f"mount -t cifs //files/x /mnt -o username=ana,password={WORD}",
        f"EXEC sp_addlogin 'ana', '{WORD}'",
        f"enable password {WORD}",
        f"username ana privilege 15 secret 0 {WORD}",
        "username ana password 7 0822455D0A16",
        " password 7 0822455D0A16",
        f"tacacs-server host 10.0.0.9 key {WORD}",
        f"crypto isakmp key {WORD} address 10.0.0.2",
        f"smbclient //files/share -U ana%{WORD}",
        f"lftp -u ana,{WORD} ftp.acme.test",
        f"plink -ssh ana@host -pw {WORD}",
        f"xfreerdp /v:host /u:ana /p:{WORD}",
        f"sqlplus scott/{WORD}@db1",
        f"openssl rsa -in k.pem -passin pass:{WORD}",
        f"unzip -P {WORD} backup.zip",
        f"7z x -p{WORD} backup.7z",
        f"gpg --batch --passphrase {WORD} -d x.gpg",
        f"mosquitto_pub -u ana -P {WORD} -t lamp",
        f"ipmitool -I lanplus -H 10.0.0.1 -U admin -P {WORD} power status",
        f"htpasswd -b .htpasswd ana {WORD}",
        f"rabbitmqctl add_user ana {WORD}",
    ],
    "access-code": [
        "The gate code is 4711#.",
        "door code: 4711",
        "The alarm code for the warehouse is now 90210*",
        "keypad code 4711, then push",
        "Entry code is C4711",
        "the safe combination is 12-34-56",
        "Lockbox code = 3390",
        "the code for the gate? The gate code at the back is 1 4 7 9.",
        "building access code is *8812#",
    ],
    "one-time-code": [
        "Your verification code is 483920.",
        "G-483920 is your Google verification code",
        "OTP: 483920",
        "the 2FA code for ana is 483 920",
    ],
    "pin": ["my pin code is 4711", "The SIM PIN is 4711", "the PUK is 12345678"],
    "card-code": ["the CVV is 471", "CVC: 471"],
    "password-hash": [
        "pbkdf2_sha256$260000$k3lx9h2z0m$Jq8we5rt6yu1io4pasdfghjklzxcvbnmqwertyuiop0=",
        "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b0dWRWJTmaaJObG",
        "scrypt:32768:8:1$Zk3lx9h2z0$" + "4f1c9b7e" * 8,
        "{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9gDuZ2k",
        "$y$j9T$Zk3lx9h2z0aB$Q8we5rt6yu1io4pasdfghjklzxcvbnm",
        "ana:1104:aad3b435b51404eeaad3b435b51404ee:8846f7eaee8fb117ad06bdd830b7586c:::",
    ],
    "product-key": ["install it with VK7JG-NPHTM-C97JM-9MPGT-3V66T please"],
}
ALL = [(kind, line) for kind, lines in LINES.items() for line in lines]


@pytest.mark.parametrize(("kind", "line"), ALL, ids=[line for _, line in ALL])
def test_a_line_made_for_it_is_told(kind, line):
    text, kinds = redact_text(line)
    assert kinds == (kind,)
    assert WORD not in text
    assert redact_text(f"First this.\n{line}\nThen that.")[1] == (kind,)
    assert redact_text(text) == (text, ())


@pytest.mark.parametrize("line", LINES["password"])
def test_so_it_is_within_data(line):
    assert redact({"output": f"$ {line}"}).kinds == ("password",)
    assert redact_text(json.dumps({"output": f"done\n{line}\nbye"}))[1] == ("password",)


OTHERS = [
    "AUTH failed for user ana",
    "530 AUTH TLS required",
    "AUTH LOGIN",
    "The server answered AUTH PLAIN and then closed",
    "auth service is down",
    "> auth middleware restarted",
    "requirepass is set in redis.conf",
    "set requirepass and restart it",
    "snmp-server community public RO",
    "snmp-server location basement",
    "The SNMP community string is stored in the vault.",
    "our community is friendly, and the community string quartet plays at 8",
    "net use shows the drives",
    "net use Z: \\\\files\\share /persistent:yes",
    "net user ana /domain",
    "net user ana * /add",
    "The error code is 4711",
    "zip code: 90210",
    "the promo code is SAVE20",
    "Exit code 1337",
    "The gate is B47, the flight code is 4711",
    "door 4711 is open",
    "access code review on 2026-03-02",
    "the safe combination of both is unknown",
    "Your confirmation code is K4711X",
    "the country code is 0049 and the area code is 2204",
    "QR code: 4711",
    "status code is 4040",
    "the one-time code expires after 10 minutes",
    "A verification code was sent to the phone ending in 4711",
    "the PIN code of Pune is 411001",
    "CVV check failed 3 times",
    "the cvc is missing",
    "username ana password reset was asked for",
    "enable secret scanning",
    "enable password rotation",
    "machine api login page",
    "psk: enabled",
    "tacacs-server host 10.0.0.9",
    "smbclient //files/share -U ana",
    "unzip -p backup.zip notes.txt",
    "7z x backup.7z",
    "sqlplus / as sysdba",
    "plink -ssh ana@host",
    "openssl rsa -in k.pem -passin env:PASS",
    "gpg --passphrase-file key.txt -d x.gpg",
    "mosquitto_sub -h host -p 1883 -t lamp",
    "htpasswd -c .htpasswd ana",
    "docker run -p 8080:80 web",
    "serial ABCDE-FGHIJ-KLMNO-PQRST-UVWXY",
    "2f1c9d3e-0b7a-4f59-8a86-5d1f3c2b9e70",
    "SECRET_KEY = env('SECRET_KEY')",
    "SECRET_KEY = os.environ['SECRET_KEY']",
    "username=ana,role=admin",
]


@pytest.mark.parametrize("text", OTHERS)
def test_other_lines_are_left_alone(text):
    assert redact_text(text) == (text, ())


DJANGO = "abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)"
FORMS = ["SECRET_KEY = '{}'", 'SECRET_KEY = "django-insecure-{}"', "'SECRET_KEY': '{}',", "SECRET_KEY={}"]


@pytest.mark.parametrize("form", FORMS)
def test_a_drawn_key_is_told_whatever_signs_it_has(form):
    drawn = random.Random(7)
    keys = ["".join(drawn.choices(DJANGO, k=50)) for _ in range(300)]
    kept = [key for key in keys if key in redact_text(form.format(key))[0]]
    assert len(kept) <= len(keys) / 100


def test_a_key_in_bytes_is_told():
    text, kinds = redact_text(r"""app.secret_key = b'_5#y2L"F4Q8z\n\xec]/'""")
    assert kinds == ("secret",)
    assert "F4Q8z" not in text

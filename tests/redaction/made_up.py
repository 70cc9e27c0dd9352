"""Secrets made up at run time, so that no file of the repository looks as if it leaked one."""

import base64
import json
import random
import string
import uuid

SMALL = string.ascii_lowercase + string.digits
CAPITAL = string.ascii_uppercase + string.digits
ANY = string.ascii_letters + string.digits
HEX = "0123456789abcdef"

rng = random.Random(20240501)


def letters(alphabet: str, length: int) -> str:
    """Characters of which at least one is a digit and one is not."""
    while True:
        text = "".join(rng.choices(alphabet, k=length))
        if any(map(str.isdigit, text)) and any(map(str.isalpha, text)):
            return text


def encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def web_token() -> str:
    header, payload = encoded({"alg": "HS256", "typ": "JWT"}), encoded({"sub": "42", "name": "Ana"})
    return f"{header}.{payload}.{letters(ANY, 43)}"


def private_key(label: str = "RSA PRIVATE KEY") -> str:
    body = "\n".join(letters(ANY, 64) for _ in range(4))
    return f"-----BEGIN {label}-----\n{body}\n-----END {label}-----"


NAMED = {
    "aws-access-key": "AKIA" + letters(CAPITAL, 16),
    "google-api-key": "AIza" + letters(ANY, 35),
    "google-client-secret": "GOCSPX-" + letters(ANY, 28),
    "azure-client-secret": letters(ANY, 3) + "8Q~" + letters(ANY, 34),
    "digitalocean-token": "dop_v1_" + letters(HEX, 64),
    "github-token": "ghp_" + letters(ANY, 36),
    "gitlab-token": "glpat-" + letters(ANY, 20),
    "bitbucket-token": "ATBB" + letters(ANY, 32),
    "npm-token": "npm_" + letters(ANY, 36),
    "pypi-token": "pypi-AgEIcHlwaS5vcmc" + letters(ANY, 120),
    "docker-token": "dckr_pat_" + letters(ANY, 27),
    "terraform-token": letters(ANY, 14) + ".atlasv1." + letters(ANY, 64),
    "vault-token": "hvs." + letters(ANY, 90),
    "doppler-token": "dp.pt." + letters(ANY, 43),
    "databricks-token": "dapi" + letters(HEX, 32),
    "grafana-token": "glsa_" + letters(ANY, 32) + "_" + letters(HEX, 8),
    "dynatrace-token": "dt0c01." + letters(CAPITAL, 24) + "." + letters(CAPITAL, 64),
    "anthropic-key": "sk-ant-api03-" + letters(ANY, 93) + "AA",
    "openai-key": "sk-proj-" + letters(ANY, 48),
    "huggingface-token": "hf_" + "".join(rng.choices(string.ascii_letters, k=34)),
    "langsmith-key": "lsv2_pt_" + letters(HEX, 32) + "_" + letters(HEX, 10),
    "slack-token": f"xoxb-{rng.randint(10**11, 10**12)}-" + letters(ANY, 24),
    "telegram-token": f"{rng.randint(10**9, 10**10 - 1)}:AA" + letters(ANY, 33),
    "discord-token": "M" + letters(ANY, 25) + "." + letters(ANY, 6) + "." + letters(ANY, 38),
    "twilio-key": "SK" + letters(HEX, 32),
    "sendgrid-key": "SG." + letters(ANY, 22) + "." + letters(ANY, 43),
    "mailchimp-key": letters(HEX, 32) + "-us12",
    "stripe-key": "sk_live_" + letters(ANY, 24),
    "shopify-token": "shpat_" + letters(HEX, 32),
    "linear-token": "lin_api_" + letters(ANY, 40),
    "notion-token": "ntn_" + letters(ANY, 46),
    "airtable-token": "pat" + letters(ANY, 14) + "." + letters(HEX, 64),
    "hubspot-token": f"pat-na1-{uuid.UUID(int=rng.getrandbits(128))}",
    "supabase-key": "sbp_" + letters(HEX, 40),
    "buildkite-token": "bkua_" + letters(HEX, 40),
    "crates-token": "cio" + letters(ANY, 32),
    "packagist-token": "packagist_org_" + letters(HEX, 68),
    "axiom-token": f"xaat-{uuid.UUID(int=rng.getrandbits(128))}",
    "e2b-key": "e2b_" + letters(HEX, 40),
    "firecrawl-key": "fc-" + letters(HEX, 32),
    "clickup-token": "pk_29258752_" + letters(CAPITAL, 32),
    "password-hash": "$2b$12$" + letters(ANY, 53),
    "jwt": web_token(),
    "private-key": private_key(),
}
"""One of each kind that people meet most."""

WEBHOOKS = {
    "slack-webhook": (
        "https://hooks.slack.com/",
        "services/T" + letters(CAPITAL, 8) + "/B0/" + letters(ANY, 24),
    ),
    "discord-webhook": (
        "https://discord.com/api/webhooks/",
        f"{rng.randint(10**17, 10**18)}/" + letters(ANY, 68),
    ),
    "make-webhook": ("https://hook.eu1.make.com/", letters(SMALL, 32)),
    "ifttt-webhook": ("https://maker.ifttt.com/trigger/x/with/key/", letters(ANY, 43)),
    "n8n-webhook": ("https://acme.app.n8n.cloud/webhook/", str(uuid.UUID(int=rng.getrandbits(128)))),
    "azure-shared-signature": ("https://prod-01.logic.azure.com/invoke?sig=", letters(ANY, 43)),
    "session-cookie": ("https://shop.example.org/cart;JSESSIONID=", letters(CAPITAL, 32)),
    "zapier-webhook": ("https://hooks.zapier.com/hooks/", "catch/1234567/" + letters(ANY, 7)),
}
"""Addresses whose second part is the secret."""

MACHINE_MADE = (
    letters(HEX, 32),
    letters(ANY, 24),
    letters(ANY, 40),
    letters(SMALL, 36),
    base64.b64encode(rng.randbytes(32)).decode(),
    str(uuid.UUID(int=rng.getrandbits(128))),
)
HUMAN_MADE = (
    "Lisbon" + str(rng.randint(100, 999)) + "!",
    letters(ANY, 12),
    letters(ANY, 9) + "#" + letters(ANY, 3),
)

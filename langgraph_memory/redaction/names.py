"""What a name says about the value beside it: `db_password`, `X-Api-Key`, `nextPageToken`, `monkey`."""

from __future__ import annotations

import re
from functools import lru_cache

from langgraph_memory.redaction.values import Bar

STEMS = (b"pass", b"pwd", b"secret", b"token", b"key", b"cred", b"auth", b"jwt", b"mnemonic")
"""Lower-case letters of which every name that can mean a secret holds at least one."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_TRAILING = frozenset(
    """b64 base base64 clear current default dev development encoded env live new old plain plaintext prod
    production raw staging str string test text v val value""".split()  # noqa: SIM905
)
_DESCRIBES = frozenset(
    """address age alg algorithm alias algo arn at attempts audience budget bucket cache callback change changed
    check class column complexity confirmation controller cost count counts created date description digest
    disabled enabled encoding encryption endpoint error expiration expire expired expires expiry exists factory
    field fields file filename filter fingerprint form format function generator grant group handler handlers hash
    hashes header headers help hint host id identifier ids index info input ip issuer item items kind label length
    len level lifetime limit limits link list location manager map max message method min mode model name names
    namespace number option options output page param parameter parameters path pattern period placeholder policy
    policies port position prefix price prompt protected provider providers rate ref reference regex region
    required reset resource response result role roles rotation rule rules salt schema scheme scope scopes server
    service size source state status store strategy strength subject suffix table template thumbprint time
    timeout title total ttl type types uri url usage used user username valid validation validator validity
    version view width""".split()  # noqa: SIM905
)
_NEGATES = frozenset(
    """can cancel completion continuation count csrf cursor forgot has input invalid is max min missing
    next no not num number output page prompt public publishable reset should show sync total use uses
    valid verify with without xsrf""".split()  # noqa: SIM905
)
_PASSWORD_WORDS = frozenset("password passwd passphrase passcode passwort pwd psw passwords".split())  # noqa: SIM905
_BEFORE_PASS = frozenset(
    "admin auth basic db ftp http imap key keystore ldap login mail my mysql pg proxy redis root smtp sql ssh user".split()  # noqa: SIM905
)
_PASSWORD_ENDS = ("password", "passwd", "passphrase", "pwd")
_SECRET_WORDS = frozenset(
    """secret secrets token tokens apikey apikeys accesskey secretkey privatekey authkey authtoken authorization
    credential credentials creds jwt mnemonic""".split()  # noqa: SIM905
)
_SECRET_ENDS = ("secret", "token", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "credentials")
_VAGUE_WORDS = frozenset("key keys auth cred bearer".split())  # noqa: SIM905
_OPENING_KEYS = frozenset(
    """access account admin aes api app application auth client consumer decryption deploy deployment encryption
    fernet function hmac host ingest integration jwt license licence master private project rest rsa secret
    security sending service session shared sign signing ssh ssl storage subscription tls webhook write
    """.split()  # noqa: SIM905
)
_LOCATING_KEYS = frozenset(
    """by cache candidate composite config dedup deduplication dict dictionary error event field foreign group
    hash hot i18n idempotency index json lock lookup map message metadata natural object order paging partition
    primary property range redis registry resource routing row s3 search settings short sort sorted state surrogate
    tag translation unique""".split()  # noqa: SIM905
)


@lru_cache(maxsize=4096)
def bar_of(name: str) -> Bar | None:
    """How much a value under this name must look like a secret; None where the name doesn't mean one.

    >>> bar_of("DB_PASSWORD"), bar_of("stripeApiKey"), bar_of("key"), bar_of("token_count"), bar_of("monkey")
    (<Bar.PASSWORD: 2>, <Bar.SECRET: 3>, <Bar.RANDOM: 4>, None, None)
    """
    words = [word.lower() for word in _WORD.findall(name)][-8:]
    while words and (words[-1].isdigit() or words[-1] in _TRAILING):
        words.pop()
    if not words or words[-1] in _DESCRIBES or not _NEGATES.isdisjoint(words):
        return None
    return _bar_of_last(words[-1], words[-2] if len(words) > 1 else "") or _bar_of_any(words[:-1])


def _bar_of_last(word: str, before: str) -> Bar | None:
    if word in _PASSWORD_WORDS or word.endswith(_PASSWORD_ENDS):
        return Bar.PASSWORD
    if word == "pass" and (not before or before in _BEFORE_PASS):
        return Bar.PASSWORD
    if word in _SECRET_WORDS or word.endswith(_SECRET_ENDS):
        return Bar.SECRET
    if word in {"key", "keys"} and before:
        return None if before in _LOCATING_KEYS else Bar.SECRET if before in _OPENING_KEYS else Bar.RANDOM
    return Bar.RANDOM if word in _VAGUE_WORDS else None


def _bar_of_any(words: list[str]) -> Bar | None:
    """A secret's name with something behind it that doesn't describe (`api_token_backup`) is vague."""
    pairs = zip(["", *words], words, strict=False)
    bars = [_bar_of_last(word, before) for before, word in pairs]
    return Bar.RANDOM if any(bar in {Bar.PASSWORD, Bar.SECRET} for bar in bars) else None

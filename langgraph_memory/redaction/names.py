"""What a name says about the value beside it: `db_password`, `X-Api-Key`, `nextPageToken`, `monkey`."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from langgraph_memory.redaction.values import Bar


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STEMS = (
    b"pass",
    b"pwd",
    b"secret",
    b"token",
    b"key",
    b"cred",
    b"auth",
    b"jwt",
    b"_pat",
    b"contrase",
    b"senha",
    b"wachtwoord",
    b"parola",
    b"lozinka",
    b"salasana",
    b"pw",
)
"""In lower case, letters of which every name that can mean a secret holds at least one."""
FOREIGN_STEMS = ("пароль", "密码", "密碼", "パスワード", "비밀번호")

_REPLACED = "[redacted:"
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")

_TRAILING = _words(
    """b64 base base64 clear current default dev development encoded env live new old plain plaintext
    prod production raw staging str string test text v val value"""
)
_DESCRIBES = _words(
    """address age alg algorithm alias algo arn at attempts audience budget bucket cache callback
    change changed check class column complexity confirmation controller cost count counts created
    date description digest disabled enabled encoding encryption endpoint error expiration expire
    expired expires expiry exists factory field fields file filename filter fingerprint form format
    function generator grant group hash hashes header headers help hint host id identifier ids index
    info input ip issuer item items kind label length len level lifetime limit limits link list
    location map max message method min mode model name names namespace number option options output
    page param parameter parameters path pattern period placeholder policies policy port position
    prefix price prompt protected provider providers rate ref reference regex region required reset
    resource response result role roles rotation rule rules salt schema scheme scope scopes server
    service size source state status store strategy strength subject suffix table template
    thumbprint time timeout title total ttl type types uri url usage used user username valid
    validation validator validity version view width"""
)
_NEGATES = _words(
    """can completion continuation count csrf cursor forgot has hashed input invalid is max min missing
    next no not num number output page prompt public publishable reset should show sync total use
    uses valid verify without xsrf"""
)
_PASSWORD_WORDS = _words(
    """password passwd passphrase passcode passwort passe pwd psw pw passwords contrasena senha wachtwoord
    parola lozinka salasana bindpw rootpw requirepass
    пароль 密码 密碼 パスワード 비밀번호"""
)
_PASSWORD_ENDS = ("password", "passwd", "passphrase", "pwd", "密码", "密碼", "パスワード", "비밀번호")
_BEFORE_PASS = _words(
    """admin amqp auth backup basic become console db email enc ftp gpg http imap key keystore ldap login mail
    mongo mqtt my mysql pg pgp postgres proxy rabbitmq rds redis root service smtp sql ssh sudo tomcat user
    vault web wifi"""
)
_SECRET_WORDS = _words(
    """secret secrets token tokens apikey apikeys accesskey secretkey privatekey authkey authtoken
    authorization credential credentials creds jwt"""
)
_SECRET_ENDS = ("secret", "token", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "credentials")
_VAGUE_WORDS = _words("key keys cred bearer pat authentication authorisation")
_OPENING_KEYS = _words(
    """access account admin aes api app application client consumer decryption deploy deployment
    encryption fernet function hmac host ingest integration jwt license licence master private
    project rest rsa secret security sending service session shared sign signing ssh ssl storage
    subscription tls webhook write"""
)
_LOCATING_KEYS = _words(
    """by cache candidate composite config dedup deduplication dict dictionary error event field
    foreign group hash hot i18n idempotency index json lock lookup map message metadata natural
    object order paging partition primary property range registry resource routing row s3 search
    settings short sort sorted state surrogate tag translation unique"""
)
_QUALIFIERS = (
    _OPENING_KEYS | _LOCATING_KEYS | _NEGATES - _words("can has is not should show use uses with without")
)


def qualifies(word: str) -> bool:
    """Whether a word of prose belongs to the name behind it: `client secret`, `primary key`, not `the key`.

    >>> qualifies("API"), qualifies("the")
    (True, False)
    """
    return word.lower() in _QUALIFIERS


@lru_cache(maxsize=4096)
def bar_of(name: str) -> Bar | None:
    """How much a value under this name must look like a secret; None where the name doesn't mean one.

    >>> bar_of("DB_PASSWORD"), bar_of("stripeApiKey"), bar_of("key"), bar_of("token_count"), bar_of("monkey")
    (<Bar.PASSWORD: 2>, <Bar.SECRET: 3>, <Bar.RANDOM: 5>, None, None)
    """
    if _REPLACED in name:
        return None
    words = [word.lower() for word in _WORD.findall(_unaccented(name))][-8:]
    while words and (words[-1].isdigit() or words[-1] in _TRAILING):
        words.pop()
    if not words or words[-1] in _DESCRIBES or not _NEGATES.isdisjoint(words):
        return None
    return _bar_of_last(words[-1], words[-2] if len(words) > 1 else "") or _bar_of_any(words[:-1])


def _unaccented(name: str) -> str:
    if name.isascii():
        return name
    decomposed = unicodedata.normalize("NFKD", name)
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f"))


def _bar_of_last(word: str, before: str) -> Bar | None:
    if word in _PASSWORD_WORDS or word.endswith(_PASSWORD_ENDS):
        return Bar.PASSWORD
    if word == "pass" and (not before or before in _BEFORE_PASS):
        return Bar.PASSWORD
    if word in _SECRET_WORDS or word.endswith(_SECRET_ENDS):
        return Bar.SECRET
    if word == "auth":
        return Bar.CREDENTIALS
    if word in {"key", "keys"} and before:
        return None if before in _LOCATING_KEYS else Bar.SECRET if before in _OPENING_KEYS else Bar.RANDOM
    return Bar.RANDOM if word in _VAGUE_WORDS else None


def _bar_of_any(words: list[str]) -> Bar | None:
    """A secret's name with something behind it that doesn't describe (`api_token_backup`) is vague."""
    bars = [_bar_of_last(word, before) for before, word in zip(["", *words], words, strict=False)]
    return Bar.RANDOM if Bar.PASSWORD in bars or Bar.SECRET in bars else None

"""Lines of a kind made for a password: of files, consoles, devices and notes, as one table.

A row has literals, one of which stands in every such line: a text without any of them costs no pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from langgraph_memory.redaction.spans import Span
from langgraph_memory.redaction.values import Bar, holds_secret


class Form(NamedTuple):
    """One kind of line.

    Attributes:
        hints: literals in lower case.
        pattern: the line; its group `secret` is what is replaced.
        bar: how much that must look like a secret where it stands; None for numbers, which only it tells.
        kind: what it is called.
    """

    hints: tuple[bytes, ...]
    pattern: re.Pattern[str]
    bar: Bar | None
    kind: str


def find_in_lines(text: str, lower: bytes) -> Iterator[Span]:
    """Passwords and codes in lines made for them; `lower` is the text in lower case, one byte a character.

    >>> [text for text in ["The gate code is 4711#", "The error code is 4711"] if
    ...     list(find_in_lines(text, text.lower().encode()))]
    ['The gate code is 4711#']
    """
    for form in _FORMS:
        if any(hint in lower for hint in form.hints):
            for match in form.pattern.finditer(text):
                if form.bar is None or holds_secret(match["secret"], form.bar, quoted=True):
                    yield Span(*match.span("secret"), form.kind)
    if _PORT_WITHIN.search(text):
        for match in _PASS_LINE.finditer(text):
            if holds_secret(match["secret"], Bar.PASSWORD, quoted=True):
                yield Span(*match.span("secret"), "password")


_PASS_LINE = re.compile(
    r"^(?:[\w.*-]{1,253}|\[[0-9a-f:]+\]):(?:\d{1,5}|\*):[^:\s]{1,64}:[^:\s]{1,64}:"
    r"(?P<secret>(?:[^:\s\\]|\\.){4,256})$",
    re.MULTILINE,
)
"""A line of PostgreSQL's password file: host, port, database, user, password."""
_PORT_WITHIN = re.compile(r":(?:\d{2,5}|\*):[^:\s]")

_BARE = r"(?P<secret>[^\s\"'\\]{4,256}+)"
_WORD = r"(?P<q>\\?[\"']?)(?P<secret>[^\s\"'\\]{4,256}+)(?P=q)"
"""A word, perhaps in quotes."""
_QUOTED = r"(?P<q>\\?['\"])(?P<secret>[^'\"\n\\]{4,256})(?P=q)"
_LINE = r"(?:^|(?<=\\n)|(?<=[\"'`>$#] ))[ \t]*"
"""Where a line begins, also inside a quoted text and behind a prompt."""
_END = r"(?=[ \t]*(?:$|\\[nr]|[\"'`]))"
_AROUND = r"[^\n|;]{0,160}?"
"""What else stands in a command."""
_GIVES = (
    r"(?:[ ](?:for|of|to|on|at|in|by)\b[^\n.:=?!;]{1,40}?)?[ ]{0,2}"
    r"(?:\b(?:is|was|to|are)\b(?:[ ]now)?|[:=])[ ]{0,3}[\"'`*]{0,2}"
)
"""What stands between the name of a code and the code: perhaps what it is for, then what gives it."""
_NO_MORE = r"(?![\w.,-]*\d)"


def _form(hints: str, pattern: str, bar: Bar | None = Bar.PLACED, kind: str = "password") -> Form:
    """A row: `hints` apart by bars."""
    return Form(tuple(h.encode() for h in hints.split("|")), re.compile(pattern, re.MULTILINE), bar, kind)


_HASH, _ACCESS, _ONE_TIME = "password-hash", "access-code", "one-time-code"
_FORMS = (
    # Files of their own
    _form("machine", r"\bmachine\s+\S{1,253}\s+login\s+\S{1,128}\s+password\s+" + _WORD),
    _form("psk", r"(?i:(?<![\w-])(?:wpa_)?psk\s{0,3}[:=]\s{0,3})" + _WORD),
    _form("psk", r":[ \t]{1,4}PSK[ \t]{1,4}" + _QUOTED),
    _form("wpa_passphrase|wep_key", r"\b(?:wpa_passphrase|wep_key\d?)\s{0,2}=\s{0,2}" + _WORD),
    _form(
        ",pass",
        r"\buser(?:name)?=[^,\s=]{1,64},(?:[\w=]{1,32},){0,2}pass(?:word)?=(?P<secret>[^,\s\"'\\]{4,128})",
    ),
    _form(
        "secret",
        r"(?i:\bsecret_?key)\s{0,3}=\s{0,3}b(?P<q>['\"])(?P<secret>(?:(?!(?P=q))[^\r]){6,256})(?P=q)",
        kind="secret",
    ),
    _form(
        "secret",
        r"^(?:export )?\w{0,40}?(?i:secret_?key)=(?P<secret>[^\s\"'`]{32,128}+)$",
        Bar.SECRET,
        "secret",
    ),
    # Databases and caches
    _form("identified ", r"(?i)\bidentified (?:with [\w'\"`]{1,64} )?(?:by|as) " + _QUOTED),
    _form(
        "sp_addlogin|sp_password", r"(?i)\bsp_(?:addlogin|password) ['\"][^'\"\n]{1,64}['\"] ?, ?" + _QUOTED
    ),
    _form(
        "auth ",
        r"AUTH(?:(?<=^AUTH)|(?<=[\"'`>]AUTH)|(?<=[>$#] AUTH)|(?<=\\nAUTH)) (?:[\w.@-]{1,64} )?"
        + _BARE
        + _END,
        Bar.PASSWORD,
    ),
    _form("> auth|>auth", r"(?<=[\d\w])> ?auth (?:[\w.@-]{1,64} )?" + _BARE + _END, Bar.PASSWORD),
    _form(
        "requirepass|masterauth|auth-pass",
        r"\b(?:requirepass|masterauth|auth-pass \S{1,64})[ \t]{1,4}" + _WORD,
        Bar.PASSWORD,
    ),
    _form("setuser ", r"(?i)\bacl setuser [^\n]{1,120}? >" + _BARE),
    # Consoles
    _form(
        "echo |printf ",
        r"(?:echo|printf) (?:-\w{1,2} )?(?P<q>['\"]?)(?P<secret>[^\s'\"|]{4,256})(?P=q) ?\| ?"
        r"(?:sudo -S|docker login|podman login|helm registry login|chpasswd|passwd|cryptsetup|gpg )",
    ),
    _form("convertto-securestring", r"(?i)convertto-securestring (?:-string )?" + _QUOTED),
    _form("net use", r"(?i)\bnet use [^\n]{1,160}?/user:\S{1,128} {1,3}(?![/*])" + _WORD),
    _form("net use", rf"(?i)\bnet use [^\n]{{0,8}}?\\[^\n]{{1,160}}? {{1,3}}(?![/*]){_BARE} {{1,3}}/u"),
    _form(
        "net user",
        r"(?i)\bnet user \S{1,64} {1,3}(?![/*])(?P<secret>[^\s\"'\\/]{4,128}+)"
        r"(?= {1,3}/(?:add|domain|active)| ?$)",
    ),
    _form(
        "smbclient|rpcclient|smbmap",
        rf"\b(?:smbclient|rpcclient|smbmap)\b{_AROUND} -U ?[\"']?[^\s%\"']{{1,64}}%{_BARE}",
    ),
    _form("lftp|curlftpfs", rf"\b(?:lftp|curlftpfs)\b{_AROUND} -u ?[\"']?[^\s,\"']{{1,64}},{_BARE}"),
    _form(" -pw ", rf"(?i)\b(?:plink|pscp|psftp|putty)(?:\.exe)?\b{_AROUND} -pw {_WORD}"),
    _form(
        "freerdp|rdesktop|mstsc", rf"(?i)\b\w{{0,3}}(?:freerdp|rdesktop|mstsc)\b{_AROUND} [/-]p[: ]{_WORD}"
    ),
    _form(
        "sqlplus|sqlldr|expdp|impdp",
        r"\b(?:sqlplus|sqlldr|expdp|impdp)\b[^\n|;]{0,60}? [\"']?\w{1,64}/(?P<secret>[^\s@/\"'\\]{4,128})@",
    ),
    _form(" pass:", r"-pass(?:in|out)? pass:" + _WORD),
    _form("unzip ", rf"\bunzip {_AROUND}-P ?{_WORD}"),
    _form("7z |7za ", rf"\b7za? {_AROUND} -p(?![ -]){_WORD}"),
    _form("rar ", rf"\b(?:un)?rar {_AROUND} -h?p(?![ -]){_WORD}"),
    _form("--passphrase", r"--passphrase[ =]" + _WORD),
    _form("mosquitto_|ipmitool", rf"\b(?:mosquitto_\w{{3}}|ipmitool)\b{_AROUND} -P {_WORD}"),
    _form("htpasswd ", r"\bhtpasswd -\w{0,4}b\w{0,4} \S{1,160} \S{1,64} " + _WORD),
    _form("rabbitmqctl", r"\brabbitmqctl (?:add_user|change_password) \S{1,64} " + _WORD),
    _form(
        "$argon2",
        r"\$argon2(?:id|i|d)\$v=\d+\$(?P<secret>[\w=,]{8,40}\$[\w+/]{8,64}\$[\w+/]{16,128})",
        kind=_HASH,
    ),
    _form(
        "{ss|{sha|{md5|{smd",
        r"\{S?(?:SHA(?:256|384|512)?|MD5)\}(?P<secret>[A-Za-z0-9+/]{22,128}={0,2})",
        kind=_HASH,
    ),
    # Network devices
    _form("community", r"(?i)\b(?:snmp-server|set snmp) community " + _WORD),
    _form("community", rf"{_LINE}r[ow]community6?[ \t]{{1,8}}{_WORD}"),
    _form("com2sec", r"\bcom2sec6?[ \t]+\S{1,64}[ \t]+\S{1,64}[ \t]+" + _WORD),
    _form(
        "snmp", rf"\bsnmp(?:bulk)?(?:walk|get|getnext|set|status|table|trap|inform)\b{_AROUND} -c ?{_WORD}"
    ),
    _form(
        "community",
        rf"(?i)\b(?:snmp(?: v?[123]c?)? community(?: string| name)?|community string){_GIVES}{_WORD}",
        Bar.PASSWORD,
    ),
    _form(
        " password | secret ",
        rf"{_LINE}(?:enable|username \S{{1,64}}(?: privilege \d{{1,2}})?|neighbor \S{{1,64}}"
        rf"|ppp \w{{2,8}} sent-username \S{{1,64}}) (?:password|secret)(?: level \d{{1,2}})?(?: \d)? "
        rf"{_WORD}{_END}",
        Bar.PASSWORD,
    ),
    _form("password 7 ", rf"{_LINE}password 7 (?P<secret>[0-9A-F]{{6,128}}){_END}"),
    _form(
        "-server|isakmp key|key-string|wpa-psk",
        rf"{_LINE}(?:(?:tacacs|radius)-server\b[^\n]{{0,120}}? key|crypto isakmp key|key-string"
        rf"|wpa-psk ascii)(?: [0-9])? {_WORD}",
    ),
    # What people say and note
    _form(
        "wifi:",
        r"WIFI:(?:[A-OQ-Z]:[^;]{0,64};){0,4}P:(?P<secret>(?:[^;\\\n]|\\.){4,128});",
    ),
    _form("auth", r"(?i)auth\w{0,12} ?= ?(?:\w{1,40})?\( ?['\"][^'\"\n]{1,128}['\"] ?, ?" + _QUOTED),
    _form(
        " code|-code|combination|combo",
        r"(?i)\b(?:gate|door|garage|alarm|entry|entrance|keypad|key ?pad|access|lock ?box|key ?box|key ?safe"
        r"|safe|vault|building|elevator|lift|gym|locker|padlock|lock|buzzer|intercom|security panel)"
        rf"(?: (?:entry|access|panel|pin|lock))?[- ](?:code|combination|combo){_GIVES}"
        r"(?P<secret>[#*]?[A-Z]{0,2}\d{4,10}[A-Z]?[#*]?|\d{3}[#*]|\d{1,2}(?:[ -]{1,3}\d{1,2}){2,3}"
        rf"|\d(?:[ -]\d){{3,7}}){_NO_MORE}",
        None,
        _ACCESS,
    ),
    _form(
        " code |-code ",
        r"(?i)\b(?:gate|door|garage|alarm|keypad|lock ?box|key ?box)[- ]code "
        rf"(?P<secret>\d{{4,10}}[#*]?){_NO_MORE}",
        None,
        _ACCESS,
    ),
    _form(
        "code|otp",
        r"(?i)\b(?:(?:verification|one[- ]time|log-?in|sign-?in|2fa|mfa|otp|two-factor|authenticator"
        rf"|authentication|sms)(?: pass)?[- ]?code|otp){_GIVES}"
        rf"(?P<secret>(?:[A-Z]-)?\d{{4,8}}|\d{{3}}[ -]\d{{3}}){_NO_MORE}",
        None,
        _ONE_TIME,
    ),
    _form(
        "ion code|time code|in code|security code|2fa code|passcode",
        r"\b(?P<secret>(?:[A-Z]-)?\d{4,8}|\d{3}[ -]\d{3}) is (?:your|the|my) (?:[A-Z]\w{1,20} )?"
        r"(?:verification|one[- ]time|log-?in|security|sign-?in|2FA|authentication) (?:pass)?code\b",
        None,
        _ONE_TIME,
    ),
    _form(
        "pin",
        r"(?i)\b(?:pin[- ]code|(?:sim|card|debit|voice ?mail|phone)[- ]pin)"
        rf"{_GIVES}(?P<secret>\d{{4}})\b{_NO_MORE}",
        None,
        "pin",
    ),
    _form("puk", rf"\bPUK[12]?(?: code)?{_GIVES}(?P<secret>\d{{8}})\b", None, "pin"),
    _form(
        "cvv|cvc",
        rf"\b(?i:cvv2?|cvc2?)(?i: code| number)?{_GIVES}(?P<secret>\d{{3,4}})\b{_NO_MORE}",
        None,
        "card-code",
    ),
)
"""All forms of lines, tried in order."""
